"""References that no single column can say, wherever a design is shown or used."""

from typing import Any

import pytest

from dure_spec.artifacts import Artifacts, Erd
from dure_spec.artifacts.erd import Dialect
from dure_spec.derive.data_dictionary import data_dictionary
from dure_spec.derive.dbml import dbml_source
from dure_spec.derive.ddl import create_statements, drop_statements
from dure_spec.derive.mermaid import er_diagram
from dure_spec.derive.sample_rows import sample_rows
from dure_spec.derive.schema_view import targets


def _column(name: str, kind: str = "bigint", **more: object) -> dict[str, Any]:
    return {"name": name, "logical": name, "type": kind, **more}


def _table(name: str, *columns: dict[str, Any], **more: object) -> dict[str, Any]:
    return {"name": name, "logical": name, "kind": "code", "reqs": [], "columns": columns, **more}


def _erd(*tables: dict[str, Any], dialect: Dialect = "postgresql") -> Erd:
    meta: dict[str, Any] = {"dialect": dialect, "pk": "bigint identity", "audit": []}
    return Erd.model_validate({"meta": meta, "tables": tables, "relations": []})


def _booked(*refs: dict[str, Any], dialect: Dialect = "postgresql") -> Erd:
    return _erd(
        _table("bookings", _column("id", pk=True), _column("hall"), _column("seat", "integer"), refs=refs),
        _table("seats", _column("hall", pk=True), _column("no", "integer", pk=True)),
        dialect=dialect,
    )


_SEAT = {"columns": ["hall", "seat"], "table": "seats", "targets": ["hall", "no"], "on_delete": "CASCADE"}
_LATER = {**_SEAT, "deferrable": True}


def test_reference_over_two_columns_is_one_constraint_and_one_index() -> None:
    assert [each for each in create_statements(_booked(_SEAT)) if "hall_seat" in each] == [
        "ALTER TABLE bookings ADD CONSTRAINT fk_bookings_hall_seat FOREIGN KEY (hall, seat) "
        "REFERENCES seats (hall, no) ON DELETE CASCADE",
        "CREATE INDEX ix_bookings_hall_seat ON bookings (hall, seat)",
    ]


@pytest.mark.parametrize(
    ("dialect", "deferred"), [("postgresql", True), ("sqlite", True), ("oracle", True), ("mysql", False)]
)
def test_deferrable_reference_waits_where_the_engine_can_wait(dialect: Dialect, deferred: bool) -> None:
    text = "\n".join(create_statements(_booked(_LATER, dialect=dialect)))
    assert text.count("REFERENCES seats") == 1
    assert ("DEFERRABLE INITIALLY DEFERRED" in text) is deferred


def test_reference_that_is_declared_twice_is_made_once() -> None:
    text = "\n".join(create_statements(_booked(_SEAT, _SEAT)))
    assert text.count("ADD CONSTRAINT") == 1
    assert dbml_source(Artifacts(erd=_booked(_SEAT, _SEAT))).count("Ref: ") == 1


def test_second_reference_of_a_column_gets_a_name_of_its_own() -> None:
    erd = _erd(
        _table("people", _column("id", pk=True)),
        _table("firms", _column("id", pk=True)),
        _table(
            "payers",
            _column("id", pk=True),
            _column("party_id", fk="people.id"),
            refs=[{"columns": ["party_id"], "table": "firms", "targets": ["id"]}],
        ),
    )
    names = [each.split()[5] for each in create_statements(erd) if "ADD CONSTRAINT" in each]
    assert names == ["fk_payers_party_id", "fk_payers_party_id_2"]


def test_long_names_of_objects_stay_apart_within_the_length_of_an_identifier() -> None:
    columns = [_column(f"{'c' * 40}{letter}", fk=f"{'a' * 40}.id") for letter in "xyz"]
    erd = _erd(_table("a" * 40, _column("id", pk=True)), _table("b" * 50, _column("id", pk=True), *columns))
    names = [each.split()[5] for each in create_statements(erd) if "ADD CONSTRAINT" in each]
    names += [each.split()[2] for each in create_statements(erd) if each.startswith("CREATE INDEX")]
    assert len(set(names)) == 6
    assert max(len(name) for name in names) <= 63


def test_rows_follow_the_reference() -> None:
    rows = {group.table.name: group.rows for group in sample_rows(_booked(_SEAT))}
    assert {row[1:] for row in rows["bookings"]} <= set(rows["seats"])


def test_reference_with_too_few_targets_gives_rows_and_statements_all_the_same() -> None:
    erd = _booked({**_SEAT, "targets": ["hall"]})
    assert len(sample_rows(erd)) == 2
    assert create_statements(erd)


def test_reference_is_drawn_and_written_down() -> None:
    erd = _booked(_SEAT)
    assert 'Ref: "bookings".("hall", "seat") > "seats".("hall", "no") [delete: cascade]' in dbml_source(
        Artifacts(erd=erd)
    )
    diagram = er_diagram(erd)
    assert 't1 ||--o{ t0 : "hall, seat"' in diagram
    assert "bigint hall FK" in diagram
    keys = {row.column: row.key for row in data_dictionary(Artifacts(erd=erd)) if row.table == "bookings"}
    assert keys == {"id": "PK", "hall": "FK → seats(hall, no)", "seat": "FK → seats(hall, no)"}


def test_reference_leads_to_its_table() -> None:
    erd = _booked(_SEAT)
    ((column, table),) = targets(erd.tables[0], erd)
    assert (column.name, column.on_delete, table.name) == ("hall", "CASCADE", "seats")


def test_key_that_references_is_not_numbered_by_the_engine() -> None:
    erd = _erd(
        _table("users", _column("id", pk=True)),
        _table("profiles", _column("id", pk=True), refs=[{"columns": ["id"], "table": "users", "targets": ["id"]}]),
    )
    assert "id bigint PRIMARY KEY" in create_statements(erd)[1]


def test_tables_are_dropped_in_the_reverse_of_their_order() -> None:
    assert drop_statements(_booked(_SEAT)) == ("DROP TABLE bookings, seats",)
    assert drop_statements(_booked(_SEAT), "sqlite") == ("DROP TABLE bookings", "DROP TABLE seats")
    assert drop_statements(_erd()) == ()


def test_dbml_names_the_engine_of_an_oracle_design() -> None:
    assert "database_type: 'Oracle'" in dbml_source(Artifacts(erd=_booked(dialect="oracle")))
