"""Finding, reading and checking the JSON that models write."""

import json
import time
from dataclasses import dataclass
from typing import Any

import pytest

from dure.schema import (
    check,
    json_schema_of,
    json_text,
    parse_as,
    parse_by_schema,
    parse_json,
    schema_faults,
    without_thoughts,
    without_titles,
)


@dataclass
class Film:
    """A film."""

    title: str
    year: int


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("plain", "plain"),
        ("<think>hm</think>yes", "yes"),
        ("<THINKING>a <think> b</thinking> yes", "yes"),
        ("that began before</think>yes", "yes"),
        ("yes <reasoning>and then it was cut", "yes"),
        ("a <think>x</think> b", "a  b"),
        ("<think>only this</think>", ""),
    ],
)
def test_thoughts_are_taken_out_of_an_answer(said: str, kept: str) -> None:
    assert without_thoughts(said) == kept


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (' {"a": 1} ', '{"a": 1}'),
        ('{"a": "<think>kept</think> ```"}', '{"a": "<think>kept</think> ```"}'),
        ('<think>{"a": 0}</think>{"a": 1}', '{"a": 1}'),
        ('{"a": 0}</think>{"a": 1}', '{"a": 1}'),
        ('```json\n{"a": 1}\n```', '{"a": 1}'),
        ("```\n42\n```", "42"),
        ('```{"a": 1}```', '{"a": 1}'),
        ('Here {as asked} is [1]: {"a": [1, 2]} — good?', '{"a": [1, 2]}'),
        ('물론입니다!\n```json\n{"이름": "값"}\n```\n도움이 되었나요?', '{"이름": "값"}'),
        ("nothing here", "nothing here"),
        ("[ and {", "[ and {"),
    ],
)
def test_the_json_value_is_found_in_what_surrounds_it(said: str, found: str) -> None:
    assert json_text(said) == found


@pytest.mark.parametrize(
    "broken", ['{"items": [{"a": 1}, {"a": 2', '{"a": 1 "b": [1, 2]}', 'see: {"a": NaN, "b": [1]}', "x" + "[" * 100_000]
)
def test_a_value_that_breaks_is_not_searched_for_pieces(broken: str) -> None:
    assert json_text(broken) == broken
    assert parse_json(broken).faults


def test_finding_json_in_hostile_text_takes_no_long_time() -> None:
    begun = time.process_time()
    for piece in ("<think>", "</think>", "```\n", "{", "[x", '{"a":', "`", '["'):
        json_text("x" + piece * 50_000)
    assert time.process_time() - begun < 3


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ("", "$: the answer is empty"),
        ("<think>x</think>", "$: the answer is empty"),
        ("{'a': 1}", "$: not valid JSON"),
        ("NaN", "NaN is not a JSON number"),
        ("[" * 100_000, "$: nested too deeply"),
    ],
)
def test_text_that_is_no_json_is_told_as_a_fault(said: str, fault: str) -> None:
    (told,) = parse_json(said).faults
    assert fault in told


def test_an_answer_is_read_as_a_type_and_faults_have_paths() -> None:
    assert parse_as('```json\n{"title": "괴물", "year": 2006}\n```', Film).value == Film(title="괴물", year=2006)
    assert parse_as('[{"title": "x"}]', list[Film]).faults == ("$[0].year: Field required",)
    assert parse_as("no", Film).faults[0].startswith("$: not valid JSON")


def test_an_answer_is_read_by_schema_and_faults_have_paths() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer"}}}}
    assert parse_by_schema('{"a": [1]}', schema).value == {"a": [1]}
    assert parse_by_schema('{"a": [1, "x"]}', schema).faults == ("$.a[1]: 'x' is not of type 'integer'",)
    assert parse_by_schema("no", schema).faults[0].startswith("$: not valid JSON")


def test_faults_are_few_and_short() -> None:
    told = check(["x" * 10_000] * 50, {"items": {"type": "integer"}})
    assert len(told) == 10
    assert all(len(fault) <= 300 for fault in told)


def test_a_recursive_schema_is_followed_as_deep_as_the_value_goes() -> None:
    schema = {
        "$defs": {"n": {"properties": {"next": {"$ref": "#/$defs/n"}, "v": {"type": "integer"}}}},
        "$ref": "#/$defs/n",
    }
    assert schema_faults(schema) == ()
    assert check({"next": {"next": {"v": "x"}}}, schema) == ("$.next.next.v: 'x' is not of type 'integer'",)


def test_a_reference_out_of_the_schema_is_refused_and_never_fetched() -> None:
    schema = {"properties": {"a": {"$ref": "http://127.0.0.1:9/x.json"}}, "anyOf": [{"$ref": "other.json"}]}
    assert schema_faults(schema) == (
        "$ref 'http://127.0.0.1:9/x.json' is outside the schema; nothing is fetched",
        "$ref 'other.json' is outside the schema; nothing is fetched",
    )
    (fault,) = check({"a": 1}, schema)
    assert "nothing is fetched" in fault


def test_what_is_no_schema_is_told_with_its_path() -> None:
    assert schema_faults({"properties": {"a": {"type": "text"}}})[0].startswith("$.properties.a.type: 'text'")


def test_a_reference_in_an_example_value_is_not_a_reference() -> None:
    assert schema_faults({"default": {"$ref": "http://127.0.0.1:9/"}}) == ()


def test_the_schema_of_a_type_has_no_titles() -> None:
    assert json_schema_of(Film) == {
        "description": "A film.",
        "properties": {"title": {"type": "string"}, "year": {"type": "integer"}},
        "required": ["title", "year"],
        "type": "object",
    }


def test_titles_go_and_properties_and_values_called_title_stay() -> None:
    schema: dict[str, Any] = {
        "title": "X",
        "properties": {"title": {"title": "Title", "type": "string", "default": {"title": "kept"}}},
        "anyOf": [{"title": "Y", "type": "object"}],
    }
    assert json.dumps(without_titles(schema)) == (
        '{"properties": {"title": {"type": "string", "default": {"title": "kept"}}}, "anyOf": [{"type": "object"}]}'
    )
