import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from aiohttp import web
from ollama_server import OllamaServer, answering, called, end, said

from dure.chat import ChatOptions, ChatRequest, ChatResponse, ToolDefinition
from dure.errors import ConfigError
from dure.events import Event, TextDelta, ToolCallDelta
from dure.messages import AssistantMessage, SystemMessage, ToolCall, ToolMessage, ToolResult, UserMessage
from dure.models.ollama import OllamaModel
from dure.models.wire_names import wire_name
from dure.run import RunContext

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Serve = Callable[[Handler], Awaitable[str]]

STOCK = ToolDefinition(name="재고", description="stock", parameters={"type": "object", "properties": {}})
SEARCH = ToolDefinition(name="search", description="finds", parameters={"type": "object", "properties": {}})
REQUEST = ChatRequest(messages=(UserMessage(text="?"),), tools=(STOCK, SEARCH))


async def ask(
    address: str, request: ChatRequest = REQUEST, run: RunContext | None = None, model: OllamaModel | None = None
) -> ChatResponse:
    model = model or OllamaModel("m", base_url=address)
    try:
        async with asyncio.timeout(10):
            return await model.chat(request, run or RunContext())
    finally:
        await model.close()


def pairs(response: ChatResponse) -> list[tuple[str, str]]:
    return [(call.name, call.arguments) for call in response.message.tool_calls]


async def test_calls_keep_the_servers_ids_and_the_tools_own_names(serve: Serve) -> None:
    call = called(wire_name("재고"), {"sku": "가-1"}, id="call_1")
    events: list[Event] = []
    server = OllamaServer(chat=answering(said(tool_calls=[call]), end()))
    response = await ask(await serve(server.handle), run=RunContext(sink=events.append))
    assert response.finish_reason == "tool_calls"
    assert response.message.tool_calls == (ToolCall(id="call_1", name="재고", arguments='{"sku":"가-1"}'),)
    assert events == [ToolCallDelta(call_id="call_1", name="재고", arguments='{"sku":"가-1"}')]


async def test_calls_without_an_id_or_with_the_tools_name_as_id_get_one_of_their_own(serve: Serve) -> None:
    calls = [
        called("search", {"q": 1}),
        called("search", {"q": 1}),
        called("search", {"q": 2}, id="search"),
        called("search", {"q": 3}, id="search"),
    ]
    server = OllamaServer(chat=answering(said(tool_calls=calls[:2]), end(tool_calls=calls[2:])))
    response = await ask(await serve(server.handle))
    assert pairs(response) == [
        ("search", '{"q":1}'),
        ("search", '{"q":1}'),
        ("search", '{"q":2}'),
        ("search", '{"q":3}'),
    ]
    assert len({call.id for call in response.message.tool_calls}) == 4


async def test_an_id_that_the_history_has_is_replaced(serve: Serve) -> None:
    earlier = AssistantMessage(tool_calls=(ToolCall(id="call_1", name="search", arguments="{}"),))
    results = ToolMessage(results=(ToolResult(call_id="call_1", name="search", text="none"),))
    server = OllamaServer(chat=answering(end(tool_calls=[called("search", {}, id="call_1")])))
    response = await ask(await serve(server.handle), REQUEST.with_added(earlier, results))
    assert response.message.tool_calls[0].id not in ("call_1", "")


@pytest.mark.parametrize(
    ("sent", "read"), [(None, "{}"), ({}, "{}"), ('{"a":1}', '{"a":1}'), ('{"a":', '{"a":'), ([1], "[1]")]
)
async def test_arguments_arrive_as_they_were_written(serve: Serve, sent: object, read: str) -> None:
    calls = [called("search", sent), called("search", {"b": 2})]
    response = await ask(await serve(OllamaServer(chat=answering(end(tool_calls=calls))).handle))
    assert pairs(response) == [("search", read), ("search", '{"b":2}')]


async def test_a_call_of_nothing_is_no_call(serve: Serve) -> None:
    lines = end("text", tool_calls=[{"id": "x"}, called("", {})])
    response = await ask(await serve(OllamaServer(chat=answering(lines)).handle))
    assert (response.finish_reason, response.message.tool_calls) == ("stop", ())


async def test_a_call_of_an_unknown_tool_is_handed_on(serve: Serve) -> None:
    response = await ask(await serve(OllamaServer(chat=answering(end(tool_calls=[called("serch", {})]))).handle))
    assert pairs(response) == [("serch", "{}")]


async def test_a_call_written_into_the_text_is_taken_for_the_call_it_is(serve: Serve) -> None:
    block = '```json\n{"name": "search", "arguments": {"q": "재고"}}\n```'
    events: list[Event] = []
    server = OllamaServer(chat=answering(*[said(letter) for letter in block], end()))
    response = await ask(await serve(server.handle), run=RunContext(sink=events.append))
    assert (pairs(response), response.text) == ([("search", '{"q":"재고"}')], "")
    assert not any(isinstance(event, TextDelta) for event in events)


async def test_json_that_calls_no_tool_stays_text(serve: Serve) -> None:
    text = '{"name": "other", "arguments": {}}'
    server = OllamaServer(chat=answering(said(text), end()))
    response = await ask(await serve(server.handle))
    assert (response.text, response.finish_reason) == (text, "stop")


async def test_without_leave_to_call_no_tool_is_offered_and_none_is_read_out_of_the_text(serve: Serve) -> None:
    text = '{"name": "search", "arguments": {}}'
    server = OllamaServer(chat=answering(end(text)))
    response = await ask(await serve(server.handle), REQUEST.with_options(ChatOptions(tool_choice="none")))
    assert ("tools" in server.bodies[0], response.text, response.message.tool_calls) == (False, text, ())


async def test_the_duty_to_call_is_said_in_words_since_the_wire_has_none(serve: Serve) -> None:
    server = OllamaServer(chat=answering(end("a")))
    await ask(await serve(server.handle), REQUEST.with_options(ChatOptions(tool_choice="required")))
    assert server.bodies[0]["messages"][0]["content"] == "?\n\nAnswer by calling one of the tools."
    assert len(server.bodies[0]["tools"]) == 2


async def test_tools_are_sent_in_the_dialect_and_under_wire_names(serve: Serve) -> None:
    tool = ToolDefinition(
        name="주문",
        description="places an order",
        parameters={
            "type": "object",
            "description": "an order",
            "properties": {"item": {"$ref": "#/$defs/Item"}},
            "$defs": {"Item": {"type": "object", "properties": {"qty": {"type": "integer", "minimum": 1}}}},
        },
    )
    server = OllamaServer(chat=answering(end("a")))
    await ask(await serve(server.handle), REQUEST.with_tools(tool, tool))
    assert server.bodies[0]["tools"] == [
        {
            "type": "function",
            "function": {
                "name": wire_name("주문"),
                "description": "[주문] places an order an order",
                "parameters": {
                    "type": "object",
                    "properties": {
                        "item": {
                            "type": "object",
                            "properties": {"qty": {"type": "integer", "description": "at least 1"}},
                        }
                    },
                },
            },
        }
    ]


async def test_a_tool_with_a_remote_reference_is_named_before_anything_is_sent(serve: Serve) -> None:
    tool = ToolDefinition(name="t", description="", parameters={"properties": {"a": {"$ref": "https://h/s.json"}}})
    server = OllamaServer(chat=answering(end("a")))
    with pytest.raises(ConfigError, match=r"'https://h/s.json' is outside the schema"):
        await ask(await serve(server.handle), REQUEST.with_tools(tool))
    assert server.bodies == []


async def test_the_history_is_written_as_ollama_reads_it(serve: Serve) -> None:
    calls = (
        ToolCall(id="a", name="재고", arguments='{"sku":"가"}'),
        ToolCall(id="b", name="search", arguments=""),
        ToolCall(id="c", name="search", arguments="{broken"),
    )
    results = tuple(ToolResult(call_id=call.id, name=call.name, text=f"r{call.id}") for call in calls)
    messages = (
        SystemMessage(text="s"),
        UserMessage(text="재고?\ud800"),
        AssistantMessage(text="", tool_calls=calls, reasoning="hm"),
        ToolMessage(results=results),
        ToolMessage(results=()),
        AssistantMessage(text="there", reasoning="private"),
        AssistantMessage(),
        UserMessage(text="?"),
    )
    server = OllamaServer(chat=answering(end("a")))
    await ask(await serve(server.handle), ChatRequest(messages=messages, tools=(STOCK, SEARCH)))
    wire = wire_name("재고")
    assert server.bodies[0]["messages"] == [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "재고??"},
        {
            "role": "assistant",
            "content": "",
            "thinking": "hm",
            "tool_calls": [
                {"id": "a", "function": {"name": wire, "arguments": {"sku": "가"}}},
                {"id": "b", "function": {"name": "search", "arguments": {}}},
                {"id": "c", "function": {"name": "search", "arguments": {"invalid_json": "{broken"}}},
            ],
        },
        {"role": "tool", "content": "ra", "tool_name": wire, "tool_call_id": "a"},
        {"role": "tool", "content": "rb", "tool_name": "search", "tool_call_id": "b"},
        {"role": "tool", "content": "rc", "tool_name": "search", "tool_call_id": "c"},
        {"role": "assistant", "content": "there"},
        {"role": "user", "content": "?"},
    ]


async def test_a_message_is_encoded_once(serve: Serve) -> None:
    message = UserMessage(text="?")
    request = ChatRequest(messages=(message,))
    address = await serve(OllamaServer(chat=answering(end("a"))).handle)
    await ask(address, request)
    kept = message.wire["ollama"]
    await ask(address, request)
    assert message.wire["ollama"] is kept


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"sku": {"type": "string", "pattern": "^A", "description": "재고 코드"}},
    "required": ["sku"],
}


async def test_the_schema_of_an_answer_is_enforced_and_what_it_drops_is_said(serve: Serve) -> None:
    server = OllamaServer(chat=answering(end('{"sku":"A"}')))
    request = ChatRequest(
        messages=(
            SystemMessage(text="s"),
            UserMessage(text="one?"),
            AssistantMessage(text="{}"),
            UserMessage(text="?"),
        ),
        options=ChatOptions(json_schema=SCHEMA),
    )
    await ask(await serve(server.handle), request)
    assert server.bodies[0]["format"] == {
        "type": "object",
        "properties": {"sku": {"type": "string"}},
        "required": ["sku"],
    }
    note = "Of the JSON in the answer, where $ is the whole:\n$.sku: 재고 코드; matches the regular expression ^A"
    assert [message["content"] for message in server.bodies[0]["messages"]] == ["s", "one?", "{}", f"?\n\n{note}"]
    await ask(await serve(server.handle), request.with_options(ChatOptions()))
    assert server.bodies[1]["messages"][-1]["content"] == "?"


async def test_a_note_goes_to_the_system_text_when_nobody_asked(serve: Serve) -> None:
    server = OllamaServer(chat=answering(end("{}")))
    options = ChatOptions(json_schema=SCHEMA)
    await ask(await serve(server.handle), ChatRequest(messages=(SystemMessage(text="s"),), options=options))
    await ask(await serve(server.handle), ChatRequest(messages=(AssistantMessage(text="a"),), options=options))
    assert server.bodies[0]["messages"][0]["content"].startswith("s\n\nOf the JSON")
    assert server.bodies[1]["messages"] == [{"role": "assistant", "content": "a"}]


async def test_fields_of_ones_own_are_sent_and_the_requests_own_are_not_replaced(serve: Serve) -> None:
    server = OllamaServer(chat=answering(end("a")))
    address = await serve(server.handle)
    extra = {"options": {"num_ctx": 1_000, "top_k": 3}, "logprobs": True, "think": "max"}
    await ask(address, REQUEST.with_options(ChatOptions(temperature=0.0, extra=extra)))
    assert server.bodies[0]["options"] == {"temperature": 0.0, "num_ctx": 1_000, "top_k": 3}
    assert (server.bodies[0]["logprobs"], server.bodies[0]["think"]) == (True, "max")


@pytest.mark.parametrize(
    ("extra", "said_so"),
    [
        ({"messages": []}, "may not set messages"),
        ({"options": 1}, "must be a mapping of Ollama's options"),
        ({"options": {"num_ctx": "8k"}}, "must be a number of tokens, not '8k'"),
        ({"options": {"num_ctx": 0}}, "must be a number of tokens"),
    ],
)
async def test_fields_that_cannot_be_sent_are_named(serve: Serve, extra: dict[str, Any], said_so: str) -> None:
    with pytest.raises(ConfigError, match=said_so):
        await ask(
            await serve(OllamaServer(chat=answering(end("a"))).handle), REQUEST.with_options(ChatOptions(extra=extra))
        )


async def test_each_schema_gets_its_own_grammar_however_many_there_are(serve: Serve) -> None:
    server = OllamaServer(chat=answering(end("{}")))
    model = OllamaModel("m", base_url=await serve(server.handle), num_ctx=8_192)
    names = [f"f{number}" for number in range(300)]
    async with asyncio.timeout(10):
        for name in [*names, names[0], names[0]]:
            schema = {"type": "object", "properties": {name: {"type": "string"}}}
            await model.chat(REQUEST.with_options(ChatOptions(json_schema=schema)), RunContext())
    await model.close()
    assert [list(body["format"]["properties"]) for body in server.bodies] == [[name] for name in [*names, "f0", "f0"]]
