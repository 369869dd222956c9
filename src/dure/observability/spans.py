"""The four operations of a run: an agent at work, an advisor, a model call, a tool call."""

from msgspec import structs
from opentelemetry.trace import SpanKind, Tracer
from opentelemetry.util.types import AttributeValue

from dure.chat import ChatRequest, ChatResponse, ToolDefinition
from dure.events import Event, ReasoningDelta, TextDelta, ToolCallDelta
from dure.messages import ToolCall
from dure.observability import content
from dure.observability import conventions as names
from dure.observability.compaction import is_compacted
from dure.observability.content import clean
from dure.observability.metrics import Instruments
from dure.observability.operation import Operation, error_type, guarded
from dure.run import RunContext
from dure.usage import NO_USAGE, Usage


class AgentSpan(Operation):
    """One run from its question to its answer: `invoke_agent {agent}`."""

    __slots__ = ("_before", "_meters", "_model", "_run")

    def __init__(
        self, tracer: Tracer | None, meters: Instruments | None, run: RunContext, model: str, *, capture: bool
    ) -> None:
        super().__init__(tracer, capture=capture)
        self._meters = meters
        self._run = run
        self._model = model
        counts = run.counts
        self._before = (counts.model_calls, counts.tool_calls, counts.spent)

    def _open(self) -> None:
        run = self._run
        provider, model = names.provider_and_model(self._model)
        attributes: dict[str, str | int] = {
            names.OPERATION_NAME: names.INVOKE_AGENT,
            names.PROVIDER_NAME: provider,
            names.REQUEST_MODEL: model,
            names.AGENT_NAME: run.agent,
            names.RUN_ID: run.run_id,
            names.RUN_DEPTH: run.depth,
        }
        if run.conversation_id is not None:
            attributes[names.CONVERSATION_ID] = run.conversation_id
        self._start(f"{names.INVOKE_AGENT} {run.agent}", SpanKind.INTERNAL, attributes)

    @guarded
    def answered(self, response: ChatResponse) -> None:
        """The run has its answer, with the usage of all of it."""
        if self.recording:
            self.set({names.RESPONSE_FINISH_REASONS: (response.finish_reason,), **_usage(response.usage)})
            if self._capture:
                self.set({names.OUTPUT_MESSAGES: content.output_messages(response)})

    def _close(self, seconds: float) -> None:
        model_calls, tool_calls, spent = self._before
        counts = self._run.counts
        if self._error is not None and spent is NO_USAGE and self.recording:
            self.set(_usage(counts.spent))
        if self._meters is not None:
            self._meters.record_agent(
                seconds,
                counts.model_calls - model_calls,
                counts.tool_calls - tool_calls,
                {names.AGENT_NAME: clean(self._run.agent)},
                self._error,
            )


class AdvisorSpan(Operation):
    """One pass through one link of the chain: `advisor {name}`."""

    __slots__ = ("_name", "_order")

    def __init__(self, tracer: Tracer | None, name: str, order: int) -> None:
        super().__init__(tracer, capture=False)
        self._name = name
        self._order = order

    def _open(self) -> None:
        attributes = {names.ADVISOR_NAME: self._name, names.ADVISOR_ORDER: self._order}
        self._start(f"{names.ADVISOR} {self._name}", SpanKind.INTERNAL, attributes)


class ChatSpan(Operation):
    """One model call: `chat {model}`."""

    __slots__ = ("_first_chunk", "_measured", "_meters", "_name", "_request", "_usage", "run")

    def __init__(
        self,
        tracer: Tracer | None,
        meters: Instruments | None,
        request: ChatRequest,
        model: str,
        run: RunContext,
        *,
        capture: bool,
    ) -> None:
        super().__init__(tracer, capture=capture)
        self._meters = meters
        self._request = request
        self._name = model
        self._measured: dict[str, str] = {}
        self._usage: Usage | None = None
        self._first_chunk: float | None = None
        self.run = run.watched_by(self._hear)
        """What the model is to be given instead of the run, so that its first piece of answer is timed."""

    def _open(self) -> None:
        run = self.run
        provider, model = names.provider_and_model(clean(self._name))
        self._measured |= {
            names.OPERATION_NAME: names.CHAT,
            names.PROVIDER_NAME: provider,
            names.REQUEST_MODEL: model,
        }
        attributes = {**self._measured, names.AGENT_NAME: run.agent, **_asked(self._request)}
        if run.conversation_id is not None:
            attributes[names.CONVERSATION_ID] = run.conversation_id
        if is_compacted(run):
            attributes[names.CONVERSATION_COMPACTED] = True
        self._start(f"{names.CHAT} {model}", SpanKind.CLIENT, attributes)
        if self._capture and self.recording:
            self.set(_said(self._request))

    @guarded
    def answered(self, response: ChatResponse) -> None:
        """The model has answered; if the answer is then refused, its tokens are counted all the same."""
        usage = self._usage = self._priced(response.usage)
        if response.model:
            self._measured[names.RESPONSE_MODEL] = clean(names.provider_and_model(response.model)[1])
        if self.recording:
            self.set({names.RESPONSE_FINISH_REASONS: (response.finish_reason,), **_usage(usage)})
            if self._capture:
                self.set({names.OUTPUT_MESSAGES: content.output_messages(response)})

    def _priced(self, usage: Usage) -> Usage:
        price = self.run.price
        if price is None or usage.cost is not None:
            return usage
        return structs.replace(usage, cost=price(self._name, usage))

    def _close(self, seconds: float) -> None:
        if self.recording:
            self.set(
                {
                    names.RESPONSE_MODEL: self._measured.get(names.RESPONSE_MODEL),
                    names.RESPONSE_TIME_TO_FIRST_CHUNK: self._first_chunk,
                    names.RESPONSE_FINISH_REASONS: (names.ERROR,) if self._usage is None else None,
                }
            )
        if self._meters is not None:
            self._meters.record_inference(seconds, self._first_chunk, self._usage, self._measured, self._error)

    def _hear(self, event: Event) -> None:
        if self._first_chunk is None and isinstance(event, TextDelta | ReasoningDelta | ToolCallDelta):
            self._first_chunk = self.seconds()


class ToolSpan(Operation):
    """One tool call: `execute_tool {tool}`."""

    __slots__ = ("_call", "_definition", "_meters", "_run")

    def __init__(
        self,
        tracer: Tracer | None,
        meters: Instruments | None,
        call: ToolCall,
        definition: ToolDefinition | None,
        run: RunContext,
        *,
        capture: bool,
    ) -> None:
        super().__init__(tracer, capture=capture)
        self._meters = meters
        self._call = call
        self._definition = definition
        self._run = run

    def _open(self) -> None:
        call, definition = self._call, self._definition
        attributes = {
            names.OPERATION_NAME: names.EXECUTE_TOOL,
            names.TOOL_NAME: call.name,
            names.TOOL_CALL_ID: call.id,
            names.TOOL_TYPE: names.FUNCTION,
            names.AGENT_NAME: self._run.agent,
        }
        if definition is not None and definition.description:
            attributes[names.TOOL_DESCRIPTION] = content.shortened(definition.description)
        # a name the model made up would be one more span name
        named = names.EXECUTE_TOOL if definition is None else f"{names.EXECUTE_TOOL} {call.name}"
        self._start(named, SpanKind.INTERNAL, attributes)
        if self._capture and self.recording:
            self.set({names.TOOL_CALL_ARGUMENTS: content.shortened(call.arguments)})

    @guarded
    def finished(self, text: str, is_error: bool, *, error: BaseException | None = None) -> None:
        """The tool has its result; `error` is what an error result was made of, where that is known."""
        if is_error:
            self.fail(names.TOOL_ERROR if error is None else error_type(error), text)
        if self._capture and self.recording:
            self.set({names.TOOL_CALL_RESULT: content.shortened(text)})

    def _close(self, seconds: float) -> None:
        if self._meters is not None:
            name = names.OTHER if self._definition is None else clean(self._call.name)
            attributes = {
                names.OPERATION_NAME: names.EXECUTE_TOOL,
                names.TOOL_NAME: name,
                names.TOOL_TYPE: names.FUNCTION,
            }
            self._meters.record_tool(seconds, attributes, self._error)


def _asked(request: ChatRequest) -> dict[str, AttributeValue]:
    options = request.options
    asked: dict[str, AttributeValue | None] = {
        names.REQUEST_TEMPERATURE: options.temperature,
        names.REQUEST_TOP_P: options.top_p,
        names.REQUEST_MAX_TOKENS: options.max_tokens,
        names.REQUEST_SEED: options.seed,
        names.REQUEST_STOP_SEQUENCES: options.stop or None,
        names.REQUEST_REASONING_LEVEL: options.reasoning,
        names.OUTPUT_TYPE: None if options.json_schema is None else names.JSON,
    }
    return {name: value for name, value in asked.items() if value is not None}


def _usage(usage: Usage) -> dict[str, AttributeValue | None]:
    """Input with all its cached parts, as the conventions want it; nothing where nothing is known."""
    if not usage.total:
        return {}
    return {
        names.USAGE_INPUT: usage.input,
        names.USAGE_OUTPUT: usage.output,
        names.USAGE_CACHE_READ: usage.cache_read or None,
        names.USAGE_CACHE_WRITE: usage.cache_write or None,
        names.USAGE_REASONING: usage.reasoning or None,
        names.USAGE_COST: None if usage.cost is None else float(usage.cost),
    }


def _said(request: ChatRequest) -> dict[str, AttributeValue | None]:
    return {
        names.SYSTEM_INSTRUCTIONS: content.system_instructions(request.messages),
        names.INPUT_MESSAGES: content.input_messages(request.messages),
        names.TOOL_DEFINITIONS: content.tool_definitions(request.tools) if request.tools else None,
    }
