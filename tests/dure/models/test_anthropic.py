import json

import pytest
from messages_events import ASK, HELLO, ask, begin, end, opened, stream, text
from wire_server import Reply, serving

from dure.errors import (
    ConfigError,
    ConnectionFailed,
    EmptyAnswer,
    InvalidRequest,
    MalformedResponse,
    ModelError,
    ModelTimeout,
    RateLimited,
    ServerFailed,
    Unauthenticated,
)
from dure.models.anthropic import AnthropicModel
from dure.models.base import ModelCapabilities
from dure.run import RunContext


async def test_the_request_goes_to_the_messages_with_key_and_version() -> None:
    async with opened(HELLO, api_key="sk-1", headers={"x-team": "ops"}) as (model, server):
        await model.chat(ASK, RunContext())
    assert server.paths == ["/v1/messages"]
    sent = {name: server.headers[0].get(name) for name in ("x-api-key", "anthropic-version", "x-team", "content-type")}
    assert sent == {
        "x-api-key": "sk-1",
        "anthropic-version": "2023-06-01",
        "x-team": "ops",
        "content-type": "application/json",
    }
    assert not {"authorization", "anthropic-beta"} & server.headers[0].keys()


async def test_a_base_url_may_end_in_its_version() -> None:
    async with serving(HELLO) as server:
        model = AnthropicModel("claude-sonnet-4-5", base_url=f"{server.address}/v1/")
        assert (await model.chat(ASK, RunContext())).text == "안녕"
        await model.close()
    assert server.paths == ["/v1/messages"]


async def test_a_model_that_binds_its_thinking_is_asked_for_leave_to_drop_it() -> None:
    async with opened(HELLO, model="claude-opus-5-5") as (model, server):
        await model.chat(ASK, RunContext())
    assert server.headers[0]["anthropic-beta"] == "thinking-binding-controls-2026-08-01"
    thinking = json.loads(server.bodies[0])["thinking"]
    assert thinking == {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}}


def test_name_and_capabilities_follow_from_the_model_or_are_as_given() -> None:
    model = AnthropicModel("claude-haiku-4-5")
    assert model.name == "anthropic:claude-haiku-4-5"
    assert model.capabilities == ModelCapabilities(json_schema=True, context_window=200_000)
    assert not AnthropicModel("claude-3-haiku").capabilities.json_schema
    given = ModelCapabilities(small=True)
    named = AnthropicModel("m", name="mine:m", capabilities=given)
    assert (named.name, named.capabilities) == ("mine:m", given)


def test_a_key_that_is_none_and_a_url_that_is_none_are_refused_at_once() -> None:
    with pytest.raises(ConfigError, match="the API key has characters"):
        AnthropicModel("claude-haiku-4-5", api_key="sk-1\n")
    with pytest.raises(ConfigError, match="is not an http"):
        AnthropicModel("claude-haiku-4-5", base_url="api.anthropic.com")


async def test_the_key_is_in_no_error() -> None:
    refused = Reply(
        body=b'{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key: sk-secret"}}',
        status=401,
        content_type="application/json",
    )
    with pytest.raises(Unauthenticated, match="invalid x-api-key: …; check the API key") as raised:
        await ask(refused, api_key="sk-secret")
    assert raised.value.__cause__ is None


async def test_an_answer_without_its_reason_is_not_complete_and_one_without_the_end_mark_is() -> None:
    events = [begin(), *text(0, "네"), *end("end_turn")]
    with pytest.raises(ConnectionFailed, match="before the answer was complete"):
        await ask(stream(*events[:-2]))
    assert (await ask(stream(*events[:-1]))).text == "네"


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("overloaded_error", ServerFailed),
        ("api_error", ServerFailed),
        ("rate_limit_error", RateLimited),
        ("timeout_error", ModelTimeout),
        ("authentication_error", Unauthenticated),
        ("invalid_request_error", InvalidRequest),
        ("a_new_error", ServerFailed),
    ],
)
async def test_an_error_event_says_what_to_do(kind: str, error: type[ModelError]) -> None:
    event = {"type": "error", "error": {"type": kind, "message": "까닭"}, "request_id": "req_1"}
    with pytest.raises(ModelError, match="까닭") as raised:
        await ask(stream(begin(), *text(0, "네"), event))
    assert type(raised.value) is error


async def test_an_error_object_with_a_good_status_is_an_error() -> None:
    body = b'{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}'
    with pytest.raises(RateLimited, match="slow down"):
        await ask(Reply(body=body, content_type="application/json"))


@pytest.mark.parametrize("body", [b'data: {"type":"message_start","message":3}\n\n', b"data: \xff\n\n"])
async def test_an_event_of_another_shape_is_named(body: bytes) -> None:
    with pytest.raises(MalformedResponse, match="not of the Messages API"):
        await ask(Reply(body=body))


async def test_a_server_that_never_stops_is_cut_off() -> None:
    piece = "가" * 1_000_000
    with pytest.raises(MalformedResponse, match="does not stop: over 4,000,000 characters"):
        await ask(stream(begin(), *text(0, *([piece] * 5)), *end("end_turn")))


async def test_events_without_content_are_passed_over() -> None:
    events = [
        {"type": "content_block_delta", "index": 0},
        {"type": "content_block_start", "index": 0},
        {"type": "content_block_stop", "index": 7},
        {"type": "message_delta"},
        {"type": "message_start"},
        {"type": "error"},
        {"type": "message_stop"},
    ]
    with pytest.raises(EmptyAnswer):
        await ask(stream(*events))
