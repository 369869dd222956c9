"""Spans that cannot be made, kept or written: the work goes on as if nobody watched."""

import gc
from typing import Any, cast

import pytest
from opentelemetry import context as otel_context
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF
from recorded_telemetry import Recorded

from dure.chat import ChatRequest, ChatResponse, ToolDefinition
from dure.messages import AssistantMessage, ToolCall, UserMessage
from dure.observability.open_telemetry import OpenTelemetry
from dure.run import RunContext
from dure.usage import Usage

REQUEST = ChatRequest(messages=(UserMessage(text="재고는?"),))
CALL = ToolCall(id="call-1", name="check_stock", arguments="{}")
STOCK = ToolDefinition(name="check_stock", description="Counts what is there.", parameters={})
ANSWER = ChatResponse(message=AssistantMessage(text="세 개"), usage=Usage(fresh_input=9, output=7, model_calls=1))


@pytest.fixture
def telemetry(recorded: Recorded) -> OpenTelemetry:
    return OpenTelemetry(tracer_provider=recorded.tracers, meter_provider=recorded.meters, capture_content=False)


class Broken(SpanProcessor):
    """A processor of somebody else that fails at one of its steps."""

    def __init__(self, step: str) -> None:
        self.step = step

    def on_start(self, span: Span, parent_context: Any = None) -> None:  # noqa: ANN401 - as the SDK has it
        self._fail("start")

    def on_end(self, span: ReadableSpan) -> None:
        self._fail("end")

    def _fail(self, step: str) -> None:
        if step == self.step:
            raise RuntimeError("disk full")


@pytest.mark.parametrize("step", ["start", "end"])
def test_a_fault_of_the_telemetry_is_logged_and_the_work_goes_on(step: str, caplog: pytest.LogCaptureFixture) -> None:
    tracers = TracerProvider(shutdown_on_exit=False)
    tracers.add_span_processor(Broken(step))
    telemetry = OpenTelemetry(tracer_provider=tracers, capture_content=True)
    before = otel_context.get_current()
    with (
        telemetry.agent(RunContext(), model="openai:m") as agent,
        telemetry.advisor("tool calling", 400),
        telemetry.chat(REQUEST, "openai:m", RunContext()) as chat,
        telemetry.tool(CALL, STOCK, RunContext()) as tool,
    ):
        tool.finished("3", is_error=False)
        chat.answered(ANSWER)
        agent.answered(ANSWER)
    assert otel_context.get_current() is before
    assert {record.message for record in caplog.records} == {
        "telemetry failed and is left out: RuntimeError: disk full"
    }


def test_what_is_no_text_where_a_text_belongs_never_reaches_the_run(telemetry: OpenTelemetry) -> None:
    nothing = cast(Any, None)
    with telemetry.advisor(nothing, 1), telemetry.tool(CALL, STOCK, RunContext()) as tool:
        tool.finished(nothing, is_error=True)
    with telemetry.chat(REQUEST, "openai:m", RunContext()) as chat:
        chat.answered(nothing)


def test_an_error_of_the_work_is_never_swallowed() -> None:
    tracers = TracerProvider(shutdown_on_exit=False)
    tracers.add_span_processor(Broken("end"))
    with pytest.raises(ZeroDivisionError), OpenTelemetry(tracer_provider=tracers).advisor("a", 1):
        raise ZeroDivisionError


def test_half_a_character_never_spoils_a_batch_of_spans(telemetry: OpenTelemetry, recorded: Recorded) -> None:
    run = RunContext(agent="a\ud800", conversation_id="c\udc00")
    with telemetry.agent(run, model="openai:m\ud800"), telemetry.tool(CALL, STOCK, run):
        pass
    for span in recorded.spans:
        shown = repr((span.name, dict(span.attributes or {})))
        assert ("\\ud800" in shown, "\\udc00" in shown) == (False, False)


def test_a_run_that_is_not_sampled_hands_its_decision_down_and_records_nothing(recorded: Recorded) -> None:
    tracers = TracerProvider(sampler=ALWAYS_OFF, shutdown_on_exit=False)
    telemetry = OpenTelemetry(tracer_provider=tracers, meter_provider=recorded.meters, capture_content=True)
    with telemetry.agent(RunContext(), model="openai:m") as agent:
        assert not trace.get_current_span().is_recording()
        with telemetry.chat(REQUEST, "openai:m", RunContext()) as chat:
            chat.answered(ANSWER)
        agent.answered(ANSWER)
    assert recorded.spans == []
    assert recorded.total("gen_ai.client.inference.usage.output_tokens") == 7


def test_nothing_of_a_finished_run_is_kept_alive(telemetry: OpenTelemetry, recorded: Recorded) -> None:
    run = RunContext()
    with telemetry.chat(REQUEST, "openai:m", run) as span:
        span.answered(ANSWER)
    del span
    recorded.exporter.clear()
    gc.collect()
    assert not [one for one in gc.get_referrers(run) if type(one).__module__.startswith("dure.observability")]
