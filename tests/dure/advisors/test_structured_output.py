"""Answers of a type or a schema: cleaned, checked, asked for again, never repaired when cut."""

from dataclasses import dataclass
from typing import Any

import pytest

from dure.advisors.chain import AdvisorChain
from dure.advisors.structured_output import StructuredOutputAdvisor
from dure.chat import ChatOptions, ChatRequest, ChatResponse
from dure.errors import ConfigError, InvalidRequest, OutputInvalid, OutputTruncated
from dure.events import Event, Restarted
from dure.messages import AssistantMessage, ToolCall, UserMessage
from dure.models.scripted import ScriptedModel
from dure.run import RunContext
from dure.usage import Usage

REQUEST = ChatRequest(messages=(UserMessage(text="a film"),))
GOOD = '{"title": "괴물", "year": 2006}'


@dataclass
class Film:
    title: str
    year: int


def cut(text: str, output: int = 0) -> ChatResponse:
    return ChatResponse(
        message=AssistantMessage(text=text), finish_reason="length", usage=Usage(output=output, model_calls=1)
    )


async def ask(
    model: ScriptedModel,
    advisor: StructuredOutputAdvisor | None = None,
    *,
    request: ChatRequest = REQUEST,
    events: list[Event] | None = None,
) -> ChatResponse:
    run = RunContext() if events is None else RunContext(sink=events.append)
    advisor = advisor or StructuredOutputAdvisor(output_type=Film)
    return await AdvisorChain.build([advisor], model=model, run=run).next(request)


@pytest.mark.parametrize(
    "said", [GOOD, f"```json\n{GOOD}\n```", f"<think>a film…</think>{GOOD}", f"Sure: {GOOD} Done."]
)
async def test_a_good_answer_needs_one_call_however_it_is_wrapped(said: str) -> None:
    model = ScriptedModel(said)
    assert (await ask(model)).text == said
    schema = model.requests[0].options.json_schema
    assert schema is not None
    assert schema["required"] == ["title", "year"]


async def test_a_retry_sends_the_original_prompt_and_only_the_latest_fault() -> None:
    events: list[Event] = []
    model = ScriptedModel("no json", '{"title": 1, "year": 2006}', '{"title": "괴물"}', GOOD)
    response = await ask(model, events=events)
    assert (response.text, response.usage.model_calls) == (GOOD, 4)
    assert [request.last_user_text.splitlines()[3:4] for request in model.requests] == [
        [],
        ["$: not valid JSON: Expecting value: line 1 column 1 (char 0)"],
        ["$.title: Input should be a valid string"],
        ["$.year: Field required"],
    ]
    assert all(request.last_user_text.startswith("a film") for request in model.requests)
    assert all(len(request.messages) == 1 for request in model.requests)
    assert [event.reason for event in events if isinstance(event, Restarted)][
        -1
    ] == "invalid answer: $.year: Field required"


async def test_the_same_wrong_answer_again_and_again_ends_in_an_error_with_the_raw_text() -> None:
    model = ScriptedModel(*['<think>?</think>{"title": "x"}'] * 9)
    with pytest.raises(OutputInvalid, match=r"\$\.year: Field required") as raised:
        await ask(model)
    assert raised.value.raw_text == '<think>?</think>{"title": "x"}'
    assert len(model.requests) == 4


async def test_a_caller_may_ask_for_the_last_invalid_answer_as_it_is() -> None:
    advisor = StructuredOutputAdvisor(output_type=Film, max_retries=1, on_exhausted="return")
    assert (await ask(ScriptedModel("a", "b"), advisor)).text == "b"


async def test_a_json_schema_is_held_like_a_type() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    model = ScriptedModel('{"n": "1"}', '{"n": 1}')
    assert (await ask(model, StructuredOutputAdvisor(json_schema=schema))).text == '{"n": 1}'
    assert model.requests[0].options.json_schema == schema


async def test_a_tool_call_is_handed_straight_on() -> None:
    for finish_reason in ("tool_calls", "length"):
        message = AssistantMessage(text="let me see", tool_calls=(ToolCall(id="1", name="t", arguments="{}"),))
        model = ScriptedModel(ChatResponse(message=message, finish_reason=finish_reason))
        assert (await ask(model)).message == message
        assert len(model.requests) == 1


async def test_a_cut_answer_is_named_before_parsing_and_asked_for_once_with_more_room() -> None:
    events: list[Event] = []
    model = ScriptedModel(cut(GOOD), GOOD)
    request = REQUEST.with_options(ChatOptions(max_tokens=50))
    assert (await ask(model, request=request, events=events)).finish_reason == "stop"
    assert [request.options.max_tokens for request in model.requests] == [50, 100]
    assert [request.last_user_text for request in model.requests] == ["a film", "a film"]
    assert [event.reason for event in events if isinstance(event, Restarted)] == [
        "cut at the token limit; once more with 100 tokens"
    ]


async def test_room_that_was_needed_once_is_kept_for_the_retries() -> None:
    model = ScriptedModel(cut("{", output=30), "bad", GOOD)
    await ask(model)
    assert [request.options.max_tokens for request in model.requests] == [None, 60, 60]


async def test_an_answer_cut_twice_is_an_error_with_the_raw_text() -> None:
    with pytest.raises(OutputTruncated) as raised:
        await ask(ScriptedModel(cut("one"), cut("two")), request=REQUEST.with_options(ChatOptions(max_tokens=5)))
    assert raised.value.raw_text == "two"


async def test_a_cut_answer_is_an_error_at_once_where_no_limit_is_known() -> None:
    model = ScriptedModel(cut("one"))
    with pytest.raises(OutputTruncated):
        await ask(model)
    assert len(model.requests) == 1


async def test_more_room_than_the_provider_gives_is_an_error_that_names_the_cut() -> None:
    with pytest.raises(OutputTruncated) as raised:
        await ask(ScriptedModel(cut("one", output=9), InvalidRequest("max_tokens is too large")))
    assert raised.value.raw_text == "one"


async def test_a_withheld_answer_is_not_asked_for_again() -> None:
    withheld = ChatResponse(message=AssistantMessage(text=GOOD), finish_reason="content_filter")
    model = ScriptedModel(withheld, GOOD)
    with pytest.raises(OutputInvalid, match="withheld"):
        await ask(model)
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "one of the two"),
        ({"output_type": Film, "json_schema": {}}, "one of the two"),
        ({"output_type": Film, "max_retries": -1}, "must not be negative"),
        ({"json_schema": {"type": "text"}}, "cannot be used"),
        ({"json_schema": "object"}, "must be a mapping"),
        ({"json_schema": {"pattern": "(?=x)"}}, "look-around"),
        ({"output_type": Film, "max_retries": "3"}, "whole number"),
        ({"output_type": Film, "on_exhausted": "ignore"}, "on_exhausted"),
        ({"output_type": Film(title="x", year=1)}, "no JSON Schema"),
        ({"json_schema": {"$ref": "http://127.0.0.1:9/x"}}, "nothing is fetched"),
    ],
)
def test_wrong_settings_are_refused_at_construction(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        StructuredOutputAdvisor(**settings)


@pytest.mark.parametrize("wrong", [object.__new__, "Nowhere"])
def test_a_type_that_pydantic_cannot_read_is_a_config_error_in_one_line(wrong: object) -> None:
    with pytest.raises(ConfigError, match="no JSON Schema can be made of") as caught:
        StructuredOutputAdvisor(output_type=wrong)
    assert "\n" not in str(caught.value)
