"""Schemas for providers with a strict mode: closed, all required, never less than the schema allows."""

import json
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

from dure.schema import json_schema_of, parse_by_schema, strict_form

FAULTS = Path(__file__).parents[1] / "data/faults/schema"


class Colour(Enum):
    RED = "red"


class Node(BaseModel):
    name: str = Field(description="what it is", max_length=9)
    colour: Colour | None = None
    size: int = Field(3, ge=1, description="in cm")
    below: "list[Node]" = []


@dataclass
class A:
    kind: Literal["a"]


@dataclass
class B:
    kind: Literal["b"]


def test_null_goes_out_of_a_nullable_enum_and_stays_in_its_type() -> None:
    form = strict_form(json.loads((FAULTS / "nullable_enum.json").read_text(encoding="utf-8")))
    assert form.strict
    assert form.schema == {
        "type": "object",
        "properties": {
            "status": {"type": ["string", "null"], "enum": ["open", "closed"]},
            "due": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
            "n": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        },
        "required": ["status", "due", "n"],
        "additionalProperties": False,
    }


def test_an_answer_with_the_nulls_of_the_strict_form_is_read_by_the_schema_itself() -> None:
    schema = json.loads((FAULTS / "nullable_enum.json").read_text(encoding="utf-8"))
    answer = '{"status": null, "due": null, "n": null}'
    assert parse_by_schema(answer, schema).value == {"status": None, "n": None}


def test_a_recursive_type_becomes_a_root_object_with_all_properties_required() -> None:
    form = strict_form(json_schema_of(Node))
    node = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "what it is"},
            "colour": {"anyOf": [{"$ref": "#/$defs/Colour"}, {"type": "null"}]},
            "size": {"type": "integer", "minimum": 1, "description": "in cm (default: 3)"},
            "below": {"type": "array", "items": {"$ref": "#/$defs/Node"}, "description": "(default: [])"},
        },
        "required": ["name", "colour", "size", "below"],
        "additionalProperties": False,
    }
    assert form.strict
    assert form.schema == {
        **node,
        "$defs": {"Colour": {"type": "string", "enum": ["red"]}, "Node": node},
    }


@pytest.mark.parametrize(
    ("kind", "inner"),
    [
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (int, {"type": "integer"}),
        (A | B, {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]}),
        (
            Annotated[A | B, Field(discriminator="kind")],
            {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]},
        ),
    ],
)
def test_any_other_root_is_put_into_an_object(kind: Any, inner: object) -> None:  # noqa: ANN401
    form = strict_form(json_schema_of(kind))
    assert form.strict
    assert form.schema["properties"] == {"value": inner}
    assert (form.schema["type"], form.schema["required"]) == ("object", ["value"])


BEYOND: list[dict[str, Any]] = [
    json_schema_of(dict[str, int]),
    {"type": "object"},
    {"type": "object", "properties": {"a": {}}, "additionalProperties": True},
    {"type": "object", "properties": {"a": {"type": "array", "prefixItems": [{}]}}},
    {"type": "object", "properties": {"a": True}},
    {"type": "object", "properties": {"a": {"$ref": "#/properties/b"}, "b": {"type": "string"}}},
    {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["b"]},
    {"type": "object", "properties": {"a": {"not": {"type": "string"}}}},
]


@pytest.mark.parametrize("schema", BEYOND)
def test_what_strict_mode_cannot_say_is_sent_as_it_is(schema: dict[str, Any]) -> None:
    form = strict_form(schema)
    assert not form.strict
    assert form.schema == schema


def test_a_default_behind_a_reference_is_left_to_the_model() -> None:
    schema = {
        "$defs": {"C": {"type": "string", "enum": ["a"]}},
        "type": "object",
        "properties": {"c": {"$ref": "#/$defs/C", "default": "a"}},
    }
    assert strict_form(schema).schema["properties"] == {"c": {"$ref": "#/$defs/C"}}


def test_a_schema_nested_too_deeply_is_sent_as_it_is() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(2000):
        schema = {"type": "object", "properties": {"a": schema}}
    assert strict_form(schema).strict is False
