import json
from typing import Any

import pytest

from dure.chat import ChatOptions, ChatRequest, ToolDefinition
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
from dure.models.base import ModelCapabilities
from dure.models.openai_body import BodyComposer
from dure.models.openai_messages import encode, encode_messages
from dure.models.wire_names import WireNames, wire_name

PLAIN = ChatOptions()
PERSON = UserMessage(text="재고 알려줘")
OPEN = {"type": "object", "properties": {"a": {"type": "string"}}}
CLOSED = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}


def raw(
    request: ChatRequest,
    *,
    model: str = "m",
    host: str = "127.0.0.1",
    capabilities: ModelCapabilities = ModelCapabilities(),  # noqa: B008 frozen
    stream: bool = True,
) -> bytes:
    return BodyComposer(model, host=host, capabilities=capabilities, stream=stream).compose(request)[0]


def body(options: ChatOptions = PLAIN, *, tools: tuple[ToolDefinition, ...] = (), **how: Any) -> dict[str, Any]:  # noqa: ANN401 passed on
    found: dict[str, Any] = json.loads(raw(ChatRequest(messages=(PERSON,), options=options, tools=tools), **how))
    return found


def messages(*given: Message) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(b"[" + encode_messages(given, WireNames([])) + b"]")
    return found


def test_a_plain_request_streams_and_asks_for_usage() -> None:
    assert body() == {
        "model": "m",
        "messages": [{"role": "user", "content": "재고 알려줘"}],
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_an_answer_in_one_piece_is_asked_for_by_saying_nothing_of_a_stream() -> None:
    assert set(body(stream=False)) == {"model", "messages"}
    assert body(ChatOptions(seed=1), stream=False)["seed"] == 1


def test_options_of_one_call_never_reach_another() -> None:
    composer = BodyComposer("m", host="h", capabilities=ModelCapabilities())
    extra: dict[str, Any] = {"user": "a"}
    first, second = ChatOptions(seed=1), ChatOptions(extra=extra)
    seen: list[tuple[object, object]] = []
    for options in (first, first, PLAIN, second, second, first):
        found = json.loads(composer.compose(ChatRequest(messages=(PERSON,), options=options))[0])
        seen.append((found.get("seed"), found.get("user")))
        extra["user"] = "b" if options is second else "a"
    assert seen == [(1, None), (1, None), (None, None), (None, "a"), (None, "b"), (1, None)]


def test_a_tool_choice_of_the_providers_own_kind_goes_before_ours() -> None:
    tool = ToolDefinition(name="now", description="", parameters={})
    own = {"type": "function", "function": {"name": "now"}}
    text = raw(
        ChatRequest(
            messages=(PERSON,), tools=(tool,), options=ChatOptions(tool_choice="required", extra={"tool_choice": own})
        )
    )
    assert text.count(b"tool_choice") == 1
    assert json.loads(text)["tool_choice"] == own


def test_korean_goes_out_as_it_is() -> None:
    assert "재고 알려줘".encode() in raw(ChatRequest(messages=(PERSON,)))


def test_every_kind_of_message_has_its_shape() -> None:
    call = ToolCall(id="1", name="재고", arguments='{"sku":"가"}')
    results = ToolMessage(
        results=(ToolResult(call_id="1", name="재고", text="열둘"), ToolResult(call_id="2", name="b", text="x"))
    )
    assert messages(
        SystemMessage(text="s"), PERSON, AssistantMessage(tool_calls=(call,)), results, AssistantMessage(text="끝")
    ) == [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "재고 알려줘"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "1", "type": "function", "function": {"name": wire_name("재고"), "arguments": '{"sku":"가"}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "1", "content": "열둘"},
        {"role": "tool", "tool_call_id": "2", "content": "x"},
        {"role": "assistant", "content": "끝"},
    ]


def test_messages_that_say_nothing_are_left_out() -> None:
    assert messages(AssistantMessage(reasoning="음"), ToolMessage(results=()), PERSON) == [
        {"role": "user", "content": "재고 알려줘"}
    ]


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("", "{}"),
        (" ", "{}"),
        ('{"a": 1}', '{"a": 1}'),
        ('{"{"a":1}', '{"invalid_json":"{\\"{\\"a\\":1}"}'),
        ("[1]", '{"invalid_json":"[1]"}'),
    ],
)
def test_arguments_in_the_history_are_always_an_object(written: str, sent: str) -> None:
    (message,) = messages(AssistantMessage(tool_calls=(ToolCall(id="1", name="f", arguments=written),)))
    assert message["tool_calls"][0]["function"]["arguments"] == sent


def test_a_message_is_encoded_once() -> None:
    message = UserMessage(text="a")
    first = encode_messages([message], WireNames([]))
    (slot,) = message.wire
    message.wire[slot] = b'{"kept":true}'
    assert first == b'{"role":"user","content":"a"}'
    assert encode_messages([message], WireNames(["재고"])) == b'{"kept":true}'


def test_a_message_is_encoded_again_where_its_tool_must_be_named_otherwise() -> None:
    message = AssistantMessage(tool_calls=(ToolCall(id="1", name="재고", arguments="{}"),))
    usual = encode_messages([message], WireNames(["재고"]))
    other = encode_messages([message], WireNames(["재고", wire_name("재고")]))
    assert usual != other
    assert encode_messages([message], WireNames(["재고"])) == usual


def test_broken_surrogates_do_not_break_the_request() -> None:
    assert encode({"a": ["\ud83d", 1, None], "b": ("x",)}) == b'{"a":["?",1,null],"b":["x"]}'


def test_tools_go_out_with_fitting_names_and_say_their_own() -> None:
    tools = (
        ToolDefinition(name="now", description="time", parameters=OPEN),
        ToolDefinition(name="재고", description="stock", parameters=OPEN),
        ToolDefinition(name="now", description="again", parameters=OPEN),
    )
    sent = body(ChatOptions(tool_choice="required"), tools=tools)
    assert [tool["function"] for tool in sent["tools"]] == [
        {"name": "now", "description": "time", "parameters": OPEN},
        {"name": wire_name("재고"), "description": "[재고] stock", "parameters": OPEN},
    ]
    assert sent["tool_choice"] == "required"
    assert "tool_choice" not in body(ChatOptions(tool_choice="required"))


def test_options_go_out_under_the_names_of_the_wire() -> None:
    sent = body(
        ChatOptions(temperature=0.0, top_p=0.5, max_tokens=9, seed=1, stop=("끝",), extra={"cache_prompt": True})
    )
    assert {key: sent[key] for key in ("temperature", "top_p", "max_tokens", "seed", "stop", "cache_prompt")} == {
        "temperature": 0.0,
        "top_p": 0.5,
        "max_tokens": 9,
        "seed": 1,
        "stop": ["끝"],
        "cache_prompt": True,
    }


@pytest.mark.parametrize(
    ("model", "host", "field", "sampled"),
    [
        ("gpt-4.1-mini", "api.openai.com", "max_completion_tokens", True),
        ("gpt-5-mini", "api.openai.com", "max_completion_tokens", False),
        ("gpt-4o", "x.openai.azure.com", "max_completion_tokens", True),
        ("openai/o3-mini", "gateway.example", "max_completion_tokens", False),
        ("qwen", "127.0.0.1", "max_tokens", True),
        ("gpt-oss", "notopenai.com", "max_tokens", True),
    ],
)
def test_the_limit_is_named_as_the_model_wants_it(model: str, host: str, field: str, sampled: bool) -> None:
    sent = body(ChatOptions(max_tokens=9, temperature=0.1), model=model, host=host)
    assert {"max_tokens", "max_completion_tokens"} & set(sent) == {field}
    assert ("temperature" in sent) == sampled


def test_extra_may_take_a_field_out_but_not_replace_the_request() -> None:
    assert "stream_options" not in body(ChatOptions(extra={"stream_options": None}))
    with pytest.raises(ConfigError, match="may not set messages, stream"):
        body(ChatOptions(extra={"stream": False, "messages": []}))


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        (OPEN, False),
        (CLOSED, True),
        ({**CLOSED, "properties": {"a": OPEN}}, False),
        ({**CLOSED, "properties": {"a": {"anyOf": [CLOSED, OPEN]}}}, False),
        ({"type": "array", "items": CLOSED}, True),
    ],
)
def test_a_schema_is_strict_only_where_strict_mode_takes_it(schema: dict[str, Any], strict: bool) -> None:
    assert body(ChatOptions(json_schema=schema))["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": schema, "strict": strict},
    }


def test_schema_and_grammar_go_only_to_models_that_enforce_them() -> None:
    both = ChatOptions(json_schema=OPEN, grammar='root ::= "a"')
    assert "grammar" not in body(both)
    assert "response_format" not in body(both, capabilities=ModelCapabilities(json_schema=False))
    sent = body(both, capabilities=ModelCapabilities(grammar=True))
    assert sent["grammar"] == 'root ::= "a"'
    assert "response_format" not in sent


@pytest.mark.parametrize(("wish", "sent"), [(None, None), ("off", "none"), ("low", "low"), ("high", "high")])
def test_how_much_to_think_is_sent_only_when_it_was_said(wish: Any, sent: str | None) -> None:  # noqa: ANN401 - a Literal
    assert body(ChatOptions(reasoning=wish)).get("reasoning_effort") == sent
