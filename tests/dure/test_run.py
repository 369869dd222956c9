"""One request's state, and what it shares with the runs begun below it."""

import asyncio
from collections.abc import Mapping
from decimal import Decimal

import pytest

from dure.budget import Budget
from dure.chat import ChatRequest, ChatResponse, ToolDefinition
from dure.client.chat_client import ChatClient
from dure.errors import BudgetExceeded, Cancelled, DeadlineExceeded, LimitExceeded
from dure.events import Event, RoundEnded, SubAgentEvent, TextDelta
from dure.messages import AssistantMessage, Json, ToolCall, ToolMessage
from dure.models.prices import PriceTable
from dure.models.scripted import ScriptedModel
from dure.models.token_prices import TokenPrices
from dure.run import CallCounts, RunContext
from dure.tools.base import ToolContext
from dure.usage import Usage

PER_CALL = Usage(fresh_input=10, output=1, model_calls=1)


def saying(text: str) -> ChatResponse:
    return ChatResponse(message=AssistantMessage(text=text), usage=PER_CALL)


def calling(*names: str) -> ChatResponse:
    calls = tuple(ToolCall(id=f"c{place}", name=name, arguments="{}") for place, name in enumerate(names))
    return ChatResponse(message=AssistantMessage(tool_calls=calls), finish_reason="tool_calls", usage=PER_CALL)


class Delegate:
    """A tool somebody wrote by hand: asks another client in a child run and charges what it spent."""

    return_direct = False
    concurrent = True
    timeout: float | None = None

    def __init__(self, client: ChatClient, name: str = "delegate") -> None:
        self.client = client
        self.definition = ToolDefinition(name=name, description="Asks another.", parameters={"type": "object"})

    def accept(self, arguments: Mapping[str, Json]) -> Mapping[str, object]:
        return arguments

    async def run(self, arguments: Mapping[str, object], context: ToolContext) -> str:
        child = context.run.child(self.definition.name)
        try:
            return await self.client.prompt("do it").run(child).text()
        finally:
            context.charge(child.counts.spent)


def test_a_child_has_its_own_ids_state_and_counters_and_shares_limits_and_switch() -> None:
    run = RunContext(
        agent="top",
        conversation_id="chat",
        deadline=1.0,
        budget=Budget(max_tokens=5),
        price=lambda model, usage: Decimal(0),
        counts=CallCounts(model_calls=4),
        state={"key": "value"},
    )
    child = run.child("worker")
    assert (child.agent, child.depth, child.conversation_id, child.state) == ("worker", 1, None, {})
    assert (child.counts, child.run_id != run.run_id) == (CallCounts(), True)
    assert child.budget is run.budget
    assert child.cancellation is run.cancellation
    assert (child.deadline, child.price) == (run.deadline, run.price)


def test_sub_agents_go_one_deep_unless_more_is_allowed() -> None:
    with pytest.raises(LimitExceeded, match="'deeper' would be a sub-agent at depth 2 of at most 1"):
        RunContext().child("worker").child("deeper")
    assert RunContext(max_depth=3).child("a").child("b").child("c").depth == 3
    with pytest.raises(LimitExceeded, match="at depth 1 of at most 0"):
        RunContext(max_depth=0).child("worker")


def test_the_watchers_of_a_run_see_the_events_below_it_wrapped_once_for_each_level() -> None:
    seen: list[Event] = []
    run = RunContext(max_depth=2, sink=seen.append)
    middle = run.child("middle")
    deep = middle.child("deep")
    deep.emit(TextDelta(text="x"))
    inner = SubAgentEvent(agent="deep", run_id=deep.run_id, event=TextDelta(text="x"))
    assert seen == [SubAgentEvent(agent="middle", run_id=middle.run_id, event=inner)]


def test_a_child_of_an_unwatched_run_is_unwatched() -> None:
    assert not RunContext().child("worker").watched


def test_a_second_watcher_joins_the_first_and_shares_the_run() -> None:
    first: list[Event] = []
    second: list[Event] = []
    run = RunContext(sink=first.append)
    view = run.watched_by(second.append)
    view.emit(RoundEnded(round=1))
    assert first == second == [RoundEnded(round=1)]
    assert (view.counts is run.counts, view.state is run.state, view.run_id) == (True, True, run.run_id)
    alone = RunContext().watched_by(second.append)
    alone.emit(RoundEnded(round=2))
    assert (second[-1], alone.watched) == (RoundEnded(round=2), True)


async def test_a_cancelled_run_starts_nothing_more_and_neither_do_those_below() -> None:
    run = RunContext()
    child = run.child("worker")
    run.check()
    child.cancel()
    for one in (run, child):
        assert one.is_cancelled
        with pytest.raises(Cancelled):
            one.check()


async def test_time_left_is_counted_down_to_zero_and_never_below() -> None:
    now = asyncio.get_running_loop().time()
    assert RunContext().remaining() is None
    left = RunContext(deadline=now + 100).remaining()
    assert left is not None
    assert 0 < left <= 100
    late = RunContext(deadline=now - 1)
    assert late.remaining() == 0
    with pytest.raises(DeadlineExceeded, match="give it more time"):
        late.check()


async def test_what_a_hand_written_sub_agent_spends_is_in_the_answer_and_in_the_budget_once() -> None:
    below, above = ScriptedModel(saying("seven")), ScriptedModel(calling("delegate"), saying("It is seven."))
    budget = Budget()
    price = PriceTable({"scripted:*": TokenPrices(input=1_000, output=1_000)}, listed=None)
    run = RunContext(budget=budget, price=price)
    answer = await ChatClient(above, tools=(Delegate(ChatClient(below)),)).prompt("go").run(run).call()
    assert answer.usage == budget.spent == run.counts.spent
    assert (answer.usage.total, answer.usage.model_calls, answer.usage.cost) == (33, 3, Decimal("0.033"))


async def test_the_budget_of_the_tree_ends_the_run_when_a_sub_agent_reaches_it_and_keeps_what_was_spent() -> None:
    below = ScriptedModel(saying("never"))
    above = ScriptedModel(calling("delegate"), saying("never"))
    budget = Budget(max_model_calls=1)
    run = RunContext(budget=budget)
    with pytest.raises(BudgetExceeded, match="1 model calls"):
        await ChatClient(above, tools=(Delegate(ChatClient(below)),)).prompt("go").run(run).call()
    assert (len(above.requests), below.requests) == (1, [])
    assert budget.spent == run.counts.spent == PER_CALL


async def test_of_sub_agents_at_once_no_more_calls_leave_than_the_tree_may_make() -> None:
    below = ScriptedModel(*(saying("x") for _ in range(24)))
    above = ScriptedModel(calling(*(f"d{number}" for number in range(24))), saying("never"))
    client = ChatClient(above, tools=tuple(Delegate(ChatClient(below), f"d{number}") for number in range(24)))
    budget = Budget(max_model_calls=4)
    async with asyncio.timeout(5):
        with pytest.raises(BudgetExceeded):
            await client.prompt("go").run(RunContext(budget=budget)).call()
    assert (len(above.requests), len(below.requests), budget.spent.model_calls) == (1, 3, 4)


async def test_an_agent_that_may_ask_itself_is_stopped_at_the_first_level() -> None:
    """A sub-agent that inherits the delegating tool and is told to delegate everything."""
    model = ScriptedModel(calling("delegate"), calling("delegate"), saying("I did it myself."), saying("done"))
    client = ChatClient(model)
    tool = Delegate(client)
    tool.client = ChatClient(model, tools=(tool,))
    assert await tool.client.prompt("delegate everything").text() == "done"
    refused = model.requests[2].messages[-1]
    assert isinstance(refused, ToolMessage)
    assert "at depth 2 of at most 1" in refused.results[0].text
    assert refused.results[0].is_error


async def test_cancelling_from_below_stops_the_whole_tree() -> None:
    asked = asyncio.Event()

    async def hang(request: ChatRequest) -> str:
        asked.set()
        await asyncio.Event().wait()
        return "never"

    run = RunContext()
    client = ChatClient(ScriptedModel(calling("delegate")), tools=(Delegate(ChatClient(ScriptedModel(hang))),))
    async with asyncio.timeout(5):
        work = asyncio.create_task(client.prompt("go").run(run).call())
        await asked.wait()
        run.cancel()
        with pytest.raises(Cancelled):
            await work
    assert run.counts.model_calls == 1
