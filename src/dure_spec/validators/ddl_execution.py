"""V12 DdlExecution: the design runs on a real engine, takes rows, and reads back as it was written."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

from dure_spec.artifacts.erd import Column, Dialect, Erd, Table
from dure_spec.derive.ddl import create_statements
from dure_spec.derive.defaults import default_fault
from dure_spec.derive.keys import all_columns, foreign_keys, primary_key
from dure_spec.derive.sample_rows import insert_statements
from dure_spec.derive.types import exists_in, family_of, parse_type, write_type
from dure_spec.validators.index import Index
from dure_spec.validators.policy import Draft, Policy, Text

_TYPE = Text("{dialect}에 '{type}' 타입이 없습니다", "type '{type}' does not exist in {dialect}")
_DEFAULT = Text("기본값 {value}은(는) {type}의 값이 아닙니다", "default {value} is no value of {type}")
_ENGINE = Text("SQLite가 거절했습니다: {error} ({sql})", "SQLite refused: {error} ({sql})")
_LOST = Text(
    "만들어진 스키마에 {what}이(가) 없거나 다릅니다",
    "{what} is missing from or different in the created schema",
)
_ROWS = Text("예시 행을 넣을 수 없습니다: {error} ({sql})", "a sample row cannot be inserted: {error} ({sql})")
_SHOWN = 120


def check_ddl(index: Index, policy: Policy) -> Iterator[Draft]:
    """Types and defaults that SQLite would let pass, then everything that it would not."""
    erd = index.artifacts.erd
    if erd is None:
        return
    dialect = policy.dialect or erd.meta.dialect
    refused = list(_refused_by_dialect(erd, dialect))
    yield from refused
    if not refused:
        yield from _execute(erd, policy)


def _refused_by_dialect(erd: Erd, dialect: Dialect) -> Iterator[Draft]:
    for number, table in enumerate(erd.tables):
        for position, column in enumerate(table.columns):
            path = f"/tables/{number}/columns/{position}"
            parsed = parse_type(column.type)
            ref = f"{table.name}.{column.name}"
            if parsed is None or not exists_in(parsed, dialect):
                native = write_type(parsed, dialect) if parsed else _likely_type(column)
                if parsed and parsed.name == "timestamp" and dialect == "postgresql":
                    native = "timestamptz"
                values = {"dialect": dialect, "type": column.type}
                yield _draft(f"{path}/type", ref, _TYPE, values, expected=native)
            elif default_fault(column, dialect) is not None:
                values = {"value": repr(column.default), "type": column.type}
                yield _draft(f"{path}/default", ref, _DEFAULT, values)


def _likely_type(column: Column) -> str:
    return f"varchar({max(len(value) for value in column.enum)})" if column.enum else "varchar(100)"


def _execute(erd: Erd, policy: Policy) -> Iterator[Draft]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as engine:
        engine.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1_000_000)
        engine.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        engine.execute("PRAGMA foreign_keys = ON")
        refusals = [found for sql in create_statements(erd, "sqlite") if (found := _run(engine, sql, policy))]
        if refusals:
            yield from _refusals(erd, refusals)
            return
        lost = list(_read_back(engine, erd))
        yield from lost
        if not lost:
            yield from _fill(engine, erd, policy)


def _run(engine: sqlite3.Connection, sql: str, policy: Policy) -> tuple[str, str] | None:
    """Execute one statement; what the engine said and the statement when it refused."""
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1000
        return int(steps > policy.engine_steps)

    engine.set_progress_handler(count, 1000)
    try:
        engine.execute(sql)
    except (sqlite3.Error, sqlite3.Warning) as error:
        return str(error), sql
    return None


def _refusals(erd: Erd, refusals: list[tuple[str, str]]) -> Iterator[Draft]:
    """The table that cannot be created is at fault; its indexes fail only because of it."""
    for error, sql in refusals:
        created = sql.startswith("CREATE TABLE")
        number, table = _table_in(erd, sql)
        topic = f"engine:{table.name}" if table else ""
        column = _column_in(table, error) if table else None
        yield _draft(
            f"/tables/{number}/columns/{column}" if column is not None else f"/tables/{number}",
            f"{table.name}.{table.columns[column].name}"
            if table and column is not None
            else table.name
            if table
            else "schema",
            _ENGINE,
            {"error": error, "sql": _shown(sql)},
            topic=topic if created else "",
            cause=topic,
        )


def _table_in(erd: Erd, sql: str) -> tuple[int, Table | None]:
    head = sql.partition("\n")[0] if sql.startswith("CREATE TABLE") else sql.partition(" ON ")[2]
    for number, table in sorted(enumerate(erd.tables), key=lambda pair: -len(pair[1].name)):
        if table.name in head:
            return number, table
    return 0, None


def _column_in(table: Table, error: str) -> int | None:
    """The column whose check or enumeration holds the word that the engine did not understand."""
    word = error.rpartition(":")[2].strip()
    for number, column in enumerate(table.columns):
        if column.check and word and word in column.check:
            return number
    return None


def _read_back(engine: sqlite3.Connection, erd: Erd) -> Iterator[Draft]:
    tables = {table.name.lower(): table for table in erd.tables}
    present = {name.lower() for (name,) in engine.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for number, table in enumerate(erd.tables):
        if table.name.lower() not in present:
            yield _lost(number, table, table.name)
            continue
        for what in (*_column_differences(engine, erd, table), *_key_differences(engine, table, tables)):
            yield _lost(number, table, what)


def _column_differences(engine: sqlite3.Connection, erd: Erd, table: Table) -> Iterator[str]:
    found = {
        str(name).lower(): (str(kind), bool(required), int(key))
        for _, name, kind, required, _, key in engine.execute("SELECT * FROM pragma_table_info(?)", (table.name,))
    }
    columns = all_columns(erd, table)
    for column in columns:
        kind, required, key = found.get(column.name.lower(), ("", False, 0))
        wanted = parse_type(column.type)
        family = family_of(write_type(wanted, "sqlite")) if wanted else None
        same_key = bool(key) == column.pk
        same_null = required == (not column.null) or column.pk
        if column.name.lower() not in found or family_of(kind) != family or not (same_key and same_null):
            yield f"{table.name}.{column.name}"
    if len(found) > len(columns):
        yield f"{table.name}(columns)"


def _key_differences(engine: sqlite3.Connection, table: Table, tables: dict[str, Table]) -> Iterator[str]:
    declared = {frozenset(name.lower() for name in key.columns) for key in foreign_keys(table, tables)}
    references: dict[int, set[str]] = {}
    for row in engine.execute("SELECT * FROM pragma_foreign_key_list(?)", (table.name,)):
        references.setdefault(row[0], set()).add(str(row[3]).lower())
    for columns in declared - {frozenset(names) for names in references.values()}:
        yield f"{table.name}.fk({', '.join(sorted(columns))})"
    unique = {
        frozenset(str(name).lower() for (name,) in engine.execute("SELECT name FROM pragma_index_info(?)", (row[1],)))
        for row in engine.execute("SELECT * FROM pragma_index_list(?)", (table.name,))
        if row[2]
    }
    unique.add(frozenset(name.lower() for name in primary_key(table)))
    singles = ((column.name,) for column in table.columns if column.uq)
    for key in (*table.uniques, *singles):
        if key and frozenset(name.lower() for name in key) not in unique:
            yield f"{table.name}.unique({', '.join(key)})"


def _fill(engine: sqlite3.Connection, erd: Erd, policy: Policy) -> Iterator[Draft]:
    for sql in insert_statements(erd, policy.sample_rows, "sqlite"):
        refusal = _run(engine, sql, policy)
        if refusal:
            head = sql.partition(" (")[0]
            number, table = next(
                ((n, t) for n, t in enumerate(erd.tables) if head.removeprefix("INSERT INTO ").strip('"') == t.name),
                (0, None),
            )
            values = {"error": refusal[0], "sql": _shown(sql)}
            yield Draft(
                severity="major",
                stage="dba",
                path=f"/tables/{number}",
                ref=f"ddl:{table.name if table else 'schema'}",
                text=_ROWS,
                values=values,
                topic="rows",
                cause="rows",
            )
            return
    for name, *_ in engine.execute("PRAGMA foreign_key_check").fetchall():
        number = next((n for n, t in enumerate(erd.tables) if t.name == name), 0)
        values = {"error": "foreign_key_check", "sql": str(name)}
        yield Draft(
            severity="major",
            stage="dba",
            path=f"/tables/{number}",
            ref=f"ddl:{name}",
            text=_ROWS,
            values=values,
            cause="rows",
        )


def _lost(number: int, table: Table, what: str) -> Draft:
    return _draft(f"/tables/{number}", table.name, _LOST, {"what": what})


def _shown(sql: str) -> str:
    line = " ".join(sql.split())
    return line if len(line) <= _SHOWN else line[:_SHOWN] + "…"


def _draft(
    path: str, ref: str, text: Text, values: dict[str, str], *, expected: str = "", topic: str = "", cause: str = ""
) -> Draft:
    return Draft(
        severity="critical",
        stage="dba",
        path=path,
        ref=f"ddl:{ref}",
        text=text,
        values=values,
        expected=expected,
        candidates=(expected,) if expected else (),
        topic=topic,
        cause=cause,
    )
