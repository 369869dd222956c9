"""Repairs as JSON Patch steps: what several validators need, each pinned to what it found.

A patch begins with `test` steps on every place that it changes, so that it is left undone where something else came
first. A builder gives no steps at all where the repair is not safe.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cached_property

from dure_spec.artifacts.erd import Column
from dure_spec.artifacts.findings import Change
from dure_spec.artifacts.shared import Stage
from dure_spec.derive.types import family_of
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.mentions import Mention, Mentions, find_mentions
from dure_spec.validators.rewording import renamed_columns, renamed_table
from dure_spec.validators.widths import referencing_type

Patch = tuple[Change, ...]


def replaced(stage: Stage, path: str, old: object, new: object) -> Patch:
    """Another value in a place that has this one now."""
    return (
        Change(op="test", stage=stage, path=path, value=old),
        Change(op="replace", stage=stage, path=path, value=new),
    )


def in_order(*patches: Patch) -> Patch:
    """Several as one: all tests, then all changes."""
    steps = [step for patch in patches for step in patch]
    tests = (step for step in steps if step.op == "test")
    return (*tests, *(step for step in steps if step.op != "test"))


def with_index(place: TablePlace, columns: tuple[str, ...]) -> Patch:
    """One more index of the table."""
    path = f"{place.path}/indexes/-"
    return (_named(place), Change(op="add", stage="dba", path=path, value=list(columns)))


def with_unique(place: TablePlace, columns: tuple[str, ...]) -> Patch:
    """One more unique key of the table; of a single column, the column's own mark."""
    if len(columns) == 1:
        column = place.columns.get(columns[0].lower())
        path = place.column_path(column.name) if column else place.path
        return replaced("dba", f"{path}/uq", False, True) if path != place.path else ()
    path = f"{place.path}/uniques/-"
    return (_named(place), Change(op="add", stage="dba", path=path, value=list(columns)))


def with_columns(place: TablePlace, *columns: Column, first: bool = False) -> Patch:
    """More columns of the table, behind the others or before them."""
    values = [column.model_dump(mode="json", by_alias=True) for column in columns]
    paths = [f"{place.path}/columns/{number if first else '-'}" for number in range(len(values))]
    added = (Change(op="add", stage="dba", path=path, value=value) for path, value in zip(paths, values, strict=True))
    return (_named(place), *added)


def _named(place: TablePlace) -> Change:
    return Change(op="test", stage="dba", path=f"{place.path}/name", value=place.table.name)


class Repairs:
    """Repairs that reach beyond one place; looks up who names whom when the first is asked for."""

    def __init__(self, index: Index) -> None:
        self._index = index

    @cached_property
    def _mentions(self) -> Mentions:
        return find_mentions(self._index)

    def mentions_of(self, table: str) -> tuple[Mention, ...]:
        """Every other place that names the table."""
        return tuple(self._mentions.tables.get(table.lower(), ()))

    def rename_table(self, place: TablePlace, name: str) -> Patch:
        """Another name for a table, here and wherever it is named; nothing where two tables have the name."""
        old = place.table.name
        if not name or self._twins(old):
            return ()
        steps = [replaced("dba", f"{place.path}/name", old, name)]
        for mention in self._mentions.tables.get(old.lower(), ()):
            steps.append(_reworded(mention, renamed_table(mention.text, old, name)))
        return in_order(*steps)

    def rename_columns(self, place: TablePlace, names: Mapping[str, str]) -> Patch:
        """Other names for columns of a table, by the old ones as they are written, here and wherever they are named."""
        wanted = {old.lower(): new for old, new in names.items()}
        declared = [column.name.lower() for column in place.table.columns]
        if not all(wanted.values()) or any(declared.count(old) != 1 for old in wanted) or self._twins(place.table.name):
            return ()
        steps = [replaced("dba", f"{place.column_path(old)}/name", old, new) for old, new in names.items()]
        table = place.table.name.lower()
        reached = {(each.stage, each.path): each for old in wanted for each in self._columns(table, old)}
        steps += [_reworded(each, renamed_columns(each.text, table, wanted)) for each in reached.values()]
        return in_order(*steps)

    def retype(self, place: TablePlace, column: Column, kind: str) -> Patch:
        """Another type for a column and for every column that references it, directly or not.

        Nothing where one of them has a default or a check that the new type may refuse, or is bound to a second column
        of another type.
        """
        group = self._bound(place, column)
        if any(_refuses(each, kind) for _, each in group):
            return ()
        if any(each not in owner.table.columns for owner, each in group) or self._torn(group, kind):
            return ()
        changed = [(owner, each) for owner, each in group if each.type != kind]
        return in_order(
            *(replaced("dba", f"{owner.column_path(each.name)}/type", each.type, kind) for owner, each in changed)
        )

    def references_to(self, place: TablePlace, column: Column) -> list[tuple[TablePlace, Column]]:
        """Columns whose foreign keys arrive at the column."""
        return self._referencing.get((place.table.name.lower(), column.name.lower()), [])

    @cached_property
    def _referencing(self) -> dict[tuple[str, str], list[tuple[TablePlace, Column]]]:
        found: dict[tuple[str, str], list[tuple[TablePlace, Column]]] = {}
        for place in self._index.tables.values():
            for key in place.keys:
                for own, target in zip(key.columns, key.target_columns, strict=False):
                    column = place.columns.get(own.lower())
                    if column:
                        found.setdefault((key.target.lower(), target.lower()), []).append((place, column))
        return found

    def _bound(self, place: TablePlace, column: Column) -> list[tuple[TablePlace, Column]]:
        group: dict[tuple[str, str], tuple[TablePlace, Column]] = {}
        waiting = [(place, column)]
        while waiting:
            owner, each = waiting.pop()
            mark = (owner.table.name.lower(), each.name.lower())
            if mark not in group:
                group[mark] = (owner, each)
                waiting += self.references_to(owner, each)
        return list(group.values())

    def _torn(self, group: list[tuple[TablePlace, Column]], kind: str) -> bool:
        """Whether a column of the group also references one outside it that has another type."""
        inside = {(owner.table.name.lower(), each.name.lower()) for owner, each in group}
        for owner, each in group:
            for key in owner.keys:
                for own, target in zip(key.columns, key.target_columns, strict=False):
                    other = self._index.column(f"{key.target}.{target}")
                    outside = (key.target.lower(), target.lower()) not in inside
                    if (
                        own.lower() == each.name.lower()
                        and outside
                        and other is not None
                        and referencing_type(other.type) != kind
                    ):
                        return True
        return False

    def _columns(self, table: str, name: str) -> list[Mention]:
        return self._mentions.columns.get((table, name), [])

    @cached_property
    def _counts(self) -> Counter[str]:
        erd = self._index.artifacts.erd
        return Counter(table.name.lower() for table in (erd.tables if erd else ()))

    def _twins(self, name: str) -> bool:
        return self._counts[name.lower()] != 1


def _refuses(column: Column, kind: str) -> bool:
    """Whether the column's default or rules may not fit a type of this kind; numbers fit any kind of number."""
    ruled = column.default is not None or bool(column.check) or bool(column.enum)
    return ruled and not {family_of(column.type), family_of(kind)} <= {"int", "dec", "float"}


def _reworded(mention: Mention, text: str) -> Patch:
    return replaced(mention.stage, mention.path, mention.text, text) if text != mention.text else ()
