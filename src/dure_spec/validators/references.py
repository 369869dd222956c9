"""V07 ReferenceIntegrity: every declared foreign key arrives at a key, once, and can be followed quickly."""

from collections.abc import Iterator

from dure_spec.artifacts.erd import Column
from dure_spec.derive.keys import ForeignKey, primary_key, split_reference, unique_keys
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.name_choice import NameChoice
from dure_spec.validators.patches import Patch, with_index
from dure_spec.validators.policy import Draft, Policy, Text, nearest
from dure_spec.validators.reference_targets import TargetChoice

_MALFORMED = Text("참조는 '테이블.컬럼'으로 씁니다: {fk}", "a reference is written 'table.column': {fk}")
_NO_OWN = Text(
    "외래키의 컬럼 {column}이(가) {table}에 없습니다. 컬럼: {columns}",
    "foreign key column {column} does not exist in {table}; columns: {columns}",
)
_NO_TABLE = Text("참조할 테이블 {table}이(가) 없습니다", "references table {table}, which does not exist")
_NO_COLUMN = Text(
    "참조할 컬럼 {fk}이(가) 없습니다. 컬럼: {columns}. 키: {key}",
    "references {fk}, which does not exist. Columns: {columns}. Key: {key}",
)
_COUNTS = Text(
    "컬럼 {own}개가 {fk}의 컬럼 {other}개를 참조합니다. 키: {key}",
    "{own} columns reference {other} columns of {fk}. Key: {key}",
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
_TWICE = Text("같은 외래키가 두 번 선언되었습니다: {fk}", "the same foreign key is declared twice: {fk}")
_NO_INDEX = Text(
    "외래키에 인덱스가 없어 부모를 지우거나 조인할 때 표 전체를 읽습니다",
    "foreign key has no index: deleting a parent and joining read the whole table",
)


def check_references(index: Index, policy: Policy) -> Iterator[Draft]:
    """Foreign keys that lead nowhere, cannot work, or are declared twice or without an index."""
    names = NameChoice(index, policy)
    choice = TargetChoice(index, names)
    for place in index.tables.values():
        for column in place.table.columns:
            if column.fk and split_reference(column.fk) is None:
                yield _malformed(index, place, column)
        seen: set[tuple[str, frozenset[tuple[str, str]]]] = set()
        for key in place.keys:
            yield from _target(index, place, key, choice)
            yield from _action(place, key)
            pairs = frozenset(zip(_lower(key.columns), _lower(key.target_columns), strict=False))
            if (key.target.lower(), pairs) in seen:
                yield _draft(place, key, _TWICE, {"fk": _written(key)}, severity_minor=True)
            elif _declares_indexes(index, policy, names):
                yield from _index(place, key)
            seen.add((key.target.lower(), pairs))


def _malformed(index: Index, place: TablePlace, column: Column) -> Draft:
    named = index.tables.get((column.fk or "").strip().lower())
    own = tuple(f"{named.table.name}.{name}" for name in primary_key(named.table)) if named else ()
    return Draft(
        severity="critical",
        stage="dba",
        path=f"{place.column_path(column.name)}/fk",
        ref=f"{place.table.name}({column.name})",
        text=_MALFORMED,
        values={"fk": column.fk or ""},
        expected=own[0] if own else "",
        candidates=own,
    )


def _target(index: Index, place: TablePlace, key: ForeignKey, choice: TargetChoice) -> Iterator[Draft]:
    lost = next((name for name in key.columns if name.lower() not in place.columns), None)
    if lost is not None:
        present = [column.name for column in place.table.columns]
        values = {"column": lost, "table": place.table.name, "columns": ", ".join(present) or "-"}
        own = place.table.name.lower()
        topic = f"pk:{own}" if lost.lower() in _lower(place.table.lost_key) else f"column:{own}.{lost.lower()}"
        yield _draft(place, key, _NO_OWN, values, nearest(lost, present), topic=topic, cause=topic)
        return
    target = index.tables.get(key.target.lower())
    if target is None and key.target in _outside(index):
        return
    if target is None:
        topic = f"table:{key.target.lower()}"
        candidates = choice.instead_of_table(place, key)
        patch = choice.to_near_table(place, key)
        cause = choice.misnamed(key.target) or topic
        yield _draft(place, key, _NO_TABLE, {"table": key.target}, candidates, topic=topic, cause=cause, patch=patch)
        return
    values = {
        "key": ", ".join(primary_key(target.table)) or "-",
        "columns": ", ".join(column.name for column in target.table.columns),
    }
    for name in key.target_columns:
        if name.lower() not in target.columns:
            values |= {"fk": f"{target.table.name}.{name}"}
            candidates, patch = choice.instead_of_column(place, key, target), choice.to_near_column(place, key, target)
            cause = f"pk:{target.table.name.lower()}" if name.lower() in _lower(target.table.lost_key) else ""
            at = _against(key, name)
            yield _draft(place, key, _NO_COLUMN, values, candidates, cause=cause, patch=patch, at=at)
            return
    yield from _is_key(place, key, target, values, choice)


def _outside(index: Index) -> tuple[str, ...]:
    erd = index.artifacts.erd
    return erd.outside if erd else ()


def _is_key(
    place: TablePlace, key: ForeignKey, target: TablePlace, values: dict[str, str], choice: TargetChoice
) -> Iterator[Draft]:
    cause = f"pk:{target.table.name.lower()}"
    candidates = choice.instead_of_column(place, key, target)
    if key.target_columns and len(key.columns) != len(key.target_columns):
        counts = {"own": str(len(key.columns)), "other": str(len(key.target_columns)), "fk": target.table.name}
        yield _draft(place, key, _COUNTS, {**values, **counts}, candidates)
        return
    wanted = set(_lower(key.target_columns))
    if any(wanted == set(_lower(each)) for each in unique_keys(target.table)):
        return
    composite = next((each for each in unique_keys(target.table) if wanted and wanted < set(_lower(each))), None)
    text, shown = (_PART, ", ".join(composite)) if composite else (_NOT_KEY, values["key"])
    values = {"fk": _written(key), "key": shown}
    yield _draft(place, key, text, values, candidates, topic=wrong_target(place, key), cause=cause)


def wrong_target(place: TablePlace, key: ForeignKey) -> str:
    """The topic of a foreign key that arrives at no key: its types then do not fit either."""
    return f"target:{place.table.name}({', '.join(key.columns)})".lower()


def _action(place: TablePlace, key: ForeignKey) -> Iterator[Draft]:
    if key.on_delete != "SET NULL":
        return
    for name in key.columns:
        column = place.columns.get(name.lower())
        if column is not None and (not column.null or column.pk):
            own = key.path.startswith("/columns/")
            where = place.column_path(column.name) if own else f"{place.path}{key.path}"
            yield Draft(
                severity="critical",
                stage="dba",
                path=f"{where}/on_delete",
                ref=f"{place.table.name}.{column.name}",
                text=_SET_NULL,
                candidates=("RESTRICT", "null=true") if not column.pk else ("RESTRICT", "CASCADE"),
            )
            return


def _declares_indexes(index: Index, policy: Policy, names: NameChoice) -> bool:
    """Whether a missing index is missing: designs may leave them to the program, and InnoDB makes its own."""
    erd = index.artifacts.erd
    if policy.origin == "source":
        return names.dialect != "mysql"
    return erd is not None and erd.meta.fk_index == "explicit"


def _index(place: TablePlace, key: ForeignKey) -> Iterator[Draft]:
    own, count = set(_lower(key.columns)), len(key.columns)
    leading = (*unique_keys(place.table), *place.table.indexes)
    if own <= set(place.columns) and not any(set(_lower(each[:count])) == own for each in leading):
        columns = tuple(place.columns[name.lower()].name for name in key.columns)
        yield Draft(
            severity="minor",
            stage="dba",
            path=f"{place.path}/indexes",
            ref=f"{place.table.name}({', '.join(columns)})",
            text=_NO_INDEX,
            expected=f"index ({', '.join(columns)})",
            patch=with_index(place, columns),
        )


def _lower(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name.lower() for name in names)


def _written(key: ForeignKey) -> str:
    return ", ".join(f"{key.target}.{name}" for name in key.target_columns) or key.target


def _against(key: ForeignKey, target: str) -> str:
    """The column that references this one, where each column declares its own reference."""
    own = dict(zip(key.target_columns, key.columns, strict=False))
    return own.get(target, "") if key.path.startswith("/columns/") else ""


def _draft(
    place: TablePlace,
    key: ForeignKey,
    text: Text,
    values: dict[str, str],
    candidates: tuple[str, ...] = (),
    *,
    topic: str = "",
    cause: str = "",
    patch: Patch = (),
    at: str = "",
    severity_minor: bool = False,
) -> Draft:
    return Draft(
        severity="minor" if severity_minor else "critical",
        stage="dba",
        path=f"{place.column_path(at)}/fk" if at else f"{place.path}{key.path}",
        ref=f"{place.table.name}({at or ', '.join(key.columns)})",
        text=text,
        values=values,
        expected=candidates[0] if candidates else "",
        candidates=candidates,
        topic=topic,
        cause=cause,
        patch=patch,
    )
