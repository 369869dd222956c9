"""V06 PrimaryKey: every row can be told from every other, and by something that does not change."""

import re
from collections import Counter
from collections.abc import Iterator

from dure_spec.artifacts.erd import Table
from dure_spec.derive.keys import unique_keys
from dure_spec.derive.types import family_of
from dure_spec.derive.words import parts, singular, snake
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.policy import Draft, Policy, Text

_NONE = Text("기본키가 없습니다. 컬럼: {columns}", "no primary key; columns: {columns}")
_NULLABLE = Text("기본키 컬럼이 NULL을 허용합니다", "primary key column is nullable")
_FLOAT = Text("기본키가 실수형이라 같은 값을 찾을 수 없습니다", "primary key is a float, equality cannot be trusted")
_DUPLICATE_COLUMN = Text("같은 이름의 컬럼이 두 번 있습니다", "column is declared twice")
_DUPLICATE_TABLE = Text("같은 이름의 테이블이 두 번 있습니다", "table is declared twice")
_MUTABLE = Text("바뀔 수 있는 값이 기본키입니다", "primary key can change")
_NO_UNIQUE = Text(
    "규칙 {rule}('{text}'): 이를 지킬 UNIQUE가 {tables}에 없습니다",
    "rule {rule} ('{text}') needs a UNIQUE key on {tables}",
)
_CHANGING = frozenset({"email", "mail", "name", "phone", "mobile", "tel", "address", "title", "username"})
_UNIQUE_WORDS = re.compile(r"유일|고유|중복|\bunique\b|\bduplicate|\bno two\b", re.IGNORECASE)


def check_keys(index: Index, policy: Policy) -> Iterator[Draft]:
    """Keys of every table, and the unique keys that rules ask for."""
    yield from _duplicates(index)
    for place in index.tables.values():
        yield from _primary_key(place)
    yield from _unique_rules(index)


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


def _primary_key(place: TablePlace) -> Iterator[Draft]:
    table = place.table
    keys = [column for column in table.columns if column.pk]
    if not keys:
        yield Draft(
            severity="critical",
            stage="dba",
            path=place.path,
            ref=table.name,
            text=_NONE,
            values={"columns": ", ".join(column.name for column in table.columns) or "-"},
            candidates=_key_candidates(table),
            topic=f"pk:{table.name.lower()}",
        )
    for column in keys:
        ref, path = f"{table.name}.{column.name}", place.column_path(column.name)
        if column.null:
            yield Draft(
                severity="critical", stage="dba", path=f"{path}/null", ref=ref, text=_NULLABLE, expected="false"
            )
        if family_of(column.type) == "float":
            yield Draft(
                severity="critical",
                stage="dba",
                path=f"{path}/type",
                ref=ref,
                text=_FLOAT,
                candidates=("bigint", "uuid"),
            )
        changing = len(keys) == 1 and not column.fk and parts(column.name)[-1:] and parts(column.name)[-1] in _CHANGING
        if changing and table.kind != "code":
            yield Draft(
                severity="major",
                stage="dba",
                path=f"{path}/pk",
                ref=ref,
                text=_MUTABLE,
                expected=f"id bigint pk, {column.name} unique",
            )


def _key_candidates(table: Table) -> tuple[str, ...]:
    """What looks like the key: `id`, `<table>_id`, a unique column; all references of a junction."""
    references = tuple(column.name for column in table.columns if column.fk)
    if table.kind == "junction" and len(references) > 1:
        return (", ".join(references),)
    own = singular(snake(table.name))
    likely = [
        column.name
        for column in table.columns
        if column.name.lower() in ("id", f"{own}_id", f"{own}_no", f"{own}_code")
    ]
    unique = [column.name for column in table.columns if column.uq and not column.null]
    return tuple(dict.fromkeys([*likely, *unique])) or ("id",)


def _unique_rules(index: Index) -> Iterator[Draft]:
    for rule in index.rules.values():
        if rule.kind != "constraint" or not _UNIQUE_WORDS.search(rule.text):
            continue
        tables = [index.term_tables[term] for term in rule.entities if term in index.term_tables]
        if not tables or any(_has_business_key(table) for table in tables):
            continue
        place = index.tables[tables[0].name.lower()]
        yield Draft(
            severity="major",
            stage="dba",
            path=place.path,
            ref=tables[0].name,
            text=_NO_UNIQUE,
            values={"rule": rule.id, "text": rule.text, "tables": ", ".join(table.name for table in tables)},
        )


def _has_business_key(table: Table) -> bool:
    """Whether anything but a generated number keeps two rows apart."""
    return any(not _is_number(table, key) for key in unique_keys(table))


def _is_number(table: Table, key: tuple[str, ...]) -> bool:
    """Whether the key is the bare primary key that the engine or the program hands out."""
    column = next((column for column in table.columns if key == (column.name,)), None)
    return column is not None and column.pk and not column.fk and family_of(column.type) in ("int", "uuid")
