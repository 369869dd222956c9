"""Messages as JSON and back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dure.memory.codec import FORMAT, Unreadable, decoded, encoded
from dure.messages import AssistantMessage, Message, SystemMessage, ToolCall, ToolMessage, ToolResult, UserMessage

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=30)
CALL = st.builds(ToolCall, id=ANY_TEXT, name=ANY_TEXT, arguments=ANY_TEXT)
RESULT = st.builds(ToolResult, call_id=ANY_TEXT, name=ANY_TEXT, text=ANY_TEXT, is_error=st.booleans())
JSON_VALUE = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
MESSAGE = st.one_of(
    st.builds(UserMessage, text=ANY_TEXT),
    st.builds(
        AssistantMessage,
        text=ANY_TEXT,
        tool_calls=st.lists(CALL, max_size=3).map(tuple),
        reasoning=ANY_TEXT,
        extra=st.dictionaries(st.text(max_size=5), JSON_VALUE, max_size=2),
    ),
    st.builds(ToolMessage, results=st.lists(RESULT, max_size=3).map(tuple)),
)


@given(MESSAGE)
def test_every_message_comes_back_letter_by_letter(message: Message) -> None:
    again = decoded(encoded(message), FORMAT)
    assert again == message
    if isinstance(message, AssistantMessage):
        assert isinstance(again, AssistantMessage)
        assert again.extra == message.extra


def test_signed_thinking_comes_back_unchanged() -> None:
    blocks = {"anthropic": [{"type": "thinking", "thinking": "창고 먼저", "signature": "Eq+/=="}]}
    again = decoded(encoded(AssistantMessage(text="네", extra=blocks)), FORMAT)
    assert isinstance(again, AssistantMessage)
    assert again.extra == blocks


def test_text_is_neither_normalised_nor_escaped() -> None:
    decomposed = "한글 ﬁ \u0000 \u2028 🚚"
    text = encoded(UserMessage(text=decomposed))
    assert "한글" in text
    assert decoded(text, FORMAT) == UserMessage(text=decomposed)


def test_half_a_surrogate_pair_survives() -> None:
    message = UserMessage(text="가\ud800")
    assert decoded(encoded(message), FORMAT) == message


def test_a_newer_format_is_refused_with_what_to_do() -> None:
    with pytest.raises(Unreadable, match=rf"format {FORMAT + 1}.*install a newer dure"):
        decoded(encoded(UserMessage(text="x")), FORMAT + 1)


@pytest.mark.parametrize(
    "body",
    [
        '{"role": "user", "text": "x", "mood": "good"}',
        '{"role": "critic", "text": "x"}',
        '{"role": "user", "text": 7}',
        '{"role": "user", "text": "x"',
        "[]",
        "",
        '{"role": "user", "text": "\\ud800", "mood": "good"}',
        "[" * 100_000,
    ],
)
def test_a_damaged_or_unknown_text_is_refused_instead_of_read_in_part(body: str) -> None:
    with pytest.raises(Unreadable, match="damaged"):
        decoded(body, FORMAT)


def test_what_cannot_be_stored_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="system message"):
        encoded(SystemMessage(text="x"))
    with pytest.raises(TypeError):
        encoded(AssistantMessage(text="x", extra={"x": object()}))


def test_defaults_take_no_room() -> None:
    assert json.loads(encoded(AssistantMessage(text="x"))) == {"role": "assistant", "text": "x"}
