import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from wire_server import Reply, WireServer, serving

from dure.chat import ChatOptions, ChatRequest, ChatResponse
from dure.client.chat_client import ChatClient
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
from dure.events import Event, ReasoningDelta, TextDelta, ToolCallDelta
from dure.messages import UserMessage
from dure.models.anthropic import AnthropicModel
from dure.models.base import ModelCapabilities
from dure.run import RunContext
from dure.tools.function import tool
from dure.usage import Usage

ASK = ChatRequest(messages=(UserMessage(text="?"),))
THOUGHT = {"type": "thinking", "thinking": "음…", "signature": "c2ln"}
HIDDEN = {"type": "redacted_thinking", "data": "3f2a"}


def stream(*events: dict[str, Any]) -> Reply:
    lines = [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events]
    return Reply(body="".join(lines).encode())


def begin(**usage: int) -> dict[str, Any]:
    return {"type": "message_start", "message": {"content": [], "usage": usage}}


def block(index: int, start: dict[str, Any], *deltas: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"type": "content_block_start", "index": index, "content_block": start},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def text(index: int, *pieces: str) -> list[dict[str, Any]]:
    return block(index, {"type": "text", "text": ""}, *({"type": "text_delta", "text": piece} for piece in pieces))


def thinking(index: int, *pieces: str, signature: str = "c2ln") -> list[dict[str, Any]]:
    deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces]
    signed = [{"type": "signature_delta", "signature": signature}] if signature else []
    return block(index, {"type": "thinking", "thinking": "", "signature": ""}, *deltas, *signed)


def use(index: int, call_id: str, name: str, *pieces: str) -> list[dict[str, Any]]:
    deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    return block(index, {"type": "tool_use", "id": call_id, "name": name, "input": {}}, *deltas)


def end(reason: str | None, **usage: int) -> list[dict[str, Any]]:
    return [{"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage}, {"type": "message_stop"}]


@asynccontextmanager
async def opened(
    *replies: Reply,
    model: str = "claude-sonnet-4-5",
    **how: Any,  # noqa: ANN401 passed on
) -> AsyncGenerator[tuple[AnthropicModel, WireServer]]:
    async with serving(*replies) as server:
        opened = AnthropicModel(model, base_url=server.address, **how)
        try:
            yield opened, server
        finally:
            await opened.close()


async def ask(*replies: Reply, sink: Callable[[Event], None] | None = None, **how: Any) -> ChatResponse:  # noqa: ANN401 passed on
    async with opened(*replies, **how) as (model, _):
        return await model.chat(ASK, RunContext() if sink is None else RunContext(sink=sink))


HELLO = stream(begin(input_tokens=5), *text(0, "안", "녕"), *end("end_turn", output_tokens=2))


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


async def test_thinking_text_and_calls_are_told_as_they_come() -> None:
    events: list[Event] = []
    response = await ask(
        stream(
            begin(input_tokens=10, cache_read_input_tokens=100, cache_creation_input_tokens=20, output_tokens=1),
            {"type": "ping"},
            *thinking(0, "음", "…"),
            *block(1, HIDDEN),
            *text(2, "볼", "게요"),
            *use(3, "toolu_1", "now", "", '{"zone":', '"KST"}'),
            *use(4, "toolu_2", "now"),
            *end("tool_use", output_tokens=40),
        ),
        sink=events.append,
    )
    assert events == [
        ReasoningDelta(text="음"),
        ReasoningDelta(text="…"),
        TextDelta(text="볼"),
        TextDelta(text="게요"),
        ToolCallDelta(call_id="toolu_1", name="now", arguments=""),
        ToolCallDelta(call_id="toolu_1", name="now", arguments=""),
        ToolCallDelta(call_id="toolu_1", name="now", arguments='{"zone":'),
        ToolCallDelta(call_id="toolu_1", name="now", arguments='"KST"}'),
        ToolCallDelta(call_id="toolu_2", name="now", arguments=""),
    ]
    assert (response.text, response.message.reasoning) == ("볼게요", "음…")
    assert [(call.id, call.arguments) for call in response.message.tool_calls] == [
        ("toolu_1", '{"zone":"KST"}'),
        ("toolu_2", "{}"),
    ]
    assert response.message.extra == {
        "anthropic": {
            "model": "claude-sonnet-4-5",
            "blocks": [
                THOUGHT,
                HIDDEN,
                {"type": "text", "text": "볼게요"},
                {"type": "tool_use", "id": "toolu_1"},
                {"type": "tool_use", "id": "toolu_2"},
            ],
        }
    }
    assert response.usage == Usage(fresh_input=10, cache_read=100, cache_write=20, output=40, model_calls=1)


async def test_an_answer_without_thinking_keeps_nothing_extra() -> None:
    assert (await ask(HELLO)).message.extra == {}


async def test_signed_thinking_goes_back_unchanged_in_the_tool_loop() -> None:
    @tool
    def now() -> str:
        """Tell the time."""
        return "12시"

    asking = stream(
        begin(),
        *thinking(0, "시계를 ", "보자"),
        *text(1, "잠시만요."),
        *block(2, HIDDEN),
        *use(3, "toolu_1", "now", "{}"),
        *end("tool_use"),
    )
    async with opened(asking, HELLO) as (model, server):
        client = ChatClient(model, tools=(now,), options=ChatOptions(reasoning="low"))
        assert await client.prompt("몇 시?").text() == "안녕"
    _, answer, results = json.loads(server.bodies[1])["messages"]
    assert answer["content"] == [
        {"type": "thinking", "thinking": "시계를 보자", "signature": "c2ln"},
        {"type": "text", "text": "잠시만요."},
        HIDDEN,
        {"type": "tool_use", "id": "toolu_1", "name": "now", "input": {}},
    ]
    assert results["content"] == [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "12시"}]
    assert [json.loads(body)["thinking"]["type"] for body in server.bodies] == ["enabled", "enabled"]


async def test_thinking_without_its_signature_is_shown_but_not_kept() -> None:
    response = await ask(stream(begin(), *thinking(0, "음", signature=""), *text(1, "네"), *end("end_turn")))
    assert (response.message.reasoning, response.message.extra) == ("음", {})


async def test_thinking_that_is_not_shown_is_kept() -> None:
    response = await ask(stream(begin(), *thinking(0), *text(1, "네"), *end("end_turn")))
    assert response.message.reasoning == ""
    assert response.message.extra["anthropic"]["blocks"][0] == {**THOUGHT, "thinking": ""}


async def test_thinking_that_was_cut_is_not_kept() -> None:
    cut = thinking(0, "음")[:-1]
    response = await ask(stream(begin(), *cut, *end("max_tokens")))
    assert (response.finish_reason, response.message.extra) == ("length", {})


async def test_blocks_that_nobody_knows_go_back_as_they_came() -> None:
    start: dict[str, Any] = {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {}}
    found = {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": [{"title": "가"}]}
    response = await ask(
        stream(
            begin(),
            *block(
                0,
                start,
                {"type": "input_json_delta", "partial_json": '{"query":'},
                {"type": "input_json_delta", "partial_json": '"재고"}'},
                {"type": "odd_delta"},
            ),
            *block(1, found),
            {"type": "content_block_delta", "index": 2, "delta": {"type": "text_delta", "text": "네"}},
            {"type": "message_limits", "anything": [1, 2]},
            *end("end_turn"),
        )
    )
    assert response.text == "네"
    assert response.message.extra["anthropic"]["blocks"] == [
        {**start, "input": {"query": "재고"}},
        found,
        {"type": "text", "text": "네"},
    ]


async def test_a_block_of_the_provider_s_own_with_half_an_input_goes_back_as_it_began() -> None:
    start: dict[str, Any] = {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {}}
    half = block(0, start, {"type": "input_json_delta", "partial_json": '{"query":'})
    response = await ask(stream(begin(), *half, *text(1, "네"), *end("end_turn")))
    assert response.message.extra["anthropic"]["blocks"][0] == start


async def test_arguments_that_come_at_the_beginning_of_a_call_are_taken() -> None:
    start = {"type": "tool_use", "id": "a", "name": "now", "input": {"zone": "KST"}}
    (call,) = (await ask(stream(begin(), *block(0, start), *end("tool_use")))).message.tool_calls
    assert call.arguments == '{"zone":"KST"}'


@pytest.mark.parametrize(
    ("reason", "ours"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        (None, "stop"),
        ("something new", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("pause_turn", "length"),
        ("refusal", "content_filter"),
    ],
)
async def test_every_stop_reason_has_its_word(reason: str | None, ours: str) -> None:
    assert (await ask(stream(begin(), *text(0, "네"), *end(reason)))).finish_reason == ours


async def test_an_explained_refusal_is_not_silent() -> None:
    delta = {"stop_reason": "refusal", "stop_details": {"type": "refusal", "explanation": "안 됩니다", "category": "x"}}
    response = await ask(stream(begin(), {"type": "message_delta", "delta": delta}, {"type": "message_stop"}))
    assert (response.text, response.finish_reason) == ("안 됩니다", "content_filter")


async def test_a_call_is_a_call_whatever_reason_is_given() -> None:
    response = await ask(stream(begin(), *use(0, "a", "now", "{}"), *end("end_turn")))
    assert response.finish_reason == "tool_calls"


async def test_usage_is_a_snapshot_in_which_the_last_value_of_each_field_wins() -> None:
    response = await ask(
        stream(
            begin(input_tokens=9, cache_read_input_tokens=17_102, output_tokens=1),
            *text(0, "네"),
            {"type": "message_delta", "delta": {}, "usage": {"output_tokens": 7}},
            *end("end_turn", output_tokens=15),
        )
    )
    assert response.usage == Usage(fresh_input=9, cache_read=17_102, output=15, model_calls=1)


async def test_only_the_end_mark_ends_an_answer() -> None:
    events = [begin(), *text(0, "네"), *end("end_turn")]
    with pytest.raises(ConnectionFailed, match="before the answer was complete"):
        await ask(stream(*events[:-1]))


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
