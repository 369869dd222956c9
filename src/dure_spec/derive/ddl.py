"""DDL from the entity-relationship design: statements for an engine, and a file for a person."""

import re
from collections.abc import Iterator, Mapping, Sequence

from dure_spec.artifacts.erd import Column, Dialect, Erd, Table
from dure_spec.derive.identifiers import quote
from dure_spec.derive.keys import (
    ForeignKey,
    all_columns,
    foreign_keys,
    primary_key,
    table_order,
    unique_keys,
)
from dure_spec.derive.literals import check_sql, default_sql, enum_sql, literal
from dure_spec.derive.types import MAX_IDENTIFIER_BYTES, family_of, parse_type, write_type

_SAFE_TYPE = re.compile(r"[A-Za-z][\w ]*(\(\s*\d+\s*(,\s*\d+\s*)?\))?")
_PLAIN_UUID = "uuid"


def create_statements(erd: Erd, dialect: Dialect | None = None) -> tuple[str, ...]:
    """Statements without their semicolons, in an order that an engine can run.

    Foreign keys are inline for SQLite and follow by ALTER TABLE elsewhere, so cycles load too.
    """
    dialect = dialect or erd.meta.dialect
    tables = {table.name.lower(): table for table in erd.tables}
    statements: list[str] = []
    for table in table_order(erd):
        statements.append(_create_table(erd, table, tables, dialect, notes=False))
        if dialect == "postgresql":
            statements.extend(_comments(table))
    for table in table_order(erd):
        statements.extend(_after_tables(erd, table, tables, dialect))
    return tuple(statements)


def schema_sql(erd: Erd, dialect: Dialect | None = None) -> str:
    """The text of `schema.sql`; logical names stand beside the physical ones as comments."""
    dialect = dialect or erd.meta.dialect
    tables = {table.name.lower(): table for table in erd.tables}
    blocks = [f"-- {dialect}, {len(tables)} tables"]
    if dialect == "sqlite":
        blocks.append("PRAGMA foreign_keys = ON;")
    ordered = table_order(erd)
    for table in ordered:
        title = f"-- {_one_line(table.logical)} ({_one_line(', '.join(table.reqs))})".removesuffix(" ()")
        block = [title, _create_table(erd, table, tables, dialect, notes=True) + ";"]
        if dialect == "postgresql":
            block.extend(f"{statement};" for statement in _comments(table))
        blocks.append("\n".join(block))
    after = [f"{statement};" for table in ordered for statement in _after_tables(erd, table, tables, dialect)]
    if after:
        blocks.append("\n".join(after))
    return "\n\n".join(blocks) + "\n"


def column_type(column: Column, dialect: Dialect) -> str:
    """A column's type as the dialect writes it; an unknown word is left for the engine to refuse."""
    parsed = parse_type(column.type)
    if parsed:
        return write_type(parsed, dialect)
    return column.type.strip() if _SAFE_TYPE.fullmatch(column.type.strip()) else quote(column.type, dialect)


def is_generated_key(erd: Erd, table: Table, column: Column) -> bool:
    """Whether the engine numbers the column itself."""
    alone = primary_key(table) == (column.name,)
    return (
        alone
        and family_of(column.type) == "int"
        and column.fk is None
        and column.default is None
        and not column.enum
        and erd.meta.pk.strip().lower() != _PLAIN_UUID
    )


def _create_table(erd: Erd, table: Table, tables: Mapping[str, Table], dialect: Dialect, *, notes: bool) -> str:
    lines = [(_column_line(erd, table, column, dialect), _logical(column)) for column in all_columns(erd, table)]
    lines.extend((line, "") for line in _constraints(table, tables, dialect))
    last = len(lines) - 1
    written = [
        f"  {line}{',' if number < last else ''}{_note(note) if notes else ''}"
        for number, (line, note) in enumerate(lines)
    ]
    return "\n".join([f"CREATE TABLE {quote(table.name, dialect)} (", *written, ")"])


def _logical(column: Column) -> str:
    return column.logical if column.logical != column.name else ""


def _note(text: str) -> str:
    text = _one_line(text)
    return f" -- {text}" if text else ""


def _one_line(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _column_line(erd: Erd, table: Table, column: Column, dialect: Dialect) -> str:
    parts = [quote(column.name, dialect)]
    alone = primary_key(table) == (column.name,)
    if is_generated_key(erd, table, column):
        parts.append(_generated_key(column, dialect))
        return " ".join([*parts, *_checks(column, dialect)])
    parts.append(column_type(column, dialect))
    if alone:
        parts.append("PRIMARY KEY" if dialect != "sqlite" else "NOT NULL PRIMARY KEY")
    elif column.pk or not column.null:
        parts.append("NOT NULL")
    default = default_sql(column, dialect) or _uuid_default(table, column, dialect)
    if default is not None:
        parts.append(f"DEFAULT {default}")
    if column.uq and not alone:
        parts.append("UNIQUE")
    return " ".join([*parts, *_checks(column, dialect)])


def _generated_key(column: Column, dialect: Dialect) -> str:
    if dialect == "sqlite":
        return "INTEGER PRIMARY KEY"
    generated = "GENERATED BY DEFAULT AS IDENTITY" if dialect == "postgresql" else "AUTO_INCREMENT"
    return f"{column_type(column, dialect)} {generated} PRIMARY KEY"


def _uuid_default(table: Table, column: Column, dialect: Dialect) -> str | None:
    if primary_key(table) != (column.name,) or column.fk or family_of(column.type) != "uuid":
        return None
    return default_sql(column.model_copy(update={"default": "gen_random_uuid()"}), dialect)


def _checks(column: Column, dialect: Dialect) -> Iterator[str]:
    for expression in (enum_sql(column, dialect), check_sql(column, dialect)):
        if expression is not None:
            yield f"CHECK ({expression})"


def _constraints(table: Table, tables: Mapping[str, Table], dialect: Dialect) -> Iterator[str]:
    key = primary_key(table)
    if len(key) > 1:
        yield f"PRIMARY KEY ({_names(key, dialect)})"
    for columns in dict.fromkeys(table.uniques):
        if columns and columns != key:
            yield f"UNIQUE ({_names(columns, dialect)})"
    if dialect == "sqlite":
        for foreign in foreign_keys(table, tables):
            yield _foreign_key(foreign, dialect)


def _foreign_key(key: ForeignKey, dialect: Dialect) -> str:
    target = f"{quote(key.target, dialect)} ({_names(key.target_columns, dialect)})"
    action = f" ON DELETE {key.on_delete}" if key.on_delete else ""
    return f"FOREIGN KEY ({_names(key.columns, dialect)}) REFERENCES {target}{action}"


def _after_tables(erd: Erd, table: Table, tables: Mapping[str, Table], dialect: Dialect) -> Iterator[str]:
    name = quote(table.name, dialect)
    indexes = list(dict.fromkeys(columns for columns in table.indexes if columns))
    keys = foreign_keys(table, tables)
    if dialect != "sqlite":
        for key in keys:
            constraint = quote(_object_name("fk", table.name, key.columns), dialect)
            yield f"ALTER TABLE {name} ADD CONSTRAINT {constraint} {_foreign_key(key, dialect)}"
    if erd.meta.fk_index == "auto":
        indexes.extend(key.columns for key in keys if not _is_indexed(table, key.columns, indexes))
    for columns in indexes:
        index = quote(_object_name("ix", table.name, columns), dialect)
        yield f"CREATE INDEX {index} ON {name} ({_names(columns, dialect)})"


def _is_indexed(table: Table, columns: tuple[str, ...], indexes: Sequence[tuple[str, ...]]) -> bool:
    return any(key[: len(columns)] == columns for key in (*unique_keys(table), *indexes))


def _object_name(prefix: str, table: str, columns: tuple[str, ...]) -> str:
    name = "_".join((prefix, table, *columns))
    while len(name.encode()) > MAX_IDENTIFIER_BYTES:
        name = name[:-1]
    return name


def _names(columns: tuple[str, ...], dialect: Dialect) -> str:
    return ", ".join(quote(column, dialect) for column in columns)


def _comments(table: Table) -> Iterator[str]:
    name = quote(table.name, "postgresql")
    if table.logical.strip() and table.logical != table.name:
        yield f"COMMENT ON TABLE {name} IS {literal(_one_line(table.logical), 'str', 'postgresql')}"
    for column in table.columns:
        if _logical(column).strip():
            place = f"{name}.{quote(column.name, 'postgresql')}"
            yield f"COMMENT ON COLUMN {place} IS {literal(_one_line(column.logical), 'str', 'postgresql')}"
