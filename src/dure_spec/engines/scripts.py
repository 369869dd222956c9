"""Whole scripts tried on their own engine: what it refuses, and on which line the statement begins."""

import sqlite3
from collections.abc import Iterator

from dure.errors import ConfigError
from dure_spec.engines.engine import Refusal
from dure_spec.engines.sql_script import split_script
from dure_spec.engines.sqlite import STEPS, open_sqlite

_LEFT_OUT = ("attach", "detach", "vacuum", "begin", "commit", "rollback", "end", "savepoint", "release", "pragma", ".")


def try_script(text: str, *, url: str | None = None, steps: int = STEPS) -> tuple[tuple[int, Refusal], ...]:
    """Run a script on SQLite, or on PostgreSQL where there is a URL; each refusal with the line of its statement.

    Raises:
        ConfigError: the URL is none, psycopg is not installed, or the role may not create a schema.
        EngineAway: nobody answers, or the server goes away.
    """
    if url is None:
        return _on_sqlite(text, steps)
    try:
        from dure_spec.engines.postgresql_script import try_postgresql_script
    except ImportError as error:
        raise ConfigError("PostgreSQL needs psycopg: pip install 'dure[postgres]'") from error
    return try_postgresql_script(url, text)


def _on_sqlite(text: str, steps: int) -> tuple[tuple[int, Refusal], ...]:
    lines: list[int] = []
    statements: list[str] = []
    for line, sql in _whole_statements(text):
        if not sql.lower().startswith(_LEFT_OUT):
            lines.append(line)
            statements.append(sql)
    with open_sqlite(steps=steps) as engine:
        return tuple((lines[refusal.number], refusal) for refusal in engine.execute(statements))


def _whole_statements(text: str) -> Iterator[tuple[int, str]]:
    """Statements with their lines; the semicolons inside a trigger do not end it."""
    line, joined = 0, ""
    for statement in split_script(text):
        if joined:
            joined = f"{joined}; {statement.sql}"
        else:
            line, joined = statement.line, statement.sql
        if sqlite3.complete_statement(f"{joined};"):
            yield line, joined
            joined = ""
    if joined:
        yield line, joined
