"""Whole runs through the client: the tree of their spans, whichever way they are asked and end."""

import asyncio
from decimal import Decimal

import pytest
from opentelemetry import trace
from opentelemetry.trace import StatusCode
from recorded_telemetry import Recorded, Tree

from dure.advisors.call_limit import CallLimitAdvisor
from dure.advisors.retry import RetryAdvisor
from dure.chat import ChatRequest, ChatResponse
from dure.client.chat_client import ChatClient
from dure.errors import Cancelled, InvalidRequest, ServerFailed
from dure.events import ToolStarted
from dure.messages import AssistantMessage, ToolCall
from dure.models.prices import PriceTable
from dure.models.scripted import ScriptedModel
from dure.models.token_prices import TokenPrices
from dure.observability import observe
from dure.run import RunContext
from dure.tools.base import Tool
from dure.tools.function import tool
from dure.usage import Usage

PER_CALL = Usage(fresh_input=10, output=1, model_calls=1)


def calling(*names: str, arguments: str = "{}") -> ChatResponse:
    calls = tuple(ToolCall(id=f"c{place}", name=name, arguments=arguments) for place, name in enumerate(names))
    return ChatResponse(message=AssistantMessage(tool_calls=calls), finish_reason="tool_calls", usage=PER_CALL)


def saying(text: str) -> ChatResponse:
    return ChatResponse(message=AssistantMessage(text=text), usage=PER_CALL)


@tool
async def check_stock() -> str:
    """Counts what is there."""
    return "3"


@tool
def read_file() -> str:
    """Works in a thread."""
    span = trace.get_current_span()
    return str(getattr(span, "name", "none"))


@tool
async def break_down() -> str:
    """Fails."""
    raise RuntimeError("disk full")


def called(*below: Tree) -> Tree:
    """Model calls under the advisors that stand round each."""
    return {"advisor retry": [*below]}


def looped(*below: Tree) -> list[Tree]:
    """What a run does inside its tool loop."""
    return [{"advisor tool calling": [*below]}]


ONE_ROUND = looped(called("chat test"), "execute_tool check_stock", called("chat test"))


async def test_a_tool_round_is_a_tree_of_agent_advisors_model_calls_and_tools(recorded: Recorded) -> None:
    client = ChatClient(ScriptedModel(calling("check_stock"), saying("three")), tools=(check_stock,))
    with observe(tracer_provider=recorded.tracers):
        answer = await client.prompt("how many?").call()
    assert answer.text == "three"
    assert recorded.trees() == [{"invoke_agent agent": ONE_ROUND}]
    assert {span.status.status_code for span in recorded.spans} == {StatusCode.UNSET}
    assert recorded.attributes("invoke_agent agent")["gen_ai.usage.input_tokens"] == 20


async def test_a_stream_gives_the_same_tree_as_a_call(recorded: Recorded) -> None:
    client = ChatClient(ScriptedModel(calling("check_stock"), saying("three")), tools=(check_stock,))
    with observe(tracer_provider=recorded.tracers):
        events = [event async for event in client.prompt("how many?").stream()]
    assert events
    assert recorded.trees() == [{"invoke_agent agent": ONE_ROUND}]


async def test_a_stream_that_nobody_reads_to_its_end_leaves_no_span_open(recorded: Recorded) -> None:
    client = ChatClient(ScriptedModel(calling("wait"), saying("never")), tools=(wait_for_ever(asyncio.Event()),))
    async with asyncio.timeout(5):
        with observe(tracer_provider=recorded.tracers):
            stream = client.prompt("go").stream()
            async for event in stream:
                if isinstance(event, ToolStarted):
                    break
            await stream.aclose()
            assert trace.get_current_span() is trace.INVALID_SPAN
    (tree,) = recorded.trees()
    assert tree == {"invoke_agent agent": looped(called("chat test"), "execute_tool wait")}
    assert recorded.attributes("execute_tool wait")["error.type"] == "CancelledError"


def wait_for_ever(begun: asyncio.Event) -> Tool:
    @tool
    async def wait() -> str:
        """Never ends."""
        begun.set()
        await asyncio.Event().wait()
        return "never"

    return wait


async def test_tools_of_one_round_are_siblings_below_the_tool_advisor(recorded: Recorded) -> None:
    gate = asyncio.Barrier(3)

    @tool
    async def meet() -> str:
        """Waits for the others."""
        await gate.wait()
        with tracer_of(recorded).start_as_current_span("SELECT"):
            await gate.wait()
        return "met"

    client = ChatClient(ScriptedModel(calling("meet", "meet", "meet"), saying("done")), tools=(meet,))
    async with asyncio.timeout(5):
        with observe(tracer_provider=recorded.tracers):
            await client.prompt("go").call()
    inner: Tree = {"execute_tool meet": ["SELECT"]}
    assert recorded.trees() == [
        {"invoke_agent agent": looped(called("chat test"), inner, inner, inner, called("chat test"))}
    ]


def tracer_of(recorded: Recorded) -> trace.Tracer:
    return recorded.tracers.get_tracer("a library")


async def test_code_of_a_tool_in_a_thread_is_below_the_tools_span(recorded: Recorded) -> None:
    client = ChatClient(ScriptedModel(calling("read_file"), saying("done")), tools=(read_file,))
    with observe(tracer_provider=recorded.tracers, capture_content=True):
        await client.prompt("go").call()
    assert recorded.attributes("execute_tool read_file")["gen_ai.tool.call.result"] == "execute_tool read_file"


async def test_runs_at_the_same_time_never_mix(recorded: Recorded) -> None:
    gate = asyncio.Barrier(20)

    async def answer(request: ChatRequest) -> ChatResponse:
        await gate.wait()
        return saying("x") if request.messages[-1:] != request.messages[:1] else calling("check_stock")

    async def one(number: int) -> None:
        client = ChatClient(ScriptedModel(answer, answer, name=f"scripted:m{number}"), tools=(check_stock,))
        await client.prompt("go").run(RunContext(agent=f"a{number}")).call()

    async with asyncio.timeout(10):
        with observe(tracer_provider=recorded.tracers):
            await asyncio.gather(*(one(number) for number in range(20)))
    expected: list[Tree] = [
        {f"invoke_agent a{n}": looped(called(f"chat m{n}"), "execute_tool check_stock", called(f"chat m{n}"))}
        for n in range(20)
    ]
    assert sorted(recorded.trees(), key=repr) == sorted(expected, key=repr)


async def test_a_sub_agent_is_below_the_tool_call_that_asked_it(recorded: Recorded) -> None:
    worker = ChatClient(ScriptedModel(calling("check_stock"), saying("seven")), tools=(check_stock,))
    above = ScriptedModel(calling("counter", arguments='{"task": "count"}'), saying("done"), name="scripted:top")
    client = ChatClient(above, tools=(worker.as_tool("counter", "Counts things."),))
    with observe(tracer_provider=recorded.tracers, meter_provider=recorded.meters):
        await client.prompt("go").call()
    inner: Tree = {"execute_tool counter": [{"invoke_agent counter": ONE_ROUND}]}
    assert recorded.trees() == [{"invoke_agent agent": looped(called("chat top"), inner, called("chat top"))}]
    assert recorded.attributes("invoke_agent counter")["dure.run.depth"] == 1
    assert recorded.attributes("invoke_agent counter")["gen_ai.usage.output_tokens"] == 2
    assert recorded.attributes("invoke_agent agent")["gen_ai.usage.output_tokens"] == 4
    # the tokens are counted once, where they were spent
    assert recorded.total("gen_ai.client.inference.usage.output_tokens") == 4


async def test_two_agents_asked_at_once_keep_their_calls_apart(recorded: Recorded) -> None:
    gate = asyncio.Barrier(2)

    def worker(name: str) -> Tool:
        async def answer(request: ChatRequest) -> ChatResponse:
            await gate.wait()
            return saying(name)

        return ChatClient(ScriptedModel(answer, name=f"scripted:{name}")).as_tool(name, "Works.")

    above = ScriptedModel(calling("a", "b", arguments='{"task": "go"}'), saying("done"))
    client = ChatClient(above, tools=(worker("a"), worker("b")))
    async with asyncio.timeout(5):
        with observe(tracer_provider=recorded.tracers):
            await client.prompt("go").call()
    inner: list[Tree] = [{f"execute_tool {n}": [{f"invoke_agent {n}": [called(f"chat {n}")]}]} for n in "ab"]
    assert recorded.trees() == [{"invoke_agent agent": looped(called("chat test"), *inner, called("chat test"))}]


async def test_a_retried_call_is_a_second_model_call_below_the_retry(recorded: Recorded) -> None:
    client = ChatClient(
        ScriptedModel(ServerFailed("down"), saying("x")), advisors=(RetryAdvisor(base_delay=0, jitter=0),)
    )
    with observe(tracer_provider=recorded.tracers):
        await client.prompt("go").call()
    assert recorded.trees() == [{"invoke_agent agent": [called("chat test", "chat test")]}]
    failed, worked = (span for span in recorded.spans if span.name == "chat test")
    assert (failed.status.status_code, worked.status.status_code) == (StatusCode.ERROR, StatusCode.UNSET)
    assert recorded.span("invoke_agent agent").status.status_code is StatusCode.UNSET


async def test_a_failure_marks_every_span_it_goes_through(recorded: Recorded) -> None:
    client = ChatClient(ScriptedModel(InvalidRequest("no")))
    with observe(tracer_provider=recorded.tracers), pytest.raises(InvalidRequest):
        await client.prompt("go").call()
    assert {span.status.status_code for span in recorded.spans} == {StatusCode.ERROR}
    assert [dict(span.attributes or {})["error.type"] for span in recorded.spans] == ["InvalidRequest"] * 3


async def test_a_tool_that_fails_or_does_not_exist_marks_its_own_span_alone(recorded: Recorded) -> None:
    client = ChatClient(ScriptedModel(calling("break_down", "nonsense"), saying("sorry")), tools=(break_down,))
    with observe(tracer_provider=recorded.tracers):
        await client.prompt("go").call()
    failed = {span.name for span in recorded.spans if span.status.status_code is StatusCode.ERROR}
    assert failed == {"execute_tool break_down", "execute_tool"}


async def test_a_cancelled_run_ends_all_its_spans_without_calling_them_failed(recorded: Recorded) -> None:
    begun = asyncio.Event()
    client = ChatClient(ScriptedModel(calling("wait")), tools=(wait_for_ever(begun),))
    run = RunContext()
    async with asyncio.timeout(5):
        with observe(tracer_provider=recorded.tracers):
            work = asyncio.create_task(client.prompt("go").run(run).call())
            await begun.wait()
            run.cancel()
            with pytest.raises(Cancelled):
                await work
    assert recorded.trees() == [{"invoke_agent agent": looped(called("chat test"), "execute_tool wait")}]
    assert {span.status.status_code for span in recorded.spans} == {StatusCode.UNSET}
    assert recorded.attributes("invoke_agent agent")["error.type"] == "Cancelled"


async def test_costs_are_on_the_spans_where_a_price_is_known(recorded: Recorded) -> None:
    price = PriceTable({"scripted:*": TokenPrices(input=1_000, output=1_000)}, listed=None)
    with observe(tracer_provider=recorded.tracers, meter_provider=recorded.meters):
        for known in (price, None):
            await ChatClient(ScriptedModel(saying("x"))).prompt("go").run(RunContext(price=known)).call()
    costs = [
        dict(span.attributes or {}).get("dure.usage.cost") for span in recorded.spans if "advisor" not in span.name
    ]
    assert costs == [0.011, 0.011, None, None]
    assert Decimal(str(recorded.total("dure.client.inference.usage.cost"))) == Decimal("0.011")


async def test_a_run_is_below_the_span_that_was_open_when_it_was_asked(recorded: Recorded) -> None:
    with (
        observe(tracer_provider=recorded.tracers),
        tracer_of(recorded).start_as_current_span("GET /ask") as outer,
    ):
        await ChatClient(ScriptedModel(saying("x"))).prompt("go").call()
        assert trace.get_current_span() is outer
    assert recorded.trees() == [{"GET /ask": [{"invoke_agent agent": [called("chat test")]}]}]


async def test_advisors_of_ones_own_have_spans_by_name_and_order(recorded: Recorded) -> None:
    limit = CallLimitAdvisor(name="house limit", order=650)
    with observe(tracer_provider=recorded.tracers):
        await ChatClient(ScriptedModel(saying("x")), advisors=(limit,)).prompt("go").call()
    assert recorded.attributes("advisor house limit")["dure.advisor.order"] == 650
