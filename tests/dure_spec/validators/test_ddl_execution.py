"""V12: what is found on the way from a design to rows, on which engine, and what is not complained of."""

from typing import Any

import pytest

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.erd import Dialect
from dure_spec.validators import Policy
from dure_spec.validators.ddl_execution import check_ddl
from dure_spec.validators.index import build_index


def _column(name: str, kind: str = "bigint", **more: object) -> dict[str, Any]:
    return {"name": name, "logical": name, "type": kind, **more}


_ID = _column("id", pk=True)


def _table(name: str, *columns: dict[str, Any], **more: object) -> dict[str, Any]:
    return {"name": name, "logical": name, "kind": "code", "reqs": [], "columns": columns, **more}


def _later(column: str, table: str) -> dict[str, Any]:
    return {"columns": [column], "table": table, "targets": ["id"], "deferrable": True}


def _drafts(
    *tables: dict[str, Any], dialect: Dialect = "postgresql", policy: Policy | None = None
) -> list[tuple[str, str, str]]:
    meta: dict[str, Any] = {"dialect": dialect, "pk": "bigint identity", "audit": []}
    artifacts = Artifacts.model_validate({"erd": {"meta": meta, "tables": tables, "relations": []}})
    found = check_ddl(build_index(artifacts), policy or Policy(lang="en"))
    return [(draft.severity, draft.ref, draft.path) for draft in found]


_FAULTY: dict[str, tuple[Dialect, tuple[dict[str, Any], ...], tuple[str, str, str]]] = {
    "default that is not in the list": (
        "postgresql",
        (_table("rooms", _ID, _column("kind", "varchar(9)", enum=["A", "B"], default="C")),),
        ("major", "ddl:rooms.kind", "/tables/0/columns/1/default"),
    ),
    "check that no number passes": (
        "postgresql",
        (_table("rooms", _ID, _column("size", "integer", check="_ > 10 AND _ < 5")),),
        ("major", "ddl:rooms.size", "/tables/0/columns/1/check"),
    ),
    "check that no value of the list passes": (
        "sqlite",
        (_table("rooms", _ID, _column("kind", "varchar(9)", enum=["A", "B"], check="_ IN ('a', 'b')")),),
        ("major", "ddl:rooms.kind", "/tables/0/columns/1/check"),
    ),
    "check that asks for more than the type holds": (
        "postgresql",
        (_table("rooms", _ID, _column("code", "varchar(3)", check="length(_) > 10")),),
        ("major", "ddl:rooms.code", "/tables/0/columns/1/check"),
    ),
    "default that its own check refuses": (
        "postgresql",
        (_table("rooms", _ID, _column("size", "integer", check="_ > 0", default=0)),),
        ("major", "ddl:rooms.size", "/tables/0/columns/1/check"),
    ),
    "scale beyond the precision": (
        "mysql",
        (_table("rooms", _ID, _column("size", "numeric(2,5)")),),
        ("critical", "ddl:rooms.size", "/tables/0/columns/1/type"),
    ),
    "type of PostgreSQL in MySQL": (
        "mysql",
        (_table("rooms", _ID, _column("at", "timestamptz")),),
        ("critical", "ddl:rooms.at", "/tables/0/columns/1/type"),
    ),
    "type of MySQL in Oracle": (
        "oracle",
        (_table("rooms", _column("id", "number(19)", pk=True), _column("at", "datetime")),),
        ("critical", "ddl:rooms.at", "/tables/0/columns/1/type"),
    ),
    "default that is too long for MySQL": (
        "mysql",
        (_table("rooms", _ID, _column("code", "varchar(3)", default="ABCD")),),
        ("critical", "ddl:rooms.code", "/tables/0/columns/1/default"),
    ),
    "clock in a check of MySQL": (
        "mysql",
        (_table("rooms", _ID, _column("day", "date", check="_ <= CURRENT_DATE")),),
        ("critical", "ddl:rooms.day", "/tables/0/columns/1/check"),
    ),
    "clock in a check of Oracle": (
        "oracle",
        (_table("rooms", _column("id", "number(19)", pk=True), _column("day", "date", check="_ <= SYSDATE")),),
        ("critical", "ddl:rooms.day", "/tables/0/columns/1/check"),
    ),
    "cast of PostgreSQL in SQLite": (
        "sqlite",
        (_table("rooms", _ID, _column("code", "varchar(9)", check="_::text <> ''")),),
        ("critical", "ddl:rooms.code", "/tables/0/columns/1/check"),
    ),
    "long text as a key of MySQL": (
        "mysql",
        (_table("rooms", _ID, _column("code", "text", uq=True)),),
        ("critical", "ddl:rooms.code", "/tables/0/columns/1/type"),
    ),
    "json as a key of PostgreSQL": (
        "postgresql",
        (_table("rooms", _ID, _column("data", "json"), indexes=[["data"]]),),
        ("critical", "ddl:rooms.data", "/tables/0/columns/1/type"),
    ),
    "unique key over a column that is not there": (
        "postgresql",
        (_table("rooms", _ID, uniques=[["nope"]]),),
        ("critical", "ddl:rooms", "/tables/0/uniques/0"),
    ),
    "reference from a column that is not there": (
        "postgresql",
        (
            _table("halls", _ID),
            _table("rooms", _ID, refs=[{"columns": ["hall_id"], "table": "halls", "targets": ["id"]}]),
        ),
        ("critical", "ddl:rooms", "/tables/1/refs/0"),
    ),
    "table that is there twice": (
        "postgresql",
        (_table("rooms", _ID), _table("Rooms", _ID)),
        ("critical", "ddl:Rooms", "/tables/1/name"),
    ),
    "rows that need each other": (
        "postgresql",
        (_table("eggs", _ID, _column("hen_id", fk="hens.id")), _table("hens", _ID, _column("egg_id", fk="eggs.id"))),
        ("major", "ddl:eggs", "/tables/0"),
    ),
    "tables that SQLite cannot drop while they hold rows": (
        "sqlite",
        (
            _table("eggs", _ID, _column("hen_id"), refs=[_later("hen_id", "hens")]),
            _table("hens", _ID, _column("egg_id"), refs=[_later("egg_id", "eggs")]),
        ),
        ("minor", "ddl:schema", "/tables"),
    ),
}


@pytest.mark.parametrize("fault", _FAULTY)
def test_fault_is_the_only_finding_and_stands_where_it_was_made(fault: str) -> None:
    dialect, tables, finding = _FAULTY[fault]
    assert _drafts(*tables, dialect=dialect) == [finding]


_SOUND: dict[str, tuple[Dialect, tuple[dict[str, Any], ...]]] = {
    "references over two columns, a second one, and a deferred circle": (
        "postgresql",
        (
            _table("seats", _column("hall", pk=True), _column("no", "integer", pk=True)),
            _table(
                "bookings",
                _ID,
                _column("hall"),
                _column("no", "integer"),
                _column("old_hall", null=True),
                _column("old_no", "integer", null=True),
                refs=[
                    {"columns": ["hall", "no"], "table": "seats", "targets": ["hall", "no"], "on_delete": "CASCADE"},
                    {"columns": ["old_hall", "old_no"], "table": "seats", "targets": ["hall", "no"]},
                ],
            ),
            _table(
                "eggs", _ID, _column("hen_id"),
                refs=[_later("hen_id", "hens")],
            ),
            _table(
                "hens", _ID, _column("egg_id"),
                refs=[_later("egg_id", "eggs")],
            ),
        ),
    ),
    "names that must be quoted, also in checks": (
        "postgresql",
        (
            _table(
                "order", _ID, _column("user", "text", check="user <> ''"), _column("이름", "text", check="이름 <> ''"),
                _column("unitPrice", "numeric(9,2)", check="unitPrice > 0 AND UNITPRICE < 100"),
            ),
        ),
    ),
    "names that would be the same when cut to the length of an identifier": (
        "postgresql",
        (
            _table("a" * 40, _ID),
            _table("b" * 50, _ID, *(_column(f"{'c' * 40}{letter}", fk=f"{'a' * 40}.id") for letter in "xyz")),
        ),
    ),
    "patterns": (
        "postgresql",
        (
            _table(
                "people", _ID,
                _column("phone", "varchar(20)", check=r"_ ~ '^01[016789]-\d{3,4}-\d{4}$'"),
                _column("mail", "varchar(99)", check=r"_ ~* '^[^@]+@[^@]+\.[a-z]{2,}$'", uq=True),
                _column("code", "varchar(9)", check="_ SIMILAR TO '(A|B)[0-9]+'"),
            ),
        ),
    ),
    "checks over two columns": (
        "postgresql",
        (
            _table(
                "stays", _ID, _column("begins", "date"), _column("ends", "date", check="ends >= begins"),
                _column("paid", "boolean", check="NOT paid OR begins IS NOT NULL", default=False),
            ),
        ),
    ),
    "default whose check cannot be tried": (
        "postgresql",
        (_table("rooms", _ID, _column("code", "varchar(9)", check="_ SIMILAR TO 'B%'", default="A")),),
    ),
    "nullable circle": (
        "postgresql",
        (
            _table("stores", _ID, _column("manager_id", fk="clerks.id", null=True)),
            _table("clerks", _ID, _column("store_id", fk="stores.id")),
        ),
    ),
    "types of MySQL": (
        "mysql",
        (
            _table(
                "rooms", _column("id", "bigint unsigned", pk=True), _column("note", "mediumtext"),
                _column("at", "datetime", default="now()"), _column("flag", "tinyint(1)", default=0),
                _column("code", "varchar(9)", check="_ REGEXP '^A'"), _column("day", "year"),
            ),
        ),
    ),
    "types of Oracle": (
        "oracle",
        (
            _table(
                "rooms", _column("id", "NUMBER(10)", pk=True), _column("price", "NUMBER(8,2)"),
                _column("code", "VARCHAR2(10 CHAR)", check="REGEXP_LIKE(_, '^A')"), _column("at", "TIMESTAMP(6)"),
                _column("note", "CLOB"), _column("seen", "DATE", default="sysdate"),
            ),
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("shape", _SOUND)
def test_sound_design_is_taken_by_sqlite(shape: str) -> None:
    dialect, tables = _SOUND[shape]
    assert _drafts(*tables, dialect=dialect) == []


@pytest.mark.parametrize("shape", _SOUND)
def test_sound_design_is_taken_by_postgresql_where_it_is_meant_for_it(shape: str, postgres_url: str) -> None:
    dialect, tables = _SOUND[shape]
    assert _drafts(*tables, dialect=dialect, policy=Policy(lang="en", postgresql=postgres_url)) == []
