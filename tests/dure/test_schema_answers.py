"""Answers read as a type or by a schema: what every kind of type takes, and what each refuses."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, NotRequired, Required, TypedDict
from uuid import UUID

import pytest
from pydantic import BaseModel, ConfigDict, Field

from dure.schema import (
    SchemaFormat,
    UnusableType,
    parse_as,
    parse_by_schema,
    type_format,
)


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Level(Enum):
    LOW = 1


@dataclass
class Film:
    title: str
    year: int
    tags: list[str] = field(default_factory=list[str])


class Shelf(BaseModel):
    """Knows itself."""

    name: str
    below: "list[Shelf]" = []


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    a: int


class Row(TypedDict):
    id: int
    note: NotRequired[str]


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]

READ: list[tuple[Any, str, object]] = [
    (Shelf, '{"name": "가", "below": [{"name": "나"}]}', Shelf(name="가", below=[Shelf(name="나")])),
    (Film, '{"title": "괴물", "year": 2006}', Film(title="괴물", year=2006)),
    (Row, '{"id": 1}', {"id": 1}),
    (list[Row], '[{"id": 1, "note": "x"}]', [{"id": 1, "note": "x"}]),
    (list[int], "[]", []),
    (dict[str, int], '{"a": 1}', {"a": 1}),
    (tuple[int, str], '[1, "a"]', (1, "a")),
    (Cat | Dog, '{"kind": "dog", "name": "Bo"}', Dog(kind="dog", name="Bo")),
    (Pet, '{"kind": "cat", "lives": 9}', Cat(kind="cat", lives=9)),
    (Film | None, "null", None),
    (int, "42", 42),
    (int | str, "42", 42),
    (int | str, "many", "many"),
    (float, "1.5", 1.5),
    (bool, "true", True),
    (Decimal, '"1.10"', Decimal("1.10")),
    (date, '"2024-02-29"', date(2024, 2, 29)),
    (date, "2024-02-29", date(2024, 2, 29)),
    (UUID, "123e4567-e89b-12d3-a456-426614174000", UUID("123e4567-e89b-12d3-a456-426614174000")),
    (Colour, '"red"', Colour.RED),
    (Colour, "blue", Colour.BLUE),
    (Colour, "<think>red?</think>\nblue", Colour.BLUE),
    (Level, "1", Level.LOW),
    (Literal["예", "아니오"], "아니오", "아니오"),
    (Literal[1, "one"], "one", "one"),
    (Colour | None, "red", Colour.RED),
    (str, "그냥 글입니다.", "그냥 글입니다."),
    (str, '"quoted"', "quoted"),
    (str, "42", "42"),
    (str, '{"a": 1}', '{"a": 1}'),
    (str, "an unfinished {", "an unfinished {"),
    (str, "<think>x</think> yes", "yes"),
    (str | None, "null", None),
]


@pytest.mark.parametrize(("kind", "said", "value"), READ)
def test_an_answer_becomes_a_value_of_the_type(kind: Any, said: str, value: object) -> None:  # noqa: ANN401
    parsed = parse_as(said, kind)
    assert parsed.faults == ()
    assert parsed.value == value
    assert type(parsed.value) is type(value)


REFUSED: list[tuple[Any, str, str]] = [
    (Film, '{"title": "x"}', "$.year: Field required"),
    (list[Row], '[{"id": 1}, {"id": "x"}]', "$[1].id: Input should be a valid integer"),
    (Shelf, '{"name": "a", "below": [{}]}', "$.below[0].name: Field required"),
    (Closed, '{"a": 1, "b": 2}', "$.b: Extra inputs are not permitted"),
    (Colour, "green", "not valid JSON"),
    (Colour, '"green"', "Input should be 'red' or 'blue'"),
    (Literal["a"], "b", "not valid JSON"),
    (int, "about 42", "not valid JSON"),
    (Film | str, '{"title": "x"', "not valid JSON"),
    (list[str], "a, b", "not valid JSON"),
    (Pet, '{"kind": "cow"}', "does not match any of the expected tags"),
    (str, "", "the answer is empty"),
    (str, "<think>only this</think>", "the answer is empty"),
]


@pytest.mark.parametrize(("kind", "said", "fault"), REFUSED)
def test_an_answer_that_is_not_of_the_type_is_told_with_its_place(kind: Any, said: str, fault: str) -> None:  # noqa: ANN401
    parsed = parse_as(said, kind)
    assert parsed.value is None
    assert fault in parsed.faults[0]


def test_extra_fields_go_by_what_the_type_or_schema_says() -> None:
    assert parse_as('{"title": "x", "year": 1, "more": 2}', Film).value == Film(title="x", year=1)
    assert parse_by_schema('{"more": 2}', {"type": "object"}).value == {"more": 2}
    assert parse_by_schema('{"more": 2}', {"additionalProperties": False}).faults == ("$: not allowed here: 'more'",)


def test_a_null_for_what_may_only_be_absent_counts_as_absent() -> None:
    assert parse_as('{"title": "x", "year": 1, "tags": null}', Film).value == Film(title="x", year=1)
    assert parse_as('[{"id": 1, "note": null}]', list[Row]).value == [{"id": 1}]
    schema = {"properties": {"a": {"type": "string"}, "b": {"type": ["string", "null"]}}, "required": ["b"]}
    assert parse_by_schema('{"a": null, "b": null}', schema).value == {"b": None}
    assert parse_as('{"title": null, "year": 1}', Film).faults == ("$.title: Input should be a valid string",)


def test_a_value_that_a_provider_had_to_wrap_is_taken_out() -> None:
    assert parse_as('{"value": [1, 2]}', list[int]).value == [1, 2]
    assert type_format(Cat | None).read('{"value": {"kind": "cat", "lives": 9}}').value == Cat(kind="cat", lives=9)
    assert parse_by_schema('{"value": [1]}', {"type": "array"}).value == [1]
    assert parse_as('{"value": 1}', dict[str, int]).value == {"value": 1}
    assert parse_as('{"value": {"a": 1}}', Closed).faults
    assert parse_as('{"value": "x"}', list[int]).faults == ("$: Input should be a valid array",)
    assert type_format(Cat | Dog).read('{"kind": "cat", "lives": null}').faults[0].startswith("$.Cat.lives")


def test_any_text_needs_no_schema_and_a_narrower_one_does() -> None:
    assert type_format(str).schema is None
    assert type_format(Annotated[str, Field(max_length=3)]).schema == {"type": "string", "maxLength": 3}
    assert type_format(int).schema == {"type": "integer"}
    assert type_format(Colour).schema == {"type": "string", "enum": ["red", "blue"]}


def test_a_text_may_be_the_value_of_a_schema_too() -> None:
    assert parse_by_schema("그냥 글", {"type": "string"}).value == "그냥 글"
    assert parse_by_schema("b", {"enum": ["a", "b"]}).value == "b"
    assert parse_by_schema("c", {"enum": ["a", "b"]}).faults
    assert parse_by_schema("b", {"$ref": "#/$defs/x~1y", "$defs": {"x/y": {"const": "b"}}}).value == "b"
    odd_ones: list[dict[str, Any]] = [{"$ref": "#/$defs/no"}, {"$ref": "other.json"}, {"$ref": "#"}, {"anyOf": [True]}]
    for odd in odd_ones:
        assert SchemaFormat(odd).read("b").faults
    assert parse_by_schema("b", {"type": ["string", "integer"]}).value == "b"


def test_the_reader_of_a_type_is_made_once() -> None:
    assert type_format(list[Film]) is type_format(list[Film])
    unhashable = Annotated[int, ["a note"]]
    assert type_format(unhashable).read("1").value == 1


@pytest.mark.parametrize(
    "wrong", [Film(title="x", year=1), "Nowhere", object.__new__, Annotated[str, Field(pattern="(?!x)")]]
)
def test_what_is_no_type_is_refused_in_one_line(wrong: object) -> None:
    with pytest.raises(UnusableType, match="no JSON Schema can be made of") as caught:
        type_format(wrong)
    assert "\n" not in str(caught.value)


class Tree(TypedDict, total=False):
    """A tree."""

    label: Annotated[str, Field(description="its name")]
    rows: list[Row]
    first: Required[Row | None]


def test_typed_dictionaries_of_the_standard_library_are_read_wherever_a_type_names_them() -> None:
    schema = type_format(dict[str, Tree]).schema
    assert schema is not None
    assert schema["$defs"]["Tree"]["required"] == ["first"]
    assert schema["$defs"]["Tree"]["properties"]["label"] == {"type": "string", "description": "its name"}
    for kind in (Tree | None, Annotated[Tree, "note"], tuple[Tree, ...], Literal["x"] | Tree):
        assert type_format(kind).schema
    assert parse_as('{"x": {"first": {"id": 1}, "rows": [{"id": 2}]}}', dict[str, Tree]).value == {
        "x": {"first": {"id": 1}, "rows": [{"id": 2}]}
    }
    assert parse_as('{"x": {}}', dict[str, Tree]).faults == ("$.x.first: Field required",)


def test_a_type_whose_schema_reaches_out_is_refused() -> None:
    far = Annotated[int, Field(json_schema_extra={"$ref": "https://example.com/x"})]
    with pytest.raises(UnusableType, match="nothing is fetched"):
        type_format(far)
