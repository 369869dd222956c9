"""SQLite as a trial engine: in memory, always there, bounded in work and in what it may touch."""

import re
import sqlite3
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager

from dure_spec.artifacts.erd import Dialect
from dure_spec.engines.engine import ColumnFacts, KeyFacts, Refusal, TableFacts

STEPS = 5_000_000
"""How much one statement may do, in SQLite's own counting; about a second."""
_LONGEST = 1_000_000
_TEXT_OR_NAME = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`|\[[^\]]*\]|--[^\n]*")
_CHECK = re.compile(r"\bCHECK\s*\(", re.IGNORECASE)
_NEAR = re.compile(r'near "(.+)":', re.DOTALL)


@contextmanager
def open_sqlite(*, steps: int = STEPS) -> Generator["SqliteEngine"]:
    """A database of its own, forgotten at the end."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)  # no file can be opened, VACUUM INTO included
        connection.execute("PRAGMA foreign_keys = ON")
        yield SqliteEngine(connection, steps=steps)


class SqliteEngine:
    """An `Engine` over one connection."""

    name = "SQLite"
    dialect: Dialect = "sqlite"

    def __init__(self, connection: sqlite3.Connection, *, steps: int) -> None:
        self._connection = connection
        self._steps = steps

    def execute(self, statements: Sequence[str]) -> tuple[Refusal, ...]:
        """Run all statements in order."""
        found = (self._run(number, sql) for number, sql in enumerate(statements))
        return tuple(refusal for refusal in found if refusal is not None)

    def insert(self, statements: Sequence[str]) -> tuple[Refusal, ...]:
        """Insert in one transaction, so that deferred keys may wait for its end."""
        if not statements:
            return ()
        self._connection.execute("BEGIN")
        for number, sql in enumerate(statements):
            refusal = self._run(number, sql)
            if refusal is not None:
                self._connection.execute("ROLLBACK")
                return (refusal,)
        refusal = self._run(len(statements) - 1, "COMMIT")
        if refusal is None:
            return ()
        self._connection.execute("ROLLBACK")
        return (Refusal(number=refusal.number, statement=statements[-1], message=refusal.message),)

    def catalogue(self) -> tuple[TableFacts, ...]:
        """All tables, from SQLite's own schema table and pragmas."""
        rows = self._connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        ).fetchall()
        return tuple(self._table(str(name), str(sql)) for name, sql in sorted(rows))

    def _run(self, number: int, sql: str) -> Refusal | None:
        done = 0

        def count() -> int:
            nonlocal done
            done += 1000
            return int(done > self._steps)

        self._connection.set_progress_handler(count, 1000)
        try:
            self._connection.execute(sql).fetchall()
        except (sqlite3.Error, sqlite3.Warning) as error:
            text = str(error)
            return Refusal(
                number=number,
                statement=sql,
                message=text,
                position=_position(sql, text),
                row="CHECK constraint failed" in text,
            )
        finally:
            self._connection.set_progress_handler(None, 0)
        return None

    def _table(self, name: str, sql: str) -> TableFacts:
        columns = self._connection.execute('SELECT name, type, "notnull", pk FROM pragma_table_info(?)', (name,))
        infos = columns.fetchall()
        key = sorted((int(place), str(column)) for column, _, _, place in infos if place)
        keys: dict[int, list[tuple[str, str, str, str]]] = {}
        for row in self._connection.execute(
            'SELECT id, "table", "from", "to", on_delete FROM pragma_foreign_key_list(?) ORDER BY id, seq', (name,)
        ):
            keys.setdefault(row[0], []).append((str(row[1]), str(row[2]), str(row[3] or ""), str(row[4])))
        return TableFacts(
            name=name,
            columns=tuple(
                ColumnFacts(name=str(column), type=str(kind), null=not required and not place)
                for column, kind, required, place in infos
            ),
            primary_key=tuple(column for _, column in key),
            uniques=frozenset(self._uniques(name)),
            keys=tuple(
                KeyFacts(
                    columns=tuple(part[1] for part in parts),
                    table=parts[0][0],
                    targets=tuple(part[2] for part in parts),
                    on_delete=parts[0][3],
                )
                for parts in keys.values()
            ),
            checks=len(_CHECK.findall(_TEXT_OR_NAME.sub("", sql))),
        )

    def _uniques(self, table: str) -> list[tuple[str, ...]]:
        rows = self._connection.execute(
            "SELECT name FROM pragma_index_list(?) WHERE \"unique\" AND origin <> 'pk'", (table,)
        ).fetchall()
        found: list[tuple[str, ...]] = []
        for (index,) in rows:
            names = self._connection.execute("SELECT name FROM pragma_index_info(?) ORDER BY seqno", (index,))
            found.append(tuple(str(name) for (name,) in names))
        return found


def _position(sql: str, message: str) -> int | None:
    """Where the word stands that SQLite names; it gives no place itself."""
    near = _NEAR.match(message)
    word = near[1] if near else message.rpartition(":")[2].strip() if ":" in message else ""
    found = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", sql)] if word else []
    return found[0] if len(found) == 1 else None
