"""Words that are refused: found however they are written, in the new user text and the answer, nowhere else."""

import asyncio
import logging
import re
import unicodedata
from typing import Any

import pytest

from dure.advisors.listed_words import folded, pattern_of
from dure.advisors.retrieval import RetrievalAdvisor
from dure.advisors.safeguard import REFUSALS, SafeguardAdvisor
from dure.chat import ChatResponse
from dure.client.chat_client import ChatClient
from dure.errors import ConfigError, ModelTimeout, OutputInvalid
from dure.events import Event, Finished, Restarted, TextDelta
from dure.messages import AssistantMessage, Message, SystemMessage, ToolCall, ToolMessage, ToolResult, UserMessage
from dure.models.scripted import ScriptedModel
from dure.models.scripted_turns import Turn
from dure.rag import Document, KeywordRetriever
from dure.run import RunContext
from dure.tools.function import tool

KO, EN = REFUSALS["ko"], REFUSALS["en"]


def found(text: str, *words: str) -> bool:
    pattern = pattern_of(words)
    return pattern is not None and pattern.search(folded(text)) is not None


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("내 비밀번호 알려줘", "비밀번호"),
        ("비 밀 번 호", "비밀번호"),
        ("비밀 번호를 알려줘", "비밀번호"),
        ("비 밀 번 호가 뭐야", "비밀번호"),
        ("내비밀번호는", "비밀번호"),
        (unicodedata.normalize("NFD", "비밀번호"), "비밀번호"),
        ("비\u200b밀\u2060번\u00ad호", "비밀번호"),
        ("자살하고 싶다", "자살"),
        ("자 살", "자살"),
        ("개인정보", "개인 정보"),
        ("개인  정보", "개인 정보"),
        ("PASSWORD?", "password"),
        ("ｐａｓｓｗｏｒｄ", "password"),
        ("password를 줘", "password"),
        ("내password", "password"),
        ("Straße", "STRASSE"),
        ("drop\n table", "drop table"),
        ("C++ code", "c++"),
        ("AI모델", "ai모델"),
        ("パスワードを", "パスワード"),
        ("我的密码是", "密码"),
        ("TİTLE", "TİTLE".lower()),
        ("ТЕКСТ", "текст"),
    ],
)
def test_a_listed_word_is_found_however_it_is_written(text: str, word: str) -> None:
    assert found(text, "other", word)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("passwords", "password"),
        ("my_password1", "password"),
        ("class", "ass"),
        ("Scunthorpe", "cunt"),
        ("혼자 살아요", "자살"),
        ("자 살펴보자", "자살"),
        ("비밀 이야기 번호", "비밀번호"),
        ("대화 내용", "화내"),
        ("текстовый", "текст"),
        ("drop the table", "drop table"),
    ],
)
def test_a_word_that_only_looks_alike_is_not_found(text: str, word: str) -> None:
    assert not found(text, word)


def test_an_empty_list_never_blocks() -> None:
    assert pattern_of(()) is None
    assert not found("anything")


async def play(
    *turns: Turn,
    safeguard: SafeguardAdvisor,
    text: str = "q",
    system: str = "",
    history: tuple[Message, ...] = (),
) -> tuple[ChatResponse, ScriptedModel, list[Event]]:
    model, events = ScriptedModel(*turns), list[Event]()
    client = ChatClient(model, advisors=(safeguard,), system=system)
    spec = client.prompt(text).messages(*history).run(RunContext(sink=events.append))
    async with asyncio.timeout(5):
        return await spec.call(), model, events


def visible(events: list[Event]) -> str:
    """What a viewer has on the screen at the end."""
    shown = ""
    for event in events:
        if isinstance(event, TextDelta):
            shown += event.text
        elif isinstance(event, Restarted):
            shown = ""
    return shown


async def test_a_refused_request_reaches_no_model_and_is_answered_in_its_language() -> None:
    safeguard = SafeguardAdvisor(words=("password", "비밀번호"))
    for text, refusal in (("tell me the PASSWORD", EN), ("비밀번호 알려줘", KO)):
        response, model, events = await play("never", safeguard=safeguard, text=text)
        assert (response.text, response.finish_reason, response.usage.model_calls) == (refusal, "blocked", 0)
        assert model.requests == []
        assert visible(events) == refusal
        assert events[-1] == Finished(text=refusal, usage=response.usage, finish_reason="blocked")


async def test_a_refused_answer_is_replaced_and_viewers_are_told_that_it_does_not_count() -> None:
    safeguard = SafeguardAdvisor(words=("비밀번호",))
    response, model, events = await play("당신의 비밀번호는 1234", safeguard=safeguard, text="내 정보는?")
    assert (response.text, response.finish_reason) == (KO, "blocked")
    assert response.usage.model_calls == len(model.requests) == 1
    assert visible(events) == KO
    assert [event.reason for event in events if isinstance(event, Restarted)] == ["the answer was withheld"]


async def test_stream_and_call_refuse_alike() -> None:
    for text, turns in (("secret", []), ("q", ["a secret"])):
        safeguard = SafeguardAdvisor(words=("secret",))
        client = ChatClient(ScriptedModel(*turns), advisors=(safeguard,))
        events = [event async for event in client.prompt(text).stream()]
        assert isinstance(events[-1], Finished)
        assert (events[-1].text, events[-1].finish_reason, visible(events)) == (EN, "blocked", EN)


async def test_system_text_history_and_tool_results_are_not_looked_at() -> None:
    safeguard = SafeguardAdvisor(words=("secret",))
    history = (UserMessage(text="a secret"), AssistantMessage(text="secret?"))
    response, _, _ = await play("fine", safeguard=safeguard, system="Never tell the secret.", history=history)
    assert response.text == "fine"
    call = AssistantMessage(tool_calls=(ToolCall(id="1", name="t", arguments="{}"),))
    results = ToolMessage(results=(ToolResult(call_id="1", name="t", text="secret"),))
    history = (UserMessage(text="a secret"), call, results)
    response, _, _ = await play("fine", safeguard=safeguard, text="", history=history)
    assert response.text == "fine"


async def test_all_that_the_user_said_since_the_last_answer_is_looked_at() -> None:
    safeguard = SafeguardAdvisor(words=("secret",))
    for late in ((), (SystemMessage(text="a note"),)):
        history = (AssistantMessage(text="hello"), UserMessage(text="the secret"), *late)
        response, model, _ = await play("never", safeguard=safeguard, text="please", history=history)
        assert (response.finish_reason, model.requests) == ("blocked", [])


async def test_documents_that_were_found_do_not_block_the_user() -> None:
    documents = [Document(id="1", text="The stock of the secret depot"), Document(id="2", text="other")]
    retrieval = RetrievalAdvisor(retriever=await KeywordRetriever.build(documents))
    model = ScriptedModel("seven")
    client = ChatClient(model, advisors=(SafeguardAdvisor(words=("secret",)), retrieval))
    assert await client.prompt("the stock?").text() == "seven"
    assert "secret depot" in model.requests[0].last_user_text
    assert (await client.prompt("the secret stock?").call()).finish_reason == "blocked"


async def test_it_looks_once_a_request_however_many_rounds_there_are() -> None:
    looked: list[str] = []

    async def check(text: str) -> str | None:
        looked.append(text)
        return None

    @tool
    def t() -> str:
        """Do it."""
        return "secret"

    asks = ChatResponse(
        message=AssistantMessage(tool_calls=(ToolCall(id="1", name="t", arguments="{}"),)), finish_reason="tool_calls"
    )
    advisors = (SafeguardAdvisor(words=("secret",), check=check),)
    client = ChatClient(ScriptedModel(asks, asks, "done"), advisors=advisors, tools=(t,))
    assert await client.prompt("q").text() == "done"
    assert looked == ["q", "done"]


async def test_patterns_and_a_classifier_refuse_too(caplog: pytest.LogCaptureFixture) -> None:
    async def check(text: str) -> str | None:
        return "harmful" if "bomb" in text else None

    safeguard = SafeguardAdvisor(patterns=(re.compile(r"\d{6}-\d{7}"),), check=check, refusal="안 됩니다.")
    with caplog.at_level(logging.INFO, logger="dure.advisors.safeguard"):
        for text, turns in (("900101-1234567", []), ("a bomb", []), ("q", ["900101-1234567"]), ("q", ["a bomb"])):
            response, _, _ = await play(*turns, safeguard=safeguard, text=text)
            assert (response.text, response.finish_reason) == ("안 됩니다.", "blocked")
    assert "harmful" in caplog.text
    assert "1234567" not in caplog.text
    assert (await play("fine", safeguard=safeguard))[0].text == "fine"


async def test_a_classifier_that_fails_or_is_silent_lets_nothing_pass() -> None:
    async def broken(text: str) -> str | None:
        raise ZeroDivisionError

    async def slow(text: str) -> str | None:
        await asyncio.Event().wait()
        return None

    async def own_limit(text: str) -> str | None:
        raise TimeoutError("its own")

    for check, error in ((broken, ZeroDivisionError), (slow, ModelTimeout), (own_limit, TimeoutError)):
        model = ScriptedModel("never")
        client = ChatClient(model, advisors=(SafeguardAdvisor(check=check, timeout=0.001),))
        async with asyncio.timeout(5):
            with pytest.raises(error):
                await client.prompt("q").call()
        assert model.requests == []


async def test_a_refusal_is_no_entity() -> None:
    client = ChatClient(ScriptedModel("a secret"), advisors=(SafeguardAdvisor(words=("secret",)),))
    with pytest.raises(OutputInvalid, match="blocked"):
        await client.prompt("q").entity(str)


async def test_a_tool_call_without_text_is_handed_on() -> None:
    call = ChatResponse(message=AssistantMessage(tool_calls=(ToolCall(id="1", name="t", arguments="{}"),)))
    assert (await play(call, safeguard=SafeguardAdvisor(words=("t",))))[0].message == call.message


@pytest.mark.parametrize(
    "settings",
    [
        {"words": "secret"},
        {"words": ("",)},
        {"words": (" ",)},
        {"words": (5,)},
        {"patterns": ("secret",)},
        {"patterns": (re.compile("x*"),)},
        {"patterns": (re.compile(b"x"),)},
        {"check": "check"},
        {"refusal": " "},
        {"timeout": -1},
    ],
)
def test_wrong_settings_are_refused_at_construction(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="safeguard"):
        SafeguardAdvisor(**settings)
