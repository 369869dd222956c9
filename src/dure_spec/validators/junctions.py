"""V09 RelationshipShape on junction tables: those that a relation goes through, and those that say so themselves.

A table is never taken for a junction because it has two foreign keys: a film may have many copies in one store.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dure_spec.artifacts.erd import Table
from dure_spec.derive.keys import ForeignKey, unique_keys
from dure_spec.derive.types import family_of
from dure_spec.derive.words import singular, snake
from dure_spec.validators.audit_names import is_audit
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.patches import with_unique
from dure_spec.validators.policy import Draft, Text

_NO_KEY = Text(
    "교차 테이블에 {missing}을(를) 가리키는 외래키가 없어 두 테이블을 이어 주지 못합니다",
    "the junction has no foreign key to {missing}, so it does not connect the two tables",
)
_ONE_KEY = Text(
    "교차 테이블인데 외래키가 {count}개뿐이라 두 테이블을 이어 주지 못합니다",
    "a junction with {count} foreign keys does not connect two tables",
)
_NOT_UNIQUE = Text(
    "교차 테이블의 쌍 ({columns})이 유일하지 않아 같은 연결이 두 번 생길 수 있습니다",
    "the pair ({columns}) of the junction is not unique, so the same connection can be made twice",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Joined:
    """What a junction must connect."""

    junction: TablePlace
    ends: tuple[TablePlace, ...]
    """Empty where the table alone says that it is a junction."""


def check_junctions(index: Index) -> Iterator[Draft]:
    """Junctions that lack a foreign key, or that connect the same rows twice."""
    for joined in _joined(index):
        keys = _keys(joined)
        if keys is None:
            if not any(is_half_written(joined.junction, end) for end in joined.ends):
                yield _without_key(index, joined)
        elif not _is_unique(joined.junction.table, keys) and not _is_misspelt(joined.junction, keys):
            yield _not_unique(joined.junction, keys)


def key_to(child: TablePlace, parent: TablePlace) -> ForeignKey | None:
    """The first foreign key of a table to another."""
    return next((key for key in child.keys if key.target.lower() == parent.table.name.lower()), None)


def is_half_written(child: TablePlace, parent: TablePlace) -> bool:
    """Whether a reference says this table without its column, which V07 tells."""
    name = parent.table.name.lower()
    return any((column.fk or "").strip().lower() == name for column in child.table.columns)


def holds_unique(table: Table, columns: Iterable[str]) -> bool:
    """Whether a key of the table keeps these columns from having the same values twice."""
    wanted = {column.lower() for column in columns}
    return any({name.lower() for name in key} <= wanted for key in unique_keys(table))


def lacks_key_to(index: Index, junction: TablePlace, end: TablePlace) -> bool:
    """Whether the table is to connect this one with another, and has no foreign key to it."""
    name, erd = end.table.name.lower(), index.artifacts.erd
    joins = (
        {(relation.via or "").lower() for relation in erd.relations if relation.card == "N:M"} if erd else set[str]()
    )
    if junction.table.kind != "junction" and junction.table.name.lower() not in joins:
        return False
    mine = (each for each in _joined(index) if each.junction is junction and _keys(each) is None)
    return any(not _points_at(junction, name) and (not each.ends or end in each.ends) for each in mine)


def joining_tables(index: Index, first: TablePlace, second: TablePlace) -> tuple[str, ...]:
    """Tables that reference both."""
    return tuple(
        place.table.name
        for place in index.tables.values()
        if place not in (first, second) and _chosen(place, (first, second)) is not None
    )


def _joined(index: Index) -> Iterator[_Joined]:
    erd = index.artifacts.erd
    seen: set[str] = set()
    for relation in erd.relations if erd else ():
        names = (relation.via or "", relation.from_, relation.to)
        if relation.card != "N:M" or not all(name.lower() in index.tables for name in names):
            continue
        junction, *ends = (index.tables[name.lower()] for name in names)
        if junction.table.name.lower() not in seen:
            seen.add(junction.table.name.lower())
            yield _Joined(junction=junction, ends=tuple(ends))
    for name, place in index.tables.items():
        if place.table.kind == "junction" and name not in seen:
            yield _Joined(junction=place, ends=())


def _keys(joined: _Joined) -> tuple[ForeignKey, ...] | None:
    """The foreign keys that connect, `None` where one is missing."""
    if joined.ends:
        return _chosen(joined.junction, joined.ends)
    keys = tuple({tuple(map(str.lower, key.columns)): key for key in joined.junction.keys}.values())
    return keys if len(keys) > 1 else None


def _chosen(junction: TablePlace, ends: Sequence[TablePlace]) -> tuple[ForeignKey, ...] | None:
    """One key for each end; a table that is connected with itself needs two."""
    chosen: list[ForeignKey] = []
    for end in ends:
        name = end.table.name.lower()
        taken = [set(key.columns) for key in chosen]
        key = next((k for k in junction.keys if k.target.lower() == name and set(k.columns) not in taken), None)
        if key is None:
            return None
        chosen.append(key)
    return tuple(chosen)


def _is_unique(table: Table, keys: Sequence[ForeignKey]) -> bool:
    """Whether a key has all that connects, perhaps with more that tells repeated connections apart."""
    numbers = [{name.lower() for name in key} for key in unique_keys(table) if len(key) == 1]
    groups = [{name.lower() for name in key.columns} for key in keys]
    for key in unique_keys(table):
        own = {name.lower() for name in key}
        met = sum(group <= own for group in groups)
        if own <= set[str]().union(*groups) or (met > 1 and not any(number < own for number in numbers)):
            return True
    return False


def _is_misspelt(place: TablePlace, keys: Sequence[ForeignKey]) -> bool:
    """Whether a key over the connection names a column that the table does not have, which V12 tells."""
    connecting = {name.lower() for key in keys for name in key.columns}
    groups = ({name.lower() for name in group} for group in place.table.uniques)
    return any(group & connecting and group - place.columns.keys() for group in groups)


def _without_key(index: Index, joined: _Joined) -> Draft:
    junction = joined.junction
    missing = [end for end in dict.fromkeys(map(_name, joined.ends)) if not _points_at(junction, end)]
    if joined.ends and not missing:  # connected with itself, by one key only
        missing = [_name(joined.ends[-1])]
    lost = next((key.target for key in junction.keys if key.target.lower() not in index.tables), "")
    text = _NO_KEY if missing else _ONE_KEY
    candidates = tuple(
        f"{junction.table.name}.{singular(snake(end))}_id fk={end}.{_key_of(index, end)}" for end in missing
    )
    return Draft(
        severity="critical",
        stage="dba",
        path=junction.path,
        ref=junction.table.name,
        text=text,
        values={"missing": ", ".join(missing), "count": str(len(junction.keys))},
        expected=candidates[0] if candidates else "",
        candidates=candidates,
        topic=f"junction:{junction.table.name.lower()}",
        cause=f"table:{lost.lower()}" if lost else "",
    )


def _not_unique(place: TablePlace, keys: Sequence[ForeignKey]) -> Draft:
    columns = tuple(dict.fromkeys(name for key in keys for name in key.columns))
    shown = ", ".join(columns)
    return Draft(
        severity="major",
        stage="dba",
        path=f"{place.path}/uniques",
        ref=place.table.name,
        text=_NOT_UNIQUE,
        values={"columns": shown},
        expected=f"unique ({shown})",
        candidates=(f"unique ({shown})",),
        patch=() if _may_repeat(place.table) else with_unique(place, columns),
    )


def _may_repeat(table: Table) -> bool:
    """Whether it notes when something happened, and so perhaps that it happened again."""
    return any(family_of(column.type) == "time" and not is_audit(column.name) for column in table.columns)


def _points_at(place: TablePlace, name: str) -> bool:
    return any(key.target.lower() == name.lower() for key in place.keys)


def _name(place: TablePlace) -> str:
    return place.table.name


def _key_of(index: Index, name: str) -> str:
    return next((column.name for column in index.tables[name.lower()].table.columns if column.pk), "id")
