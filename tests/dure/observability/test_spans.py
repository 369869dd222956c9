"""Spans of operations driven by hand: what they carry."""

import asyncio
import json
from decimal import Decimal

import pytest
from opentelemetry.trace import SpanKind, StatusCode
from recorded_telemetry import Recorded

from dure.chat import ChatOptions, ChatRequest, ChatResponse, ToolDefinition
from dure.errors import Cancelled, RateLimited
from dure.events import ModelCallStarted, ReasoningDelta, TextDelta
from dure.messages import AssistantMessage, ToolCall, UserMessage
from dure.observability import mark_compacted
from dure.observability.open_telemetry import OpenTelemetry
from dure.run import RunContext
from dure.usage import Usage

REQUEST = ChatRequest(messages=(UserMessage(text="재고는?"),))
CALL = ToolCall(id="call-1", name="check_stock", arguments='{"sku": "가-1"}')
STOCK = ToolDefinition(name="check_stock", description="Counts what is there.", parameters={})
ANSWER = ChatResponse(
    message=AssistantMessage(text="세 개"),
    model="openai:gpt-4.1-mini-2025-04-14",
    usage=Usage(fresh_input=9, cache_read=100, cache_write=20, output=7, reasoning=3, model_calls=1),
)


@pytest.fixture
def telemetry(recorded: Recorded) -> OpenTelemetry:
    return OpenTelemetry(tracer_provider=recorded.tracers, meter_provider=recorded.meters, capture_content=False)


def test_a_model_call_tells_what_was_asked_and_what_it_used(telemetry: OpenTelemetry, recorded: Recorded) -> None:
    options = ChatOptions(
        temperature=0.5, top_p=0.9, max_tokens=100, seed=7, stop=("END",), json_schema={}, reasoning="low"
    )
    run = RunContext(agent="clerk", conversation_id="talk-1", price=lambda model, usage: Decimal("0.25"))
    with telemetry.chat(REQUEST.with_options(options), "openai:gpt-4.1-mini", run) as span:
        span.answered(ANSWER)
    assert recorded.span("chat gpt-4.1-mini").kind is SpanKind.CLIENT
    assert recorded.attributes("chat gpt-4.1-mini") == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "gpt-4.1-mini",
        "gen_ai.response.model": "gpt-4.1-mini-2025-04-14",
        "gen_ai.conversation.id": "talk-1",
        "gen_ai.agent.name": "clerk",
        "gen_ai.request.temperature": 0.5,
        "gen_ai.request.top_p": 0.9,
        "gen_ai.request.max_tokens": 100,
        "gen_ai.request.seed": 7,
        "gen_ai.request.stop_sequences": ("END",),
        "gen_ai.request.reasoning.level": "low",
        "gen_ai.output.type": "json",
        "gen_ai.response.finish_reasons": ("stop",),
        "gen_ai.usage.input_tokens": 129,
        "gen_ai.usage.output_tokens": 7,
        "gen_ai.usage.cache_read.input_tokens": 100,
        "gen_ai.usage.cache_write.input_tokens": 20,
        "gen_ai.usage.reasoning.output_tokens": 3,
        "dure.usage.cost": 0.25,
    }


def test_what_is_not_known_is_left_out_and_never_zero(telemetry: OpenTelemetry, recorded: Recorded) -> None:
    with telemetry.chat(REQUEST, "ollama:qwen3", RunContext(price=lambda model, usage: None)) as span:
        span.answered(ChatResponse(message=AssistantMessage(text="x"), usage=Usage(model_calls=1)))
    assert recorded.attributes("chat qwen3") == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "ollama",
        "gen_ai.request.model": "qwen3",
        "gen_ai.agent.name": "agent",
        "gen_ai.response.finish_reasons": ("stop",),
    }


def test_a_run_tells_its_agent_its_place_and_the_usage_of_all_of_it(
    telemetry: OpenTelemetry, recorded: Recorded
) -> None:
    run = RunContext(agent="clerk", conversation_id="talk-1")
    with telemetry.agent(run, model="anthropic:claude-opus-4-5") as span:
        span.answered(ANSWER)
    assert recorded.span("invoke_agent clerk").kind is SpanKind.INTERNAL
    assert recorded.attributes("invoke_agent clerk") == {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": "anthropic",
        "gen_ai.request.model": "claude-opus-4-5",
        "gen_ai.agent.name": "clerk",
        "gen_ai.conversation.id": "talk-1",
        "dure.run.id": run.run_id,
        "dure.run.depth": 0,
        "gen_ai.response.finish_reasons": ("stop",),
        "gen_ai.usage.input_tokens": 129,
        "gen_ai.usage.output_tokens": 7,
        "gen_ai.usage.cache_read.input_tokens": 100,
        "gen_ai.usage.cache_write.input_tokens": 20,
        "gen_ai.usage.reasoning.output_tokens": 3,
    }


def test_a_tool_call_tells_which_tool_and_which_call(telemetry: OpenTelemetry, recorded: Recorded) -> None:
    with telemetry.tool(CALL, STOCK, RunContext()) as span:
        span.finished("3", is_error=False)
    span = recorded.span("execute_tool check_stock")
    assert (span.kind, span.status.status_code) == (SpanKind.INTERNAL, StatusCode.UNSET)
    assert recorded.attributes("execute_tool check_stock") == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "check_stock",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": "call-1",
        "gen_ai.tool.description": "Counts what is there.",
        "gen_ai.agent.name": "agent",
    }


def test_a_result_that_tells_of_a_failure_marks_the_tool_call(telemetry: OpenTelemetry, recorded: Recorded) -> None:
    with telemetry.tool(CALL, STOCK, RunContext()) as span:
        span.finished("no such thing", is_error=True)
    assert recorded.span("execute_tool check_stock").status.status_code is StatusCode.ERROR
    assert recorded.attributes("execute_tool check_stock")["error.type"] == "tool_error"


def test_a_tool_the_model_made_up_gives_no_new_span_name(telemetry: OpenTelemetry, recorded: Recorded) -> None:
    with telemetry.tool(CALL, None, RunContext()) as span:
        span.finished("unknown tool", is_error=True, error=RateLimited("x"))
    assert recorded.attributes("execute_tool")["gen_ai.tool.name"] == "check_stock"
    assert recorded.attributes("execute_tool")["error.type"] == "RateLimited"


@pytest.mark.parametrize(
    ("error", "kind"),
    [(RateLimited("x"), "RateLimited"), (ValueError("x"), "ValueError"), (json.JSONDecodeError("x", "", 0), None)],
)
def test_an_error_marks_the_span_by_its_class(
    telemetry: OpenTelemetry, recorded: Recorded, error: Exception, kind: str | None
) -> None:
    with pytest.raises(type(error)), telemetry.chat(REQUEST, "openai:m", RunContext()):
        raise error
    span = recorded.span("chat m")
    assert span.status.status_code is StatusCode.ERROR
    assert span.status.description is None
    assert span.events == ()
    assert recorded.attributes("chat m")["error.type"] == (kind or "json.decoder.JSONDecodeError")
    assert recorded.attributes("chat m")["gen_ai.response.finish_reasons"] == ("error",)


@pytest.mark.parametrize("stop", [Cancelled("asked to"), asyncio.CancelledError()])
def test_what_somebody_stopped_is_told_and_is_no_failure(
    telemetry: OpenTelemetry, recorded: Recorded, stop: BaseException
) -> None:
    with pytest.raises(type(stop)), telemetry.agent(RunContext(), model="openai:m"):
        raise stop
    assert recorded.span("invoke_agent agent").status.status_code is StatusCode.UNSET
    assert recorded.attributes("invoke_agent agent")["error.type"] == type(stop).__name__


def test_a_failed_run_keeps_what_it_had_spent(telemetry: OpenTelemetry, recorded: Recorded) -> None:
    run = RunContext()
    with pytest.raises(RateLimited):
        fail_after_spending(telemetry, run)
    assert recorded.attributes("invoke_agent agent")["gen_ai.usage.input_tokens"] == 129


def fail_after_spending(telemetry: OpenTelemetry, run: RunContext) -> None:
    with telemetry.agent(run, model="openai:m"):
        run.counts.spent = ANSWER.usage
        raise RateLimited("x")


def test_the_first_piece_of_an_answer_is_timed_once(telemetry: OpenTelemetry, recorded: Recorded) -> None:
    heard: list[object] = []
    with telemetry.chat(REQUEST, "openai:m", RunContext(sink=heard.append)) as span:
        span.run.emit(ModelCallStarted(model="openai:m"))
        span.run.emit(ReasoningDelta(text="…"))
        first = span.seconds()
        span.run.emit(TextDelta(text="x"))
        span.answered(ANSWER)
    assert 0 <= recorded.attributes("chat m")["gen_ai.response.time_to_first_chunk"] <= first
    assert len(heard) == 3


def test_a_shortened_history_is_told_by_the_model_calls_after_it(telemetry: OpenTelemetry, recorded: Recorded) -> None:
    run = RunContext()
    for name in ("before", "after"):
        with telemetry.chat(REQUEST, f"openai:{name}", run):
            pass
        mark_compacted(run)
    assert "gen_ai.conversation.compacted" not in recorded.attributes("chat before")
    assert recorded.attributes("chat after")["gen_ai.conversation.compacted"] is True
