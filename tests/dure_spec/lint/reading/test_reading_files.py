"""Schemas of other people, whole: what a database loads from each file is what is read of it."""

import json
from pathlib import Path

import pytest

from dure_spec.artifacts.erd import Dialect, Erd
from dure_spec.lint.reading import read_source
from dure_spec.lint.source import SourceSchema

_FOLDER = Path(__file__).resolve().parents[5] / "shared" / "data" / "ddl"
pytestmark = pytest.mark.skipif(not _FOLDER.is_dir(), reason="the folder with the DDL files is not here")

# tables, columns, foreign keys: what PostgreSQL 15 reports of chinook_pg, northwind_pg, defog_ewallet and sakila_pg,
# and of the others what the reader says now, pinned
_COUNTS: dict[str, tuple[Dialect, int, int, int]] = {
    "chinook_pg": ("postgresql", 11, 64, 11),
    "northwind_pg": ("postgresql", 14, 92, 13),
    "defog_ewallet": ("postgresql", 9, 96, 2),
    "chinook_mysql_pascalcase": ("mysql", 11, 64, 11),
    "sakila_pg": ("postgresql", 21, 123, 40),
    "petclinic_pg": ("postgresql", 7, 24, 5),
    "defog_broker": ("postgresql", 4, 43, 0),
    "defog_academic": ("postgresql", 15, 42, 0),
    "defog_yelp": ("postgresql", 7, 37, 0),
    "northwind_sqlite_spaces": ("sqlite", 13, 88, 13),
    "oracle_hr": ("oracle", 7, 35, 10),
}


def _read(name: str) -> SourceSchema:
    return read_source((_FOLDER / f"{name}.sql").read_text())


def _foreign_keys(erd: Erd) -> int:
    return sum(len(table.refs) + sum(column.fk is not None for column in table.columns) for table in erd.tables)


@pytest.mark.parametrize("name", _COUNTS)
def test_dialect_tables_columns_and_foreign_keys_of_a_file(name: str) -> None:
    source = _read(name)
    counts = len(source.erd.tables), sum(len(table.columns) for table in source.erd.tables), _foreign_keys(source.erd)
    assert (source.dialect, *counts) == _COUNTS[name]
    assert source.guessed
    assert source.faults == ()


def test_every_judged_file_is_counted() -> None:
    judged = json.loads((_FOLDER / "expected_verdicts.json").read_text())
    assert {Path(entry["file"]).stem for entry in judged} == set(_COUNTS)


@pytest.mark.parametrize("name", _COUNTS)
def test_spans_lead_to_what_the_schema_says(name: str) -> None:
    source = _read(name)
    for number, table in enumerate(source.erd.tables):
        span = source.spans[f"/tables/{number}/name"]
        assert table.name in source.text[span.start : span.end]
        assert source.line_of(f"/tables/{number}/name") == source.text.count("\n", 0, span.start) + 1
        for place, column in enumerate(table.columns):
            path = f"/tables/{number}/columns/{place}"
            span = source.spans[path]
            own = source.spans.get(f"{path}/name")
            if own is not None:
                assert column.name in source.text[own.start : own.end]
                assert span.start <= own.start <= own.end <= span.end
            if column.fk is not None:
                key = source.spans[f"{path}/fk"]
                assert "REFERENCES" in source.text[key.start : key.end].upper()


def test_the_same_schema_in_two_dialects_has_the_same_kinds_and_keys() -> None:
    first, second = _read("chinook_pg").erd, _read("chinook_mysql_pascalcase").erd
    by_name = {table.name.replace("_", "").lower(): table for table in first.tables}
    for table in second.tables:
        other = by_name[table.name.lower()]
        assert table.kind == other.kind
        assert [column.pk for column in table.columns] == [column.pk for column in other.columns]
    assert {table.name: table.kind for table in first.tables if table.kind != "entity"} == {
        "artist": "code",
        "genre": "code",
        "media_type": "code",
        "playlist": "code",
        "playlist_track": "junction",
    }


def test_two_foreign_keys_alone_make_no_junction() -> None:
    kinds = {table.name: table.kind for table in _read("sakila_pg").erd.tables}
    assert (kinds["inventory"], kinds["store"], kinds["film_actor"]) == ("entity", "entity", "junction")


def test_children_have_the_columns_of_their_parent_and_not_its_key() -> None:
    tables = {table.name: table for table in _read("sakila_pg").erd.tables}
    parent, child = tables["payment"], tables["payment_p2007_01"]
    assert [column.name for column in child.columns] == [column.name for column in parent.columns]
    assert [column.name for column in parent.columns if column.pk] == ["payment_id"]
    assert not any(column.pk for column in child.columns)
    assert [column.fk for column in child.columns if column.fk] == [
        "customer.customer_id",
        "staff.staff_id",
        "rental.rental_id",
    ]


def test_a_key_that_is_only_unique_is_no_primary_key() -> None:
    table = next(table for table in _read("petclinic_pg").erd.tables if table.name == "vet_specialties")
    assert table.uniques == (("vet_id", "specialty_id"),)
    assert not any(column.pk for column in table.columns)


def test_comments_and_history_of_oracle_are_seen() -> None:
    tables = {table.name: table for table in _read("oracle_hr").erd.tables}
    assert tables["job_history"].kind == "history"
    assert tables["regions"].logical.startswith("Regions table")
    columns = {column.name: column for column in tables["employees"].columns}
    assert (columns["manager_id"].fk, columns["manager_id"].null) == ("employees.employee_id", True)
    assert columns["salary"].check == "salary > 0"
