"""The instruments that runs are measured with, and what is recorded in each."""

from collections.abc import Mapping

from opentelemetry.metrics import Meter

from dure.observability import conventions as names
from dure.usage import Usage

Attributes = Mapping[str, str]

_CALL_SECONDS = tuple(0.01 * 2**step for step in range(14))
_AGENT_SECONDS = tuple(0.1 * 2**step for step in range(13))
_CALLS = tuple(float(2**step) for step in range(8))


class Instruments:
    """All instruments of one meter, made once. Boundaries are those the conventions ask for."""

    def __init__(self, meter: Meter) -> None:
        def seconds(name: str, description: str, boundaries: tuple[float, ...] = _CALL_SECONDS):  # noqa: ANN202 - as create_histogram says
            return meter.create_histogram(name, "s", description, explicit_bucket_boundaries_advisory=boundaries)

        def calls(name: str, unit: str, description: str):  # noqa: ANN202 - as create_histogram says
            return meter.create_histogram(name, unit, description, explicit_bucket_boundaries_advisory=_CALLS)

        def tokens(name: str, description: str):  # noqa: ANN202 - as create_counter says
            return meter.create_counter(name, "{token}", description)

        self._inference = seconds(names.INFERENCE_DURATION, "Duration of a model call.")
        self._first_chunk = seconds(names.INFERENCE_TIME_TO_FIRST_CHUNK, "Time until a model's first piece of answer.")
        self._input = tokens(names.INFERENCE_INPUT, "Input tokens used, cached ones included.")
        self._output = tokens(names.INFERENCE_OUTPUT, "Output tokens used, reasoning included.")
        self._cache_read = tokens(names.INFERENCE_CACHE_READ, "Input tokens served from a provider's cache.")
        self._cache_write = tokens(names.INFERENCE_CACHE_WRITE, "Input tokens written to a provider's cache.")
        self._reasoning = tokens(names.INFERENCE_REASONING, "Output tokens used for reasoning.")
        self._cost = meter.create_counter(names.INFERENCE_COST, "{USD}", "Cost of model calls whose price is known.")
        self._agent = seconds(names.AGENT_DURATION, "Duration of a run.", _AGENT_SECONDS)
        self._agent_inferences = calls(names.AGENT_INFERENCE_CALLS, "{inference_call}", "Model calls of a run.")
        self._agent_tools = calls(names.AGENT_TOOL_CALLS, "{tool_call}", "Tool calls of a run.")
        self._tool = seconds(names.TOOL_DURATION, "Duration of a tool call.")

    def record_inference(
        self, seconds: float, first_chunk: float | None, usage: Usage | None, attributes: Attributes, error: str | None
    ) -> None:
        """One model call. What it used is counted however it ended; zero tokens of a kind are not."""
        self._inference.record(seconds, with_error(attributes, error))
        if first_chunk is not None:
            self._first_chunk.record(first_chunk, attributes)
        if usage is None:
            return
        counted = {**attributes, names.TOKEN_MODALITY: names.TEXT}
        for counter, count in (
            (self._input, usage.input),
            (self._output, usage.output),
            (self._cache_read, usage.cache_read),
            (self._cache_write, usage.cache_write),
            (self._reasoning, usage.reasoning),
        ):
            if count:
                counter.add(count, counted)
        if usage.cost is not None:
            self._cost.add(float(usage.cost), attributes)

    def record_agent(
        self, seconds: float, model_calls: int, tool_calls: int, attributes: Attributes, error: str | None
    ) -> None:
        """One run, without the calls of the sub-agents below it."""
        self._agent.record(seconds, with_error(attributes, error))
        self._agent_inferences.record(model_calls, attributes)
        self._agent_tools.record(tool_calls, attributes)

    def record_tool(self, seconds: float, attributes: Attributes, error: str | None) -> None:
        """One tool call."""
        self._tool.record(seconds, with_error(attributes, error))


def with_error(attributes: Attributes, error: str | None) -> Attributes:
    """The attributes of an operation that failed with `error`, or of one that did not."""
    return attributes if error is None else {**attributes, names.ERROR_TYPE: error}
