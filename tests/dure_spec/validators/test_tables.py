"""Validators of the tables: what they must say, and what they must not."""

from typing import Any

import pytest

from dure_spec.artifacts import Artifacts
from dure_spec.validators import Policy, judge
from dure_spec.validators.score import score_of

_OURS = ("V04", "V05", "V06", "V07", "V08", "V12")


def _column(name: str, kind: str = "bigint", **more: object) -> dict[str, Any]:
    return {"name": name, "logical": name, "type": kind, **more}


def _table(name: str, *columns: dict[str, Any], **more: object) -> dict[str, Any]:
    return {"name": name, "logical": name, "kind": "entity", "reqs": ["FR-001"], "columns": columns, **more}


_ID = _column("id", pk=True)


def _design(*tables: dict[str, Any], **meta: object) -> Artifacts:
    head = {"dialect": "postgresql", "pk": "bigint identity", "audit": ["created_at"], **meta}
    return Artifacts.model_validate({"erd": {"meta": head, "tables": tables, "relations": []}})


def _findings(*tables: dict[str, Any], **meta: object) -> list[tuple[str, str, str]]:
    judgement = judge(_design(*tables, **meta), "dba", Policy(lang="en"))
    return [(each.validator, each.severity, each.ref) for each in judgement.findings if each.validator in _OURS]


_SOUND: dict[str, tuple[dict[str, Any], ...]] = {
    "junction of two references with a composite key": (
        _table("students", _ID),
        _table("courses", _ID),
        _table(
            "enrollments",
            _column("student_id", pk=True, fk="students.id"),
            _column("course_id", pk=True, fk="courses.id"),
            kind="junction",
        ),
    ),
    "reference to a composite key": (
        _table("seats", _column("hall", pk=True), _column("seat", "integer", pk=True)),
        _table("bookings", _ID, _column("hall", fk="seats.hall"), _column("seat", "integer", fk="seats.seat")),
    ),
    "self reference": (_table("nodes", _ID, _column("parent_id", fk="nodes.id", null=True, on_delete="SET NULL")),),
    "code table": (
        _table("countries", _column("code", "char(2)", pk=True), _column("name", "varchar(50)"), kind="code"),
        _table("cities", _ID, _column("country_code", "char(2)", fk="countries.code")),
    ),
    "shared key of a 1:1 pair": (_table("users", _ID), _table("profiles", _column("user_id", pk=True, fk="users.id"))),
    "nullable cycle": (
        _table("stores", _ID, _column("manager_id", fk="clerks.id", null=True)),
        _table("clerks", _ID, _column("store_id", fk="stores.id")),
    ),
    "words that end in s, and words that look reserved": (
        _table(
            "branches",
            _ID,
            _column("address", "varchar(200)"),
            _column("status", "varchar(10)"),
            _column("terms", "text"),
            _column("type", "varchar(10)"),
            _column("date_format", "varchar(10)"),
            _column("phone_count", "integer"),
            _column("discount_rate", "real"),
            _column("template", "text"),
            _column("format", "varchar(10)"),
        ),
    ),
    "own number beside the key": (_table("orders", _ID, _column("order_no", "varchar(20)", uq=True)),),
    "number of a table whose key is of another kind": (
        _table("customers", _ID),
        _table("visits", _ID, _column("customer_no", "varchar(20)")),
    ),
    "spellings of one type": (
        _table("rooms", _column("id", "bigserial", pk=True)),
        _table("beds", _column("id", "int8", pk=True), _column("room_id", "bigint", fk="rooms.id")),
    ),
    "no tables at all": (),
}


@pytest.mark.parametrize("shape", _SOUND)
def test_sound_shape_is_not_flagged(shape: str) -> None:
    assert _findings(*_SOUND[shape]) == []


_FAULTY: dict[str, tuple[tuple[dict[str, Any], ...], tuple[str, str, str]]] = {
    "illegal name": ((_table("sign-ins", _ID),), ("V04", "critical", "sign-ins")),
    "name beyond 63 bytes": ((_table("a" * 64, _ID),), ("V04", "critical", "a" * 64)),
    "many columns off style": ((_table("rooms", _ID, _column("roomNo"), _column("bedNo")),), ("V04", "major", "rooms")),
    "prefix": ((_table("tbl_rooms", _ID),), ("V04", "minor", "tbl_rooms")),
    "singular among plurals": (
        (_table("rooms", _ID), _table("beds", _ID), _table("guest", _ID)),
        ("V04", "minor", "guest"),
    ),
    "reserved table": ((_table("user", _ID),), ("V05", "major", "user")),
    "reserved column": ((_table("rooms", _ID, _column("order", "integer")),), ("V05", "minor", "rooms.order")),
    "nullable key": ((_table("rooms", _column("id", pk=True, null=True)),), ("V06", "critical", "rooms.id")),
    "float key": ((_table("rooms", _column("id", "real", pk=True)),), ("V06", "critical", "rooms.id")),
    "column twice": ((_table("rooms", _ID, _column("id")),), ("V06", "critical", "rooms.id")),
    "table twice": ((_table("rooms", _ID), _table("Rooms", _ID)), ("V06", "critical", "Rooms")),
    "key that changes": (
        (_table("people", _column("email", "varchar(99)", pk=True)),),
        ("V06", "major", "people.email"),
    ),
    "reference without a column": (
        (_table("rooms", _ID), _table("beds", _ID, _column("room_id", fk="rooms"))),
        ("V07", "critical", "beds(room_id)"),
    ),
    "reference to a part of a key": (
        (
            _table("seats", _column("hall", pk=True), _column("seat", "integer", pk=True)),
            _table("bookings", _ID, _column("hall", fk="seats.hall")),
        ),
        ("V07", "critical", "bookings(hall)"),
    ),
    "reference that is only a name": (
        (_table("rooms", _ID), _table("beds", _ID, _column("room_id"))),
        ("V07", "major", "beds.room_id"),
    ),
    "money as float": ((_table("rooms", _ID, _column("price", "double precision")),), ("V08", "major", "rooms.price")),
    "date as text": ((_table("rooms", _ID, _column("built_at", "varchar(20)")),), ("V08", "major", "rooms.built_at")),
    "flag as text": ((_table("rooms", _ID, _column("is_open", "char(1)")),), ("V08", "minor", "rooms.is_open")),
    "one name, two types": (
        (_table("rooms", _ID, _column("grade", "integer")), _table("beds", _ID, _column("grade", "text"))),
        ("V08", "minor", "beds.grade"),
    ),
    "word for a default of a number": (
        (_table("rooms", _ID, _column("size", "integer", default="none")),),
        ("V12", "critical", "ddl:rooms.size"),
    ),
    "type that no engine has": (
        (_table("rooms", _ID, _column("size", "sizes")),),
        ("V12", "critical", "ddl:rooms.size"),
    ),
    "index on a column that is not there": (
        (_table("rooms", _ID, indexes=[["nope"]]),),
        ("V12", "critical", "ddl:rooms"),
    ),
}


@pytest.mark.parametrize("fault", _FAULTY)
def test_fault_of_a_table_is_the_only_finding(fault: str) -> None:
    tables, finding = _FAULTY[fault]
    assert _findings(*tables) == [finding]


def test_reference_without_index_is_flagged_only_where_indexes_are_written_by_hand() -> None:
    tables = (_table("rooms", _ID), _table("beds", _ID, _column("room_id", fk="rooms.id")))
    assert _findings(*tables) == []
    assert _findings(*tables, fk_index="explicit") == [("V07", "minor", "beds(room_id)")]


def test_ddl_is_not_executed_while_something_critical_remains() -> None:
    broken = _table("rooms", _ID, _column("size", "integer", check="nope > 0"))
    assert [validator for validator, *_ in _findings(broken)] == ["V12"]
    assert [validator for validator, *_ in _findings(broken, _table("beds"))] == ["V06"]


def test_every_reference_to_one_missing_table_is_one_mistake() -> None:
    beds = _table("beds", _ID, _column("room_id", fk="rooms.id"))
    keys = _table("door_keys", _ID, _column("room_id", fk="rooms.id"))
    found = [each for each in judge(_design(beds, keys), "dba").findings if each.validator == "V07"]
    assert [(finding.id, finding.caused_by) for finding in found] == [("V07-1", None), ("V07-2", "V07-1")]
    assert score_of(found, 1.0) == 7.0


def test_finding_never_hides_behind_a_lighter_one() -> None:
    judgement = judge(_design(_table("order", _ID), _table("lines", _ID, _column("order_id", fk="orders.id"))), "dba")
    by_validator = {finding.validator: finding for finding in judgement.findings}
    assert by_validator["V05"].severity == "major"
    assert by_validator["V07"].caused_by is None
    assert judgement.score <= 7.0


def test_best_candidate_of_a_lost_reference_is_the_key_that_its_name_means() -> None:
    rooms = _table("rooms", _ID, _column("code", "varchar(9)", uq=True))
    judgement = judge(_design(rooms, _table("beds", _ID, _column("room_id", fk="room.no"))), "dba", Policy(lang="en"))
    finding = judgement.findings[0]
    assert finding.path == "/tables/1/columns/1/fk"
    assert finding.candidates[0] == "rooms.id"
    assert "room" in finding.message


def test_reserved_words_are_those_of_the_dialect_or_of_the_house() -> None:
    groups = _table("groups", _ID)
    assert _findings(groups) == []
    assert [finding[0] for finding in _findings(groups, dialect="mysql")] == ["V05"]
    house = Policy(reserved=frozenset({"rooms"}))
    found = judge(_design(_table("rooms", _ID)), "dba", house).findings
    assert [finding.validator for finding in found if finding.validator in _OURS] == ["V05"]


def test_rule_of_uniqueness_needs_a_unique_key(gold: Artifacts) -> None:
    assert gold.erd is not None
    customers = gold.erd.tables[1]
    columns = tuple(column.model_copy(update={"uq": False}) for column in customers.columns)
    tables = [*gold.erd.tables]
    tables[1] = customers.model_copy(update={"columns": columns})
    erd = gold.erd.model_copy(update={"tables": tuple(tables)})
    judgement = judge(gold.model_copy(update={"erd": erd}), "dba", Policy(lang="en"))
    assert [(finding.validator, finding.ref) for finding in judgement.findings] == [("V06", "customers")]
    assert "BR-01" in judgement.findings[0].message
