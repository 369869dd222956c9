"""Long conversations when no summary can be had, or the estimate was wrong."""

import asyncio
from decimal import Decimal
from typing import Any

import pytest
from long_talk import LONG, SUMMARY, SUMMED_UP, asked, remembering, small, turn, watched

from dure.advisors.compaction import CompactionAdvisor
from dure.budget import Budget
from dure.chat import ChatRequest, ChatResponse
from dure.errors import Cancelled, ConfigError, ContextTooLong, ServerFailed
from dure.events import Event, MemoryCompacted
from dure.memory.in_process import InProcessMemory
from dure.messages import AssistantMessage, SystemMessage, ToolCall, UserMessage
from dure.models.base import ModelCapabilities
from dure.models.scripted import ScriptedModel
from dure.run import RunContext
from dure.tools.function import tool
from dure.usage import Usage

CUT = ChatResponse(message=AssistantMessage(text="결정: 서울"), finish_reason="length")


@pytest.mark.parametrize(
    "outcome",
    [ServerFailed("down"), RuntimeError("broken adapter"), "<think>hm</think>", CUT, "길다 " * 3_000],
    ids=["failed", "broken", "empty", "cut", "longer"],
)
async def test_without_a_usable_summary_memory_stays_and_the_turn_goes_on_with_the_newest_turns(
    outcome: object, caplog: pytest.LogCaptureFixture
) -> None:
    memory, model, events = await remembering(), small(outcome, "fine"), list[Event]()
    assert (await watched(asked(model, memory), events).call()).text == "fine"
    assert await memory.load("a") == (*LONG, UserMessage(text="다음은?"), AssistantMessage(text="fine"))
    sent = model.requests[1].messages
    assert sent[0] == SystemMessage(text="be kind")
    assert sent[1:-1] == LONG[len(LONG) - len(sent) + 2 :]
    assert 4 <= len(sent) - 2 < len(LONG), "as many as fit, which is more than a summary would have left"
    assert not any(isinstance(event, MemoryCompacted) for event in events)
    assert "no summary of" in caplog.text


async def test_a_conversation_that_takes_too_many_requests_to_sum_up_is_trimmed() -> None:
    memory, model = await remembering(LONG * 4), small("fine")
    helper = ScriptedModel(capabilities=ModelCapabilities(context_window=300))
    await asked(model, memory, model=helper).call()
    assert (helper.requests, len(await memory.load("a"))) == ([], len(LONG) * 4 + 2)


async def test_what_is_protected_survives_a_summary_that_failed_too() -> None:
    said = (UserMessage(text="<skill_content>x"), AssistantMessage(text="네"), *LONG)
    model = small(ServerFailed("down"), "fine")
    await asked(model, await remembering(said)).call()
    assert model.requests[1].messages[1:3] == said[:2]


async def test_a_failed_summary_is_charged_all_the_same() -> None:
    usage = Usage(fresh_input=900, output=20, model_calls=1)
    cut = ChatResponse(message=CUT.message, finish_reason="length", usage=usage)
    response = await asked(small(cut, "fine"), await remembering()).call()
    assert response.usage == Usage(fresh_input=900, output=20, model_calls=2)


async def test_a_summary_for_which_the_budget_is_spent_ends_the_run_only_at_its_own_call() -> None:
    prompt = asked(small("never"), await remembering())
    context = RunContext(conversation_id="a", budget=Budget(max_cost=Decimal(1)))
    with pytest.raises(Exception, match="price"):
        await prompt.run(context).call()


async def test_a_run_cancelled_while_it_sums_up_stops() -> None:
    memory, run = await remembering(), RunContext(conversation_id="a")

    async def cancelling(request: ChatRequest) -> str:
        run.cancel()
        await asyncio.Event().wait()
        return "never"

    async with asyncio.timeout(10):
        with pytest.raises(Cancelled):
            await asked(small(cancelling), memory).run(run).call()
    assert await memory.load("a") == LONG


async def test_a_signal_is_no_failed_summary() -> None:
    with pytest.raises(Cancelled):
        await asked(small(Cancelled("stop"), "never"), await remembering()).call()


async def test_somebody_who_shortened_the_conversation_first_wins_in_the_memory() -> None:
    memory = await remembering()

    async def overtaken(request: ChatRequest) -> str:
        assert await memory.replace("a", LONG[:10], turn(99))
        return SUMMARY

    await asked(small(overtaken, "fine"), memory).call()
    assert (await memory.load("a"))[:4] == (*turn(99), *LONG[10:12])


async def test_a_provider_that_says_too_long_is_believed_where_no_window_is_known() -> None:
    memory = await remembering()
    model = ScriptedModel(ContextTooLong("too long"), "first part", SUMMARY, "fine")
    assert await asked(model, memory).text() == "fine"
    assert (await memory.load("a"))[:2] == SUMMED_UP


async def test_too_long_stands_when_there_is_nothing_to_leave_out_or_tools_have_run() -> None:
    with pytest.raises(ContextTooLong):
        await asked(ScriptedModel(ContextTooLong("too long")), InProcessMemory()).text()

    @tool
    async def look() -> str:
        """Look."""
        return "seen"

    call = ChatResponse(message=AssistantMessage(tool_calls=(ToolCall(id="1", name="look", arguments=""),)))
    model = ScriptedModel(call, ContextTooLong("too long"))
    with pytest.raises(ContextTooLong):
        await asked(model, await remembering()).tools(look).text()


@pytest.mark.parametrize(
    "settings",
    [{"threshold": 1.1}, {"keep_recent": 0.9}, {"keep_recent": 0}, {"context_window": 0}, {"timeout": 0}],
)
def test_settings_without_sense_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="compaction"):
        CompactionAdvisor(**settings)
