"""DDL of the gold design and of shapes that it does not have."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from dure_spec.artifacts import Erd
from dure_spec.artifacts.erd import Dialect
from dure_spec.derive.ddl import create_statements, schema_sql

_GOLD = Path(__file__).parents[2] / "data" / "gold_order_mgmt"
_DIALECTS: tuple[Dialect, ...] = ("postgresql", "sqlite", "mysql")


def _gold() -> Erd:
    return Erd.model_validate_json((_GOLD / "3_erd.json").read_text(encoding="utf-8"))


def _column(name: str, kind: str = "bigint", **more: object) -> dict[str, Any]:
    return {"name": name, "logical": name, "type": kind, **more}


def _table(name: str, *columns: dict[str, Any], **more: object) -> dict[str, Any]:
    return {"name": name, "logical": name, "kind": "code", "reqs": [], "columns": columns, **more}


def _erd(*tables: dict[str, Any], **meta: object) -> Erd:
    head = {"dialect": "postgresql", "pk": "bigint identity", "audit": ["created_at"], **meta}
    return Erd.model_validate({"meta": head, "tables": tables, "relations": []})


def _load(erd: Erd) -> sqlite3.Connection:
    engine = sqlite3.connect(":memory:")
    engine.execute("PRAGMA foreign_keys = ON")
    for statement in create_statements(erd, "sqlite"):
        engine.execute(statement)
    return engine


def test_gold_design_gives_the_gold_ddl_but_for_two_indexes_that_a_unique_key_makes_needless() -> None:
    text = (_GOLD / "3_ddl.sql").read_text(encoding="utf-8")
    wanted = {statement.strip() for statement in text.split(";") if statement.strip()}
    made = create_statements(_gold())
    assert set(made) - wanted == set()
    assert wanted - set(made) == {
        "CREATE INDEX ix_order_items_purchase_order_id ON order_items (purchase_order_id)",
        "CREATE INDEX ix_shipments_purchase_order_id ON shipments (purchase_order_id)",
    }


def test_schema_file_for_sqlite_runs_as_it_is_and_names_things_in_korean() -> None:
    text = schema_sql(_gold(), "sqlite")
    with closing(sqlite3.connect(":memory:")) as engine:
        engine.executescript(text)
        names = {name for (name,) in engine.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert names == {table.name for table in _gold().tables}
    assert "-- 주문 (FR-004, FR-005, FR-006)\nCREATE TABLE purchase_orders (" in text
    assert "customer_id bigint NOT NULL, -- 고객ID" in text


def test_referenced_tables_come_first() -> None:
    erd = _erd(
        _table("cities", _column("id", pk=True), _column("country_code", "char(2)", fk="countries.code")),
        _table("countries", _column("code", "char(2)", pk=True)),
    )
    first, second, *_ = (statement.split(" (")[0] for statement in create_statements(erd, "sqlite"))
    assert (first, second) == ("CREATE TABLE countries", "CREATE TABLE cities")


def test_cycle_of_references_loads() -> None:
    erd = _erd(
        _table("stores", _column("id", pk=True), _column("manager_id", fk="staff.id", null=True)),
        _table("staff", _column("id", pk=True), _column("store_id", fk="stores.id")),
    )
    with closing(_load(erd)) as engine:
        engine.execute("INSERT INTO stores VALUES (1, NULL)")
        engine.execute("INSERT INTO staff VALUES (1, 1)")
        engine.execute("UPDATE stores SET manager_id = 1")
        with pytest.raises(sqlite3.IntegrityError):
            engine.execute("UPDATE stores SET manager_id = 2")
    alters = [each for each in create_statements(erd, "postgresql") if each.startswith("ALTER TABLE")]
    assert len(alters) == 2


def test_columns_that_reference_one_composite_key_make_one_foreign_key() -> None:
    erd = _erd(
        _table("seats", _column("hall", pk=True), _column("no", "integer", pk=True)),
        _table(
            "bookings",
            _column("id", pk=True),
            _column("hall", fk="seats.hall"),
            _column("no", "integer", fk="seats.no"),
        ),
    )
    assert (
        "ALTER TABLE bookings ADD CONSTRAINT fk_bookings_hall_no FOREIGN KEY (hall, no) REFERENCES seats (hall, no)"
        in create_statements(erd, "postgresql")
    )
    with closing(_load(erd)) as engine:
        engine.execute("INSERT INTO seats VALUES (1, 7)")
        engine.execute("INSERT INTO bookings VALUES (1, 1, 7)")
        with pytest.raises(sqlite3.IntegrityError):
            engine.execute("INSERT INTO bookings VALUES (2, 7, 1)")


def test_underscore_in_a_check_stands_for_the_column_but_not_inside_a_text() -> None:
    erd = _erd(_table("marks", _column("score", "integer", check="_ >= 0 AND 'a_b _' <> ''")))
    assert "CHECK (score >= 0 AND 'a_b _' <> '')" in create_statements(erd)[0]


def test_check_that_sqlite_cannot_evaluate_stays_in_postgresql_only() -> None:
    erd = _erd(_table("people", _column("phone", "varchar(20)", check="_ ~ '^[0-9-]+$'")))
    assert "CHECK (phone ~ '^[0-9-]+$')" in create_statements(erd, "postgresql")[0]
    with closing(_load(erd)) as engine:
        engine.execute("INSERT INTO people VALUES ('010-1')")


@pytest.mark.parametrize(
    ("column", "postgresql", "sqlite"),
    [
        (_column("a", "boolean", default=True), "a boolean NOT NULL DEFAULT true", "a boolean NOT NULL DEFAULT 1"),
        (_column("a", "boolean", default="FALSE"), "DEFAULT false", "DEFAULT 0"),
        (_column("a", "varchar(9)", default="it's"), "DEFAULT 'it''s'", "DEFAULT 'it''s'"),
        (_column("a", "varchar(9)", default="'NEW'"), "DEFAULT 'NEW'", "DEFAULT 'NEW'"),
        (_column("a", "integer", default="5"), "DEFAULT 5", "DEFAULT 5"),
        (_column("a", "timestamptz", default="now()"), "DEFAULT now()", "DEFAULT CURRENT_TIMESTAMP"),
        (_column("a", "date", default="now()"), "DEFAULT CURRENT_DATE", "DEFAULT CURRENT_DATE"),
        (_column("a", "uuid", default="gen_random_uuid()"), "DEFAULT gen_random_uuid()", "lower(hex(randomblob(16)))"),
        (_column("a", "varchar(9)", enum=["it's", "b"]), "CHECK (a IN ('it''s','b'))", "CHECK (a IN ('it''s','b'))"),
        (_column("a", "jsonb", null=True), "a jsonb", "a text"),
        (_column("order", "integer"), '"order" integer', '"order" integer'),
        (_column("이름", "text"), '"이름" text', '"이름" text'),
    ],
)
def test_column_is_written_as_each_engine_wants_it(column: dict[str, Any], postgresql: str, sqlite: str) -> None:
    erd = _erd(_table("things", column))
    assert postgresql in create_statements(erd, "postgresql")[0]
    assert sqlite in create_statements(erd, "sqlite")[0]
    _load(erd).close()


def test_audit_columns_stand_on_entities_once() -> None:
    erd = _erd(
        _table("a", _column("id", pk=True), kind="entity"),
        _table("b", _column("id", pk=True), _column("created_at", "date"), kind="entity"),
        _table("c", _column("id", pk=True), kind="log"),
    )
    with closing(_load(erd)) as engine:
        found = {
            name: [str(row[1]) for row in engine.execute("SELECT * FROM pragma_table_info(?)", (name,))]
            for name in "abc"
        }
    assert found == {"a": ["id", "created_at"], "b": ["id", "created_at"], "c": ["id"]}


@pytest.mark.parametrize("dialect", _DIALECTS)
def test_same_design_gives_the_same_text(dialect: Dialect) -> None:
    assert schema_sql(_gold(), dialect) == schema_sql(_gold(), dialect)


def test_logical_name_with_a_line_break_cannot_leave_its_comment() -> None:
    erd = _erd(_table("a", _column("id", pk=True), logical="x\nDROP TABLE a;"))
    for dialect in _DIALECTS:
        lines = schema_sql(erd, dialect).splitlines()
        assert not any(line.startswith("DROP") for line in lines)


def test_type_that_is_no_type_cannot_end_the_statement() -> None:
    erd = _erd(_table("a", _column("b", "int); DROP TABLE a; --")))
    with closing(_load(erd)) as engine:
        assert len(engine.execute("SELECT * FROM pragma_table_info('a')").fetchall()) == 1


def test_design_without_tables_gives_no_statement() -> None:
    assert create_statements(_erd()) == ()
    assert "0 tables" in schema_sql(_erd())
