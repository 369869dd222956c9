"""Requests whose beginning stays the same, and a word in the log when it does not."""

import asyncio
import json
import logging
from dataclasses import replace
from typing import Any

import pytest

from dure.advisors.before_after import BeforeAfterAdvisor
from dure.advisors.order import TOOL_CALLING
from dure.advisors.prompt_caching import MAX_CONVERSATIONS, PromptCachingAdvisor
from dure.advisors.structured_output import StructuredOutputAdvisor
from dure.chat import ChatOptions, ChatRequest, ChatResponse
from dure.client.chat_client import ChatClient
from dure.errors import ConfigError
from dure.messages import AssistantMessage, SystemMessage, ToolCall, UserMessage
from dure.models.base import ModelCapabilities
from dure.models.openai_body import BodyComposer
from dure.models.scripted import ScriptedModel
from dure.run import RunContext
from dure.tools.function import tool


@tool
def alpha(x: int) -> int:
    """Double."""
    return 2 * x


@tool
def beta(x: int) -> int:
    """Halve."""
    return x // 2


@tool
def gamma(x: int) -> int:
    """Negate."""
    return -x


CALL = ChatResponse(
    message=AssistantMessage(tool_calls=(ToolCall(id="1", name="alpha", arguments='{"x": 1}'),)),
    finish_reason="tool_calls",
)


def names(request: ChatRequest) -> list[str]:
    return [definition.name for definition in request.tools]


async def test_the_provider_is_asked_to_keep_the_beginning_under_a_key_of_the_conversation() -> None:
    model = ScriptedModel(*["x"] * 4)
    client = ChatClient(model, advisors=(PromptCachingAdvisor(keep="1h"),), system="s", tools=(alpha,))
    for conversation in ("kim@example.com", "kim@example.com", "lee", None):
        await client.prompt("q").run(RunContext(conversation_id=conversation)).call()
    options = [request.options for request in model.requests]
    assert {one.prompt_cache for one in options} == {"1h"}
    keys = [one.cache_key for one in options]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3
    assert all(key is not None and len(key) == 32 and "kim" not in key for key in keys)


async def test_without_a_conversation_the_key_follows_system_text_and_tools() -> None:
    keys: list[str | None] = []
    for system, tools in (("a", (alpha,)), ("a", (alpha,)), ("b", (alpha,)), ("a", (alpha, beta))):
        model = ScriptedModel("x")
        await ChatClient(model, advisors=(PromptCachingAdvisor(),), system=system, tools=tools).prompt("q").call()
        keys.append(model.requests[0].options.cache_key)
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


async def test_options_that_say_something_of_their_own_are_kept() -> None:
    model = ScriptedModel("x")
    options = ChatOptions(prompt_cache="1h", cache_key="mine", temperature=0.5)
    await ChatClient(model, advisors=(PromptCachingAdvisor(),), options=options).prompt("q").call()
    assert model.requests[0].options == options


async def test_all_rounds_of_a_run_have_the_same_options_object_and_the_same_beginning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    model = ScriptedModel(CALL, CALL, "done")
    client = ChatClient(model, advisors=(PromptCachingAdvisor(),), system="s", tools=(alpha, beta))
    await client.prompt("q").run(RunContext(conversation_id="c")).call()
    first, *later = model.requests
    for request in later:
        assert request.options is first.options
        assert request.messages[: len(first.messages)] == first.messages
        assert isinstance(request.messages[0], SystemMessage)
    assert caplog.text == ""


async def test_tools_keep_their_first_order_and_new_ones_come_after_them() -> None:
    model = ScriptedModel(*["x"] * 3)
    client = ChatClient(model, advisors=(PromptCachingAdvisor(),))
    for tools in ((beta, alpha), (alpha, gamma, beta), (gamma, beta, alpha)):
        await client.prompt("q").tools(*tools).run(RunContext(conversation_id="c")).call()
    assert [names(request) for request in model.requests] == [
        ["beta", "alpha"],
        ["beta", "alpha", "gamma"],
        ["beta", "alpha", "gamma"],
    ]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"system": "s, at 10:31"}, "the system text"),
        ({"tools": (beta,)}, "a tool"),
        ({"tools": (alpha, beta)}, "the number of tools"),
    ],
)
async def test_a_beginning_that_changed_is_told_once(
    change: dict[str, Any], told: str, caplog: pytest.LogCaptureFixture
) -> None:
    advisor = PromptCachingAdvisor()
    client = ChatClient(ScriptedModel(*["x"] * 6), advisors=(advisor,), system="s", tools=(alpha,))
    with caplog.at_level(logging.WARNING):
        for one in (client, client, replace(client, **change), client, client):
            await one.prompt("q").run(RunContext(conversation_id="c")).call()
    (record,) = caplog.records
    assert f"{told} changed" in record.getMessage()


async def test_an_earlier_message_that_changes_within_a_run_is_told(caplog: pytest.LogCaptureFixture) -> None:
    clock = iter(range(9))

    def stamped(request: ChatRequest, _: RunContext) -> ChatRequest:
        first, *rest = request.messages
        assert isinstance(first, UserMessage)
        return request.with_messages(UserMessage(text=f"{first.text} at {next(clock)}"), *rest)

    stamp = BeforeAfterAdvisor(name="stamp", order=TOOL_CALLING + 1, before=stamped)
    client = ChatClient(ScriptedModel(CALL, "done"), advisors=(stamp, PromptCachingAdvisor()), tools=(alpha,))
    with caplog.at_level(logging.WARNING):
        await client.prompt("q").messages(UserMessage(text="a"), AssistantMessage(text="b")).call()
    assert "an earlier message changed" in caplog.text


async def test_a_tool_that_joins_within_a_run_comes_last_and_is_told(caplog: pytest.LogCaptureFixture) -> None:
    def with_more(request: ChatRequest, _: RunContext) -> ChatRequest:
        joined = (beta.definition,) if len(request.messages) > 1 else ()
        return request.with_tools(*joined, *request.tools)

    more = BeforeAfterAdvisor(name="more", order=TOOL_CALLING + 1, before=with_more)
    model = ScriptedModel(CALL, "done")
    with caplog.at_level(logging.WARNING):
        await ChatClient(model, advisors=(more, PromptCachingAdvisor()), tools=(alpha,)).prompt("q").call()
    assert names(model.requests[1]) == ["alpha", "beta"]
    assert "the number of tools changed" in caplog.text


async def test_a_retry_with_a_note_at_the_end_is_no_change(caplog: pytest.LogCaptureFixture) -> None:
    advisors = (StructuredOutputAdvisor(output_type=int), PromptCachingAdvisor())
    with caplog.at_level(logging.WARNING):
        await ChatClient(ScriptedModel("no", "1"), advisors=advisors, system="s").prompt("q").call()
    assert caplog.text == ""


async def test_conversations_do_not_mix_and_are_forgotten_in_their_order(caplog: pytest.LogCaptureFixture) -> None:
    advisor = PromptCachingAdvisor()

    async def ask(conversation: str, system: str) -> None:
        client = ChatClient(ScriptedModel("x"), advisors=(advisor,), system=system)
        await client.prompt("q").run(RunContext(conversation_id=conversation)).call()

    async with asyncio.timeout(20):
        await asyncio.gather(*(ask(str(number), f"s{number}") for number in range(MAX_CONVERSATIONS + 1)))
        await ask("0", "another")
    assert caplog.text == ""


def test_only_known_times_are_taken() -> None:
    with pytest.raises(ConfigError, match="keep"):
        PromptCachingAdvisor(keep="1d")  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(("host", "key"), [("api.openai.com", "k"), ("127.0.0.1", None)])
def test_the_key_goes_to_the_vendor_that_knows_it(host: str, key: str | None) -> None:
    composer = BodyComposer("m", host=host, capabilities=ModelCapabilities())
    sent = json.loads(composer.compose(ChatRequest(messages=(), options=ChatOptions(cache_key="k")))[0])
    assert sent.get("prompt_cache_key") == key


@pytest.mark.parametrize(("host", "strict"), [("api.openai.com", True), ("127.0.0.1", False)])
def test_a_schema_is_made_strict_only_for_the_vendor_that_wants_it(host: str, strict: bool) -> None:
    schema = {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string", "default": "x"}}}}
    composer = BodyComposer("m", host=host, capabilities=ModelCapabilities())
    options = ChatOptions(json_schema=schema)
    sent = json.loads(composer.compose(ChatRequest(messages=(), options=options))[0])["response_format"]["json_schema"]
    assert sent["strict"] == strict
    assert (sent["schema"] == schema) != strict
    assert sent["schema"]["type"] == ("object" if strict else "array")
