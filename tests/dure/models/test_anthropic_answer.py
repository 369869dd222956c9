import json
from typing import Any

import pytest
from messages_events import HELLO, HIDDEN, THOUGHT, ask, begin, block, end, opened, stream, text, thinking, use

from dure.chat import ChatOptions
from dure.client.chat_client import ChatClient
from dure.events import Event, ReasoningDelta, TextDelta, ToolCallDelta
from dure.tools.function import tool
from dure.usage import Usage


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
