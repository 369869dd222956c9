"""Schemas and answers that are made to take forever, to reach out, or to break the check: bounded work for all."""

import json
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from dure.schema import check, json_text, parse_by_schema, schema_faults, unchecked_patterns, without_thoughts

FAULTS = Path(__file__).parents[1] / "data/faults/schema"


@contextmanager
def seconds(most: float) -> Generator[None]:
    begun = time.process_time()
    yield
    assert time.process_time() - begun < most


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "pattern": "^(a+)+$"},
        {"patternProperties": {"^(a+)+$": {}}, "additionalProperties": False},
        {"additionalProperties": False, "patternProperties": {"(x+x+)+y": {}, "^(a|a)*$": {}}},
    ],
)
def test_a_pattern_made_to_take_forever_is_checked_at_once(schema: dict[str, Any]) -> None:
    text = "a" * 50_000 + "!"
    with seconds(1):
        assert check(text if "pattern" in schema else {text: 1}, schema)
        assert check("aaa" if "pattern" in schema else {"aaa": 1}, schema) == ()


def test_a_pattern_may_be_anywhere_in_a_text_and_is_told_when_it_is_not() -> None:
    assert check("재고 A-17", {"pattern": r"[A-Z]-\d+"}) == ()
    assert check("x", {"pattern": "y"}) == ("$: 'x' does not match 'y'",)
    assert check(5, {"pattern": "y"}) == ()


def test_a_pattern_that_cannot_be_bounded_is_named_and_not_checked() -> None:
    schema = {"properties": {"a": {"pattern": "^(?!x)"}, "b": {"pattern": "(a)\\1"}, "pattern": {"pattern": "ok"}}}
    assert unchecked_patterns(schema) == ("^(?!x)", "(a)\\1")
    assert unchecked_patterns({"patternProperties": {"(": {}}}) == ("(",)
    assert check({"a": "x"}, schema) == ()


def test_extra_properties_are_told_by_name_and_checked_by_their_schema() -> None:
    closed: dict[str, Any] = {"properties": {"a": {}}, "patternProperties": {"^x_": {}}, "additionalProperties": False}
    assert check({"a": 1, "x_b": 2}, closed) == ()
    assert check({"a": 1, "b": 2, "c": 3}, closed) == ("$: not allowed here: 'b', 'c'",)
    assert check({"n": "1"}, {"additionalProperties": {"type": "integer"}}) == ("$.n: '1' is not of type 'integer'",)
    assert check({"x_a": 1}, {"patternProperties": {"^x_": {"type": "string"}}}) == (
        "$.x_a: 1 is not of type 'string'",
    )
    assert check([], closed) == ()


@pytest.mark.parametrize(
    ("value", "faults"),
    [
        ([1, True, "1", [1], {"a": 1}, None, 0, False], ()),
        ([1, 1.0], ("$[1]: item 1 is there already",)),
        ([{"a": [1, 2]}, {"b": 1}, {"a": [1, 2]}], ("$[2]: item 2 is there already",)),
        ("aa", ()),
    ],
)
def test_items_are_unique_as_json_counts_it(value: object, faults: tuple[str, ...]) -> None:
    assert check(value, {"uniqueItems": True}) == faults
    assert check([1, 1], {"uniqueItems": False}) == ()


def test_many_items_are_compared_in_no_long_time() -> None:
    with seconds(3):
        assert check([{"n": number} for number in range(50_000)], {"uniqueItems": True}) == ()


def test_references_that_multiply_are_given_up_in_bounded_time() -> None:
    laughs: dict[str, Any] = {f"l{n}": {"allOf": [{"$ref": f"#/$defs/l{n + 1}"}] * 10} for n in range(9)}
    schema = {"$defs": {**laughs, "l9": {"type": "string"}}, "$ref": "#/$defs/l0"}
    assert schema_faults(schema) == ()
    with seconds(20):
        assert check("x", schema) == ("$: needs more than 20,000 steps to be checked; answer with less",)


def test_a_reference_to_itself_ends() -> None:
    schema = {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}
    with seconds(5):
        assert check(1, schema) == ("$: nested too deeply to be checked",)


def test_an_answer_nested_deeper_than_any_is_a_fault() -> None:
    schema = {"$defs": {"n": {"items": {"$ref": "#/$defs/n"}, "type": "array"}}, "$ref": "#/$defs/n"}
    deep = "[" * 900 + "]" * 900
    assert "nested too deeply" in parse_by_schema(deep, schema).faults[0]


def test_an_answer_or_a_schema_larger_than_any_is_refused_unread() -> None:
    with seconds(5):
        assert check([1] * 200_001, {"items": {"type": "string"}}) == ("$: more than 200,000 values; answer with less",)
        assert schema_faults({"enum": list(range(200_001))}) == ("$: a schema of more than 200,000 values",)
        assert parse_by_schema(json.dumps(["x" * 5_000_000]), {}).faults == ("$: longer than 5,000,000 characters",)


def test_a_schema_nested_deeper_than_any_is_refused() -> None:
    schema: dict[str, Any] = {}
    for _ in range(5000):
        schema = {"items": schema}
    assert schema_faults(schema) == ("$: too large or nested too deeply to be checked",)


def test_what_cannot_be_checked_in_bounded_time_is_refused() -> None:
    schema: dict[str, Any] = {"patternProperties": {"a": {}}, "unevaluatedProperties": False}
    assert "cannot be checked" in schema_faults(schema)[0]


def test_names_in_a_schema_may_be_hangul() -> None:
    schema = {"$defs": {"재고": {"type": "integer"}}, "properties": {"수량": {"$ref": "#/$defs/재고"}}}
    assert schema_faults(schema) == ()
    assert check({"수량": "x"}, schema) == ("$.수량: 'x' is not of type 'integer'",)


def test_a_recursive_schema_is_valid_as_deep_as_the_value_goes() -> None:
    schema = json.loads((FAULTS / "recursive.json").read_text(encoding="utf-8"))
    assert schema_faults(schema) == ()
    assert check({"root": {"name": "a", "children": [{"name": "b"}]}}, schema) == ()
    assert check({"root": {"name": "a", "children": [{}]}}, schema) == (
        "$.root.children[0]: 'name' is a required property",
    )


def test_a_nullable_enum_takes_null() -> None:
    schema = json.loads((FAULTS / "nullable_enum.json").read_text(encoding="utf-8"))
    assert check({"status": None}, schema) == ()
    assert check({"status": "shut"}, schema) == ("$.status: 'shut' is not one of ['open', 'closed', None]",)
    assert check({"status": None, "due": "2024-02-30"}, schema) == ("$.due: '2024-02-30' is not a 'date'",)


def test_of_a_union_the_fault_of_the_nearest_branch_is_told() -> None:
    branches = [
        {"properties": {"kind": {"const": kind}, "size": {"type": of}}, "required": ["kind", "size"]}
        for kind, of in (("a", "integer"), ("b", "string"))
    ]
    (fault,) = check({"kind": "a", "size": "x"}, {"anyOf": branches})
    assert fault in ("$.size: 'x' is not of type 'integer'", "$.kind: 'b' was expected")


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("```thinking\nhm\n```\nyes", "yes"),
        ("no <!-- thinking: hm --> yes", "no  yes"),
        ("yes\n```thinking\nand then it was cut", "yes"),
        ("yes <!--\nTHINKING: cut", "yes"),
        ("```python\nx\n```", "```python\nx\n```"),
        ("a < b", "a < b"),
        ("<!-- note --> yes", "<!-- note --> yes"),
    ],
)
def test_blocks_and_comments_that_are_labelled_as_thinking_go(said: str, kept: str) -> None:
    assert without_thoughts(said) == kept


def test_thinking_in_a_value_stays() -> None:
    said = '{"a": "<!-- thinking: kept -->"}'
    assert json_text(said) == said
    assert json_text(f"```thinking\n{{}}\n```\n{said}") == said


def test_hostile_thinking_takes_no_long_time() -> None:
    with seconds(3):
        for piece in ("```thinking\n", "<!-- thinking:", "<!--" + " " * 50, "\n```", "-->"):
            without_thoughts("x<" + piece * 50_000)


def test_marks_in_a_value_stay_after_real_thinking_too() -> None:
    said = '{"a": "<think>kept</think> <!-- thinking: kept -->"}'
    for thought in ("<think>hm</think>", "<think>hm\n</think>\n```thinking\nx\n```\n", "<!-- thinking: x -->"):
        assert json_text(thought + said) == said
        assert json_text(f"{thought}```json\n{said}\n```") == said


def test_a_deep_answer_with_a_null_in_it_is_a_fault_and_no_crash() -> None:
    schema = {"properties": {"a": {"type": "string"}, "deep": {}}}
    said = '{"a": null, "deep": ' + "[" * 600 + "]" * 600 + "}"
    assert parse_by_schema(said, schema).faults == ("$: nested too deeply",)


def test_a_null_at_the_root_is_only_a_fault() -> None:
    assert parse_by_schema("null", {"type": "string"}).value == "null"
    assert parse_by_schema("null", {"type": "object"}).faults == ("$: None is not of type 'object'",)
