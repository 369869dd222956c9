"""What is measured: names, units and boundaries of the conventions, and attributes with few values."""

from decimal import Decimal

import pytest
from recorded_telemetry import Recorded

from dure.chat import ChatRequest, ChatResponse, ToolDefinition
from dure.errors import RateLimited
from dure.events import TextDelta
from dure.messages import AssistantMessage, ToolCall, UserMessage
from dure.observability.open_telemetry import OpenTelemetry
from dure.run import RunContext
from dure.usage import Usage

REQUEST = ChatRequest(messages=(UserMessage(text="go"),))
USAGE = Usage(fresh_input=9, cache_read=100, cache_write=20, output=7, reasoning=3, model_calls=1, cost=Decimal("0.5"))
ANSWER = ChatResponse(message=AssistantMessage(text="x"), model="openai:gpt-4o-2024", usage=USAGE)
TOOL = ToolDefinition(name="check", description="", parameters={})
CHAT = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": "gpt-4o"}


@pytest.fixture
def telemetry(recorded: Recorded) -> OpenTelemetry:
    return OpenTelemetry(meter_provider=recorded.meters, capture_content=False)


def key(**attributes: str) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name.replace("__", "."), value) for name, value in attributes.items()))


def test_a_model_call_counts_its_tokens_by_kind_with_all_cached_ones_inside_the_input(
    telemetry: OpenTelemetry, recorded: Recorded
) -> None:
    with telemetry.chat(REQUEST, "openai:gpt-4o", RunContext()) as span:
        span.run.emit(TextDelta(text="x"))
        span.answered(ANSWER)
    answered = {**CHAT, "gen_ai.response.model": "gpt-4o-2024"}
    of_text = tuple(sorted({**answered, "gen_ai.token.modality": "text"}.items()))
    prefix = "gen_ai.client.inference"
    for kind, count in (
        ("input_tokens", 129),
        ("output_tokens", 7),
        ("cache_read.input_tokens", 100),
        ("cache_write.input_tokens", 20),
        ("reasoning.output_tokens", 3),
    ):
        assert recorded.counted(f"{prefix}.usage.{kind}") == {of_text: count}
    plain = tuple(sorted(answered.items()))
    assert recorded.counted(f"{prefix}.duration") == {plain: 1}
    assert recorded.counted(f"{prefix}.time_to_first_chunk") == {plain: 1}
    assert recorded.counted("dure.client.inference.usage.cost") == {plain: 0.5}


def test_a_call_without_usage_counts_no_tokens_and_no_money(telemetry: OpenTelemetry, recorded: Recorded) -> None:
    with telemetry.chat(REQUEST, "openai:gpt-4o", RunContext()) as span:
        span.answered(ChatResponse(message=AssistantMessage(text="x"), usage=Usage(model_calls=1)))
    assert recorded.metric_names() == {"gen_ai.client.inference.duration"}


def test_a_failed_call_is_measured_apart_from_those_that_worked(telemetry: OpenTelemetry, recorded: Recorded) -> None:
    with pytest.raises(RateLimited), telemetry.chat(REQUEST, "openai:gpt-4o", RunContext()):
        raise RateLimited("x")
    failed = tuple(sorted({**CHAT, "error.type": "RateLimited"}.items()))
    assert recorded.counted("gen_ai.client.inference.duration") == {failed: 1}


def test_an_answer_that_is_refused_afterwards_is_paid_all_the_same(
    telemetry: OpenTelemetry, recorded: Recorded
) -> None:
    with pytest.raises(RateLimited):
        answer_and_fail(telemetry)
    assert recorded.total("gen_ai.client.inference.usage.output_tokens") == 7


def answer_and_fail(telemetry: OpenTelemetry) -> None:
    with telemetry.chat(REQUEST, "openai:gpt-4o", RunContext()) as span:
        span.answered(ANSWER)
        raise RateLimited("x")


def test_a_run_counts_its_own_calls_since_it_began(telemetry: OpenTelemetry, recorded: Recorded) -> None:
    run = RunContext(agent="clerk")
    run.counts.model_calls, run.counts.tool_calls = 5, 5
    with telemetry.agent(run, model="openai:gpt-4o"):
        run.counts.model_calls += 2
        run.counts.tool_calls += 1
    clerk = key(gen_ai__agent__name="clerk")
    for name in ("duration", "inference_calls", "tool_calls"):
        assert recorded.counted(f"gen_ai.invoke_agent.{name}") == {clerk: 1}
    assert recorded.total("gen_ai.invoke_agent.inference_calls") == 2
    assert recorded.total("gen_ai.invoke_agent.tool_calls") == 1


def test_tools_are_measured_by_name_but_not_by_names_a_model_made_up(
    telemetry: OpenTelemetry, recorded: Recorded
) -> None:
    for name, definition in (("check", TOOL), ("chek", None), ("chekc", None)):
        with telemetry.tool(ToolCall(id="1", name=name, arguments="{}"), definition, RunContext()) as span:
            span.finished("…", is_error=definition is None)
    of = {"gen_ai__operation__name": "execute_tool", "gen_ai__tool__type": "function"}
    assert recorded.counted("gen_ai.execute_tool.duration") == {
        key(**of, gen_ai__tool__name="check"): 1,
        key(**of, gen_ai__tool__name="_OTHER", error__type="tool_error"): 2,
    }


def test_no_id_and_no_text_is_an_attribute_of_a_metric(telemetry: OpenTelemetry, recorded: Recorded) -> None:
    for number in range(50):
        run = RunContext(conversation_id=f"talk {number}")
        with telemetry.agent(run, model="openai:gpt-4o") as agent:
            with telemetry.chat(REQUEST, "openai:gpt-4o", run) as chat:
                chat.answered(ANSWER)
            with telemetry.tool(ToolCall(id=str(number), name="check", arguments=str(number)), TOOL, run) as tool:
                tool.finished(str(number), is_error=False)
            agent.answered(ANSWER)
    assert {len(recorded.counted(name)) for name in recorded.metric_names()} == {1}


@pytest.mark.parametrize(
    ("name", "first", "last", "count"),
    [
        ("gen_ai.client.inference.duration", 0.01, 81.92, 14),
        ("gen_ai.execute_tool.duration", 0.01, 81.92, 14),
        ("gen_ai.invoke_agent.duration", 0.1, 409.6, 13),
        ("gen_ai.invoke_agent.inference_calls", 1, 128, 8),
        ("gen_ai.invoke_agent.tool_calls", 1, 128, 8),
    ],
)
def test_buckets_are_those_of_the_conventions(
    telemetry: OpenTelemetry, recorded: Recorded, name: str, first: float, last: float, count: int
) -> None:
    with (
        telemetry.agent(RunContext(), model="openai:m"),
        telemetry.chat(REQUEST, "openai:m", RunContext()),
        telemetry.tool(ToolCall(id="1", name="check", arguments=""), TOOL, RunContext()),
    ):
        pass
    bounds = recorded.boundaries(name)
    assert (bounds[0], pytest.approx(bounds[-1]), len(bounds)) == (first, last, count)


def test_with_a_meter_alone_nothing_stands_in_the_way_of_foreign_spans(
    telemetry: OpenTelemetry, recorded: Recorded
) -> None:
    foreign = recorded.tracers.get_tracer("web framework")
    with (
        foreign.start_as_current_span("GET /ask"),
        telemetry.agent(RunContext(), model="openai:m"),
        foreign.start_as_current_span("POST /v1/chat"),
    ):
        pass
    assert recorded.trees() == [{"GET /ask": ["POST /v1/chat"]}]
