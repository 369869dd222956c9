"""Tools made of a JSON Schema: checked when they are made, and before each run."""

import asyncio
import functools
import json
from collections.abc import Mapping
from typing import Any

import pytest

from dure.errors import ConfigError, InvalidArguments
from dure.messages import Json, ToolCall
from dure.run import RunContext
from dure.tools.base import ToolContext
from dure.tools.executor import execute
from dure.tools.schema_tool import SchemaTool, tool_from_schema
from dure.tools.toolbox import Toolbox

CONTEXT = ToolContext(call=ToolCall(id="c9", name="t", arguments=""))


async def echo(arguments: Mapping[str, Json]) -> Json:
    return arguments


def made(parameters: Any, run: Any = echo) -> SchemaTool:  # noqa: ANN401 - what is tested
    return tool_from_schema(name="t", description="T.", parameters=parameters, run=run)


ORDER = {
    "type": "object",
    "properties": {
        "kind": {"anyOf": [{"type": "integer"}, {"enum": ["all", None]}]},
        "on": {"type": "string", "format": "date"},
        "next": {"$ref": "#/$defs/order"},
    },
    "required": ["kind"],
    "additionalProperties": False,
    "$defs": {"order": {"type": "object", "properties": {"next": {"$ref": "#/$defs/order"}}, "required": ["id"]}},
}


async def test_accepted_arguments_reach_the_function_as_they_are() -> None:
    tool = made(ORDER)
    given = {"kind": None, "on": "2026-02-28", "next": {"id": 1, "next": {"id": 2}}}
    assert await tool.run(tool.accept(given), CONTEXT) == given
    assert tool.definition.parameters == ORDER


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({}, "'kind' is a required property"),
        ({"kind": "some"}, "$.kind: "),
        ({"kind": 1, "on": "2026-02-30"}, "$.on: '2026-02-30' is not a 'date'"),
        ({"kind": 1, "next": {"id": 1, "next": {}}}, "$.next.next: 'id' is a required property"),
        ({"kind": 1, "more": 1}, "not allowed here: 'more'"),
    ],
)
async def test_nothing_runs_on_arguments_that_are_not_of_the_schema(arguments: dict[str, Json], fault: str) -> None:
    async def never(arguments: Mapping[str, Json]) -> None:
        pytest.fail("it ran")

    call = ToolCall(id="c", name="t", arguments=json.dumps(arguments))
    (result,) = await execute([call], Toolbox((made(ORDER, never),)), RunContext())
    assert result.is_error
    assert fault in result.text
    assert '"additionalProperties":false' in result.text


@pytest.mark.parametrize(
    "parameters",
    [
        None,
        {},
        {"properties": {}},
        {"type": "object"},
        {"type": ["object", "null"]},
        {"$ref": "#/$defs/a", "$defs": {"a": {}}},
    ],
)
def test_a_schema_that_does_not_say_object_is_taken_as_one(parameters: Any) -> None:  # noqa: ANN401 - what is tested
    tool = made(parameters)
    assert tool.definition.parameters["type"] == "object"
    assert tool.accept({"anything": 1}) == {"anything": 1}


def deep(levels: int) -> dict[str, Json]:
    schema: dict[str, Json] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


circular: dict[str, Json] = {"type": "object"}
circular["properties"] = {"self": circular}


UNUSABLE: list[tuple[Any, str]] = [
    ({"type": "string"}, 'must be an object, not "string"'),
    ({"type": ["array", "null"]}, "must be an object"),
    ({"type": "object", "properties": {"a": {"type": "text"}}}, "cannot be used: .*'text'"),
    ({"properties": 5}, "cannot be used"),
    (
        {"properties": {"a": {"$ref": "https://example.invalid/a.json"}}},
        "is outside the schema; nothing is fetched",
    ),
    ({"properties": {"a": {"$ref": "b.json#/x"}}}, "is outside the schema"),
    ({"properties": {"a": {"$ref": "#/$defs/gone"}}}, "'#/\\$defs/gone' leads to nothing"),
    ({"properties": {"a": {"$ref": "#/allOf/1"}}, "allOf": [{}]}, "leads to nothing"),
    ([], "no JSON Schema object"),
    ({"properties": {"a": {"default": float("nan")}}}, "is not JSON"),
    ({"properties": {"a": {"default": {1}}}}, "is not JSON"),
    (circular, "is not JSON"),
    (deep(2000), "is not JSON|cannot be used"),
]


@pytest.mark.parametrize(("parameters", "message"), UNUSABLE)
def test_a_schema_that_cannot_be_used_refuses_the_tool_by_name(parameters: Any, message: str) -> None:  # noqa: ANN401
    with pytest.raises(ConfigError, match=f"tool 't': .*{message}"):
        made(parameters)


def test_what_only_looks_like_a_reference_is_none() -> None:
    schema = {
        "properties": {"a": {"const": {"$ref": "x"}}, "b": {"$ref": "#/allOf/0"}, "c": {"$ref": "#/$defs/a~1b%20c"}},
        "allOf": [{"type": "object"}],
        "$defs": {"a/b c": {"type": "string"}},
    }
    assert made(schema).accept({"a": {"$ref": "x"}, "b": {}, "c": "x"})
    with pytest.raises(InvalidArguments):
        made(schema).accept({"c": 1})


def test_a_change_of_the_schema_given_does_not_change_the_tool() -> None:
    parameters: dict[str, Any] = {"type": "object", "properties": {}}
    tool = made(parameters)
    parameters["properties"]["a"] = {"type": 5}
    assert tool.definition.parameters == {"type": "object", "properties": {}}


async def test_the_context_is_given_to_a_function_that_takes_two() -> None:
    async def both(arguments: Mapping[str, Json], context: ToolContext) -> str:
        return f"{arguments['a']} {context.call.id}"

    def blocking(arguments: Mapping[str, Json]) -> str:
        return f"{arguments['a']} in a thread"

    async def bound(prefix: str, arguments: Mapping[str, Json]) -> str:
        return f"{prefix} {arguments['a']}"

    async with asyncio.timeout(5):
        assert await made({}, both).run({"a": 1}, CONTEXT) == "1 c9"
        assert await made({}, blocking).run({"a": 1}, CONTEXT) == "1 in a thread"
        assert await made({}, functools.partial(bound, "ops")).run({"a": 1}, CONTEXT) == "ops 1"


def no_arguments() -> None: ...


@pytest.mark.parametrize(
    ("run", "message"),
    [
        (no_arguments, "must take the arguments"),
        (dict, "is a class"),
        (3, "cannot be called"),
    ],
)
def test_a_function_that_cannot_be_called_with_arguments_is_refused(run: Any, message: str) -> None:  # noqa: ANN401
    with pytest.raises(ConfigError, match=message):
        made({}, run)


def test_a_tool_needs_a_name_and_a_time_limit_that_can_be_kept() -> None:
    with pytest.raises(ConfigError, match="from server 'ops' has no name"):
        tool_from_schema(name=" ", description="", parameters={}, run=echo, source="server 'ops'")
    with pytest.raises(ConfigError, match="more than 0 seconds"):
        tool_from_schema(name="t", description="", parameters={}, run=echo, timeout=0)
