"""Spans driven by hand: each below the one that was open, in whatever task or generator it is."""

import asyncio
import contextvars
import logging
from collections.abc import Generator
from typing import cast

import pytest
from opentelemetry import context as otel_context
from opentelemetry import trace
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


def test_spans_nest_in_what_is_open_round_them_and_leave_it_as_it_was(
    telemetry: OpenTelemetry, recorded: Recorded
) -> None:
    foreign = recorded.tracers.get_tracer("web framework")
    with foreign.start_as_current_span("GET /ask") as outer:
        with (
            telemetry.agent(RunContext(), model="openai:m"),
            telemetry.advisor("tool calling", 400),
            telemetry.chat(REQUEST, "openai:m", RunContext()),
            foreign.start_as_current_span("POST /v1/chat"),
        ):
            pass
        assert trace.get_current_span() is outer
    assert recorded.trees() == [
        {"GET /ask": [{"invoke_agent agent": [{"advisor tool calling": [{"chat m": ["POST /v1/chat"]}]}]}]}
    ]
    assert recorded.attributes("advisor tool calling") == {
        "dure.advisor.name": "tool calling",
        "dure.advisor.order": 400,
    }


async def test_tasks_begun_inside_are_below_and_never_mix(telemetry: OpenTelemetry, recorded: Recorded) -> None:
    async def tool(name: str, gate: asyncio.Barrier) -> None:
        with telemetry.tool(ToolCall(id=name, name=name, arguments="{}"), STOCK, RunContext()):
            await gate.wait()
            with telemetry.agent(RunContext(agent=f"in {name}"), model="openai:m"):
                await gate.wait()

    async with asyncio.timeout(5):
        with telemetry.agent(RunContext(agent="top"), model="openai:m"):
            gate = asyncio.Barrier(3)
            await asyncio.gather(*(tool(name, gate) for name in "abc"))
    (tree,) = recorded.trees()
    assert isinstance(tree, dict)
    below = cast(list[dict[str, list[str]]], tree["invoke_agent top"])
    assert sorted((name, *inner) for one in below for name, inner in one.items()) == [
        (f"execute_tool {name}", f"invoke_agent in {name}") for name in "abc"
    ]


def test_a_coroutine_that_is_thrown_away_elsewhere_leaves_no_trace_there(
    telemetry: OpenTelemetry, recorded: Recorded, caplog: pytest.LogCaptureFixture
) -> None:
    def work() -> Generator[None]:
        with telemetry.agent(RunContext(), model="openai:m"):
            yield

    generator = work()
    contextvars.copy_context().run(next, generator)
    with caplog.at_level(logging.DEBUG):
        generator.close()
    assert trace.get_current_span() is trace.INVALID_SPAN
    assert recorded.trees() == ["invoke_agent agent"]
    assert caplog.records == []


def test_a_coroutine_that_is_closed_where_it_worked_restores_what_was_there(telemetry: OpenTelemetry) -> None:
    def work() -> Generator[None]:
        with telemetry.agent(RunContext(), model="openai:m"):
            yield

    before = otel_context.get_current()
    generator = work()
    next(generator)
    assert otel_context.get_current() is not before
    generator.close()
    assert otel_context.get_current() is before
