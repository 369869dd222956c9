from typing import Any

import pytest

from dure.models.anthropic_schema import MOST_OPTIONAL, MOST_UNIONS, enforceable

TEXT = {"type": "string"}


def closed(**properties: Any) -> dict[str, Any]:  # noqa: ANN401 JSON
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def test_a_schema_of_the_enforced_part_stays_as_it_is() -> None:
    schema = closed(
        name={"type": "string", "description": "이름"},
        kind={"enum": ["a", "b", None]},
        day={"type": "string", "format": "date"},
        tags={"type": "array", "items": TEXT, "minItems": 1},
        either={"anyOf": [TEXT, {"type": "null"}]},
    )
    assert enforceable(schema) == schema


def test_objects_are_closed_at_every_depth() -> None:
    inner = {"type": "object", "properties": {"a": TEXT}, "required": ["a"]}
    schema = {"type": "object", "properties": {"list": {"type": "array", "items": inner}}, "$defs": {"d": inner}}
    fitted = enforceable(schema)
    assert fitted is not None
    assert fitted["additionalProperties"] is False
    assert fitted["properties"]["list"]["items"]["additionalProperties"] is False
    assert fitted["$defs"]["d"]["additionalProperties"] is False
    assert "additionalProperties" not in schema


def test_what_cannot_be_enforced_is_told_in_the_description() -> None:
    fitted = enforceable(closed(count={"type": "integer", "minimum": 1, "maximum": 9, "description": "개수"}))
    assert fitted is not None
    assert fitted["properties"]["count"] == {"type": "integer", "description": '개수 {"minimum":1,"maximum":9}'}


def test_one_of_becomes_any_of() -> None:
    fitted = enforceable(closed(x={"oneOf": [TEXT, {"type": "integer"}]}))
    assert fitted is not None
    assert fitted["properties"]["x"] == {"anyOf": [TEXT, {"type": "integer"}]}


def test_a_property_may_be_called_like_a_keyword() -> None:
    schema = closed(items=TEXT, properties=TEXT)
    assert enforceable(schema) == schema


def test_a_reference_to_a_definition_is_kept() -> None:
    schema = {**closed(a={"$ref": "#/$defs/Item"}, b={"$ref": "#/$defs/Item"}), "$defs": {"Item": closed(n=TEXT)}}
    assert enforceable(schema) == schema


@pytest.mark.parametrize(
    "schema",
    [
        closed(free={"type": "object", "additionalProperties": TEXT}),
        closed(free={"type": "object"}),
        {"type": "object", "properties": {"a": TEXT}, "additionalProperties": True},
        closed(anything={}),
        closed(anything=True),
        closed(a={"type": "string", "not": {"const": "x"}}),
        closed(a={"type": "array", "prefixItems": [TEXT]}),
        {**closed(a={"$ref": "#/$defs/Node"}), "$defs": {"Node": closed(next={"$ref": "#/$defs/Node"})}},
        closed(a={"$ref": "other.json"}),
        closed(a={"$ref": "#"}),
        closed(**{f"u{number}": {"type": ["string", "null"]} for number in range(MOST_UNIONS + 1)}),
        {**closed(**{f"o{number}": TEXT for number in range(MOST_OPTIONAL + 1)}), "required": []},
    ],
    ids=[
        "map",
        "open object",
        "open root",
        "anything",
        "true",
        "not",
        "tuple",
        "recursive",
        "elsewhere",
        "itself",
        "unions",
        "optional",
    ],
)
def test_what_would_mean_something_else_is_not_enforced(schema: dict[str, Any]) -> None:
    assert enforceable(schema) is None
