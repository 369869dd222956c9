"""V12: engines speak for themselves, one that is away is no fault of the design, what follows weighs nothing."""

import logging
from collections.abc import Callable
from typing import Any

import pytest
from postgres_server import PASSWORD, running_postgres

from dure.errors import ConfigError
from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.erd import Dialect
from dure_spec.validators import Policy, judge
from dure_spec.validators.ddl_execution import check_ddl
from dure_spec.validators.index import build_index
from dure_spec.validators.policy import Draft

Mutate = Callable[[str, list[dict[str, Any]]], Artifacts]


def _column(name: str, kind: str = "bigint", **more: object) -> dict[str, Any]:
    return {"name": name, "logical": name, "type": kind, **more}


_ID = _column("id", pk=True)


def _table(name: str, *columns: dict[str, Any], **more: object) -> dict[str, Any]:
    return {"name": name, "logical": name, "kind": "code", "reqs": [], "columns": columns, **more}


def _drafts(
    *tables: dict[str, Any], dialect: Dialect = "postgresql", policy: Policy | None = None
) -> list[tuple[str, str, str]]:
    meta: dict[str, Any] = {"dialect": dialect, "pk": "bigint identity", "audit": []}
    artifacts = Artifacts.model_validate({"erd": {"meta": meta, "tables": tables, "relations": []}})
    found = check_ddl(build_index(artifacts), policy or Policy(lang="en"))
    return [(draft.severity, draft.ref, draft.path) for draft in found]


def _texts(drafts: list[Draft]) -> list[str]:
    return [draft.text.write("en", draft.values) for draft in drafts]


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
