"""Traces and measures runs with a tracer and a meter. Imported only where one of them is in use.

with telemetry.agent(run, model=model.name) as agent:              # invoke_agent {agent}
    with telemetry.advisor("tool calling", 400):                   # advisor {name}
        with telemetry.chat(request, model.name, run) as chat:     # chat {model}
            response = await model.chat(request, chat.run)
            chat.answered(response)
        with telemetry.tool(call, tool.definition, run) as one:    # execute_tool {tool}
            one.finished(text, is_error)
    agent.answered(response)
"""

import logging
import os

from opentelemetry.metrics import MeterProvider, NoOpMeter
from opentelemetry.trace import NoOpTracer, TracerProvider

from dure.chat import ChatRequest, ToolDefinition
from dure.messages import ToolCall
from dure.observability import conventions as names
from dure.observability.metrics import Instruments
from dure.observability.spans import AdvisorSpan, AgentSpan, ChatSpan, ToolSpan
from dure.run import RunContext

logger = logging.getLogger(__name__)

_WITH_CONTENT = ("SPAN_ONLY", "SPAN_AND_EVENT", "TRUE")
_WITHOUT_CONTENT = ("", "NO_CONTENT", "FALSE")


class Telemetry:
    """What makes the spans and records the metrics of runs. Never makes a run fail."""

    def __init__(
        self,
        *,
        tracer_provider: TracerProvider | None = None,
        meter_provider: MeterProvider | None = None,
        capture_content: bool | None = None,
    ) -> None:
        """Without a provider there are no spans, or no metrics.

        `capture_content` puts what people, models and tools say on the spans (see
        `dure.observability.content`); `None` leaves it to
        OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT, whose default is not to.
        """
        tracer = None if tracer_provider is None else tracer_provider.get_tracer(names.SCOPE)
        meter = None if meter_provider is None else meter_provider.get_meter(names.SCOPE)
        self._tracer = None if isinstance(tracer, NoOpTracer) else tracer
        self._meters = None if meter is None or isinstance(meter, NoOpMeter) else Instruments(meter)
        self._capture = _captures_content() if capture_content is None else capture_content

    @property
    def in_use(self) -> bool:
        """Whether anything comes of it; not so when the SDK is disabled."""
        return self._tracer is not None or self._meters is not None

    def agent(self, run: RunContext, *, model: str) -> AgentSpan:
        """Round a whole run; `model` is the `provider:model` it is asked with."""
        return AgentSpan(self._tracer, self._meters, run, model, capture=self._capture)

    def advisor(self, name: str, order: int) -> AdvisorSpan:
        """Round one pass through an advisor."""
        return AdvisorSpan(self._tracer, name, order)

    def chat(self, request: ChatRequest, model: str, run: RunContext) -> ChatSpan:
        """Round one model call, for which the model is given `.run` of the result."""
        return ChatSpan(self._tracer, self._meters, request, model, run, capture=self._capture)

    def tool(self, call: ToolCall, definition: ToolDefinition | None, run: RunContext) -> ToolSpan:
        """Round one tool call; without a definition there is no such tool."""
        return ToolSpan(self._tracer, self._meters, call, definition, run, capture=self._capture)


def _captures_content() -> bool:
    value = os.environ.get(names.CAPTURE_VARIABLE, "").strip().upper()
    if value not in _WITH_CONTENT and value not in _WITHOUT_CONTENT:
        reason = "dure writes no events" if value == "EVENT_ONLY" else f"{value!r} is none of its values"
        logger.warning("no content is captured: %s; set %s=SPAN_ONLY", reason, names.CAPTURE_VARIABLE)
    return value in _WITH_CONTENT
