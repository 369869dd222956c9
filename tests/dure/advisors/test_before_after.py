"""Advisors made of a function before and a function after."""

from typing import cast

import pytest

from dure.advisors.before_after import After, Before, BeforeAfterAdvisor
from dure.advisors.order import MODEL_CALL, SAFEGUARD
from dure.chat import ChatRequest, ChatResponse
from dure.client.chat_client import ChatClient
from dure.errors import ConfigError
from dure.messages import AssistantMessage, UserMessage
from dure.models.scripted import ScriptedModel
from dure.run import RunContext


def shout(request: ChatRequest, run: RunContext) -> ChatRequest:
    return request.with_messages(UserMessage(text=request.last_user_text.upper()))


def whisper(response: ChatResponse, run: RunContext) -> ChatResponse:
    return ChatResponse(message=AssistantMessage(text=response.text.lower()))


async def async_shout(request: ChatRequest, run: RunContext) -> ChatRequest:
    return shout(request, run)


async def async_whisper(response: ChatResponse, run: RunContext) -> ChatResponse:
    return whisper(response, run)


@pytest.mark.parametrize(("before", "after"), [(shout, whisper), (async_shout, async_whisper)])
async def test_a_request_is_changed_on_its_way_down_and_a_response_on_its_way_up(before: Before, after: After) -> None:
    model = ScriptedModel("YES")
    advisor = BeforeAfterAdvisor(name="voice", order=SAFEGUARD, before=before, after=after)
    assert await ChatClient(model, advisors=(advisor,)).prompt("hello").text() == "yes"
    assert model.requests[0].last_user_text == "HELLO"


async def test_one_of_the_two_functions_is_enough() -> None:
    advisors = (
        BeforeAfterAdvisor(name="down", order=1, before=shout),
        BeforeAfterAdvisor(name="up", order=2, after=whisper),
    )
    model = ScriptedModel("YES")
    assert await ChatClient(model, advisors=advisors).prompt("hello").text() == "yes"
    assert model.requests[0].last_user_text == "HELLO"


def test_an_advisor_that_does_nothing_or_never_runs_is_refused() -> None:
    with pytest.raises(ConfigError, match="give `before`, `after` or both"):
        BeforeAfterAdvisor(name="idle", order=1)
    with pytest.raises(ConfigError, match="behind the model call"):
        BeforeAfterAdvisor(name="late", order=MODEL_CALL, before=shout)


async def test_a_function_that_forgets_to_return_is_named() -> None:
    def forget(value: object, run: RunContext) -> None:
        return None

    for advisor in (
        BeforeAfterAdvisor(name="forgetful", order=1, before=cast(Before, forget)),
        BeforeAfterAdvisor(name="forgetful", order=1, after=cast(After, forget)),
    ):
        with pytest.raises(ConfigError, match="forgetful"):
            await ChatClient(ScriptedModel("x"), advisors=(advisor,)).prompt("hello").text()
