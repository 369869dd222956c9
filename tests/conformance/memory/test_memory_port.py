"""What every store of conversations does."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

import pytest

from dure.errors import ConfigError
from dure.memory.base import ChatMemory
from dure.memory.in_process import InProcessMemory
from dure.memory.sqlite import SqliteMemory
from dure.memory.window import WindowMemory
from dure.messages import AssistantMessage, Message, SystemMessage, ToolCall, ToolMessage, ToolResult, UserMessage

CALLS = AssistantMessage(
    text="잠시만요",
    tool_calls=(ToolCall(id="1", name="재고", arguments='{"sku": "가-1"}'), ToolCall(id="2", name="now", arguments="")),
    reasoning="어느 창고?",
)
RESULTS = ToolMessage(
    results=(
        ToolResult(call_id="1", name="재고", text='{"수량": 12}'),
        ToolResult(call_id="2", name="now", text="no clock", is_error=True),
    )
)


def turn(number: int) -> tuple[Message, ...]:
    return UserMessage(text=f"question {number}"), AssistantMessage(text=f"answer {number}")


@pytest.fixture(params=["in process", "sqlite", "window"])
async def memory(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[ChatMemory]:
    stores: dict[str, ChatMemory] = {
        "in process": InProcessMemory(),
        "sqlite": SqliteMemory(tmp_path / "conversations.db"),
        "window": WindowMemory(InProcessMemory(), max_messages=10_000),
    }
    store = stores[request.param]
    async with asyncio.timeout(30):
        yield store
        await store.close()


async def test_messages_come_back_as_they_were_in_the_order_they_were_added(memory: ChatMemory) -> None:
    said = (UserMessage(text="몇 개?"), CALLS, RESULTS, AssistantMessage(text="열두 개"))
    await memory.append("a", said)
    await memory.append("a", turn(2))
    assert await memory.load("a") == (*said, *turn(2))


async def test_an_unknown_conversation_is_empty(memory: ChatMemory) -> None:
    assert await memory.load("nobody") == ()
    assert await memory.conversations() == ()
    await memory.clear("nobody")


async def test_conversations_do_not_mix(memory: ChatMemory) -> None:
    await memory.append("a", turn(1))
    await memory.append("가나다 / '; --", turn(2))
    assert await memory.load("a") == turn(1)
    assert await memory.load("가나다 / '; --") == turn(2)


async def test_two_equal_turns_are_both_kept(memory: ChatMemory) -> None:
    await memory.append("a", turn(1))
    await memory.append("a", turn(1))
    assert await memory.load("a") == (*turn(1), *turn(1))


async def test_neither_empty_nor_system_messages_are_kept(memory: ChatMemory) -> None:
    empty = (UserMessage(text=" \n"), AssistantMessage(reasoning="hm"), ToolMessage(results=()))
    await memory.append("a", (SystemMessage(text="be kind"), *turn(1), *empty))
    assert await memory.load("a") == turn(1)
    await memory.append("b", (SystemMessage(text="be kind"), *empty))
    assert await memory.conversations() == ("a",)


async def test_an_assistant_message_with_calls_and_no_text_is_not_empty(memory: ChatMemory) -> None:
    said = (AssistantMessage(tool_calls=(ToolCall(id="1", name="now", arguments=""),)),)
    await memory.append("a", said)
    assert await memory.load("a") == said


async def test_only_the_newest_messages_are_loaded_when_only_they_are_wanted(memory: ChatMemory) -> None:
    await memory.append("a", (*turn(1), *turn(2)))
    assert await memory.load("a", newest=3) == (turn(1)[1], *turn(2))
    assert await memory.load("a", newest=9) == (*turn(1), *turn(2))
    assert await memory.load("a", newest=0) == ()


@pytest.mark.parametrize("name", ["", "  ", "\ud800", cast(str, None), cast(str, 7)])
async def test_an_id_that_names_no_conversation_is_refused_everywhere(memory: ChatMemory, name: str) -> None:
    for work in (
        memory.load(name),
        memory.append(name, turn(1)),
        memory.replace(name, (), turn(1)),
        memory.clear(name),
    ):
        with pytest.raises(ConfigError, match="conversation id"):
            await work


async def test_what_is_no_message_is_refused_and_nothing_of_the_turn_is_kept(memory: ChatMemory) -> None:
    with pytest.raises(ConfigError, match="only messages can be remembered, not None"):
        await memory.append("a", (*turn(1), cast(Message, None)))
    with pytest.raises(ConfigError, match="only messages"):
        await memory.replace("a", (), (cast(Message, "text"),))
    assert await memory.load("a") == ()


async def test_the_oldest_messages_are_replaced_while_they_are_the_oldest(memory: ChatMemory) -> None:
    await memory.append("a", (*turn(1), *turn(2), *turn(3)))
    old = (*turn(1), *turn(2))
    assert await memory.replace("a", old, turn(0))
    assert await memory.load("a") == (*turn(0), *turn(3))
    await memory.append("a", turn(4))
    assert not await memory.replace("a", old, turn(9)), "somebody else was faster"
    assert not await memory.replace("nobody", old, turn(9))
    assert await memory.load("a") == (*turn(0), *turn(3), *turn(4))


async def test_a_replacement_may_be_longer_than_what_it_replaces_or_empty(memory: ChatMemory) -> None:
    await memory.append("a", (*turn(1), *turn(2)))
    longer = (*turn(5), *turn(6), *turn(7))
    assert await memory.replace("a", turn(1), longer)
    assert await memory.replace("a", (), turn(4))
    assert await memory.load("a") == (*turn(4), *longer, *turn(2))
    assert await memory.replace("a", (*turn(4), *longer), ())
    assert await memory.load("a") == turn(2)
    assert await memory.replace("a", turn(2), ())
    assert await memory.conversations() == ()


async def test_a_cleared_conversation_is_gone_and_may_begin_anew(memory: ChatMemory) -> None:
    await memory.append("a", turn(1))
    await memory.append("b", turn(2))
    await memory.clear("a")
    assert (await memory.load("a"), await memory.conversations()) == ((), ("b",))
    await memory.append("a", turn(3))
    assert await memory.load("a") == turn(3)


async def test_conversations_are_listed_the_one_written_to_last_first(memory: ChatMemory) -> None:
    for name in ("a", "b", "c", "a"):
        await memory.append(name, turn(1))
    assert await memory.conversations() == ("a", "c", "b")
    await memory.replace("b", turn(1), turn(2))
    assert await memory.conversations() == ("b", "a", "c")


async def test_fifty_conversations_at_the_same_time_keep_whole_turns_in_order(memory: ChatMemory) -> None:
    async def talk(name: str) -> None:
        for number in range(4):
            await memory.append(name, turn(number))
            assert (await memory.load(name))[-2:] == turn(number)

    names = [f"conversation {number}" for number in range(50)]
    await asyncio.gather(*map(talk, names))
    for name in names:
        assert await memory.load(name) == tuple(message for number in range(4) for message in turn(number))
    assert sorted(await memory.conversations()) == sorted(names)


async def test_turns_added_to_one_conversation_at_the_same_time_are_not_mixed(memory: ChatMemory) -> None:
    await asyncio.gather(*(memory.append("a", turn(number)) for number in range(20)))
    said = await memory.load("a")
    pairs = {said[position : position + 2] for position in range(0, len(said), 2)}
    assert pairs == {turn(number) for number in range(20)}


async def test_it_may_be_closed_twice(memory: ChatMemory) -> None:
    await memory.append("a", turn(1))
    await memory.close()
    await memory.close()
