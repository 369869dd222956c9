import json
from pathlib import Path
from typing import Any

import pytest

from dure.errors import ConfigError
from dure.models.schema_dialect import MOST_NODES, answer_schema, tool_schema

FAULTS = Path(__file__).parents[2] / "data/faults/schema"


def fault(name: str) -> dict[str, Any]:
    return json.loads((FAULTS / name).read_text(encoding="utf-8"))


def fields(schema: dict[str, Any]) -> dict[str, Any]:
    return schema["properties"]


def test_a_reference_is_inlined_once_and_its_cycle_cut_with_a_typed_stub() -> None:
    simple = answer_schema(fault("recursive.json"))
    assert simple.schema == {
        "type": "object",
        "properties": {
            "root": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "children": {"type": "array", "items": {"type": "object"}},
                },
                "required": ["name"],
            }
        },
        "required": ["root"],
    }
    assert simple.notes == ("$.root.children[]: of the same form as $.root",)


def test_the_stub_of_a_cycle_has_the_type_of_what_it_stands_for() -> None:
    schema = {"$ref": "#/$defs/list", "$defs": {"list": {"type": "array", "items": {"$ref": "#/$defs/list"}}}}
    assert answer_schema(schema).schema == {"type": "array", "items": {"type": "array"}}
    whole = {"type": "object", "properties": {"next": {"$ref": "#"}}}
    once = {"type": "object", "properties": {"next": {"type": "object"}}}
    assert answer_schema(whole).schema == {"type": "object", "properties": {"next": once}}


def test_a_reference_to_itself_alone_ends() -> None:
    schema = {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
    assert answer_schema(schema).schema == {"type": "object"}
    merged = {"$ref": "#/$defs/a", "$defs": {"a": {"type": "object", "allOf": [{"$ref": "#/$defs/a"}]}}}
    assert answer_schema(merged).schema == {"type": "object"}


def test_what_stands_beside_a_reference_stays() -> None:
    schema = {
        "type": "object",
        "properties": {"kind": {"$ref": "#/$defs/kind", "description": "what it is", "default": "a"}},
        "$defs": {"kind": {"type": "string", "enum": ["a", "b"], "description": "a kind"}},
    }
    assert fields(tool_schema(schema).schema)["kind"] == {
        "type": "string",
        "enum": ["a", "b"],
        "description": 'what it is (default "a")',
    }


def test_two_tools_with_equal_names_in_their_defs_do_not_mix() -> None:
    one = {"type": "object", "properties": {"x": {"$ref": "#/$defs/Item"}}, "$defs": {"Item": {"type": "string"}}}
    two = {"type": "object", "properties": {"x": {"$ref": "#/$defs/Item"}}, "$defs": {"Item": {"type": "integer"}}}
    assert fields(tool_schema(one).schema)["x"] == {"type": "string"}
    assert fields(tool_schema(two).schema)["x"] == {"type": "integer"}


def test_names_with_slashes_tildes_and_hangul_are_found() -> None:
    schema = {
        "type": "array",
        "prefixItems": [{"$ref": "#/$defs/a~1b~0c"}, {"$ref": "#/$defs/%EC%83%81%ED%92%88"}, {"$ref": "#/$defs/l/0"}],
        "$defs": {"a/b~c": {"type": "string"}, "상품": {"type": "integer"}, "l": [{"type": "null"}]},
    }
    assert answer_schema(schema).schema["prefixItems"] == [{"type": "string"}, {"type": "integer"}, {"type": "null"}]


@pytest.mark.parametrize(
    ("ref", "said"),
    [
        ("https://example.com/s.json", "is outside the schema; nothing is fetched"),
        ("other.json#/a", "is outside the schema"),
        ("#/$defs/none", "leads nowhere"),
        ("#/$defs/a/9", "leads nowhere"),
        ("#anchor", "leads nowhere"),
    ],
)
def test_a_reference_that_cannot_be_followed_is_named(ref: str, said: str) -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {"x": {"$ref": ref}}, "$defs": {"a": [{}]}}
    with pytest.raises(ConfigError, match=said):
        tool_schema(schema)


def test_what_a_tool_no_longer_says_stands_in_the_descriptions() -> None:
    schema = {
        "type": "object",
        "description": "one order",
        "minProperties": 1,
        "additionalProperties": False,
        "properties": {
            "sku": {"type": "string", "pattern": r"^[A-Z]-\d+$", "description": "재고 코드", "maxLength": 9},
            "qty": {"type": "integer", "minimum": 1, "exclusiveMaximum": 100, "multipleOf": 2, "default": 2},
            "when": {"type": "string", "format": "date"},
            "tags": {"type": "array", "items": {"type": "string", "minLength": 1}, "uniqueItems": True, "maxItems": 3},
            "extra": {"type": "object", "additionalProperties": {"type": "number"}, "examples": [{"a": 1}]},
            "none": False,
        },
        "required": ["sku"],
    }
    simple = tool_schema(schema)
    assert simple.notes == ("one order (at least 1 fields; additionalProperties false)",)
    assert simple.schema == {
        "type": "object",
        "properties": {
            "sku": {
                "type": "string",
                "description": r"재고 코드 (matches the regular expression ^[A-Z]-\d+$; at most 9 characters)",
            },
            "qty": {"type": "integer", "description": "at least 1; less than 100; a multiple of 2; default 2"},
            "when": {"type": "string", "description": "format date"},
            "tags": {
                "type": "array",
                "items": {"type": "string", "description": "at least 1 characters"},
                "description": "no item twice; at most 3 items",
            },
            "extra": {
                "type": "object",
                "description": 'for example {"a":1}; additionalProperties {"type":"number"}',
            },
            "none": {"description": "must not be given"},
        },
        "required": ["sku"],
    }


def test_of_an_answer_the_words_are_told_with_their_places() -> None:
    schema = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "이름,\n  in full", "minLength": 1},
            "ages": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 9}, "minItems": 2},
            "day": {"type": "string", "format": "date"},
            "mail": {"type": "string", "format": "email"},
            "byname": {"type": "object", "additionalProperties": {"type": "number", "minimum": 0.5}},
            "free": {"not": {"type": "null"}},
        },
        "additionalProperties": False,
    }
    simple = answer_schema(schema)
    assert simple.notes == (
        "$.name: 이름, in full; at least 1 characters",
        "$.ages[]: at least 0; at most 9",
        "$.ages: at least 2 items",
        "$.day: format date",
        "$.mail: format email",
        "$.byname.*: at least 0.5",
        '$.free: not {"type":"null"}',
    )
    assert simple.schema == {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "ages": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 9}, "minItems": 2},
            "day": {"type": "string", "format": "date"},
            "mail": {"type": "string"},
            "byname": {"type": "object", "additionalProperties": {"type": "number"}},
            "free": {},
        },
        "additionalProperties": False,
    }


def test_a_schema_that_loses_nothing_needs_no_note() -> None:
    schema = {"type": "object", "title": "T", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    assert answer_schema(schema).notes == ()


def test_unions_constants_and_nullable_enums_keep_their_meaning() -> None:
    simple = answer_schema(fault("nullable_enum.json"))
    assert fields(simple.schema) == {
        "status": {"type": ["string", "null"], "enum": ["open", "closed", None]},
        "due": {"type": "string", "format": "date"},
        "n": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    }
    union = {
        "oneOf": [{"$ref": "#/$defs/cat"}, {"$ref": "#/$defs/dog"}],
        "$defs": {"cat": {"type": "object", "properties": {"kind": {"const": "cat"}}}, "dog": {"type": "string"}},
    }
    assert answer_schema(union).schema == {
        "anyOf": [{"type": "object", "properties": {"kind": {"enum": ["cat"]}}}, {"type": "string"}]
    }
    assert answer_schema(union).notes == ("$: fits exactly one of its forms",)


def test_what_stands_beside_alternatives_goes_into_each() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
    }
    both = {"a": {"type": "string"}, "b": {"type": "string"}}
    assert answer_schema(schema).schema == {
        "anyOf": [
            {"type": "object", "properties": both, "required": ["a"]},
            {"type": "object", "properties": both, "required": ["b"]},
        ]
    }


def test_all_of_is_one_schema() -> None:
    schema = {
        "allOf": [{"$ref": "#/$defs/a"}, {"properties": {"y": {"type": "integer"}}, "required": ["y"]}],
        "$defs": {"a": {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]}},
    }
    assert answer_schema(schema).schema == {
        "type": "object",
        "properties": {"x": {"type": "string"}, "y": {"type": "integer"}},
        "required": ["y", "x"],
    }


def test_references_that_double_at_every_level_do_not_explode() -> None:
    levels = 40
    twice = {
        f"l{n}": {
            "type": "object",
            "properties": {"a": {"$ref": f"#/$defs/l{n + 1}"}, "b": {"$ref": f"#/$defs/l{n + 1}"}},
        }
        for n in range(levels)
    }
    schema = {"$ref": "#/$defs/l0", "$defs": {**twice, f"l{levels}": {"type": "string"}}}
    simple = answer_schema(schema)
    assert len(json.dumps(simple.schema)) < 100 * MOST_NODES
    assert simple.notes[0].endswith("elsewhere")


def test_a_tool_without_parameters_still_has_an_object() -> None:
    assert tool_schema({}).schema == {"type": "object", "properties": {}}


def test_a_list_of_fixed_places_is_enforced_in_an_answer_and_told_of_a_tool() -> None:
    pair = {"type": "array", "prefixItems": [{"type": "string"}, {"$ref": "#/$defs/n"}], "items": False}
    schema = {"type": "object", "properties": {"pair": pair}, "$defs": {"n": {"type": "integer"}}}
    places = [{"type": "string"}, {"type": "integer"}]
    assert fields(answer_schema(schema).schema)["pair"] == {"type": "array", "prefixItems": places, "items": False}
    assert fields(tool_schema(schema).schema)["pair"] == {
        "type": "array",
        "description": 'prefixItems [{"type":"string"},{"type":"integer"}]',
    }


def test_a_part_that_is_true_allows_everything() -> None:
    schema = {"type": "object", "properties": {"any": True}, "allOf": [True]}
    assert answer_schema(schema).schema == {"type": "object", "properties": {"any": {}}}
    assert answer_schema(schema).notes == ()


def test_a_very_long_value_does_not_bury_the_rest() -> None:
    (note,) = answer_schema({"type": "string", "examples": ["가" * 1_000], "uniqueItems": False}).notes
    assert len(note) < 500
    assert note.endswith("…; items may repeat")
