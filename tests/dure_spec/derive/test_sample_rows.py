"""Sample rows go into the schema that they are made for."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from dure_spec.artifacts import Erd
from dure_spec.derive.ddl import create_statements
from dure_spec.derive.sample_rows import insert_statements, sample_rows

_GOLD = Path(__file__).parents[2] / "data" / "gold_order_mgmt" / "3_erd.json"


def _column(name: str, kind: str = "bigint", **more: object) -> dict[str, Any]:
    return {"name": name, "logical": name, "type": kind, **more}


def _table(name: str, *columns: dict[str, Any], **more: object) -> dict[str, Any]:
    return {"name": name, "logical": name, "kind": "entity", "reqs": [], "columns": columns, **more}


def _erd(*tables: dict[str, Any]) -> Erd:
    meta = {"dialect": "postgresql", "pk": "bigint identity", "audit": ["created_at"]}
    return Erd.model_validate({"meta": meta, "tables": tables, "relations": []})


def _filled(erd: Erd, rows: int = 3) -> dict[str, int]:
    """Load, insert, check the references; rows of each table."""
    with closing(sqlite3.connect(":memory:")) as engine:
        engine.execute("PRAGMA foreign_keys = ON")
        for statement in (*create_statements(erd, "sqlite"), *insert_statements(erd, rows, "sqlite")):
            engine.execute(statement)
        assert engine.execute("PRAGMA foreign_key_check").fetchall() == []
        return {
            table.name: engine.execute(f'SELECT count(*) FROM "{table.name}"').fetchone()[0] for table in erd.tables
        }


def test_gold_design_takes_its_rows_in_korean() -> None:
    erd = Erd.model_validate_json(_GOLD.read_text(encoding="utf-8"))
    assert set(_filled(erd).values()) == {3}
    assert set(_filled(erd, rows=8).values()) == {8}
    customers = next(group for group in sample_rows(erd) if group.table.name == "customers")
    assert customers.rows[0] == (1, "김서연", "BUS-0001", "010-0000-0001", "서울시 중구 세종대로 1", True)


def test_same_design_gives_the_same_rows() -> None:
    erd = Erd.model_validate_json(_GOLD.read_text(encoding="utf-8"))
    assert insert_statements(erd) == insert_statements(erd)


_SHAPES = {
    "junction with a composite key": (
        _table(
            "grades", _column("student_id", pk=True, fk="students.id"), _column("course_id", pk=True, fk="courses.id")
        ),
        _table("students", _column("id", pk=True)),
        _table("courses", _column("id", pk=True), _column("code", "char(2)", uq=True)),
    ),
    "reference to a composite key": (
        _table("seats", _column("hall", pk=True), _column("no", "integer", pk=True)),
        _table(
            "bookings",
            _column("id", pk=True),
            _column("hall", fk="seats.hall"),
            _column("no", "integer", fk="seats.no"),
        ),
    ),
    "self reference": (_table("nodes", _column("id", pk=True), _column("parent_id", fk="nodes.id", null=True)),),
    "required self reference": (_table("nodes", _column("id", pk=True), _column("parent_id", fk="nodes.id")),),
    "shared key": (
        _table("profiles", _column("user_id", pk=True, fk="users.id"), _column("bio", "text")),
        _table("users", _column("id", pk=True)),
    ),
    "nullable cycle": (
        _table("stores", _column("id", pk=True), _column("manager_id", fk="staff.id", null=True)),
        _table("staff", _column("id", pk=True), _column("store_id", fk="stores.id")),
    ),
    "code table": (
        _table("countries", _column("code", "char(2)", pk=True), _column("name", "varchar(5)"), kind="code"),
        _table("cities", _column("id", pk=True), _column("country_code", "char(2)", fk="countries.code")),
    ),
    "checks": (
        _table(
            "shifts",
            _column("id", "uuid", pk=True),
            _column("level", "integer", check="_ > 10 AND _ < 20"),
            _column("pin", "varchar(6)", check="length(_) = 6"),
            _column("mail", "varchar(80)", check="_ LIKE '%@%'"),
            _column("kind", "varchar(9)", check="_ IN ('day', 'night')"),
            _column("ends_at", "timestamptz", check="ends_at > starts_at"),
            _column("starts_at", "timestamptz"),
            _column("rate", "numeric(3,2)", check="_ BETWEEN 0 AND 1"),
            _column("data", "jsonb"),
        ),
    ),
}


@pytest.mark.parametrize("shape", _SHAPES)
def test_rows_fit_every_shape(shape: str) -> None:
    assert set(_filled(_erd(*_SHAPES[shape])).values()) == {3}


def test_table_holds_no_more_rows_than_its_unique_values_allow() -> None:
    erd = _erd(_table("flags", _column("id", pk=True), _column("on_off", "boolean", uq=True)))
    assert _filled(erd) == {"flags": 2}


def test_text_is_cut_to_the_length_of_its_column_and_stays_unique() -> None:
    erd = _erd(
        _table("tags", _column("id", pk=True), _column("label", "varchar(4)", uq=True, logical="아주 긴 논리 이름"))
    )
    labels = [row[1] for row in sample_rows(erd)[0].rows]
    assert len(set(labels)) == 3
    assert all(isinstance(label, str) and len(label) <= 4 for label in labels)


def test_check_that_never_ends_is_given_up() -> None:
    endless = "_ IN (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0)"
    erd = _erd(_table("loops", _column("id", pk=True), _column("a", "integer", check=endless)))
    assert len(insert_statements(erd)) == 3


def test_texts_with_quotes_stay_texts_in_every_dialect() -> None:
    erd = _erd(_table("notes", _column("id", pk=True), _column("body", "varchar(40)", logical="그것's \\ 제목")))
    assert "'그것''s \\ 제목 1'" in insert_statements(erd, 1, "postgresql")[0]
    assert "'그것''s \\\\ 제목 1'" in insert_statements(erd, 1, "mysql")[0]
