"""The catalogue of an engine beside the design: names, type families, nullability, keys, references, checks."""

from collections.abc import Iterator, Sequence

from dure_spec.artifacts.erd import Column, Dialect, Erd, Table
from dure_spec.derive.ddl_columns import column_checks
from dure_spec.derive.keys import all_columns, foreign_keys, primary_key
from dure_spec.derive.types import family_of, parse_type, write_type
from dure_spec.engines.engine import ColumnFacts, TableFacts

Difference = tuple[str, str, str]
"""Pointer into the ERD, what a person calls the place, and what is not as designed."""


def differences(erd: Erd, catalogue: Sequence[TableFacts], dialect: Dialect) -> Iterator[Difference]:
    """Everything in which the engine's catalogue is not what the design says."""
    facts = {table.name.lower(): table for table in catalogue}
    tables = {table.name.lower(): table for table in erd.tables}
    for number, table in enumerate(erd.tables):
        path = f"/tables/{number}"
        found = facts.get(table.name.lower())
        if found is None:
            yield path, table.name, table.name
            continue
        for place, what in (*_columns(erd, table, found, dialect), *_keys(erd, table, found, tables, dialect)):
            yield f"{path}{place}", table.name, what


def _columns(erd: Erd, table: Table, facts: TableFacts, dialect: Dialect) -> Iterator[tuple[str, str]]:
    found = {column.name.lower(): column for column in facts.columns}
    columns = all_columns(erd, table)
    for number, column in enumerate(columns):
        fact = found.get(column.name.lower())
        if fact is None or not _same(column, fact, dialect):
            place = f"/columns/{number}" if number < len(table.columns) else ""
            yield place, f"{table.name}.{column.name}"
    if len(found) > len(columns):
        yield "", f"{table.name}(columns)"


def _same(column: Column, fact: ColumnFacts, dialect: Dialect) -> bool:
    wanted = parse_type(column.type)
    family = family_of(write_type(wanted, dialect)) if wanted else None
    return family_of(fact.type) == family and fact.null == (column.null and not column.pk)


def _keys(
    erd: Erd, table: Table, facts: TableFacts, tables: dict[str, Table], dialect: Dialect
) -> Iterator[tuple[str, str]]:
    primary = primary_key(table)
    if _lower(facts.primary_key) != _lower(primary):
        yield "", f"{table.name}.primary key({', '.join(primary)})"
    present = {
        (frozenset(zip(_lower(key.columns), _lower(key.targets), strict=False)), key.table.lower(), key.on_delete)
        for key in facts.keys
    }
    for key in foreign_keys(table, tables):
        pairs = frozenset(zip(_lower(key.columns), _lower(key.target_columns), strict=False))
        if (pairs, key.target.lower(), key.on_delete or "NO ACTION") not in present:
            yield key.path, f"{table.name}.foreign key({', '.join(key.columns)})"
    unique = {_lower(key) for key in facts.uniques} | {_lower(primary)}
    singles = ((column.name,) for column in table.columns if column.uq)
    for unique_key in (*table.uniques, *singles):
        if unique_key and _lower(unique_key) not in unique:
            yield "", f"{table.name}.unique({', '.join(unique_key)})"
    checks = sum(1 for column in all_columns(erd, table) for _ in column_checks(column, table, dialect))
    if facts.checks != checks:
        yield "", f"{table.name}.check({facts.checks} ≠ {checks})"


def _lower(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name.lower() for name in names)
