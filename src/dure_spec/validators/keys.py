"""V06 PrimaryKey: every row can be told from every other, and by something that does not change."""

import re
from collections import Counter
from collections.abc import Iterator

from dure_spec.artifacts.erd import Column, Table
from dure_spec.derive.types import family_of, parse_type, write_type
from dure_spec.derive.words import name_words, singular, snake
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.name_choice import NameChoice
from dure_spec.validators.patches import Patch, replaced, with_columns
from dure_spec.validators.policy import Draft, Policy, Text, nearest

_NONE = Text(
    "기본키가 없습니다: 한 행을 가리킬 수 없습니다. 컬럼: {columns}",
    "no primary key, so no row can be told from another; columns: {columns}",
)
_NULLABLE = Text("기본키 컬럼이 NULL을 허용합니다", "primary key column is nullable")
_FLOAT = Text("기본키가 실수형이라 같은 값을 찾을 수 없습니다", "primary key is a float, equality cannot be trusted")
_DUPLICATE_COLUMN = Text("같은 이름의 컬럼이 두 번 있습니다", "column is declared twice")
_DUPLICATE_TABLE = Text("같은 이름의 테이블이 두 번 있습니다", "table is declared twice")
_MISSING = Text(
    "기본키 ({key})의 컬럼 {column}이(가) 없습니다. 컬럼: {columns}",
    "primary key ({key}) names column {column}, which does not exist; columns: {columns}",
)
_MUTABLE = Text(
    "바뀔 수 있는 값이 기본키라, 바뀌면 참조하는 모든 행을 고쳐야 합니다",
    "primary key can change, and every row that references it with it",
)
_CHANGING = frozenset(
    "email mail name fullname firstname lastname surname phone mobile tel telephone cellphone fax address title "
    "username nickname".split()
)
_CHANGING_KO = ("이메일", "전화번호", "휴대폰번호", "휴대폰", "연락처", "성명", "이름", "주소", "닉네임")
_FIXED_ADDRESSES = frozenset(["ip", "mac", "wallet", "contract", "net", "network", "memory", "bus"])
_NAMED_KINDS = frozenset(["code", "config"])


def check_keys(index: Index, policy: Policy) -> Iterator[Draft]:
    """Keys of every table."""
    names = NameChoice(index, policy)
    yield from _duplicates(index)
    for place in index.tables.values():
        yield from _lost_key(place)
        yield from _primary_key(index, place, names)


def _duplicates(index: Index) -> Iterator[Draft]:
    erd = index.artifacts.erd
    tables: Counter[str] = Counter()
    for number, table in enumerate(erd.tables if erd else ()):
        path = f"/tables/{number}"
        tables[table.name.lower()] += 1
        if tables[table.name.lower()] > 1:
            yield Draft(severity="critical", stage="dba", path=f"{path}/name", ref=table.name, text=_DUPLICATE_TABLE)
        columns: Counter[str] = Counter()
        for position, column in enumerate(table.columns):
            columns[column.name.lower()] += 1
            if columns[column.name.lower()] > 1:
                yield Draft(
                    severity="critical",
                    stage="dba",
                    path=f"{path}/columns/{position}/name",
                    ref=f"{table.name}.{column.name}",
                    text=_DUPLICATE_COLUMN,
                )


def _lost_key(place: TablePlace) -> Iterator[Draft]:
    """A primary key over columns that the table does not have; what it has of them is marked as key."""
    present = [column.name for column in place.table.columns]
    key = place.table.lost_key
    for position, name in enumerate(key):
        if name.lower() not in place.columns:
            free = [each for each in present if each not in key]
            likely = tuple(each for each in _key_candidates(place) if each in free)
            candidates = tuple(dict.fromkeys((*nearest(name, free), *likely)))
            yield Draft(
                severity="critical",
                stage="dba",
                path=f"{place.path}/lost_key/{position}",
                ref=f"{place.table.name}({', '.join(key)})",
                text=_MISSING,
                values={"key": ", ".join(key), "column": name, "columns": ", ".join(present) or "-"},
                expected=candidates[0] if candidates else "",
                candidates=candidates,
                topic=f"pk:{place.table.name.lower()}",
            )


def _primary_key(index: Index, place: TablePlace, names: NameChoice) -> Iterator[Draft]:
    table = place.table
    keys = [column for column in table.columns if column.pk]
    if not keys and not table.lost_key:
        candidates = _key_candidates(place)
        yield Draft(
            severity="critical",
            stage="dba",
            path=place.path,
            ref=table.name,
            text=_NONE,
            values={"columns": ", ".join(column.name for column in table.columns) or "-"},
            expected=candidates[0],
            candidates=candidates,
            topic=f"pk:{table.name.lower()}",
            patch=_with_key(index, place, names, candidates),
        )
    for column in keys:
        yield from _key_column(place, column)
    if (
        keys
        and not table.lost_key
        and table.kind not in _NAMED_KINDS
        and all(_changes(column) for column in keys)
        and not _is_list(table)
    ):
        yield _draft(place, keys[0], "pk", _MUTABLE, f"id bigint pk, {keys[0].name} unique", severity_major=True)


def _key_column(place: TablePlace, column: Column) -> Iterator[Draft]:
    if column.null:
        path = f"{place.column_path(column.name)}/null"
        yield _draft(place, column, "null", _NULLABLE, "false", patch=replaced("dba", path, True, False))
    if family_of(column.type) == "float":
        yield _draft(place, column, "type", _FLOAT, "bigint", candidates=("bigint", "uuid"))


def _draft(
    place: TablePlace,
    column: Column,
    field: str,
    text: Text,
    expected: str,
    *,
    candidates: tuple[str, ...] = (),
    patch: Patch = (),
    severity_major: bool = False,
) -> Draft:
    return Draft(
        severity="major" if severity_major else "critical",
        stage="dba",
        path=f"{place.column_path(column.name)}/{field}",
        ref=f"{place.table.name}.{column.name}",
        text=text,
        expected=expected,
        candidates=candidates,
        patch=patch,
    )


def _changes(column: Column) -> bool:
    """Whether people change what the column holds."""
    words = [word for word in name_words(column.name) if not word.isdigit()]
    if column.fk or not words:
        return False
    if column.logical.strip().endswith(_CHANGING_KO) or column.name.endswith(_CHANGING_KO):
        return True
    return words[-1] in _CHANGING and not (words[-1] == "address" and _FIXED_ADDRESSES & set(words))


def _is_list(table: Table) -> bool:
    """Whether the table is little more than a list of the words that are its key."""
    return len(table.columns) <= 2 and any(snake(column.name).endswith("name") for column in table.columns[:1])


def _key_candidates(place: TablePlace) -> tuple[str, ...]:
    """What looks like the key: `id`, `<table>_id`, a unique column, a number in front; all references of a junction."""
    table = place.table
    references = tuple(dict.fromkeys(name for key in place.keys for name in key.columns))
    composite = next((key for key in table.uniques if len(key) > 1), ())
    alone = {column.name for column in table.columns} <= set(references)
    if len(references) > 1 and (table.kind == "junction" or alone or set(references) == set(composite)):
        return (", ".join(references),)
    own = singular(snake(table.name))
    likely = [column.name for column in table.columns if snake(column.name) in ("id", *_own_keys(own))]
    unique = [column.name for column in table.columns if column.uq and not column.null]
    both = [", ".join(key) for key in table.uniques]
    first = [column.name for column in table.columns[:1] if re.search(r"(id|no|code|key|uuid)$", snake(column.name))]
    return tuple(dict.fromkeys([*likely, *unique, *both, *first])) or ("id",)


def _own_keys(own: str) -> tuple[str, ...]:
    return (*(f"{own}{suffix}" for suffix in ("_id", "_no", "_code", "id", "_key", "_uid")), f"{own[:1]}id")


def _with_key(index: Index, place: TablePlace, names: NameChoice, candidates: tuple[str, ...]) -> Patch:
    """`id` as the key: marked where the table has it, added where nothing in an entity looks like a key."""
    named = place.columns.get("id")
    if named is not None:
        sound = named in place.table.columns and not named.null and not named.fk
        fitting = sound and family_of(named.type) in ("int", "uuid", "dec")
        path = f"{place.column_path(named.name)}/pk"
        return replaced("dba", path, False, True) if fitting else ()
    if candidates != ("id",) or place.table.kind == "junction":
        return ()
    erd = index.artifacts.erd
    written = "uuid" if erd is not None and "uuid" in erd.meta.pk.lower() else "bigint"
    parsed = parse_type(written)
    name = next(names.columns(place, "", ("id",)), "")
    if parsed is None or not name:
        return ()
    return with_columns(
        place, Column(name=name, logical="ID", type=write_type(parsed, names.dialect), pk=True), first=True
    )
