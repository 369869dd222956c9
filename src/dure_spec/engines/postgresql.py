"""PostgreSQL as a trial engine: any server whose role may create a schema; nothing stays."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from dure_spec.artifacts.erd import Dialect
from dure_spec.engines.engine import Refusal, TableFacts
from dure_spec.engines.postgresql_catalogue import read_catalogue
from dure_spec.engines.postgresql_session import SECONDS, Failure, Session, open_session

_CHECK_VIOLATION = "23514"


@contextmanager
def open_postgresql(url: str, *, seconds: float = SECONDS) -> Generator["PostgresqlEngine"]:
    """A transaction in a schema of its own, rolled back at the end, given up after so many seconds.

    Raises:
        ConfigError: the URL is none, or the role may not create a schema.
        EngineAway: nobody answers, or the server refuses the role.
    """
    with open_session(url, seconds=seconds) as session:
        yield PostgresqlEngine(session)


class PostgresqlEngine:
    """An `Engine` over one session."""

    name = "PostgreSQL"
    dialect: Dialect = "postgresql"

    def __init__(self, session: Session) -> None:
        self._session = session

    def execute(self, statements: Sequence[str]) -> tuple[Refusal, ...]:
        """Run all statements in order; one by one only where one of them is refused."""
        if self._session.attempt_all(statements) is None:
            return ()
        found: list[Refusal] = []
        for number, sql in enumerate(statements):
            failure = self._session.attempt(sql)
            if failure is not None:
                found.append(refusal_of(number, sql, failure))
        return tuple(found)

    def insert(self, statements: Sequence[str]) -> tuple[Refusal, ...]:
        """Insert up to the first refusal; deferred keys are checked at the end."""
        if not statements:
            return ()
        refused = self._session.attempt_all([*statements, "SET CONSTRAINTS ALL IMMEDIATE"])
        if refused is None:
            return ()
        number = min(refused[0], len(statements) - 1)
        return (refusal_of(number, statements[number], refused[1]),)

    def catalogue(self) -> tuple[TableFacts, ...]:
        """All tables, from the system catalogue."""
        return read_catalogue(self._session)


def refusal_of(number: int, sql: str, failure: Failure) -> Refusal:
    """What the server said, as any engine says it."""
    return Refusal(
        number=number,
        statement=sql,
        message=failure.message,
        sqlstate=failure.sqlstate,
        position=failure.position,
        row=failure.sqlstate == _CHECK_VIOLATION,
    )
