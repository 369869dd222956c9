"""Sample rows that the schema accepts: in foreign key order, within every length, check and key."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dure_spec.artifacts.erd import Column, Dialect, Erd, Table
from dure_spec.derive.check_bench import CheckBench, bench_sql
from dure_spec.derive.ddl import Step
from dure_spec.derive.identifiers import quote
from dure_spec.derive.keys import ForeignKey, foreign_keys, table_order, unique_keys
from dure_spec.derive.literals import SqlValue, literal
from dure_spec.derive.sample_values import candidates, sample_value
from dure_spec.derive.types import Family, family_of

Row = dict[str, SqlValue]
_PERIODS = 4
"""How many times as many drafts as wanted rows are tried where keys collide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRows:
    """Rows of one table; audit columns are left to their defaults."""

    table: Table
    columns: tuple[str, ...]
    rows: tuple[tuple[SqlValue, ...], ...]


def sample_rows(erd: Erd, rows_per_table: int = 3) -> tuple[TableRows, ...]:
    """Rows for every table, referenced tables first; the same design always gives the same rows.

    A table holds fewer rows than asked where its keys leave no room (a unique reference, a unique flag).
    """
    tables = {table.name.lower(): table for table in erd.tables}
    done: dict[str, list[Row]] = {}
    result: list[TableRows] = []
    with CheckBench() as bench:
        for table in table_order(erd):
            filler = _Filler(table, foreign_keys(table, tables), done, bench)
            rows = filler.rows(rows_per_table)
            done[table.name.lower()] = rows
            names = tuple(column.name for column in table.columns)
            values = tuple(tuple(row[name] for name in names) for row in rows)
            result.append(TableRows(table=table, columns=names, rows=values))
    return tuple(result)


def insert_steps(erd: Erd, rows_per_table: int = 3, dialect: Dialect | None = None) -> tuple[Step, ...]:
    """One INSERT for each sample row, with the table that it goes into."""
    target = dialect or erd.meta.dialect
    paths = {id(table): f"/tables/{number}" for number, table in enumerate(erd.tables)}
    steps: list[Step] = []
    for group in sample_rows(erd, rows_per_table):
        families: list[Family | None] = [family_of(column.type) for column in group.table.columns]
        names = ", ".join(quote(name, target) for name in group.columns)
        for row in group.rows:
            values = ", ".join(literal(value, family, target) for value, family in zip(row, families, strict=True))
            sql = f"INSERT INTO {quote(group.table.name, target)} ({names}) VALUES ({values})"
            steps.append(Step(sql=sql, path=paths[id(group.table)], table=group.table))
    return tuple(steps)


def insert_statements(erd: Erd, rows_per_table: int = 3, dialect: Dialect | None = None) -> tuple[str, ...]:
    """One INSERT for each sample row, without semicolons."""
    return tuple(step.sql for step in insert_steps(erd, rows_per_table, dialect))


class _Filler:
    """Makes the rows of one table; what it references is in `done`."""

    def __init__(
        self,
        table: Table,
        keys: Sequence[ForeignKey],
        done: Mapping[str, list[Row]],
        bench: CheckBench,
    ) -> None:
        self._table = table
        self._keys = keys
        self._done = done
        self._bench = bench
        self._columns = {column.name: column for column in table.columns}
        referencing = {name for key in keys for name in key.columns}
        self._checks = {
            column.name: expression
            for column in table.columns
            if column.check and column.name not in referencing and (expression := bench_sql(column, table)) is not None
        }

    def rows(self, wanted: int) -> list[Row]:
        """Up to `wanted` rows with no key taken twice."""
        unique = unique_keys(self._table)
        taken: set[tuple[tuple[str, ...], tuple[SqlValue, ...]]] = set()
        rows: list[Row] = []
        for number in range(wanted * _PERIODS):
            row = self._row(number, rows)
            marks = {(key, values) for key in unique if None not in (values := tuple(row.get(name) for name in key))}
            if marks & taken:
                continue
            taken |= marks
            rows.append(row)
            if len(rows) == wanted:
                break
        return rows

    def _row(self, number: int, before: Sequence[Row]) -> Row:
        row: Row = {
            column.name: sample_value(column, number, position) for position, column in enumerate(self._table.columns)
        }
        for position, key in enumerate(self._keys):
            row.update(self._reference(key, number, position, row, before))
        for position, column in enumerate(self._table.columns):
            if column.name in self._checks:
                self._satisfy(row, column, number, position)
        return row

    def _reference(self, key: ForeignKey, number: int, position: int, row: Row, before: Sequence[Row]) -> Row:
        own = key.target.lower() == self._table.name.lower()
        parents = before if own else self._done.get(key.target.lower(), [])
        if parents:
            # each further reference moves on more slowly, so that pairs of two references differ
            parent = parents[(number + number // len(parents) * position) % len(parents)]
            found = {name.lower(): value for name, value in parent.items()}
            return {
                name: found.get(target.lower()) for name, target in zip(key.columns, key.target_columns, strict=False)
            }
        free = [name for name in key.columns if name in self._columns and self._columns[name].null]
        if free:
            return dict.fromkeys(free)
        if own:
            mine = {name.lower(): value for name, value in row.items()}
            return {
                name: mine.get(target.lower()) for name, target in zip(key.columns, key.target_columns, strict=False)
            }
        return {}

    def _satisfy(self, row: Row, column: Column, number: int, position: int) -> None:
        for value in candidates(column, number, position):
            if self._bench.holds(self._checks[column.name], {**row, column.name: value}):
                row[column.name] = value
                return
