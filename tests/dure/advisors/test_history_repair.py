"""Histories that a provider would refuse, and what is sent instead."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dure.advisors.history_repair import NO_RESULT, repaired
from dure.client.chat_client import ChatClient
from dure.messages import AssistantMessage, Message, SystemMessage, ToolCall, ToolMessage, ToolResult, UserMessage
from dure.models.scripted import ScriptedModel

HISTORIES = Path(__file__).parents[2] / "data" / "faults" / "history"


def history(name: str) -> tuple[Message, ...]:
    """A history as other programs write it: one tool message for each result."""
    return tuple(_message(entry) for entry in json.loads((HISTORIES / name).read_text(encoding="utf-8")))


def _message(entry: dict[str, Any]) -> Message:
    match entry["role"]:
        case "system":
            return SystemMessage(text=entry["content"])
        case "user":
            return UserMessage(text=entry["content"])
        case "tool":
            return ToolMessage(results=(result(entry["tool_call_id"], entry["content"]),))
        case _:
            calls = tuple(ToolCall(**call) for call in entry.get("tool_calls", ()))
            return AssistantMessage(text=entry["content"], tool_calls=calls)


def call(name: str) -> ToolCall:
    return ToolCall(id=name, name="check_stock", arguments="{}")


def result(name: str, text: str = "12") -> ToolResult:
    return ToolResult(call_id=name, name="check_stock", text=text)


async def sent(name: str) -> tuple[Message, ...]:
    model = ScriptedModel("done")
    await ChatClient(model).prompt().messages(*history(name)).text()
    return model.requests[0].messages


async def test_a_result_without_its_call_is_not_sent() -> None:
    assert await sent("orphan_result.json") == (SystemMessage(text="s"), UserMessage(text="다음"))


async def test_a_call_without_its_result_gets_an_error_result_and_all_are_in_call_order() -> None:
    given = history("dangling_call.json")
    lost = ToolResult(call_id="b", name="check_stock", text=NO_RESULT, is_error=True)
    results = ToolMessage(results=(result("a"), lost, result("c", "3")))
    assert await sent("dangling_call.json") == (given[0], given[1], results, given[-1])


async def test_the_first_of_two_results_counts_and_an_empty_answer_is_not_sent() -> None:
    given = history("second_result.json")
    assert await sent("second_result.json") == (*given[:3], given[-1])


def test_a_sound_history_is_the_same_tuple_and_nothing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    calls = AssistantMessage(tool_calls=(call("a"), call("b")))
    messages = (
        SystemMessage(text="s"),
        AssistantMessage(text="무엇을 도와드릴까요?"),
        UserMessage(text="go"),
        calls,
        ToolMessage(results=(result("a"), result("b"))),
        AssistantMessage(tool_calls=(call("c"),)),
        ToolMessage(results=(result("c"),)),
        AssistantMessage(text="done"),
    )
    assert repaired(messages) is messages
    assert repaired(()) == ()
    assert caplog.records == []


def test_a_repair_is_told_in_one_warning(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        repaired((*history("dangling_call.json"), *history("orphan_result.json")))
    (record,) = caplog.records
    assert "1 calls without a result answered with an error" in record.getMessage()
    assert "1 results without a call dropped" in record.getMessage()


def test_results_in_another_order_are_put_in_the_order_of_the_calls(caplog: pytest.LogCaptureFixture) -> None:
    calls = AssistantMessage(tool_calls=(call("a"), call("b")))
    messages = (calls, ToolMessage(results=(result("b"), result("a"))))
    assert repaired(messages) == (calls, ToolMessage(results=(result("a"), result("b"))))
    assert "in the order of the calls" in caplog.text


def test_a_call_at_the_very_end_gets_its_error_result_too() -> None:
    (_, told) = repaired((AssistantMessage(tool_calls=(call("a"),)),))
    assert isinstance(told, ToolMessage)
    assert [one.is_error for one in told.results] == [True]


def test_two_calls_with_one_id_become_one(caplog: pytest.LogCaptureFixture) -> None:
    twice = AssistantMessage(text="hm", tool_calls=(call("a"), call("a")), extra={"signed": 1})
    (message, told) = repaired((twice, ToolMessage(results=(result("a"), result("a", "13")))))
    assert message == AssistantMessage(text="hm", tool_calls=(call("a"),))
    assert isinstance(message, AssistantMessage)
    assert message.extra == {"signed": 1}
    assert told == ToolMessage(results=(result("a"),))
    assert "calls with the id of another dropped" in caplog.text


def test_a_round_that_is_sound_keeps_its_encoded_bytes() -> None:
    told = ToolMessage(results=(result("a"),))
    messages = repaired((AssistantMessage(text=""), AssistantMessage(tool_calls=(call("a"),)), told))
    assert messages[1] is told


_IDS = st.sampled_from("abc")
_ANY: st.SearchStrategy[Message] = st.one_of(
    st.builds(UserMessage, text=st.just("go")),
    st.builds(SystemMessage, text=st.just("s")),
    st.builds(
        AssistantMessage,
        text=st.sampled_from(["", " ", "done"]),
        tool_calls=st.lists(_IDS.map(call), max_size=3).map(tuple),
    ),
    st.builds(ToolMessage, results=st.lists(_IDS.map(result), max_size=3).map(tuple)),
)


@given(st.lists(_ANY, max_size=12).map(tuple))
def test_any_history_comes_out_with_each_call_answered_once_and_in_order(messages: tuple[Message, ...]) -> None:
    mended = repaired(messages)
    expected: list[str] = []
    for message in mended:
        if expected:
            assert isinstance(message, ToolMessage)
            assert [one.call_id for one in message.results] == expected
            assert len(set(expected)) == len(expected)
            expected = []
        elif isinstance(message, AssistantMessage):
            expected = [one.id for one in message.tool_calls]
            assert expected or message.text.strip()
        else:
            assert not isinstance(message, ToolMessage)
    assert expected == []
    assert [one for one in mended if isinstance(one, UserMessage | SystemMessage)] == [
        one for one in messages if isinstance(one, UserMessage | SystemMessage)
    ]
    assert repaired(mended) is mended
