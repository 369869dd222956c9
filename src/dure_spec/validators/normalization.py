"""V10 NormalizationSmell: tables whose shape makes every later query awkward."""

from collections.abc import Iterator

from dure_spec.artifacts.erd import Column
from dure_spec.derive.words import singular, snake
from dure_spec.validators.audit_names import is_audit
from dure_spec.validators.copied_columns import check_copies
from dure_spec.validators.hidden_lists import holds_list, repeating_groups
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.loose_references import PolymorphicPairs, eav_triple
from dure_spec.validators.policy import Draft, Policy, Text

_REPEATED = Text(
    "반복 그룹 {group}: 하나 더 필요할 때마다 컬럼을 늘려야 하고 검색할 때마다 모두를 써야 합니다. "
    "{child} 테이블로 나누십시오",
    "repeating group {group}: one more needs one more column, and every search has to name them all; "
    "make a table {child}",
)
_LIST = Text(
    "한 컬럼에 여러 값을 담습니다: 외래키도 인덱스도 걸 수 없습니다. {child} 테이블로 나누십시오",
    "several values in one column: neither a foreign key nor an index can hold them; make a table {child}",
)
_EAV = Text(
    "엔터티-속성-값 구조 ({entity}, {attribute}, {value}): 값의 타입과 필수 여부를 데이터베이스가 지킬 수 없습니다",
    "entity-attribute-value ({entity}, {attribute}, {value}): the database cannot check types or required values",
)
_POLYMORPHIC = Text(
    "다형 참조 {id} + {type}: 어느 테이블을 가리킬지 행마다 달라 외래키를 걸 수 없습니다",
    "polymorphic reference {id} + {type}: each row may point at another table, so no foreign key can hold it",
)
_WIDE = Text(
    "컬럼이 {count}개입니다({limit}개 초과): 서로 다른 것이 한 테이블에 섞여 있는지 보십시오",
    "{count} columns (more than {limit}): probably several things in one table",
)
_ALL_NULL = Text(
    "키 말고는 모든 컬럼이 NULL을 허용해 빈 행도 저장됩니다: {columns}",
    "every column but the key is nullable, so a row without any content can be stored: {columns}",
)
_WIDE_FROM, _FAR_TOO_WIDE_FROM = 26, 41
_ALL_NULL_FROM = 3
"""Columns beside the key; one or two that are optional say nothing."""


def check_normalization(index: Index, policy: Policy) -> Iterator[Draft]:
    """Smells of each table; there is no repair that would not change what the design means."""
    polymorphic = PolymorphicPairs(index)
    for place in index.tables.values():
        yield from _repeated(place)
        yield from _lists(index, place)
        yield from _values(place)
        for kind, own in polymorphic.of(place):
            yield _polymorphic(index, place, kind, own)
        yield from _shape(place)
    yield from check_copies(index, policy)


def _repeated(place: TablePlace) -> Iterator[Draft]:
    for stem, columns in repeating_groups(place.table.columns):
        child = _child(place, stem)
        yield _draft(
            place,
            _REPEATED,
            path=f"{place.column_path(columns[0].name)}/name",
            ref=f"{place.table.name}({', '.join(column.name for column in columns)})",
            values={"group": _span(columns), "child": child},
            expected=f"{child}({_key_of(place)}, {stem})",
        )


def _span(columns: tuple[Column, ...]) -> str:
    names = [column.name for column in columns]
    return f"{names[0]} … {names[-1]}" if len(names) > 2 else ", ".join(names)


def _lists(index: Index, place: TablePlace) -> Iterator[Draft]:
    for column in place.table.columns:
        stem = holds_list(index, column)
        if stem:
            child = _child(place, stem)
            yield _draft(
                place,
                _LIST,
                path=f"{place.column_path(column.name)}/type",
                ref=f"{place.table.name}.{column.name}",
                values={"child": child},
                expected=f"{child}({_key_of(place)}, {singular(snake(stem))})",
            )


def _values(place: TablePlace) -> Iterator[Draft]:
    triple = eav_triple(place)
    if triple is not None:
        entity, attribute, value = triple
        yield _draft(
            place,
            _EAV,
            path=place.path,
            ref=place.table.name,
            values={"entity": entity.name, "attribute": attribute.name, "value": value.name},
        )


def _polymorphic(index: Index, place: TablePlace, kind: Column, own: Column) -> Draft:
    stem = snake(own.name).removesuffix("_id")
    keys = (f"{stem}_{singular(snake(name))}_id" for name in kind.enum or () if _table_named(index, name))
    columns = tuple(keys)
    return _draft(
        place,
        _POLYMORPHIC,
        path=f"{place.column_path(kind.name)}/name",
        ref=f"{place.table.name}.{kind.name}",
        values={"id": own.name, "type": kind.name},
        expected=", ".join(columns),
    )


def _table_named(index: Index, value: str) -> bool:
    return any(singular(snake(value)) == singular(name) for name in index.tables)


def _shape(place: TablePlace) -> Iterator[Draft]:
    table, count = place.table, len(place.table.columns)
    if count >= _WIDE_FROM:
        much = count >= _FAR_TOO_WIDE_FROM
        limit = (_FAR_TOO_WIDE_FROM if much else _WIDE_FROM) - 1
        values = {"count": str(count), "limit": str(limit)}
        yield _draft(place, _WIDE, path=f"{place.path}/columns", ref=table.name, values=values, minor=not much)
    rest = [column for column in table.columns if not column.pk and not is_audit(column.name, column.logical)]
    if len(rest) >= _ALL_NULL_FROM and all(column.null for column in rest):
        keyless = not any(column.pk for column in table.columns)
        yield _draft(
            place,
            _ALL_NULL,
            path=f"{place.path}/columns",
            ref=table.name,
            values={"columns": ", ".join(column.name for column in rest)},
            minor=True,
            cause=f"pk:{table.name.lower()}" if keyless else "",
        )


def _child(place: TablePlace, stem: str) -> str:
    return f"{singular(snake(place.table.name))}_{snake(stem) or stem}"


def _key_of(place: TablePlace) -> str:
    return f"{singular(snake(place.table.name))}_id"


def _draft(
    place: TablePlace,
    text: Text,
    *,
    path: str,
    ref: str,
    values: dict[str, str],
    expected: str = "",
    minor: bool = False,
    cause: str = "",
) -> Draft:
    return Draft(
        severity="minor" if minor else "major",
        stage="dba",
        path=path,
        ref=ref,
        text=text,
        values=values,
        expected=expected,
        candidates=(expected,) if expected else (),
        cause=cause,
    )
