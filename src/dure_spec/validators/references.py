"""V07 ReferenceIntegrity: every foreign key arrives at a key, and every reference is declared."""

from collections.abc import Iterator

from dure_spec.artifacts.erd import Column, Table
from dure_spec.derive.keys import ForeignKey, primary_key, split_reference, unique_keys
from dure_spec.derive.types import family_of
from dure_spec.derive.words import plural, singular, snake
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.policy import Draft, Policy, Text, nearest

_MALFORMED = Text("참조는 '테이블.컬럼'으로 씁니다: {fk}", "a reference is written 'table.column': {fk}")
_NO_TABLE = Text("참조할 테이블 {table}이(가) 없습니다", "references table {table}, which does not exist")
_NO_COLUMN = Text(
    "참조할 컬럼 {fk}이(가) 없습니다. 컬럼: {columns}. 키: {key}",
    "references {fk}, which does not exist. Columns: {columns}. Key: {key}",
)
_NOT_KEY = Text(
    "{fk}: 유일한 키가 아니라 참조할 수 없습니다. 키: {key}",
    "{fk} is not a key, so it cannot be referenced. Key: {key}",
)
_PART = Text(
    "{fk}: 복합키 ({key})의 일부라 혼자 참조할 수 없습니다",
    "{fk} is part of the composite key ({key}) and cannot be referenced alone",
)
_SET_NULL = Text(
    "NOT NULL 컬럼에 SET NULL: 부모를 지울 수 없습니다",
    "SET NULL on a NOT NULL column: the parent can never be deleted",
)
_IMPLIED = Text(
    "{target}을(를) 가리키는 이름인데 외래키가 없습니다", "is named after {target} but declares no foreign key"
)
_NO_INDEX = Text("외래키에 인덱스가 없습니다", "foreign key has no index")
_SUFFIXES = ("_id", "_no", "_code")


def check_references(index: Index, policy: Policy) -> Iterator[Draft]:
    """Foreign keys that lead nowhere, and names that promise one."""
    owners: dict[str, Table] = {}
    for place in index.tables.values():
        owners.setdefault(singular(snake(place.table.name)), place.table)
    for place in index.tables.values():
        for column in place.table.columns:
            if column.fk:
                yield from _readable(index, place, column)
                yield from _action(place, column)
            else:
                yield from _implied(place, column, owners)
        for key in place.keys:
            yield from _target(index, place, key)
            yield from _index(index, place, key)


def _readable(index: Index, place: TablePlace, column: Column) -> Iterator[Draft]:
    if split_reference(column.fk or "") is None:
        named = index.tables.get((column.fk or "").strip().lower())
        own = (f"{named.table.name}.{name}" for name in primary_key(named.table)) if named else ()
        yield _draft(place, column.name, _MALFORMED, {"fk": column.fk or ""}, candidates=tuple(own))


def _action(place: TablePlace, column: Column) -> Iterator[Draft]:
    if column.on_delete == "SET NULL" and (not column.null or column.pk):
        path = f"{place.column_path(column.name)}/on_delete"
        yield Draft(
            severity="critical",
            stage="dba",
            path=path,
            ref=f"{place.table.name}.{column.name}",
            text=_SET_NULL,
            candidates=("RESTRICT", "null=true") if not column.pk else ("RESTRICT", "CASCADE"),
        )


def _target(index: Index, place: TablePlace, key: ForeignKey) -> Iterator[Draft]:
    target = index.tables.get(key.target.lower())
    if target is None:
        topic = f"table:{key.target.lower()}"
        yield _draft(
            place,
            key.columns[0],
            _NO_TABLE,
            {"table": key.target},
            candidates=_fitting(index, place, key.columns[0], key.target),
            topic=topic,
            cause=topic,
        )
        return
    names = {
        "key": ", ".join(primary_key(target.table)) or "-",
        "columns": ", ".join(c.name for c in target.table.columns),
    }
    likely = tuple(f"{target.table.name}.{name}" for name in _single_keys(target.table))
    for source, name in zip(key.columns, key.target_columns, strict=True):
        if name.lower() not in target.columns:
            values = {**names, "fk": f"{target.table.name}.{name}"}
            yield _draft(place, source, _NO_COLUMN, values, candidates=_by_type(index, place, source, likely))
            return
    yield from _is_key(index, place, key, target, names, likely)


def _is_key(
    index: Index,
    place: TablePlace,
    key: ForeignKey,
    target: TablePlace,
    names: dict[str, str],
    likely: tuple[str, ...],
) -> Iterator[Draft]:
    wanted = {name.lower() for name in key.target_columns}
    keys = [{name.lower() for name in each} for each in unique_keys(target.table)]
    if wanted in keys:
        return
    composite = next((each for each in unique_keys(target.table) if wanted < {name.lower() for name in each}), None)
    text, shown = (_PART, ", ".join(composite)) if composite else (_NOT_KEY, names["key"])
    yield _draft(
        place,
        key.columns[0],
        text,
        {"fk": f"{target.table.name}.{key.target_columns[0]}", "key": shown},
        candidates=_by_type(index, place, key.columns[0], likely),
        cause=f"pk:{target.table.name.lower()}",
    )


def _index(index: Index, place: TablePlace, key: ForeignKey) -> Iterator[Draft]:
    erd = index.artifacts.erd
    if erd is None or erd.meta.fk_index == "auto":
        return
    leading = (*unique_keys(place.table), *place.table.indexes)
    if not any(set(each[: len(key.columns)]) == set(key.columns) for each in leading):
        yield Draft(
            severity="minor",
            stage="dba",
            path=f"{place.path}/indexes",
            ref=f"{place.table.name}({', '.join(key.columns)})",
            text=_NO_INDEX,
            expected=f"index ({', '.join(key.columns)})",
        )


def _implied(place: TablePlace, column: Column, owners: dict[str, Table]) -> Iterator[Draft]:
    name = column.name.lower()
    suffix = next((each for each in _SUFFIXES if name.endswith(each)), None)
    if suffix is None or column.pk:
        return
    target = owners.get(name.removesuffix(suffix))
    if target is None or target.name == place.table.name:
        return
    family = family_of(column.type)
    fitting = [each for each in _single_keys(target) if _family(target, each) == family]
    if suffix != "_id" and not fitting:
        return
    yield Draft(
        severity="major",
        stage="dba",
        path=place.column_path(column.name),
        ref=f"{place.table.name}.{column.name}",
        text=_IMPLIED,
        values={"target": target.name},
        expected=f"fk {target.name}.{(fitting or primary_key(target) or ('id',))[0]}",
    )


def _fitting(index: Index, place: TablePlace, column: str, table: str) -> tuple[str, ...]:
    """Keys of the tables that the column's name or the wrong table name may mean, fitting types first."""
    base = column.lower()
    for suffix in _SUFFIXES:
        base = base.removesuffix(suffix)
    renamed = [each for each in index.tables.values() if _wanted_name(index, each) == table.lower()]
    if renamed:  # the table is there under a wrong name, which a finding of its own says
        return tuple(f"{table}.{key}" for key in _single_keys(renamed[0].table)[:1])
    by_column = [each.table for each in index.tables.values() if singular(snake(each.table.name)) == base]
    names = nearest(table, (each.table.name for each in index.tables.values()))
    by_column += [index.tables[name.lower()].table for name in names]
    keys = dict.fromkeys(f"{each.name}.{key}" for each in by_column for key in _single_keys(each)[:1])
    return _by_type(index, place, column, tuple(keys))


def _wanted_name(index: Index, place: TablePlace) -> str:
    term = index.term_of(place.table)
    return plural(singular(snake(term.en))) if term else ""


def _by_type(index: Index, place: TablePlace, column: str, references: tuple[str, ...]) -> tuple[str, ...]:
    source = place.columns.get(column.lower())
    family = family_of(source.type) if source else None

    named_id = column.lower().endswith("_id")

    def rank(reference: str) -> tuple[bool, bool]:
        found = index.column(reference)
        other_key = named_id and not (found is not None and found.pk)
        return other_key, found is None or family_of(found.type) != family

    return tuple(sorted(references, key=rank))


def _single_keys(table: Table) -> tuple[str, ...]:
    return tuple(key[0] for key in unique_keys(table) if len(key) == 1)


def _family(table: Table, name: str) -> str | None:
    return next((family_of(column.type) for column in table.columns if column.name == name), None)


def _draft(
    place: TablePlace,
    column: str,
    text: Text,
    values: dict[str, str],
    *,
    candidates: tuple[str, ...] = (),
    topic: str = "",
    cause: str = "",
) -> Draft:
    return Draft(
        severity="critical",
        stage="dba",
        path=f"{place.column_path(column)}/fk",
        ref=f"{place.table.name}({column})",
        text=text,
        values=values,
        expected=candidates[0] if candidates else "",
        candidates=candidates,
        topic=topic,
        cause=cause,
    )
