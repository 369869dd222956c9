"""V12: what is found on the way from a design to rows, on which engine, and what is not complained of."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from postgres_server import PASSWORD, running_postgres

from dure.errors import ConfigError
from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.erd import Dialect
from dure_spec.lint.reading import read_source
from dure_spec.validators import Policy, judge
from dure_spec.validators.ddl_execution import check_ddl
from dure_spec.validators.index import build_index
from dure_spec.validators.policy import Draft

_REAL = Path(__file__).parents[4] / "shared" / "data" / "ddl"
Mutate = Callable[[str, list[dict[str, Any]]], Artifacts]


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


def _texts(drafts: list[Draft]) -> list[str]:
    return [draft.text.write("en", draft.values) for draft in drafts]


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


def test_gold_design_is_taken_by_postgresql(gold: Artifacts, postgres_url: str) -> None:
    judgement = judge(gold, "dba", Policy(postgresql=postgres_url))
    assert (judgement.score, judgement.findings) == (10.0, ())


def test_postgresql_speaks_for_itself_with_its_state_and_the_statement(postgres_url: str) -> None:
    long_name = "x" * 70
    tables = (_table(long_name, _ID), _table("rooms", _ID))
    meta: dict[str, Any] = {"dialect": "postgresql", "pk": "bigint identity", "audit": []}
    artifacts = Artifacts.model_validate({"erd": {"meta": meta, "tables": tables, "relations": []}})
    (draft,) = check_ddl(build_index(artifacts), Policy(lang="en", postgresql=postgres_url))
    assert (draft.severity, draft.path) == ("critical", "/tables/0")
    assert long_name in draft.text.write("en", draft.values)
    assert "PostgreSQL" in draft.text.write("en", draft.values)
    cycle = (_table("eggs", _ID, _column("hen_id", fk="hens.id")), _table("hens", _ID, _column("egg_id", fk="eggs.id")))
    artifacts = Artifacts.model_validate({"erd": {"meta": meta, "tables": cycle, "relations": []}})
    (draft,) = check_ddl(build_index(artifacts), Policy(lang="en", postgresql=postgres_url))
    said = draft.text.write("en", draft.values)
    assert all(part in said for part in ("PostgreSQL: 23503", "fk_eggs_hen_id", "INSERT INTO eggs"))


def test_sqlite_speaks_for_itself_where_a_column_is_at_fault() -> None:
    columns = (_column(f"c{number}", "integer") for number in range(2100))
    ((severity, ref, path),) = _drafts(_table("wide", _ID, *columns))
    assert (severity, ref, path) == ("critical", "ddl:wide", "/tables/0")


def test_server_that_is_away_leaves_the_judgement_to_sqlite_and_says_so(
    gold: Artifacts, caplog: pytest.LogCaptureFixture
) -> None:
    with running_postgres() as postgres:
        url = postgres.url
    with caplog.at_level(logging.WARNING):
        judgement = judge(gold, "dba", Policy(postgresql=url))
    assert judgement.findings == ()
    assert "SQLite alone" in caplog.text
    assert PASSWORD not in caplog.text


def test_url_that_is_none_is_an_error_of_whoever_set_it(gold: Artifacts) -> None:
    with pytest.raises(ConfigError, match="postgresql://"):
        judge(gold, "dba", Policy(postgresql="mysql://me:s3cret@127.0.0.1/none"))


def test_finding_says_what_is_wrong_and_what_would_be_right(mutate: Mutate) -> None:
    artifacts = mutate("erd", [{"op": "replace", "path": "/tables/2/columns/4/check", "value": "stock_count >= 0"}])
    (finding,) = (each for each in judge(artifacts, "dba", Policy(lang="en")).findings if each.validator == "V12")
    assert finding.message == "column 'stock_count' does not exist in products, but its CHECK uses it: stock_count >= 0"
    assert (finding.path, finding.expected) == ("/tables/2/columns/4/check", "stock_qty")


def test_what_follows_from_a_table_that_cannot_be_made_weighs_nothing() -> None:
    wide = _table("wide", _ID, *(_column(f"c{number}", "integer") for number in range(2100)), indexes=[["c1"]])
    parts = _table("parts", _ID, _column("wide_id", fk="wide.id"))
    meta: dict[str, Any] = {"dialect": "postgresql", "pk": "bigint identity", "audit": []}
    artifacts = Artifacts.model_validate({"erd": {"meta": meta, "tables": [wide, parts], "relations": []}})
    drafts = list(check_ddl(build_index(artifacts), Policy(lang="en")))
    roots = [draft for draft in drafts if not draft.cause or draft.topic == draft.cause]
    assert [draft.ref for draft in roots] == ["ddl:wide"]
    assert len(drafts) > 1, _texts(drafts)


def _source(text: str, dialect: Dialect, policy: Policy | None = None) -> list[tuple[str, str]]:
    source = read_source(text, dialect)
    policy = policy or Policy(lang="en", origin="source", dialect=dialect)
    found = list(check_ddl(build_index(Artifacts(erd=source.erd)), policy))
    return [(draft.ref, draft.text.write("en", draft.values)) for draft in found]


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        (
            "postgresql",
            "CREATE TYPE mood AS ENUM ('a'); CREATE DOMAIN year AS integer CHECK (VALUE > 1900);\n"
            "CREATE TABLE t (id serial PRIMARY KEY, m mood, y year, v vector(3), s tsvector, g geometry(Point, 4326), "
            "n my_schema.own_type, p money DEFAULT '$0', c citext CHECK (my_check(c)), "
            "d integer DEFAULT nextval('t_id_seq'::regclass), k text CHECK (other.fits(k)), e int4range, "
            "CHECK (to_tsvector('english', k) IS NOT NULL), EXCLUDE USING gist (e WITH &&));",
        ),
        (
            "mysql",
            "CREATE TABLE t (id int unsigned NOT NULL AUTO_INCREMENT, e enum('a','b') DEFAULT 'a', s set('a','b'), "
            "j json, b bit(8) DEFAULT b'0', y year, m mediumtext, g geometry, d datetime(6) DEFAULT "
            "CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6), z date DEFAULT '0000-00-00', CHECK (json_valid(j)), "
            'CHECK (m <> "text in quotes"), PRIMARY KEY (id), KEY k (m(20)), FULLTEXT KEY f (m));',
        ),
        (
            "oracle",
            "CREATE TABLE t (id NUMBER(6) GENERATED ALWAYS AS IDENTITY, c VARCHAR2(20 BYTE) DEFAULT SYS_GUID(), "
            "d DATE DEFAULT SYSDATE, x XMLTYPE, r ROWID, o MDSYS.SDO_GEOMETRY, b BLOB, "
            "CONSTRAINT k CHECK (REGEXP_LIKE(c, '^A') AND own_package.fits(c) = 1), CONSTRAINT p PRIMARY KEY (id));",
        ),
        (
            "sqlite",
            "CREATE TABLE t (id INTEGER PRIMARY KEY, n, a ANYTHING, d DEFAULT (datetime('now')), "
            "CHECK (typeof(n) = \"text\" AND n GLOB 'a*'));",
        ),
    ],
)
def test_source_is_not_blamed_for_what_its_own_engine_takes(dialect: Dialect, text: str) -> None:
    assert _source(text, dialect) == []


@pytest.mark.parametrize("dialect", ["postgresql", "mysql", "oracle", "sqlite"])
def test_source_whose_check_or_index_names_a_missing_column_is_blamed(dialect: Dialect) -> None:
    text = "CREATE TABLE t (id int PRIMARY KEY, size int, CHECK (siez > 0));"
    assert [ref for ref, _ in _source(text, dialect)] == ["ddl:t.id"]
    text = "CREATE TABLE t (id int PRIMARY KEY, size int CHECK (siez > 0));"
    ((ref, said),) = _source(text, dialect)
    assert ref in ("ddl:t.size", "ddl:t.id")
    assert "'siez'" in said


def test_source_of_postgresql_with_a_default_that_is_no_number_is_blamed() -> None:
    ((ref, said),) = _source("CREATE TABLE t (id int PRIMARY KEY, size int DEFAULT 'none');", "postgresql")
    assert (ref, said) == ("ddl:t.size", "default 'none' is no value of int")


@pytest.mark.parametrize("path", sorted(_REAL.glob("*.sql")), ids=lambda path: path.stem)
def test_real_file_that_loads_on_its_own_engine_has_no_finding(path: Path) -> None:
    source = read_source(path.read_text(encoding="utf-8"))
    policy = Policy(lang="en", origin="source", dialect=source.dialect)
    assert _texts(list(check_ddl(build_index(Artifacts(erd=source.erd)), policy))) == []
