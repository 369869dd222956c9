"""What every adapter sends."""

import json
import re

import pytest
from wire_play import ASK, over_wire, streamed
from wire_port import Call, Received, Said, Script, Wire
from wire_server import serving
from wires import WIRES

from dure.chat import ChatOptions, ChatRequest, ToolDefinition
from dure.client.chat_client import ChatClient
from dure.errors import ConfigError
from dure.messages import (
    AssistantMessage,
    Message,
    SystemMessage,
    ToolCall,
    ToolMessage,
    ToolResult,
    UserMessage,
)
from dure.models.wire_names import wire_name
from dure.run import RunContext
from dure.tools.function import tool

TEXT = Script(text=("네",))
OPEN = {"type": "object", "properties": {"sku": {"type": "string"}}}
CLOSED = {"type": "object", "properties": {"답": {"type": "string"}}, "required": ["답"], "additionalProperties": False}
ODD_NAMES = ("ok_name", "재고", "재고 조회", "calendar.read", "a/b", "x" * 80, "x" * 79 + "y", "Create CIFS Share")


def history() -> tuple[Message, ...]:
    calls = (
        ToolCall(id="call_a", name="재고", arguments='{"sku":"가-1"}'),
        ToolCall(id="call_b", name="now", arguments=""),
    )
    results = (
        ToolResult(call_id="call_a", name="재고", text="열둘"),
        ToolResult(call_id="call_b", name="now", text="시계가 없습니다", is_error=True),
    )
    return (
        SystemMessage(text="너는 창고지기다."),
        SystemMessage(text="짧게 답한다."),
        UserMessage(text="몇 개 있지?"),
        AssistantMessage(text="볼게요.", tool_calls=calls),
        ToolMessage(results=results),
        AssistantMessage(text="열두 개입니다."),
        UserMessage(text="고마워"),
    )


def defined(*names: str) -> tuple[ToolDefinition, ...]:
    return tuple(ToolDefinition(name=name, description=f"does {name}", parameters=OPEN) for name in names)


async def sent(wire: Wire, request: ChatRequest) -> Received:
    outcome = await over_wire(wire, streamed(wire, TEXT), request=request)
    return wire.received(outcome.bodies[0])


async def test_a_question_goes_out_alone(wire: Wire) -> None:
    received = await sent(wire, ASK)
    assert (received.system, received.messages, received.tools) == ("", (Said(role="user", text="재고 알려줘"),), {})


async def test_a_whole_history_goes_out_in_order(wire: Wire) -> None:
    received = await sent(wire, ChatRequest(messages=history(), tools=defined("재고", "now")))
    assert received.system == "너는 창고지기다.\n\n짧게 답한다."
    nothing: dict[str, str] = {}
    calls = (("call_a", wire_name("재고"), {"sku": "가-1"}), ("call_b", "now", nothing))
    assert received.messages == (
        Said(role="user", text="몇 개 있지?"),
        Said(role="assistant", text="볼게요.", calls=calls),
        Said(role="tool", text="열둘", result_of="call_a"),
        Said(role="tool", text="시계가 없습니다", result_of="call_b"),
        Said(role="assistant", text="열두 개입니다."),
        Said(role="user", text="고마워"),
    )


async def test_korean_goes_out_as_letters(wire: Wire) -> None:
    request = ChatRequest(messages=history(), tools=defined("재고"))
    body = (await over_wire(wire, streamed(wire, TEXT), request=request)).bodies[0]
    for words in ("너는 창고지기다.", "몇 개 있지?", "가-1", "열둘", "does 재고"):
        assert words.encode() in body
    assert re.search(rb"\\u(?!00[01])", body) is None


async def test_every_name_goes_out_in_the_letters_of_the_wire_and_comes_back(wire: Wire) -> None:
    request = ASK.with_tools(*defined(*ODD_NAMES))
    received = await sent(wire, request)
    assert len(received.tools) == len(ODD_NAMES)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in received.tools)
    script = Script(
        calls=tuple(Call(id=f"call_{number}", name=name) for number, name in enumerate(received.tools)),
        finish="tool_calls",
    )
    answer = (await over_wire(wire, streamed(wire, script), request=request)).response
    assert tuple(call.name for call in answer.message.tool_calls) == ODD_NAMES


async def test_a_name_that_had_to_change_stands_in_the_description(wire: Wire) -> None:
    tools = (await sent(wire, ASK.with_tools(*defined("재고", "now")))).tools
    assert tools == {wire_name("재고"): ("[재고] does 재고", OPEN), "now": ("does now", OPEN)}


async def test_a_tool_given_twice_is_told_once(wire: Wire) -> None:
    assert list((await sent(wire, ASK.with_tools(*defined("now", "now")))).tools) == ["now"]


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        (ChatOptions(temperature=0.25), {"temperature": 0.25}),
        (ChatOptions(top_p=0.5), {"top_p": 0.5}),
        (ChatOptions(max_tokens=321), {"max_tokens": 321}),
        (ChatOptions(stop=("끝", "END")), {"stop": ["끝", "END"]}),
    ],
    ids=["temperature", "top_p", "max_tokens", "stop"],
)
async def test_an_option_that_is_given_is_sent(wire: Wire, options: ChatOptions, fields: dict[str, object]) -> None:
    received = (await sent(wire, ASK.with_options(options))).options
    assert {name: received.get(name) for name in fields} == fields


async def test_an_option_that_is_left_open_is_the_provider_s_to_choose(wire: Wire) -> None:
    assert set((await sent(wire, ASK)).options) <= {"max_tokens"}


@pytest.mark.needs("forced calls")
@pytest.mark.parametrize("choice", ["auto", "none", "required"])
async def test_whether_a_tool_must_be_called_is_sent(wire: Wire, choice: str) -> None:
    options = ChatOptions(tool_choice=choice)  # pyright: ignore[reportArgumentType]  # one of the three
    received = await sent(wire, ASK.with_options(options).with_tools(*defined("now")))
    assert received.options["tool_choice"] == choice


async def test_a_choice_of_tools_is_not_sent_where_there_is_none(wire: Wire) -> None:
    assert "tool_choice" not in (await sent(wire, ASK.with_options(ChatOptions(tool_choice="required")))).options


@pytest.mark.needs("enforced schema")
async def test_a_schema_goes_out_where_it_is_enforced(wire: Wire) -> None:
    assert (await sent(wire, ASK.with_options(ChatOptions(json_schema=CLOSED)))).options["json_schema"] == CLOSED


async def test_fields_of_the_provider_s_own_go_out_as_they_are(wire: Wire) -> None:
    request = ASK.with_options(ChatOptions(extra={"service_tier": "flex", "표": [1]}))
    body = (await over_wire(wire, streamed(wire, TEXT), request=request)).bodies[0]
    assert {key: json.loads(body)[key] for key in ("service_tier", "표")} == {"service_tier": "flex", "표": [1]}


@pytest.mark.parametrize("field", ["model", "messages", "tools", "stream"])
async def test_fields_of_the_request_cannot_be_replaced(wire: Wire, field: str) -> None:
    with pytest.raises(ConfigError, match=f"may not set {field}"):
        await sent(wire, ASK.with_options(ChatOptions(extra={field: 1})))


async def test_an_answer_is_asked_for_as_a_stream(wire: Wire) -> None:
    body = (await over_wire(wire, streamed(wire, TEXT))).bodies[0]
    assert json.loads(body)["stream"] is True


async def test_a_message_is_encoded_once(wire: Wire) -> None:
    messages = history()
    request = ChatRequest(messages=messages, tools=defined("재고", "now"))
    async with serving(streamed(wire, TEXT)) as server:
        model = wire.open(server.address)
        await model.chat(request, RunContext())
        kept = [message.wire[wire.slot] for message in messages]
        await model.chat(request.with_added(AssistantMessage(text="네"), UserMessage(text="그럼")), RunContext())
        await model.close()
    assert all(message.wire[wire.slot] is bytes_ for message, bytes_ in zip(messages, kept, strict=True))
    assert all(list(message.wire) == [wire.slot] for message in messages)
    assert all(bytes_ in body for bytes_ in kept for body in server.bodies)


async def test_what_the_history_kept_is_what_is_sent(wire: Wire) -> None:
    question = UserMessage(text="몇 개?")
    await sent(wire, ChatRequest(messages=(question,)))
    question.wire[wire.slot] = question.wire[wire.slot].replace("몇".encode(), "여섯".encode())
    assert (await sent(wire, ChatRequest(messages=(question,)))).messages == (Said(role="user", text="여섯 개?"),)


async def test_an_answer_that_said_nothing_is_left_out(wire: Wire) -> None:
    empty = (AssistantMessage(reasoning="음"), ToolMessage(results=()))
    received = await sent(wire, ChatRequest(messages=(UserMessage(text="하나"), *empty, UserMessage(text="둘"))))
    assert "\n".join(said.text for said in received.messages) == "하나\n둘"
    assert {said.role for said in received.messages} == {"user"}


@pytest.mark.parametrize("written", ['{"{"a":1}', "[1]", '"x"', '{"cut":'])
async def test_arguments_that_are_no_object_do_not_spoil_the_history(wire: Wire, written: str) -> None:
    call = ToolCall(id="call_a", name="now", arguments=written)
    results = ToolMessage(results=(ToolResult(call_id="call_a", name="now", text="invalid JSON", is_error=True),))
    request = ASK.with_added(AssistantMessage(tool_calls=(call,)), results).with_tools(*defined("now"))
    calls = (await sent(wire, request)).messages[1].calls
    assert calls == (("call_a", "now", {"invalid_json": written}),)


async def test_half_a_letter_does_not_stop_a_request(wire: Wire) -> None:
    received = await sent(wire, ChatRequest(messages=(SystemMessage(text="a\ud83d"), UserMessage(text="b\udc00c"))))
    assert received.system == "a?"
    assert received.messages[0].text == "b?c"


async def test_a_tool_loop_pairs_every_result_with_its_call(wire: Wire) -> None:
    @tool(name="재고")
    def stock(sku: str) -> str:
        """Count."""
        return f"{sku}: 열둘"

    calls = tuple(
        Call(id=f"call_{sku}", name=wire_name("재고"), pieces=('{"sku":', f'"{sku}"', "}")) for sku in ("a", "b")
    )
    first = streamed(wire, Script(text=("볼게요",), calls=calls, finish="tool_calls"))
    async with serving(first, streamed(wire, TEXT)) as server:
        client = ChatClient(wire.open(server.address), tools=(stock,))
        assert await client.prompt("몇 개?").text() == "네"
        await client.model.close()
    question, answer, *results = wire.received(server.bodies[1]).messages
    assert question == Said(role="user", text="몇 개?")
    assert [(name, arguments) for _, name, arguments in answer.calls] == [
        (wire_name("재고"), {"sku": "a"}),
        (wire_name("재고"), {"sku": "b"}),
    ]
    assert [(said.text, said.result_of) for said in results] == [
        (f"{sku}: 열둘", call_id) for sku, (call_id, _, _) in zip("ab", answer.calls, strict=True)
    ]


@pytest.mark.parametrize("odd", [object(), {"a": {"b": object()}}, [1, print]], ids=["object", "nested", "function"])
async def test_what_is_no_json_is_named_before_anything_is_sent(wire: Wire, odd: object) -> None:
    with pytest.raises(ConfigError, match="cannot be sent as JSON"):
        await sent(wire, ASK.with_options(ChatOptions(extra={"odd": odd})))
    bad = ToolDefinition(name="now", description="", parameters={"type": "object", "examples": [odd]})
    if wire.name != "ollama":  # whose dialect has no examples
        with pytest.raises(ConfigError, match="cannot be sent as JSON"):
            await sent(wire, ASK.with_tools(bad))


async def test_a_choice_of_tools_in_fields_of_the_provider_s_own_is_not_sent_where_there_are_none(wire: Wire) -> None:
    extra = {"tool_choice": {"type": "none"}}
    calls = (ToolCall(id="call_a", name="now", arguments="{}"),)
    results = ToolMessage(results=(ToolResult(call_id="call_a", name="now", text="12시"),))
    asked = ASK.with_added(AssistantMessage(tool_calls=calls), results).with_options(ChatOptions(extra=extra))
    body = (await over_wire(wire, streamed(wire, TEXT), request=asked)).bodies[0]
    names: list[str] = []

    def keep(pairs: list[tuple[str, object]]) -> dict[str, object]:
        assert len({name for name, _ in pairs}) == len(pairs), "a field comes twice"
        names.extend(name for name, _ in pairs)
        return dict(pairs)

    said = json.loads(body, object_pairs_hook=keep)
    if wire.name != "ollama":  # which takes no notice of it
        assert ("tool_choice" in said) == ("tools" in said)


RECURSIVE = {
    "type": "object",
    "properties": {"root": {"$ref": "#/$defs/node"}},
    "required": ["root"],
    "$defs": {
        "node": {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "children": {"type": "array", "items": {"$ref": "#/$defs/node"}},
            },
        }
    },
}


async def test_a_schema_that_contains_itself_goes_out_finite_and_whole(wire: Wire) -> None:
    tree = ToolDefinition(name="tree", description="t", parameters=RECURSIVE)
    ((_, schema),) = (await sent(wire, ASK.with_tools(tree))).tools.values()
    if "$defs" in schema:
        assert schema == RECURSIVE
    else:
        assert "$ref" not in json.dumps(schema)
        assert schema["properties"]["root"]["properties"]["name"] == {"type": "string"}


async def test_the_same_messages_go_to_several_providers_each_in_its_own_form(wire: Wire) -> None:
    messages = history()
    for other in WIRES:
        await sent(other, ChatRequest(messages=messages, tools=defined("재고", "now")))
    received = await sent(wire, ChatRequest(messages=messages, tools=defined("재고", "now")))
    assert received == await sent(wire, ChatRequest(messages=history(), tools=defined("재고", "now")))
    assert {wire.slot for wire in WIRES} <= set(messages[1].wire)
