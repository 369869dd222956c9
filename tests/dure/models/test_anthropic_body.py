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
from dure.models.anthropic_body import MessageComposer
from dure.models.anthropic_options import CALL_NOTE
from dure.models.anthropic_traits import traits_of
from dure.models.wire_names import wire_name

ASK = UserMessage(text="몇 개?")
SYSTEM = SystemMessage(text="너는 창고지기다.")
NOW = ToolDefinition(name="now", description="tells the time", parameters={"type": "object", "properties": {}})
FIVE = {"type": "ephemeral"}
HOUR = {"type": "ephemeral", "ttl": "1h"}
THOUGHT = {"type": "thinking", "thinking": "음…", "signature": "c2ln"}
HIDDEN = {"type": "redacted_thinking", "data": "3f2a"}


def call(call_id: str, name: str = "now", arguments: str = "{}") -> ToolCall:
    return ToolCall(id=call_id, name=name, arguments=arguments)


def results(*ids: str, text: str = "12시", is_error: bool = False) -> ToolMessage:
    found = [ToolResult(call_id=one, name="now", text=text, is_error=is_error) for one in ids]
    return ToolMessage(results=tuple(found))


def body(
    *messages: Message,
    options: ChatOptions = ChatOptions(),  # noqa: B008 frozen
    tools: tuple[ToolDefinition, ...] = (),
    model: str = "claude-sonnet-4-5",
) -> dict[str, Any]:
    composer = MessageComposer(model, name="anthropic:x", traits=traits_of(model))
    raw, _ = composer.compose(ChatRequest(messages=messages, options=options, tools=tools))
    found: dict[str, Any] = json.loads(raw)
    return found


def turns(*messages: Message, **how: Any) -> list[tuple[str, list[dict[str, Any]]]]:  # noqa: ANN401 passed on
    return [(turn["role"], turn["content"]) for turn in body(*messages, **how)["messages"]]


def said(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def test_a_plain_request_has_a_limit_and_streams() -> None:
    assert body(SYSTEM, ASK) == {
        "model": "claude-sonnet-4-5",
        "max_tokens": 32_000,
        "stream": True,
        "system": [said("너는 창고지기다.")],
        "messages": [{"role": "user", "content": [said("몇 개?")]}],
    }


def test_neighbours_of_one_role_are_one_turn() -> None:
    assert turns(ASK, UserMessage(text="빨리"), AssistantMessage(text="네"), AssistantMessage(text="둘")) == [
        ("user", [said("몇 개?"), said("빨리")]),
        ("assistant", [said("네"), said("둘")]),
    ]


def test_results_come_first_in_their_turn() -> None:
    answer = AssistantMessage(tool_calls=(call("a"), call("b")))
    found = turns(ASK, answer, UserMessage(text="그리고"), results("a"), results("b"))
    assert [block["type"] for block in found[-1][1]] == ["tool_result", "tool_result", "text"]


def test_a_result_that_failed_says_so_and_one_of_nothing_says_that() -> None:
    answer = AssistantMessage(tool_calls=(call("a"), call("b")))
    (_, blocks) = turns(ASK, answer, results("a", text=""), results("b", text="아니", is_error=True))[-1]
    assert blocks == [
        {"type": "tool_result", "tool_use_id": "a", "content": "(no output)"},
        {"type": "tool_result", "tool_use_id": "b", "content": "아니", "is_error": True},
    ]


def test_a_conversation_that_begins_with_an_answer_gets_a_beginning() -> None:
    assert turns(AssistantMessage(text="네"), ASK)[0] == ("user", [said("(The conversation began earlier.)")])


def test_texts_of_nothing_are_not_sent() -> None:
    assert turns(ASK, AssistantMessage(text="\n"), UserMessage(text=" "), SystemMessage(text=" ")) == [
        ("user", [said("몇 개?")])
    ]


def test_arguments_go_out_as_the_object_they_are() -> None:
    answer = AssistantMessage(tool_calls=(call("a", "재고", '{"sku": "가",  "n": 1.0}'), call("b", "now", " ")))
    _, blocks = turns(ASK, answer, results("a", "b"))[1]
    assert blocks == [
        {"type": "tool_use", "id": "a", "name": wire_name("재고"), "input": {"sku": "가", "n": 1.0}},
        {"type": "tool_use", "id": "b", "name": "now", "input": {}},
    ]


def test_ids_of_other_providers_are_made_to_fit_the_same_way_everywhere() -> None:
    ids = ("functions.search:0", "functions.search:1", "호출", "x" * 65)
    found = turns(ASK, AssistantMessage(tool_calls=tuple(call(one) for one in ids)), results(*ids))
    sent = [block["id"] for block in found[1][1]]
    assert sent == [block["tool_use_id"] for block in found[2][1]]
    assert len(set(sent)) == 4
    assert all(one.isascii() and one.replace("_", "").isalnum() for one in sent)


def kept(*blocks: dict[str, Any], model: str = "claude-sonnet-4-5") -> dict[str, Any]:
    return {"anthropic": {"model": model, "blocks": list(blocks)}}


def test_signed_thinking_goes_back_unchanged_and_in_its_place() -> None:
    second = {"type": "thinking", "thinking": "", "signature": "bXU="}
    blocks = (
        THOUGHT,
        said("볼게요."),
        second,
        {"type": "tool_use", "id": "a"},
        HIDDEN,
        {"type": "tool_use", "id": "b"},
    )
    answer = AssistantMessage(text="볼게요.", tool_calls=(call("a"), call("b")), extra=kept(*blocks))
    _, sent = turns(ASK, answer, results("a", "b"))[1]
    use: dict[str, Any] = {"type": "tool_use", "name": "now", "input": {}}
    assert sent == [THOUGHT, said("볼게요."), second, {**use, "id": "a"}, HIDDEN, {**use, "id": "b"}]


def test_thinking_stays_before_an_answer_that_was_changed_afterwards() -> None:
    answer = AssistantMessage(text="줄임", extra=kept(said("길게 말한 것"), THOUGHT, {"type": "tool_use", "id": "a"}))
    assert turns(ASK, answer, ASK)[1] == ("assistant", [THOUGHT, said("줄임")])


def test_thinking_of_another_model_is_not_sent() -> None:
    answer = AssistantMessage(text="네", extra=kept(THOUGHT, said("네"), model="claude-opus-5"))
    assert turns(ASK, answer, ASK)[1] == ("assistant", [said("네")])
    assert turns(ASK, answer, ASK, model="claude-opus-5")[1] == ("assistant", [THOUGHT, said("네")])


@pytest.mark.parametrize(
    "extra",
    [
        "odd",
        {"model": "claude-sonnet-4-5"},
        {"model": "claude-sonnet-4-5", "blocks": "odd"},
        {"model": "claude-sonnet-4-5", "blocks": [1, {}, {"type": "thinking"}, {"type": "text"}, {"type": ["x"]}]},
    ],
)
def test_what_was_kept_wrongly_is_passed_over(extra: object) -> None:
    assert turns(ASK, AssistantMessage(text="네", extra={"anthropic": extra}), ASK)[1] == ("assistant", [said("네")])


def test_an_answer_with_thinking_is_encoded_once_for_each_model() -> None:
    answer = AssistantMessage(text="네", extra=kept(THOUGHT, said("네")))
    for model in ("claude-sonnet-4-5", "claude-opus-5", "claude-sonnet-4-5"):
        turns(ASK, answer, ASK, model=model)
    assert list(answer.wire) == ["anthropic:claude-sonnet-4-5", "anthropic:claude-opus-5"]


def test_a_turn_that_began_without_thinking_goes_on_without() -> None:
    thinking = ChatOptions(reasoning="low")
    plain = AssistantMessage(tool_calls=(call("a"),))
    thoughtful = AssistantMessage(tool_calls=(call("a"),), extra=kept(THOUGHT, {"type": "tool_use", "id": "a"}))
    assert "thinking" in body(ASK, options=thinking)
    assert "thinking" not in body(ASK, plain, results("a"), options=thinking, tools=(NOW,))
    assert "thinking" not in body(plain, results("a"), options=thinking, tools=(NOW,))
    assert "thinking" in body(ASK, thoughtful, results("a"), options=thinking, tools=(NOW,))
    assert "thinking" in body(ASK, plain, results("a"), AssistantMessage(text="네"), ASK, options=thinking)


def marks(found: dict[str, Any]) -> list[tuple[str, Any]]:
    places = [(f"tools.{one['name']}", one) for one in found.get("tools", ())]
    places += [(f"system.{one['text']}", one) for one in found.get("system", ())]
    places += [
        (f"{number}.{turn['role']}.{place}", block)
        for number, turn in enumerate(found["messages"])
        for place, block in enumerate(turn["content"])
    ]
    return [(where, block["cache_control"]) for where, block in places if "cache_control" in block]


HISTORY = (
    SYSTEM,
    SystemMessage(text="짧게."),
    UserMessage(text="하나"),
    AssistantMessage(text="네"),
    ASK,
    UserMessage(text="빨리"),
    AssistantMessage(tool_calls=(call("a"), call("b"))),
    results("a", "b"),
)
TOOLS = (ToolDefinition(name="재고", description="", parameters={}), NOW)


@pytest.mark.parametrize(("wanted", "mark"), [("5m", FIVE), ("1h", HOUR)])
def test_the_cache_is_marked_at_the_end_of_tools_system_and_the_last_two_user_turns(
    wanted: Any,  # noqa: ANN401 a literal
    mark: dict[str, str],
) -> None:
    found = body(*HISTORY, options=ChatOptions(prompt_cache=wanted), tools=TOOLS)
    assert marks(found) == [(place, mark) for place in ("tools.now", "system.짧게.", "2.user.1", "4.user.1")]


def test_without_a_wish_nothing_is_marked() -> None:
    assert marks(body(*HISTORY, tools=TOOLS)) == []


def test_a_short_request_is_marked_where_there_is_something_to_mark() -> None:
    assert marks(body(ASK, options=ChatOptions(prompt_cache="5m"))) == [("0.user.0", FIVE)]


def test_marks_do_not_touch_what_is_kept_for_a_message() -> None:
    plain = body(*HISTORY, tools=TOOLS)
    before = [dict(message.wire) for message in HISTORY]
    body(*HISTORY, options=ChatOptions(prompt_cache="1h"), tools=TOOLS)
    again = body(*HISTORY, tools=TOOLS)
    after = [message.wire for message in HISTORY]
    assert plain == again
    assert all(one["anthropic"] is other["anthropic"] for one, other in zip(before, after, strict=True))


def test_words_come_after_everything_that_is_cached() -> None:
    options = ChatOptions(tool_choice="required", prompt_cache="5m")
    found = body(ASK, options=options, tools=(NOW,), model="claude-opus-5-5")
    assert found["messages"] == [
        {"role": "user", "content": [{**said("몇 개?"), "cache_control": FIVE}, said(CALL_NOTE)]}
    ]
    found = body(ASK, AssistantMessage(text="네"), options=options, tools=(NOW,), model="claude-opus-5-5")
    assert found["messages"][-1] == {"role": "user", "content": [said(CALL_NOTE)]}


def test_words_stand_alone_where_nothing_else_is_said() -> None:
    options = ChatOptions(tool_choice="required")
    assert turns(SYSTEM) == []
    assert turns(SYSTEM, options=options, tools=(NOW,), model="claude-opus-5-5") == [("user", [said(CALL_NOTE)])]


def test_a_history_with_calls_never_goes_without_tools() -> None:
    found = body(ASK, AssistantMessage(tool_calls=(call("a"),)), results("a"))
    assert found["tool_choice"] == {"type": "none"}
    assert [tool["name"] for tool in found["tools"]] == ["no_tool_now"]
    assert "tools" not in body(ASK)


def test_alternatives_at_the_root_of_a_tool_s_schema_are_told_in_words() -> None:
    either = [{"required": ["a"]}, {"required": ["b"]}]
    odd = ToolDefinition(name="odd", description="either", parameters={"properties": {"a": {}}, "anyOf": either})
    (tool,) = body(ASK, tools=(odd,))["tools"]
    assert tool["input_schema"] == {"type": "object", "properties": {"a": {}}}
    assert tool["description"].startswith("either\n")
    assert json.loads(tool["description"].partition("Schema: ")[2]) == {"anyOf": either}
    assert "anyOf" in odd.parameters


@pytest.mark.parametrize("field", ["model", "messages", "system", "tools", "stream"])
def test_what_comes_from_the_request_cannot_be_given_as_extra(field: str) -> None:
    with pytest.raises(ConfigError, match=f"may not set {field}"):
        body(ASK, options=ChatOptions(extra={field: 1}))


def test_the_same_options_give_the_same_fields_and_other_options_others() -> None:
    composer = MessageComposer("claude-sonnet-4-5", name="x", traits=traits_of("claude-sonnet-4-5"))
    request = ChatRequest(messages=(ASK,), options=ChatOptions(temperature=0.5))
    first, _ = composer.compose(request)
    assert composer.compose(request)[0] == first
    other, _ = composer.compose(request.with_options(ChatOptions(temperature=0.75)))
    assert json.loads(other)["temperature"] == 0.75
