"""The estimate, held to counts of the Qwen 2.5 vocabulary."""

import pytest

from dure.memory.tokens import message_tokens, text_tokens
from dure.messages import AssistantMessage, ToolCall, ToolMessage, ToolResult, UserMessage

KOREAN = "재고가 부족한 SKU를 알려줘. 그리고 서울 창고의 담당자에게 내일 오전까지 보고서를 보내 주세요."
ENGLISH = "The quick brown fox jumps over the lazy dog, and then it asks the warehouse for a report."
RECORD = '{"sku":"A-1023","quantity":12,"warehouse":"SEOUL-02","updated_at":"2026-01-02T10:22:11Z"}'


@pytest.mark.parametrize(
    ("text", "counted", "low", "high"),
    [(KOREAN, 35, 0.9, 1.3), (ENGLISH, 20, 0.9, 1.4), (RECORD, 48, 0.7, 1.2), ("안녕하세요", 3, 1, 1.5)],
)
def test_an_estimate_is_near_what_a_vocabulary_counts(text: str, counted: int, low: float, high: float) -> None:
    assert low <= text_tokens(text) / counted <= high


def test_empty_and_broken_text_have_an_estimate_too() -> None:
    assert text_tokens("") == 0
    assert text_tokens("\ud800" * 10) > 0
    assert text_tokens("🚚" * 10) >= 10


def test_a_message_counts_its_calls_and_results_but_not_its_thinking() -> None:
    plain, thinking = AssistantMessage(text=ENGLISH), AssistantMessage(text=ENGLISH, reasoning=ENGLISH * 9)
    assert message_tokens(plain) == message_tokens(thinking) > text_tokens(ENGLISH)
    call = AssistantMessage(tool_calls=(ToolCall(id="1", name="look", arguments=RECORD),))
    result = ToolMessage(results=(ToolResult(call_id="1", name="look", text=KOREAN),) * 2)
    assert message_tokens(call) > text_tokens(RECORD)
    assert message_tokens(result) > 2 * text_tokens(KOREAN)


def test_the_same_message_gives_the_same_number_again() -> None:
    message = UserMessage(text=KOREAN)
    assert message_tokens(message) == message_tokens(message) == message_tokens(UserMessage(text=KOREAN))
