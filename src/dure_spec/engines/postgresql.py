"""PostgreSQL as a trial engine: any server whose role may create a schema; nothing stays."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from dure_spec.artifacts.erd import Dialect
from dure_spec.engines.engine import Refusal, TableFacts
from dure_spec.engines.postgresql_catalogue import read_catalogue
from dure_spec.engines.postgresql_session import Failure, Session, open_session
from dure_spec.engines.sql_script import Statement, is_schema_statement, split_script, without_schema

_CHECK_VIOLATION = "23514"


@contextmanager
def open_postgresql(url: str) -> Generator["PostgresqlEngine"]:
    """A transaction in a schema of its own, rolled back at the end.

    Raises:
        ConfigError: the URL is none, or the role may not create a schema.
        EngineAway: nobody answers, or the server refuses the role.
    """
    with open_session(url) as session:
        yield PostgresqlEngine(session)


def try_postgresql_script(url: str, text: str) -> tuple[tuple[int, Refusal], ...]:
    """Run a whole script, and roll it back; what was refused, each with the line on which its statement begins.

    Only statements about the schema and its rows are run: roles, owners, extensions, settings, COPY and transactions
    are left out, and the schema `public` stands for the one of the trial.

    Raises:
        ConfigError: the URL is none, or the role may not create a schema.
        EngineAway: nobody answers, or the server goes away.
    """
    found: list[tuple[int, Refusal]] = []
    with open_session(url) as session:
        for number, statement in enumerate(_tried(text)):
            failure = session.attempt(statement.sql)
            if failure is not None:
                found.append((statement.line, _refusal(number, statement.sql, failure)))
    return tuple(found)


def _tried(text: str) -> list[Statement]:
    return [
        Statement(line=statement.line, sql=without_schema(statement.sql, "public"))
        for statement in split_script(text)
        if is_schema_statement(statement.sql)
    ]


class PostgresqlEngine:
    """An `Engine` over one session."""

    name = "PostgreSQL"
    dialect: Dialect = "postgresql"

    def __init__(self, session: Session) -> None:
        self._session = session

    def execute(self, statements: Sequence[str]) -> tuple[Refusal, ...]:
        """Run all statements in order."""
        found: list[Refusal] = []
        for number, sql in enumerate(statements):
            failure = self._session.attempt(sql)
            if failure is not None:
                found.append(_refusal(number, sql, failure))
        return tuple(found)

    def insert(self, statements: Sequence[str]) -> tuple[Refusal, ...]:
        """Insert up to the first refusal; deferred keys are checked at the end."""
        for number, sql in enumerate(statements):
            failure = self._session.attempt(sql)
            if failure is not None:
                return (_refusal(number, sql, failure),)
        failure = self._session.attempt("SET CONSTRAINTS ALL IMMEDIATE") if statements else None
        return (_refusal(len(statements) - 1, statements[-1], failure),) if failure is not None else ()

    def catalogue(self) -> tuple[TableFacts, ...]:
        """All tables, from the system catalogue."""
        return read_catalogue(self._session)


def _refusal(number: int, sql: str, failure: Failure) -> Refusal:
    return Refusal(
        number=number,
        statement=sql,
        message=failure.message,
        sqlstate=failure.sqlstate,
        position=failure.position,
        row=failure.sqlstate == _CHECK_VIOLATION,
    )
