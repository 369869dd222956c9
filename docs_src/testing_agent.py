"""Tests of an agent: the model is written, everything else is real."""

import pytest

from dure import AssistantMessage, ChatClient, ChatResponse, RetryAdvisor, ScriptedModel, run_sync, tool
from dure.errors import RateLimited
from dure.messages import ToolCall, ToolMessage
from dure.models import ChatModel

ordered: list[str] = []


@tool
def place_order(sku: str) -> str:
    """Order an article."""
    ordered.append(sku)
    return "발주됨"


def assistant(model: ChatModel) -> ChatClient:
    """What the application builds; only the model is given from outside."""
    return ChatClient(model, tools=(place_order,), advisors=(RetryAdvisor(base_delay=0),))


def test_an_order_is_placed_once_although_the_provider_was_busy() -> None:
    ordered.clear()
    call = ToolCall(id="1", name="place_order", arguments='{"sku": "A-1"}')
    model = ScriptedModel(
        ChatResponse(message=AssistantMessage(tool_calls=(call,)), finish_reason="tool_calls"),
        RateLimited("busy"),
        "A-1을 발주했습니다.",
    )
    assert run_sync(assistant(model).prompt("A-1을 발주해 줘.").text()) == "A-1을 발주했습니다."
    assert ordered == ["A-1"]
    told = model.requests[-1].messages[-1]
    assert isinstance(told, ToolMessage)
    assert told.results[0].text == "발주됨"
    assert model.turns_left == 0


def test_a_provider_that_stays_busy_is_an_error() -> None:
    model = ScriptedModel(*(RateLimited("busy") for _ in range(4)))
    with pytest.raises(RateLimited):
        run_sync(assistant(model).prompt("A-1을 발주해 줘.").text())


if __name__ == "__main__":  # pytest finds the tests by itself
    test_an_order_is_placed_once_although_the_provider_was_busy()
    test_a_provider_that_stays_busy_is_an_error()
    print("2 passed")
