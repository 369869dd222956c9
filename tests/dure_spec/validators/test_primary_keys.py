"""V06: keys that exist, hold, and stay the same; and unique keys that rules ask for."""

from typing import Any

import pytest
from erd_values import OURS, column, design, findings, key, repaired, said, schema, table

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.erd import Column, Table
from dure_spec.artifacts.prd import Rule
from dure_spec.validators import judge


def _keyless(name: str, *columns: Column, uniques: tuple[tuple[str, ...], ...] = ()) -> Artifacts:
    return schema(table(name, *columns, uniques=uniques))


def test_table_without_a_key_is_critical_whether_or_not_it_has_unique_columns() -> None:
    pair = (column("vet_id"), column("specialty_id"))
    unique = (("vet_id", "specialty_id"),)
    finding = findings(_keyless("vet_specialties", *pair, uniques=unique), None, "V06")[0]
    assert (finding.severity, finding.ref, finding.expected) == ("critical", "vet_specialties", "vet_id, specialty_id")
    assert "vet_id, specialty_id" in finding.message
    assert finding.patch == ()


@pytest.mark.parametrize(
    ("columns", "candidate"),
    [
        ((column("room_no", "integer"), column("size", "integer")), "room_no"),
        ((column("sku", "varchar(9)", uq=True), column("size", "integer")), "sku"),
        ((column("rid"), column("size", "integer")), "rid"),
        ((column("size", "integer"),), "id"),
    ],
)
def test_candidate_is_what_looks_like_the_key(columns: tuple[Column, ...], candidate: str) -> None:
    assert findings(_keyless("rooms", *columns), None, "V06")[0].candidates[0] == candidate


@pytest.mark.parametrize(
    ("columns", "refs"),
    [
        ((column("id", pk=True, null=True),), ["rooms.id"]),
        ((column("id", "double precision", pk=True),), ["rooms.id"]),
        ((key(), column("ID", "integer")), ["rooms.ID"]),
    ],
)
def test_nullable_float_or_repeated_key_is_critical(columns: tuple[Column, ...], refs: list[str]) -> None:
    found = [each for each in said(schema(table("rooms", *columns)), None, "V06") if each[1] == "critical"]
    assert [ref for *_, ref in found] == refs


def test_primary_key_over_a_column_that_is_not_there_is_critical_once_and_names_the_nearest() -> None:
    rooms = table("rooms", column("room_no"), column("floor")).model_copy(update={"lost_key": ("roomno",)})
    (finding,) = [each for each in findings(schema(rooms), None, "V06") if each.severity == "critical"]
    assert (finding.severity, finding.path, finding.ref) == ("critical", "/tables/0/lost_key/0", "rooms(roomno)")
    assert finding.candidates == ("room_no",)


@pytest.mark.parametrize("field", ["uniques", "indexes"])
def test_unique_key_or_index_over_a_column_that_is_not_there_is_refused_by_the_engine(field: str) -> None:
    rooms = table("rooms", key(), column("room_no", "varchar(9)")).model_copy(update={field: (("roomno",),)})
    found = [each for each in findings(design(rooms), OURS, "V06", "V12") if "roomno" in each.message]
    assert [(each.validator, each.severity, each.path) for each in found] == [
        ("V12", "critical", f"/tables/0/{field}/0")
    ]
    assert found[0].candidates == ("room_no",)


@pytest.mark.parametrize("name", ["email", "user_name", "phone", "contactEmail", "full_name"])
def test_key_that_people_change_is_major(name: str) -> None:
    found = said(schema(table("people", key(name, "varchar(50)"), column("a", "text"), column("b", "text"))))
    assert ("V06", "major", f"people.{name}") in found


def test_korean_logical_name_tells_a_changing_key_too() -> None:
    person = (key("eml", "varchar(50)").model_copy(update={"logical": "이메일"}), column("a"), column("b"))
    assert said(design(table("people", *person)), OURS, "V06") == [("V06", "major", "people.eml")]


@pytest.mark.parametrize(
    "sound",
    [
        table("currencies", key("code", "char(3)"), column("name", "text")),
        table("tags", key("name", "varchar(30)"), column("color", "text")),
        table("settings", key("name", "varchar(30)"), column("a"), column("b"), kind="config"),
        table("hosts", key("ip_address", "varchar(45)"), column("a"), column("b")),
        table("stays", key("room_id"), key("name", "varchar(9)"), column("a")),
    ],
    ids=lambda each: each.name,
)
def test_natural_key_that_does_not_change_is_sound(sound: Table) -> None:
    assert said(schema(sound), None, "V06") == []


def test_entity_without_anything_like_a_key_gets_an_id_in_front() -> None:
    rooms = design(table("rooms", column("size", "integer")))
    erd = repaired(rooms, findings(rooms, OURS, "V06")[0]).erd
    assert erd is not None
    first = erd.tables[0].columns[0]
    assert (first.name, first.type, first.pk, first.null) == ("id", "bigint", True, False)


def test_id_that_is_there_is_marked_as_the_key() -> None:
    rooms = schema(table("rooms", column("id"), column("size", "integer")))
    assert said(repaired(rooms, findings(rooms, None, "V06")[0])) == []


def test_nullable_key_is_made_required() -> None:
    rooms = schema(table("rooms", column("id", pk=True, null=True)))
    assert said(repaired(rooms, findings(rooms, None, "V06")[0])) == []


def _with_rule(gold: Artifacts, text: str, term: str, **column_changes: dict[str, Any]) -> Artifacts:
    assert gold.prd is not None
    assert gold.erd is not None
    rule = Rule(id="BR-09", kind="constraint", text=text, entities=(term,))
    tables: list[Table] = []
    for each in gold.erd.tables:
        columns = tuple(one.model_copy(update=column_changes.get(one.name, {})) for one in each.columns)
        tables.append(each.model_copy(update={"columns": columns}))
    prd = gold.prd.model_copy(update={"rules": (*gold.prd.rules, rule)})
    return Artifacts(prd=prd, erd=gold.erd.model_copy(update={"tables": tuple(tables)}))


@pytest.mark.parametrize(
    ("text", "term", "found"),
    [
        ("이메일은 중복될 수 없다", "사용자", False),
        ("고객명은 중복될 수 없다", "고객", True),
        ("The tracking no must be unique", "배송", True),
        ("상품은 고유 식별자를 가진다", "상품", False),
        ("결제 수단은 셋 가운데 하나다", "결제", False),
    ],
)
def test_rule_of_uniqueness_is_held_by_a_key_over_the_column_it_names(
    gold: Artifacts, text: str, term: str, found: bool
) -> None:
    held = [each for each in judge(_with_rule(gold, text, term), "dba", OURS).findings if each.validator == "V06"]
    assert [(each.severity, "BR-09" in each.message) for each in held] == ([("major", True)] if found else [])
