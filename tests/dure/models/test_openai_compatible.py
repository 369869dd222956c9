import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from dure.chat import ChatRequest, ChatResponse, ToolDefinition
from dure.errors import (
    EmptyAnswer,
    MalformedResponse,
)
from dure.events import Event, ReasoningDelta, TextDelta, ToolCallDelta
from dure.messages import AssistantMessage, ToolCall, UserMessage
from dure.models.base import ModelCapabilities
from dure.models.openai_compatible import OpenAICompatibleModel
from dure.models.wire_names import wire_name
from dure.run import RunContext
from dure.usage import Usage

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Serve = Callable[[Handler], Awaitable[str]]

OWN = Path(__file__).parents[2] / "data/faults/sse"
SHARED = Path(__file__).parents[4] / "shared/data/faults/sse"
REQUEST = ChatRequest(messages=(UserMessage(text="?"),))
STOCK = ToolDefinition(name="재고", description="stock", parameters={"type": "object", "properties": {}})


def stream(*chunks: object, done: bool = True) -> bytes:
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks] + ["data: [DONE]\n\n"] * done
    return "".join(lines).encode()


def delta(finish: str | None = None, **fields: object) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}


def answering(body: bytes, *, status: int = 200, kind: str = "text/event-stream", **headers: str) -> Handler:
    async def handle(_: web.Request) -> web.Response:
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        return web.Response(status=status, body=body, content_type=kind, headers=named)

    return handle


async def ask(address: str, request: ChatRequest = REQUEST, run: RunContext | None = None, **how: Any) -> ChatResponse:  # noqa: ANN401 passed on
    model = OpenAICompatibleModel("m", base_url=address, **how)
    try:
        async with asyncio.timeout(10):
            return await model.chat(request, run or RunContext())
    finally:
        await model.close()


FIXTURES: dict[str, tuple[str, list[tuple[str | None, str, str]]]] = {
    "01_no_index.sse": ("tool_calls", [("a", "check_stock", '{"sku":"A-1"}')]),
    "02_same_index_two_ids.sse": (
        "tool_calls",
        [("a", "check_stock", '{"sku":"A-1"}'), ("b", "check_stock", '{"sku":"B-2"}')],
    ),
    "04_first_index_one.sse": ("tool_calls", [("a", "now", "{}")]),
    "05_no_ids.sse": ("tool_calls", [(None, "check_stock", '{"sku":"A"}'), (None, "check_stock", '{"sku":"B"}')]),
    "06_empty_args.sse": ("tool_calls", [("a", "now", "")]),
    "08_length_in_args.sse": ("length", [("a", "place_purchase_order", '{"sku":"A-1","qty":1')]),
    "10_multi_usage.sse": ("stop", []),
    "14_unknown_tool.sse": ("tool_calls", [("a", "chek_stock", "{}")]),
}


@pytest.mark.parametrize("name", sorted(FIXTURES))
async def test_streams_that_broke_others_are_read_right(serve: Serve, name: str) -> None:
    response = await ask(await serve(answering((OWN / name).read_bytes())))
    reason, wanted = FIXTURES[name]
    found = response.message.tool_calls
    assert response.finish_reason == reason
    assert [(call.name, call.arguments) for call in found] == [(tool, arguments) for _, tool, arguments in wanted]
    assert len({call.id for call in found}) == len(wanted)
    assert all(call.id == given for call, (given, _, _) in zip(found, wanted, strict=True) if given)


async def test_usage_repeated_in_a_stream_is_counted_once(serve: Serve) -> None:
    response = await ask(await serve(answering((OWN / "10_multi_usage.sse").read_bytes())))
    assert (response.text, response.usage) == ("안녕", Usage(fresh_input=10, output=2, model_calls=1))


async def test_text_before_a_call_stays_text(serve: Serve) -> None:
    response = await ask(await serve(answering((OWN / "04_first_index_one.sse").read_bytes())))
    assert response.text == "잠시만요"


async def test_an_answer_of_nothing_is_an_error(serve: Serve) -> None:
    with pytest.raises(EmptyAnswer, match="answered with nothing"):
        await ask(await serve(answering((OWN / "12_empty_final.sse").read_bytes())))


async def test_a_server_that_never_stops_is_cut_off(serve: Serve) -> None:
    piece = "가" * 1_000_000
    with pytest.raises(MalformedResponse, match="does not stop: over 4,000,000 characters"):
        await ask(await serve(answering(stream(*(delta(content=piece) for _ in range(5)), delta("stop")))))


async def test_a_page_instead_of_an_answer_is_named(serve: Serve) -> None:
    with pytest.raises(MalformedResponse, match="of type 'text/html' with no event in it"):
        await ask(await serve(answering(b"<html>login</html>", kind="text/html")))


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared fault files are only on the machines that keep them")
def test_the_copied_fault_files_are_the_shared_ones() -> None:
    known = {*FIXTURES, "12_empty_final.sse"}
    shared = {path.name: path.read_bytes() for path in SHARED.iterdir()}
    assert known == set(shared)
    assert shared == {name: (OWN / name).read_bytes() for name in shared}


async def test_text_thinking_and_calls_are_told_as_they_come(serve: Serve) -> None:
    wire = wire_name("재고")
    body = stream(
        delta(role="assistant", content=""),
        delta(reasoning_content="음"),
        delta(reasoning="…"),
        delta(content="안"),
        delta(content=[{"type": "text", "text": "녕"}, {"type": "image"}]),
        delta(tool_calls=[{"index": 0, "id": "a", "function": {"name": wire, "arguments": '{"s'}}]),
        delta(tool_calls=[{"index": 0, "function": {"arguments": '":1}'}}]),
        delta(tool_calls=[{"index": 1, "id": "b", "function": {"name": "x", "arguments": {"k": "값"}}}]),
        delta(tool_calls=[{"index": 2, "id": "c"}]),
        delta("tool_calls"),
        {
            "choices": [],
            "usage": {
                "prompt_tokens": 100,
                "completion_tokens": 7,
                "prompt_tokens_details": {"cached_tokens": 60},
                "completion_tokens_details": {"reasoning_tokens": 3},
            },
        },
    )
    events: list[Event] = []
    run = RunContext(sink=events.append)
    response = await ask(
        await serve(answering(body)), ChatRequest(messages=(UserMessage(text="?"),), tools=(STOCK,)), run
    )
    assert events == [
        ReasoningDelta(text="음"),
        ReasoningDelta(text="…"),
        TextDelta(text="안"),
        TextDelta(text="녕"),
        ToolCallDelta(call_id="a", name="재고", arguments='{"s'),
        ToolCallDelta(call_id="a", name="재고", arguments='":1}'),
        ToolCallDelta(call_id="b", name="x", arguments='{"k":"값"}'),
    ]
    assert response == ChatResponse(
        message=AssistantMessage(
            text="안녕",
            reasoning="음…",
            tool_calls=(
                ToolCall(id="a", name="재고", arguments='{"s":1}'),
                ToolCall(id="b", name="x", arguments='{"k":"값"}'),
            ),
        ),
        finish_reason="tool_calls",
        usage=Usage(fresh_input=40, cache_read=60, output=7, reasoning=3, model_calls=1),
        model="openai:m",
    )


async def test_an_id_of_the_history_is_not_given_again(serve: Serve) -> None:
    call = ToolCall(id="a", name="now", arguments="{}")
    request = REQUEST.with_added(AssistantMessage(tool_calls=(call,)))
    response = await ask(await serve(answering((OWN / "06_empty_args.sse").read_bytes())), request)
    assert response.message.tool_calls[0].id != "a"


async def test_a_server_that_does_not_stream_is_understood(serve: Serve) -> None:
    whole = {
        "choices": [{"message": {"role": "assistant", "content": "안녕"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 1, "prompt_cache_hit_tokens": 2},
    }
    response = await ask(await serve(answering(json.dumps(whole).encode(), kind="application/json")))
    assert (response.text, response.usage) == ("안녕", Usage(fresh_input=3, cache_read=2, output=1, model_calls=1))


async def test_an_answer_asked_for_in_one_piece_is_told_in_one_piece(serve: Serve) -> None:
    asked: list[dict[str, Any]] = []
    call = {"id": "a", "type": "function", "function": {"name": wire_name("재고"), "arguments": "{}"}}
    whole = {
        "choices": [
            {"message": {"role": "assistant", "content": "잠시", "tool_calls": [call]}, "finish_reason": "stop"}
        ]
    }

    async def handle(request: web.Request) -> web.Response:
        asked.append(await request.json())
        return web.json_response(whole)

    events: list[Event] = []
    run = RunContext(sink=events.append)
    response = await ask(await serve(handle), REQUEST.with_tools(STOCK), run, stream=False)
    assert "stream" not in asked[0]
    assert events == [TextDelta(text="잠시"), ToolCallDelta(call_id="a", name="재고", arguments="{}")]
    assert (response.text, response.finish_reason) == ("잠시", "tool_calls")


async def test_tokens_read_from_a_llama_cpp_cache_are_seen(serve: Serve) -> None:
    last: dict[str, Any] = {
        "choices": [],
        "usage": {"prompt_tokens": 34, "completion_tokens": 5},
        "timings": {"cache_n": 33, "prompt_n": 1},
    }
    response = await ask(await serve(answering(stream(delta("stop", content="a"), last))))
    assert response.usage == Usage(fresh_input=1, cache_read=33, output=5, model_calls=1)


async def test_an_answer_cut_at_the_limit_passes_as_such_even_without_text(serve: Serve) -> None:
    assert (await ask(await serve(answering(stream(delta("length", content="절")))))).finish_reason == "length"
    assert (await ask(await serve(answering(stream(delta("length")))))).text == ""


async def test_a_withheld_answer_passes_as_such(serve: Serve) -> None:
    response = await ask(await serve(answering(stream(delta("content_filter", refusal="no")))))
    assert (response.finish_reason, response.text) == ("content_filter", "no")


async def test_thinking_alone_is_no_answer(serve: Serve) -> None:
    with pytest.raises(EmptyAnswer, match="only thinking"):
        await ask(await serve(answering(stream(delta(reasoning="음"), delta("stop", content=" \n")))))


async def test_a_reason_without_the_end_mark_and_the_end_mark_without_a_reason_are_both_complete(serve: Serve) -> None:
    assert (await ask(await serve(answering(stream(delta("stop", content="a"), done=False))))).text == "a"
    assert (await ask(await serve(answering(stream(delta(content="a")))))).finish_reason == "stop"


async def test_what_follows_the_end_mark_and_choices_without_content_are_passed_over(serve: Serve) -> None:
    body = stream(delta(content="a"), {"choices": [{"finish_reason": "stop"}]}) + stream(delta(content="b"))
    assert (await ask(await serve(answering(body)))).text == "a"


FENCED = '```json\n{"name": "%s", "arguments": {"sku": "가"}}\n```\n'


def in_pieces(text: str, finish: str = "stop") -> bytes:
    return stream(*[delta(content=letter) for letter in text], delta(finish))


@pytest.mark.parametrize("finish", ["stop", "length"])
async def test_a_call_written_into_the_text_is_taken_for_a_call(serve: Serve, finish: str) -> None:
    events: list[Event] = []
    run = RunContext(sink=events.append)
    body = in_pieces("조회합니다. " + FENCED % wire_name("재고"), finish)
    response = await ask(await serve(answering(body)), REQUEST.with_tools(STOCK), run, calls_in_text=True)
    (call,) = response.message.tool_calls
    assert (call.name, call.arguments) == ("재고", '{"sku":"가"}')
    assert (response.text, response.finish_reason) == ("조회합니다. ", "tool_calls")
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "조회합니다. "
    assert events[-1] == ToolCallDelta(call_id=call.id, name="재고", arguments='{"sku":"가"}')


async def test_a_block_that_calls_nothing_known_stays_text(serve: Serve) -> None:
    text = "보기: " + FENCED % "other"
    response = await ask(await serve(answering(in_pieces(text))), REQUEST.with_tools(STOCK), calls_in_text=True)
    assert (response.text, response.message.tool_calls) == (text, ())


async def test_a_call_in_the_text_stays_text_where_nobody_asked_to_look_or_no_tool_was_given(serve: Serve) -> None:
    address = await serve(answering(in_pieces(FENCED % wire_name("재고"))))
    assert (await ask(address, REQUEST.with_tools(STOCK))).message.tool_calls == ()
    assert (await ask(address, calls_in_text=True)).message.tool_calls == ()


def test_name_and_capabilities_are_as_given() -> None:
    capabilities = ModelCapabilities(grammar=True)
    model = OpenAICompatibleModel("m", base_url="http://h", name="ollama:m", capabilities=capabilities)
    assert (model.name, model.capabilities) == ("ollama:m", capabilities)
    assert OpenAICompatibleModel("a:b").name == "openai:a:b"
