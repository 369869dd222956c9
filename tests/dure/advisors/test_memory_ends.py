"""How a turn may end, and what memory holds then; many turns at the same time."""

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest
from msgspec import structs
from remembering_client import CountingMemory, asked, calling, echo, results, talking, turn

from dure.advisors.base import Chain
from dure.advisors.memory import MemoryAdvisor
from dure.advisors.retry import RetryAdvisor
from dure.advisors.tool_calling import ToolCallingAdvisor
from dure.advisors.tool_loop import AgentSafety
from dure.chat import ChatRequest, ChatResponse, FinishReason
from dure.client.chat_client import ChatClient
from dure.errors import Cancelled, ServerFailed
from dure.events import ToolStarted
from dure.messages import AssistantMessage, ToolCall, ToolMessage, UserMessage
from dure.models.scripted import ScriptedModel
from dure.run import RunContext
from dure.tools.function import tool
from dure.tools.toolbox import Toolbox


@dataclass(frozen=True)
class Blanking:
    """Takes the answer away."""

    name: str = "blanking"
    order: int = 350

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        response = await chain.next(request)
        return structs.replace(response, message=AssistantMessage(text=" "))


async def test_a_loop_that_a_guard_ended_leaves_no_dangling_call() -> None:
    memory = CountingMemory()
    loop = ToolCallingAdvisor(toolbox=Toolbox((echo,)), safety=AgentSafety(max_rounds=1))
    advisors = (MemoryAdvisor(memory=memory, keep="everything"), loop)
    client = ChatClient(ScriptedModel(calling("x"), calling("y")), advisors=advisors)
    response = await asked(client, "go").call()
    assert response.finish_reason == "limit"
    assert memory.appended == [(UserMessage(text="go"), calling("x").message, results("x"), response.message)]


@pytest.mark.parametrize("turns", [[ServerFailed("down")], [calling("x"), ServerFailed("down")]])
async def test_a_failed_turn_leaves_memory_as_it_was(turns: list[Any]) -> None:
    memory = CountingMemory()
    await memory.append("a", turn("first", "one"))
    client = talking(ScriptedModel(*turns), memory, keep="everything")
    with pytest.raises(ServerFailed):
        await asked(client, "second").advisors(RetryAdvisor(max_retries=0)).text()
    assert await memory.load("a") == turn("first", "one")


@pytest.mark.parametrize("reason", ["blocked", "content_filter"])
async def test_what_was_refused_is_not_remembered(reason: FinishReason) -> None:
    memory = CountingMemory()
    refused = ChatResponse(message=AssistantMessage(text="I cannot"), finish_reason=reason)
    await asked(talking(ScriptedModel(refused), memory), "bad words").text()
    assert memory.appended == []


async def test_a_cut_answer_is_remembered_but_a_blank_one_is_not() -> None:
    memory = CountingMemory()
    cut = ChatResponse(message=AssistantMessage(text="once upon"), finish_reason="length")
    client = talking(ScriptedModel(cut, "secret"), memory)
    await asked(client, "tell").text()
    assert await asked(client, "go on").advisors(Blanking()).text() == " "
    assert memory.appended == [turn("tell", "once upon")]


async def test_a_reader_who_leaves_while_a_tool_runs_stops_it_and_leaves_memory_as_it_was() -> None:
    stopped = asyncio.Event()

    @tool
    async def slow() -> str:
        """Take forever."""
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return "never"

    memory = CountingMemory()
    await memory.append("a", turn("first", "one"))
    call = ChatResponse(message=AssistantMessage(tool_calls=(ToolCall(id="1", name="slow", arguments=""),)))
    client = ChatClient(ScriptedModel(call), advisors=(MemoryAdvisor(memory=memory, keep="everything"),), tools=(slow,))
    events = asked(client, "second").stream()
    async with asyncio.timeout(10):
        async for event in events:
            if isinstance(event, ToolStarted):
                break
        await events.aclose()
        await stopped.wait()
    assert await memory.load("a") == turn("first", "one")


async def test_a_cancelled_run_leaves_memory_as_it_was() -> None:
    memory, run = CountingMemory(), RunContext(conversation_id="a")

    async def cancelling(request: ChatRequest) -> str:
        run.cancel()
        await asyncio.Event().wait()
        return "never"

    with pytest.raises(Cancelled):
        async with asyncio.timeout(10):
            await talking(ScriptedModel(cancelling), memory).prompt("go").run(run).text()
    assert memory.appended == []


async def test_turns_at_the_same_time_are_stored_whole_one_after_another() -> None:
    memory = CountingMemory()

    async def answered(request: ChatRequest) -> str | ChatResponse:
        await asyncio.sleep(0)
        last = request.messages[-1]
        return f"re {request.last_user_text}" if isinstance(last, ToolMessage) else calling(request.last_user_text)

    client = talking(ScriptedModel(*[answered] * 40), memory, keep="everything")
    async with asyncio.timeout(10):
        await asyncio.gather(*(asked(client, f"q{number}").text() for number in range(20)))
    said = await memory.load("a")
    for start in range(0, len(said), 4):
        question = said[start]
        assert isinstance(question, UserMessage)
        name = question.text
        answer = AssistantMessage(text=f"re {name}")
        assert said[start + 1 : start + 4] == (calling(name).message, results(name), answer)
    assert len(said) == 80


async def test_fifty_conversations_at_the_same_time_do_not_mix() -> None:
    memory = CountingMemory()

    async def answered(request: ChatRequest) -> str:
        await asyncio.sleep(0)
        return " ".join(message.text for message in request.messages if isinstance(message, UserMessage))

    client = talking(ScriptedModel(*[answered] * 150), memory)

    async def talk(name: str) -> str:
        for word in ("one", "two"):
            await asked(client, f"{name}-{word}", name).text()
        return await asked(client, f"{name}-three", name).text()

    async with asyncio.timeout(10):
        last = await asyncio.gather(*(talk(f"c{number}") for number in range(50)))
    assert last == [f"c{number}-one c{number}-two c{number}-three" for number in range(50)]
