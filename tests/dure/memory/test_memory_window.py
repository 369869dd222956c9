"""Trimming: whole turns only, newest kept, system messages first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dure.errors import ConfigError
from dure.memory.in_process import InProcessMemory
from dure.memory.tokens import message_tokens
from dure.memory.window import WindowMemory, turns, window
from dure.messages import AssistantMessage, Message, SystemMessage, ToolCall, ToolMessage, ToolResult, UserMessage


def said(text: str) -> tuple[Message, ...]:
    """`S1 U1 A1 C1 T1`: system, user, assistant, assistant that calls seven tools, their results."""
    return tuple(_message(word) for word in text.split())


def _message(word: str) -> Message:
    ids = [f"{word[1:]}-{number}" for number in range(7)]
    match word[0]:
        case "S":
            return SystemMessage(text=word)
        case "U":
            return UserMessage(text=word)
        case "C":
            return AssistantMessage(tool_calls=tuple(ToolCall(id=one, name="look", arguments="{}") for one in ids))
        case "T":
            return ToolMessage(results=tuple(ToolResult(call_id=one, name="look", text="seen") for one in ids))
        case _:
            return AssistantMessage(text=word)


@pytest.mark.parametrize(
    ("given", "limit", "kept"),
    [
        ("U1 A1 U2 A2 U3", 2, "U3"),
        ("U1 A1 U2 A2", 2, "U2 A2"),
        ("S U1 A1 U2 A2", 3, "S U2 A2"),
        ("S1 S2 U1 A1 U2 A2", 3, "S1 S2"),
        ("U1 A1 U2 A2 U3 A3", 3, "U3 A3"),
        ("U1 A1 U2 A2 U3 A3", 4, "U2 A2 U3 A3"),
        ("U1 A A A U2 A2", 4, "U2 A2"),
        ("U C1 T1 A", 3, ""),
        ("S1 S2 U A U", 2, "S1 S2"),
        ("U1 A1", 2, "U1 A1"),
        ("U1 U1 A1", 2, "U1 A1"),
    ],
)
def test_a_window_begins_at_a_turn_and_keeps_the_system_messages(given: str, limit: int, kept: str) -> None:
    assert window(said(given), max_messages=limit) == said(kept)


def test_what_fits_is_the_same_tuple() -> None:
    messages = said("U1 A1")
    assert window(messages, max_messages=2, max_tokens=1000) is messages


def test_a_call_is_never_parted_from_its_results() -> None:
    messages = said("U1 C1 T1 A1 U2 A2")
    assert window(messages, max_messages=5) == said("U2 A2")


def test_seven_parallel_results_count_as_one_message() -> None:
    together = said("U1 C1 T1 A1")
    assert window(together, max_messages=4) is together
    (calls,) = (message for message in together if isinstance(message, ToolMessage))
    apart = tuple(ToolMessage(results=(result,)) for result in calls.results)
    messages = (*together[:2], *apart, together[3])
    assert window(messages, max_messages=4) is messages


def test_the_turn_at_work_is_never_cut_out_of_a_request() -> None:
    messages = said("S U1 A1 U2 C1 T1 C2 T2")
    assert window(messages, max_messages=3, keep_last_turn=True) == said("S U2 C1 T1 C2 T2")
    alone = said("U2 C1 T1")
    assert window(alone, max_messages=1, keep_last_turn=True) is alone
    assert window(said("A1 A2"), max_messages=1, keep_last_turn=True) == said("A1 A2")


def test_a_limit_in_tokens_counts_hangul_as_it_is() -> None:
    korean = UserMessage(text="재고가 부족한 품목을 모두 알려 주세요. " * 20)
    messages = (korean, *said("A1 U2 A2"))
    assert window(messages, max_tokens=message_tokens(korean)) == said("U2 A2")
    assert window(messages, max_tokens=1000) is messages


@pytest.mark.parametrize(("messages", "tokens"), [(0, None), (-1, 5), (5, 0), (5, -1)])
def test_a_window_without_room_is_refused(messages: int, tokens: int | None) -> None:
    with pytest.raises(ConfigError, match="room for at least 1"):
        window(said("U1"), max_messages=messages, max_tokens=tokens)
    with pytest.raises(ConfigError, match="room for at least 1"):
        WindowMemory(InProcessMemory(), max_messages=messages, max_tokens=tokens)


def test_turns_begin_where_the_user_speaks() -> None:
    assert turns(said("A0 U1 C1 T1 A1 U2 U3 A3")) == (
        said("A0"),
        said("U1 C1 T1 A1"),
        said("U2"),
        said("U3 A3"),
    )
    assert turns(()) == ()


_TURN = st.lists(st.sampled_from(["A", "C1 T1", "C2 T2"]), max_size=4).map(lambda parts: " ".join(["U", *parts]))


@given(
    st.lists(_TURN, max_size=6),
    st.integers(min_value=1, max_value=12),
    st.none() | st.integers(min_value=1, max_value=200),
)
def test_any_window_is_a_run_of_whole_newest_turns(parts: list[str], limit: int, tokens: int | None) -> None:
    messages = said(" ".join(parts))
    kept = window(messages, max_messages=limit, max_tokens=tokens)
    assert messages[len(messages) - len(kept) :] == kept
    assert not kept or isinstance(kept[0], UserMessage)
    assert len(kept) <= limit
    assert tokens is None or sum(map(message_tokens, kept)) <= tokens
    left_out = turns(messages)[: len(turns(messages)) - len(turns(kept))]
    if left_out:
        more = (*left_out[-1], *kept)
        assert len(more) > limit or (tokens is not None and sum(map(message_tokens, more)) > tokens)


async def test_the_store_below_a_window_keeps_everything() -> None:
    store = InProcessMemory()
    memory = WindowMemory(store, max_messages=4)
    for turn in ("U1 A1", "U2 C2 T2 A2", "U3 A3"):
        await memory.append("a", said(turn))
    assert await memory.load("a") == said("U3 A3")
    assert await memory.load("a", newest=1) == said("A3")
    assert await store.load("a") == said("U1 A1 U2 C2 T2 A2 U3 A3")
    assert await memory.conversations() == ("a",)


async def test_a_replacement_through_a_window_leaves_what_is_out_of_sight() -> None:
    store = InProcessMemory()
    memory = WindowMemory(store, max_messages=4)
    await memory.append("a", said("U1 A1 U2 A2 U3 A3"))
    assert not await memory.replace("a", said("U1 A1"), said("U A"))
    assert await memory.replace("a", said("U2 A2"), said("U A"))
    assert await store.load("a") == said("U1 A1 U A U3 A3")
    await memory.clear("a")
    assert await store.load("a") == ()
