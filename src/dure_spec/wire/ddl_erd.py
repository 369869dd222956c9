"""An ERD read from SQL: table by table, so that one that cannot be read does not cost the others."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from dure_spec.artifacts.erd import Column, Erd, OnDelete, Table
from dure_spec.artifacts.prd import Prd
from dure_spec.derive.identifiers import reserved_words
from dure_spec.derive.words import plural, singular, snake
from dure_spec.wire.ddl_conventions import agree
from dure_spec.wire.ddl_items import Read, Reference, read_item
from dure_spec.wire.ddl_text import RawSchema, RawTable, scan
from dure_spec.wire.ddl_types import canonical_default, canonical_type, is_personal, wide_enough
from dure_spec.wire.parsed import Fault, Parsed

_EXPECTED = "CREATE TABLE name (column type constraints, …);"


@dataclass(kw_only=True, slots=True)
class _Draft:
    name: str
    comment: str
    columns: dict[str, Column] = field(default_factory=dict[str, Column])
    comments: dict[str, str] = field(default_factory=dict[str, str])
    primary: tuple[str, ...] = ()
    uniques: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    indexes: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])


def parse_ddl(text: str, prd: Prd) -> Parsed[Erd]:
    """Read CREATE TABLE statements (PostgreSQL, tolerant), and bring names, keys and types to our conventions."""
    raw = scan(text)
    faults: list[Fault] = []
    drafts: dict[str, _Draft] = {}
    for table in raw.tables:
        draft = _read_table(table, raw, faults)
        if draft is not None:
            drafts[draft.name] = draft
    _read_rest(raw, drafts, faults)
    if not drafts:
        faults.append(Fault(line=0, text=text[:80], expected=_EXPECTED))
    tables = [_table(draft) for draft in drafts.values()]
    comments = {(draft.name, name): words for draft in drafts.values() for name, words in draft.comments.items()}
    titles = {draft.name: draft.comment for draft in drafts.values()}
    return Parsed(artifact=agree(tables, prd, titles, comments), faults=tuple(faults))


def table_name(name: str) -> str:
    """Our name for a table: snake_case, plural."""
    return plural(singular(snake(name))) or name


def column_name(name: str, table: str) -> str:
    """Our name for a column: snake_case, and no word that PostgreSQL keeps for itself."""
    plain = snake(name)
    if plain not in reserved_words("postgresql"):
        return plain
    return "description" if plain == "desc" else f"{singular(table)}_{plain}"


def _read_table(raw: RawTable, schema: RawSchema, faults: list[Fault]) -> _Draft | None:
    draft = _Draft(name=table_name(raw.name), comment=schema.table_comments.get(raw.name) or raw.comment)
    for item in raw.items:
        read = read_item(item.sql)
        if read is None:
            expected = "column type constraints, or a key of the table"
            faults.append(Fault(line=item.line, text=f"{raw.name}: {item.sql[:80]}", expected=expected))
            continue
        _take(read, draft, faults, item.line)
        if read.column:
            words = schema.column_comments.get((raw.name, read.column)) or read.comment or item.comment
            draft.comments[column_name(read.column, draft.name)] = words
    if not raw.closed:
        faults.append(Fault(line=raw.line, text=raw.name, expected="the rest of the table: the text breaks off in it"))
    if not draft.columns:
        faults.append(
            Fault(line=raw.line, text=raw.name, expected=f"{_EXPECTED} (no column of {raw.name} can be read)")
        )
        return None
    return draft


def _take(read: Read, draft: _Draft, faults: list[Fault], line: int) -> None:
    if read.column:
        draft.columns[column_name(read.column, draft.name)] = _column(read, draft, faults, line)
    if read.primary:
        draft.primary = tuple(column_name(name, draft.name) for name in read.primary)
    for names in read.uniques:
        draft.uniques.append(tuple(column_name(name, draft.name) for name in names))
    for reference in read.references:
        _refer(draft, reference)
    for name, values in read.enums:
        _change(draft, column_name(name, draft.name), enum=values)
    for name, sql in read.checks:
        own = column_name(name, draft.name)
        _change(draft, own, check=re.sub(rf'"?\b{re.escape(name)}\b"?', own, sql))


def _column(read: Read, draft: _Draft, faults: list[Fault], line: int) -> Column:
    name = column_name(read.column or "", draft.name)
    enum = next((values for _, values in read.enums), None)
    sql_type = canonical_type(read.sql_type, name)
    if enum:
        sql_type = wide_enough(sql_type, enum)
    default, fits = canonical_default(read.default, sql_type, enum)
    if not fits:
        text = f"{draft.name}.{name} DEFAULT {read.default}"
        faults.append(Fault(line=line, text=text, expected=f"a default that {sql_type} can hold"))
    null = read.null and name not in draft.primary
    return Column(name=name, logical=name, type=sql_type, null=null, default=default, pii=is_personal(name))


def _change(draft: _Draft, name: str, **values: object) -> None:
    column = draft.columns.get(name)
    if column is not None:
        draft.columns[name] = Column.model_validate({**column.model_dump(), **values})


def _refer(draft: _Draft, reference: Reference) -> None:
    for at, name in enumerate(reference.columns):
        target = snake(reference.target[at]) if at < len(reference.target) else "id"
        on_delete: OnDelete = reference.on_delete or "RESTRICT"
        _change(draft, column_name(name, draft.name), fk=f"{table_name(reference.table)}.{target}", on_delete=on_delete)


def _read_rest(raw: RawSchema, drafts: dict[str, _Draft], faults: list[Fault]) -> None:
    """Keys and indexes that stand outside their tables."""
    for name, columns, unique in raw.indexes:
        draft = drafts.get(table_name(name))
        if draft is not None:
            (draft.uniques if unique else draft.indexes).append(
                tuple(column_name(column, draft.name) for column in columns)
            )
    for name, sql, line in raw.keys:
        draft = drafts.get(table_name(name))
        read = read_item(sql)
        if draft is not None and read is not None and read.column is None:
            _take(read, draft, faults, line)


def _table(draft: _Draft) -> Table:
    columns = [_keyed(column, draft) for column in draft.columns.values()]
    known = {column.name for column in columns}
    groups = _known_groups(draft.uniques, known)
    return Table(
        name=draft.name,
        logical=draft.name,
        kind="entity",
        reqs=(),
        columns=tuple(columns),
        uniques=tuple(group for group in groups if len(group) > 1 and set(group) != set(draft.primary)),
        indexes=_known_groups(draft.indexes, known),
    )


def _keyed(column: Column, draft: _Draft) -> Column:
    primary = column.name in draft.primary
    unique = (column.name,) in draft.uniques and not primary
    return column.model_copy(update={"pk": primary, "uq": unique, "null": column.null and not primary})


def _known_groups(groups: Sequence[tuple[str, ...]], known: set[str]) -> tuple[tuple[str, ...], ...]:
    return tuple(dict.fromkeys(group for group in groups if group and set(group) <= known))
