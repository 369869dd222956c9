"""The keys of a design as the engine will see them: audit columns, foreign keys, table order."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from dure_spec.artifacts.erd import Column, Erd, OnDelete, Reference, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignKey:
    """One foreign key; more than one column where the target's key is composite."""

    columns: tuple[str, ...]
    target: str
    target_columns: tuple[str, ...]
    on_delete: OnDelete | None
    required: bool
    """No column of it may be null."""
    deferrable: bool = False
    path: str
    """JSON pointer to where it is declared, from its table: `/columns/2/fk`, `/refs/0`."""


def audit_columns(erd: Erd, table: Table) -> tuple[Column, ...]:
    """Columns of `meta.audit` that the table has without declaring them."""
    if table.kind != "entity":
        return ()
    declared = {column.name.lower() for column in table.columns}
    return tuple(_audit_column(name) for name in erd.meta.audit if name.lower() not in declared)


def all_columns(erd: Erd, table: Table) -> tuple[Column, ...]:
    """Declared columns, then the audit columns."""
    return table.columns + audit_columns(erd, table)


def primary_key(table: Table) -> tuple[str, ...]:
    """Names of the key's columns; empty when the table has no key."""
    return tuple(column.name for column in table.columns if column.pk)


def unique_keys(table: Table) -> tuple[tuple[str, ...], ...]:
    """Every column list that identifies a row, the primary key first."""
    primary = primary_key(table)
    single = ((column.name,) for column in table.columns if column.uq)
    return tuple(key for key in (primary, *single, *table.uniques) if key)


def split_reference(fk: str) -> tuple[str, str] | None:
    """`table.column` in two; `None` when the text is no such pair."""
    table, dot, column = fk.strip().rpartition(".")
    return (table, column) if dot and table and column else None


def foreign_keys(table: Table, tables: Mapping[str, Table]) -> tuple[ForeignKey, ...]:
    """Foreign keys of a table; columns that together reference a composite key make one.

    `tables` is keyed by lower-case name. A reference that cannot be read is left out.
    """
    by_target: dict[str, list[_Pair]] = {}
    for number, column in enumerate(table.columns):
        pair = split_reference(column.fk) if column.fk else None
        if pair:
            by_target.setdefault(pair[0].lower(), []).append(_Pair(number, column, pair[1]))
    keys: list[ForeignKey] = []
    for name, references in by_target.items():
        target = tables.get(name)
        grouped = _composite(references, target) if target else ()
        written = target.name if target else (split_reference(references[0].column.fk or "") or (name, ""))[0]
        if grouped:
            keys.append(_foreign_key(grouped, written))
        rest = (pair for pair in references if pair not in grouped)
        keys.extend(_foreign_key((pair,), written) for pair in rest)
    keys.extend(_declared(table, number, reference, tables) for number, reference in enumerate(table.refs))
    return tuple(keys)


def referencing(table: Table) -> frozenset[str]:
    """Names of the columns that a foreign key of the table starts from."""
    single = (column.name for column in table.columns if column.fk)
    return frozenset((*single, *(name for reference in table.refs for name in reference.columns)))


def table_order(erd: Erd) -> tuple[Table, ...]:
    """Tables with every referenced table first; in a cycle, nullable references give way."""
    tables = {table.name.lower(): table for table in erd.tables}
    needs = {name: _needs(table, tables) for name, table in tables.items()}
    needed_by: dict[str, list[str]] = {name: [] for name in tables}
    for name, wanted in needs.items():
        for target in wanted:
            needed_by[target].append(name)
    position = {name: number for number, name in enumerate(tables)}
    heap = [(*_blockers(needs[name]), position[name], name) for name in tables]
    heapify(heap)
    ordered: dict[str, Table] = {}
    while heap:
        *_, name = heappop(heap)
        if name in ordered:
            continue
        ordered[name] = tables[name]
        for waiting in needed_by[name]:
            needs[waiting].pop(name)
            heappush(heap, (*_blockers(needs[waiting]), position[waiting], waiting))
    return tuple(ordered.values())


def _blockers(needs: Mapping[str, bool]) -> tuple[int, int]:
    return sum(needs.values()), len(needs)


def _needs(table: Table, tables: Mapping[str, Table]) -> dict[str, bool]:
    needs: dict[str, bool] = {}
    for key in foreign_keys(table, tables):
        target = key.target.lower()
        if target in tables and target != table.name.lower():
            needs[target] = needs.get(target, False) or key.required
    return needs


class _Pair(NamedTuple):
    number: int
    column: Column
    target: str


def _composite(references: Iterable[_Pair], target: Table) -> tuple[_Pair, ...]:
    pairs = {pair.target.lower(): pair for pair in references}
    for key in unique_keys(target):
        if len(key) > 1 and all(name.lower() in pairs for name in key):
            return tuple(pairs[name.lower()] for name in key)
    return ()


def _foreign_key(pairs: tuple[_Pair, ...], target: str) -> ForeignKey:
    return ForeignKey(
        columns=tuple(pair.column.name for pair in pairs),
        target=target,
        target_columns=tuple(pair.target for pair in pairs),
        on_delete=next((pair.column.on_delete for pair in pairs if pair.column.on_delete), None),
        required=all(not pair.column.null for pair in pairs),
        path=f"/columns/{pairs[0].number}/fk",
    )


def _declared(table: Table, number: int, reference: Reference, tables: Mapping[str, Table]) -> ForeignKey:
    target = tables.get(reference.table.lower())
    optional = {column.name.lower() for column in table.columns if column.null}
    return ForeignKey(
        columns=reference.columns,
        target=target.name if target else reference.table,
        target_columns=reference.targets,
        on_delete=reference.on_delete,
        required=not any(name.lower() in optional for name in reference.columns),
        deferrable=reference.deferrable,
        path=f"/refs/{number}",
    )


def _audit_column(name: str) -> Column:
    lower = name.lower()
    if lower.endswith(("_by", "_by_id")):
        return Column(name=name, logical=name, type="varchar(100)", null=True)
    if lower.startswith(("is_", "has_")):
        return Column(name=name, logical=name, type="boolean", default=False)
    if lower in ("version", "row_version", "revision"):
        return Column(name=name, logical=name, type="integer", default=0)
    if lower.startswith("deleted"):
        return Column(name=name, logical=name, type="timestamptz", null=True)
    return Column(name=name, logical=name, type="timestamptz", default="now()")
