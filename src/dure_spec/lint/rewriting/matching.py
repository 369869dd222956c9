"""Which table and column of the corrected schema is which of the source."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from dure_spec.artifacts.erd import Column, Erd, Table
from dure_spec.derive.words import snake


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePair:
    """A table before and after; `columns` are numbers before and after."""

    number: int
    old: Table
    new: Table
    columns: tuple[tuple[int, int], ...]
    added: tuple[int, ...]
    """Numbers in `new`."""
    removed: tuple[int, ...]
    """Numbers in `old`."""
    given: tuple[Column, ...] = ()
    """What its parents have now, and so it has too."""

    def new_column(self, number: int) -> Column | None:
        """What a column of the source has become."""
        return next((self.new.columns[after] for before, after in self.columns if before == number), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """All tables before and after."""

    pairs: tuple[TablePair, ...]
    added: tuple[Table, ...]
    removed: tuple[Table, ...]

    def renamed_table(self, name: str) -> str:
        """What a table of the source is called now."""
        return next((pair.new.name for pair in self.pairs if pair.old.name.lower() == name.lower()), name)

    def renamed_column(self, table: str, column: str) -> str:
        """What a column of a table of the source is called now."""
        pair = next((pair for pair in self.pairs if pair.old.name.lower() == table.lower()), None)
        if pair is None:
            return column
        number = next((n for n, each in enumerate(pair.old.columns) if each.name.lower() == column.lower()), None)
        found = pair.new_column(number) if number is not None else None
        return found.name if found else column


def paired(source: Erd, fixed: Erd, parents: Sequence[tuple[int, ...]] = ()) -> Pairing:
    """Match by name, then by what the names have in common, then by what the tables and columns are.

    `parents` are the numbers of the tables that each table of the source inherits from.
    """
    tables, added, removed = _matched(
        [table.name for table in source.tables],
        [table.name for table in fixed.tables],
        lambda old, new: _alike_tables(source.tables[old], fixed.tables[new]),
    )
    now = {old: fixed.tables[new] for old, new in tables}
    given = {
        old: tuple(column for parent in numbers if parent in now for column in now[parent].columns)
        for old, numbers in enumerate(parents)
    }
    return Pairing(
        pairs=tuple(_table_pair(old, source.tables[old], fixed.tables[new], given.get(old, ())) for old, new in tables),
        added=tuple(fixed.tables[number] for number in added),
        removed=tuple(source.tables[number] for number in removed),
    )


def _table_pair(number: int, old: Table, new: Table, given: tuple[Column, ...]) -> TablePair:
    columns, added, removed = _matched(
        [column.name for column in old.columns],
        [column.name for column in new.columns],
        lambda before, after: _alike_columns(old.columns[before], new.columns[after]),
    )
    inherited = {column.name.lower() for column in given}
    return TablePair(
        number=number,
        old=old,
        new=new,
        columns=tuple(columns),
        added=tuple(after for after in added if new.columns[after].name.lower() not in inherited),
        removed=tuple(removed),
        given=given,
    )


def _alike_tables(old: Table, new: Table) -> bool:
    before = {snake(column.name) for column in old.columns}
    after = {snake(column.name) for column in new.columns}
    return 2 * len(before & after) >= len(before | after)


def _alike_columns(old: Column, new: Column) -> bool:
    return (old.type, old.pk, old.null) == (new.type, new.pk, new.null)


def _matched(
    old: Sequence[str], new: Sequence[str], alike: Callable[[int, int], bool]
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Pairs in the order of the first, and what is left on either side."""
    pairs: list[tuple[int, int]] = []
    left, right = list(range(len(old))), list(range(len(new)))
    for same in (str, snake):
        for before in list(left):
            after = next((number for number in right if same(new[number]) == same(old[before])), None)
            if after is not None:
                _settle(before, after, pairs, left, right)
    known = dict(pairs)
    for before in list(left):
        scores = {after: _likeness(before, after, known, len(old), len(new)) for after in right}
        for after in right:
            scores[after] += 2 * alike(before, after)
        best = max(right, key=lambda after: scores[after], default=None)
        if best is not None and scores[best]:
            known[before] = best
            _settle(before, best, pairs, left, right)
    return sorted(pairs), right, left


def _likeness(before: int, after: int, known: Mapping[int, int], old: int, new: int) -> int:
    """How many neighbours of the one are neighbours of the other; both ends are neighbours too."""
    first = before == after == 0 or known.get(before - 1) == after - 1
    last = (before == old - 1 and after == new - 1) or known.get(before + 1) == after + 1
    return first + last


def _settle(before: int, after: int, pairs: list[tuple[int, int]], left: list[int], right: list[int]) -> None:
    pairs.append((before, after))
    left.remove(before)
    right.remove(after)
