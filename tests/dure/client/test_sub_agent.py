"""An agent as a tool: its own context, the shared budget and switch, its usage counted once."""

import asyncio

import pytest

from dure.advisors.memory import MemoryAdvisor
from dure.budget import Budget
from dure.chat import ChatRequest, ChatResponse
from dure.client.chat_client import ChatClient
from dure.errors import BudgetExceeded, Cancelled, ConfigError, ServerFailed
from dure.events import Event, SubAgentEvent, TextDelta
from dure.memory.in_process import InProcessMemory
from dure.messages import AssistantMessage, ToolCall, ToolMessage
from dure.models.scripted import ScriptedModel
from dure.run import RunContext
from dure.usage import Usage

PER_CALL = Usage(fresh_input=10, output=1, model_calls=1)


def asking(*names: str, task: str = "count the boxes") -> ChatResponse:
    calls = tuple(ToolCall(id=f"c{n}", name=name, arguments=f'{{"task": "{task}"}}') for n, name in enumerate(names))
    return ChatResponse(message=AssistantMessage(tool_calls=calls), finish_reason="tool_calls", usage=PER_CALL)


def saying(text: str) -> ChatResponse:
    return ChatResponse(message=AssistantMessage(text=text), usage=PER_CALL)


def result_of(model: ScriptedModel) -> str:
    message = model.requests[-1].messages[-1]
    assert isinstance(message, ToolMessage)
    return message.results[0].text


async def test_a_sub_agent_sees_the_task_alone_and_only_its_answer_comes_back() -> None:
    below = ScriptedModel(saying("seven"))
    worker = ChatClient(below, system="You count.").as_tool("counter", "Counts things.")
    above = ScriptedModel(asking("counter"), saying("There are seven."))
    answer = await ChatClient(above, tools=(worker,)).prompt("How many boxes?").call()
    assert answer.text == "There are seven."
    assert (below.requests[0].system_text, below.requests[0].last_user_text) == ("You count.", "count the boxes")
    assert len(below.requests[0].messages) == 2
    assert result_of(above) == "seven"


async def test_what_a_sub_agent_spends_is_counted_once_also_when_it_fails() -> None:
    for last, calls in ((saying("seven"), 3), (ServerFailed("down"), 3)):
        worker = ChatClient(ScriptedModel(last)).as_tool("counter", "Counts things.")
        above = ScriptedModel(asking("counter"), saying("done"))
        run = RunContext()
        failing_once = ChatClient(above, tools=(worker,)).prompt("go").run(run)
        answer = await failing_once.call()
        assert (answer.usage.model_calls >= calls, answer.usage) == (True, run.counts.spent)


async def test_a_failing_sub_agent_is_a_failed_tool_and_the_asker_goes_on() -> None:
    worker = ChatClient(ScriptedModel()).as_tool("counter", "Counts things.")
    above = ScriptedModel(asking("counter"), saying("then not"))
    assert await ChatClient(above, tools=(worker,)).prompt("go").text() == "then not"
    assert result_of(above).startswith("counter failed: ")


async def test_a_sub_agent_may_not_ask_another_one_unless_it_is_allowed() -> None:
    def build(run: RunContext) -> tuple[ScriptedModel, ChatClient]:
        deepest = ChatClient(ScriptedModel(saying("deep"))).as_tool("deepest", "Goes on.")
        middle_model = ScriptedModel(asking("deepest"), saying("middle"))
        middle = ChatClient(middle_model, tools=(deepest,)).as_tool("middle", "Goes on.")
        return middle_model, ChatClient(ScriptedModel(asking("middle"), saying("top")), tools=(middle,))

    run = RunContext()
    middle_model, client = build(run)
    assert await client.prompt("go").run(run).text() == "top"
    assert "'deepest' would be a sub-agent at depth 2 of at most 1; do the work yourself" in result_of(middle_model)
    run = RunContext(max_depth=2)
    middle_model, client = build(run)
    await client.prompt("go").run(run).text()
    assert result_of(middle_model) == "deep"


async def test_one_budget_holds_for_the_whole_tree_and_refuses_before_the_request() -> None:
    below = ScriptedModel(saying("one"), saying("two"))
    worker = ChatClient(below).as_tool("counter", "Counts things.")
    above = ScriptedModel(asking("counter"), asking("counter", task="again"), saying("never said"))
    budget = Budget(max_model_calls=3)
    run = RunContext(budget=budget)
    with pytest.raises(BudgetExceeded):
        await ChatClient(above, tools=(worker,)).prompt("go").run(run).call()
    assert (len(above.requests), len(below.requests)) == (2, 1)
    assert budget.spent == run.counts.spent == PER_CALL + PER_CALL + PER_CALL


async def test_cancelling_the_run_stops_the_sub_agents_below_it() -> None:
    asked, stopped = asyncio.Event(), asyncio.Event()

    async def hang(request: ChatRequest) -> str:
        asked.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return "never"

    worker = ChatClient(ScriptedModel(hang, hang)).as_tool("counter", "Counts things.")
    client = ChatClient(ScriptedModel(asking("counter", "counter")), tools=(worker,))
    run = RunContext()
    async with asyncio.timeout(5):
        work = asyncio.create_task(client.prompt("go").run(run).call())
        await asked.wait()
        run.cancel()
        with pytest.raises(Cancelled):
            await work
        await stopped.wait()


async def test_events_of_a_sub_agent_say_whose_they_are() -> None:
    worker = ChatClient(ScriptedModel(saying("seven"))).as_tool("counter", "Counts things.")
    client = ChatClient(ScriptedModel(asking("counter"), saying("done")), tools=(worker,))
    events: list[Event] = [event async for event in client.prompt("go").stream()]
    inner = [event for event in events if isinstance(event, SubAgentEvent)]
    assert {event.agent for event in inner} == {"counter"}
    assert "".join(one.event.text for one in inner if isinstance(one.event, TextDelta)) == "seven"
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "done"


@pytest.mark.parametrize("arguments", ["{}", '{"task": "  "}', '{"task": 3}', '{"task": "x", "more": 1}', "{"])
async def test_a_task_that_says_nothing_never_starts_a_sub_agent(arguments: str) -> None:
    below = ScriptedModel()
    worker = ChatClient(below).as_tool("counter", "Counts things.")
    call = ToolCall(id="c", name="counter", arguments=arguments)
    wish = ChatResponse(message=AssistantMessage(tool_calls=(call,)), finish_reason="tool_calls")
    above = ScriptedModel(wish, saying("done"))
    await ChatClient(above, tools=(worker,)).prompt("go").text()
    assert below.requests == []
    assert "counter did not run" in result_of(above)


@pytest.mark.parametrize(("name", "description"), [("", "Counts."), ("counter", " ")])
def test_a_sub_agent_without_name_or_description_is_refused(name: str, description: str) -> None:
    with pytest.raises(ConfigError, match="needs a name and a description"):
        ChatClient(ScriptedModel()).as_tool(name, description)


def test_a_sub_agent_that_remembers_conversations_is_refused() -> None:
    client = ChatClient(ScriptedModel(), advisors=(MemoryAdvisor(memory=InProcessMemory()),))
    with pytest.raises(ConfigError, match="'counter' has a memory"):
        client.as_tool("counter", "Counts things.")
