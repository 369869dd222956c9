"""`entity`: answers as values of any type or schema, asked for natively or in words."""

import asyncio
import json
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Literal, TypedDict

import pytest
from pydantic import BaseModel, Field

from dure.advisors.retry import RetryAdvisor
from dure.advisors.structured_output import StructuredOutputAdvisor
from dure.chat import ChatResponse
from dure.client.chat_client import ChatClient
from dure.errors import ConfigError, EmptyAnswer, OutputInvalid, OutputTruncated
from dure.events import Event, Finished, Restarted, TextDelta
from dure.messages import AssistantMessage, ToolCall
from dure.models.base import ModelCapabilities
from dure.models.scripted import ScriptedModel
from dure.run import RunContext
from dure.tools.function import tool
from dure.usage import Usage

GOOD = '{"title": "괴물", "year": 2006}'
CALL = ChatResponse(
    message=AssistantMessage(tool_calls=(ToolCall(id="1", name="look_up", arguments='{"title": "x"}'),)),
    finish_reason="tool_calls",
)


class Film(BaseModel):
    title: str
    year: int


class Colour(Enum):
    RED = "red"


class Row(TypedDict):
    id: int


@dataclass
class Point:
    x: int


@tool
def look_up(title: str) -> str:
    """Look a film up."""
    return "2006"


async def no_wait(seconds: float) -> None: ...


def client_of(*turns: Any, enforced: bool = True, **given: Any) -> tuple[ChatClient, ScriptedModel]:  # noqa: ANN401
    model = ScriptedModel(*turns, capabilities=ModelCapabilities(json_schema=enforced))
    return ChatClient(model, **given), model


@pytest.mark.parametrize("enforced", [True, False])
@pytest.mark.parametrize(
    ("kind", "said", "value"),
    [
        (Film, GOOD, Film(title="괴물", year=2006)),
        (Point, '{"x": 1}', Point(x=1)),
        (Row, '{"id": 1}', {"id": 1}),
        (list[Film], f"[{GOOD}]", [Film(title="괴물", year=2006)]),
        (Film | None, "null", None),
        (Literal["예", "아니오"], "예", "예"),
        (Colour, "red", Colour.RED),
        (int, "42", 42),
        (bool, "false", False),
        ({"type": "array", "items": {"type": "integer"}}, "[1, 2]", [1, 2]),
    ],
)
async def test_an_answer_comes_as_a_value_whether_the_model_enforces_a_schema_or_not(
    kind: Any,  # noqa: ANN401
    said: str,
    value: object,
    enforced: bool,
) -> None:
    client, model = client_of(said, enforced=enforced)
    assert await client.prompt("a film").entity(kind) == value
    (request,) = model.requests
    assert (request.options.json_schema is not None) == enforced
    assert ("JSON Schema" in request.last_user_text) != enforced


async def test_plain_text_is_a_str_and_no_schema_is_asked_for() -> None:
    client, model = client_of("그냥 글입니다.", enforced=False)
    assert await client.prompt("say").entity(str) == "그냥 글입니다."
    assert model.requests[0].last_user_text == "say"
    assert model.requests[0].options.json_schema is None


async def test_an_invalid_answer_is_asked_for_again_three_times_by_default() -> None:
    client, model = client_of('{"title": "괴물"}', "no", '{"title": 1, "year": 2}', GOOD)
    assert (await client.prompt("a film").entity(Film)).year == 2006
    assert len(model.requests) == 4
    client, model = client_of(*["no"] * 9)
    with pytest.raises(OutputInvalid) as raised:
        await client.prompt("a film").entity(Film)
    assert (len(model.requests), raised.value.raw_text) == (4, "no")


async def test_without_validate_an_invalid_answer_is_an_error_with_its_text_and_not_asked_for_again() -> None:
    client, model = client_of("no", GOOD)
    with pytest.raises(OutputInvalid, match="not valid JSON") as raised:
        await client.prompt("a film").entity(Film, validate=False)
    assert (len(model.requests), raised.value.raw_text) == (1, "no")


async def test_a_format_of_a_schema_is_checked() -> None:
    schema = {"type": "object", "properties": {"due": {"type": "string", "format": "date"}}, "required": ["due"]}
    client, model = client_of('{"due": "2024-02-30"}', '{"due": "2024-02-29"}')
    assert await client.prompt("when").entity(schema) == {"due": "2024-02-29"}
    assert "$.due: '2024-02-30' is not a 'date'" in model.requests[1].last_user_text


@pytest.mark.parametrize("wrong", [Film(title="x", year=1), "Film", 5, {"type": "text"}, {"pattern": "(?=x)"}])
async def test_what_is_no_type_and_no_schema_is_refused_before_any_call(wrong: object) -> None:
    client, model = client_of(GOOD)
    with pytest.raises(ConfigError):
        await client.prompt("a film").entity(wrong)
    assert model.requests == []


async def test_one_validator_is_used_with_its_settings_where_one_is_registered() -> None:
    registered = StructuredOutputAdvisor(json_schema={"type": "array"}, max_retries=1)
    client, model = client_of("no", GOOD, advisors=(registered,))
    assert await client.prompt("a film").entity(Film) == Film(title="괴물", year=2006)
    client, model = client_of("no", "no", GOOD, advisors=(registered,))
    with pytest.raises(OutputInvalid):
        await client.prompt("a film").entity(Film)
    assert len(model.requests) == 2


async def test_a_tool_round_costs_one_model_call_and_no_retry() -> None:
    for said in (GOOD, f"```json\n{GOOD}\n```", f"<think>hm</think>{GOOD}"):
        client, model = client_of(CALL, CALL, said)
        assert (await client.prompt("a film").tools(look_up).entity(Film)).year == 2006
        assert len(model.requests) == 3
        assert all("JSON Schema" in request.last_user_text for request in model.requests)
        assert all(request.options.json_schema is None for request in model.requests)
        assert model.requests[2].messages[:3] == (*model.requests[1].messages,)


async def test_streaming_tells_of_every_new_attempt_before_its_text() -> None:
    client, _ = client_of("no", GOOD, advisors=(StructuredOutputAdvisor(output_type=Film),))
    told: list[type[Event]] = []
    async with asyncio.timeout(5):
        async for event in client.prompt("a film").stream():
            if isinstance(event, TextDelta | Restarted | Finished) and (not told or told[-1] is not type(event)):
                told.append(type(event))
    assert told == [TextDelta, Restarted, TextDelta, Finished]


async def test_usage_is_summed_over_all_attempts_also_when_they_are_used_up() -> None:
    def answer(text: str, *tokens: int) -> ChatResponse:
        usage = Usage(fresh_input=tokens[0], output=tokens[1], model_calls=1)
        return ChatResponse(message=AssistantMessage(text=text), usage=usage)

    for last in (GOOD, "no"):
        validator = StructuredOutputAdvisor(output_type=Film, max_retries=1, on_exhausted="return")
        client, _ = client_of(answer("no", 10, 20), answer(last, 1, 2), advisors=(validator,))
        usage = (await client.prompt("a film").call()).usage
        assert (usage.fresh_input, usage.output, usage.total, usage.model_calls) == (11, 22, 33, 2)


async def test_an_empty_answer_is_asked_for_again_before_it_is_validated() -> None:
    client, model = client_of(EmptyAnswer("nothing"), GOOD, advisors=(RetryAdvisor(sleep=no_wait),))
    assert await client.prompt("a film").entity(Film)
    assert len(model.requests) == 2


@pytest.mark.parametrize(
    "said",
    ["{title: 1}", '{"title": {"a": 1}, "year": 1}', "[]", '{"title": "a", "year": "soon"}', "Title: 괴물, 2006"],
)
async def test_what_is_nearly_right_is_asked_for_again(said: str) -> None:
    client, model = client_of(said, GOOD)
    assert (await client.prompt("a film").entity(Film)).title == "괴물"
    assert len(model.requests) == 2
    assert model.requests[1].last_user_text.startswith("a film")
    assert said not in model.requests[1].last_user_text


async def test_a_list_with_one_bad_element_is_asked_for_again_with_its_place() -> None:
    client, model = client_of(f'[{GOOD}, {{"title": "x"}}]', f"[{GOOD}]")
    assert len(await client.prompt("films").entity(list[Film])) == 1
    assert "$[1].year: Field required" in model.requests[1].last_user_text


async def test_a_cut_answer_is_named_as_cut_and_never_parsed() -> None:
    def cut(text: str) -> ChatResponse:
        return ChatResponse(
            message=AssistantMessage(text=text), finish_reason="length", usage=Usage(output=9, model_calls=1)
        )

    client, model = client_of(cut('{"title": "괴'), GOOD)
    assert (await client.prompt("a film").entity(Film)).year == 2006
    assert model.requests[1].options.max_tokens == 18
    client, _ = client_of(cut(GOOD), cut(GOOD))
    with pytest.raises(OutputTruncated) as raised:
        await client.prompt("a film").entity(Film)
    assert raised.value.raw_text == GOOD


@pytest.mark.parametrize("reason", ["content_filter", "limit", "blocked"])
async def test_an_answer_that_is_none_is_no_entity_even_of_text(reason: Any) -> None:  # noqa: ANN401
    ended = ChatResponse(message=AssistantMessage(text="sorry"), finish_reason=reason)
    client, model = client_of(ended, "never asked")
    with pytest.raises(OutputInvalid) as raised:
        await client.prompt("say").entity(str)
    assert (len(model.requests), raised.value.raw_text) == (1, "sorry")


async def test_an_answer_kept_though_invalid_is_still_no_entity() -> None:
    advisor = StructuredOutputAdvisor(output_type=int, max_retries=0, on_exhausted="return")
    withheld = ChatResponse(message=AssistantMessage(text="sorry"), finish_reason="content_filter")
    for turn, reason in (("no", "not valid JSON"), (withheld, "content_filter")):
        client, _ = client_of(turn, advisors=(advisor,))
        with pytest.raises(OutputInvalid, match=reason):
            await client.prompt("say").entity(Film)


async def test_a_hundred_entities_at_the_same_time_do_not_mix() -> None:
    async def one(number: int) -> int:
        client, _ = client_of("no", json.dumps({"x": number}))
        return (await client.prompt(str(number)).run(RunContext()).entity(Point)).x

    async with asyncio.timeout(20):
        assert await asyncio.gather(*(one(number) for number in range(100))) == list(range(100))


async def test_a_type_with_notes_for_the_model_sends_them() -> None:
    client, model = client_of("7")
    assert await client.prompt("n").entity(Annotated[int, Field(description="a prime", ge=2)]) == 7
    assert model.requests[0].options.json_schema == {"type": "integer", "description": "a prime", "minimum": 2}
