"""PostgreSQL as a trial engine: any server whose role may create a schema; nothing stays."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from dure_spec.artifacts.erd import Dialect
from dure_spec.engines.engine import Refusal, TableFacts
from dure_spec.engines.postgresql_catalogue import read_catalogue
from dure_spec.engines.postgresql_session import Failure, Session, open_session
from dure_spec.engines.sql_script import is_schema_statement, schemas_named, search_path_of, split_script, with_schemas

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
    are left out. Schemas that the script names are schemas of the trial, so that nothing of the database is met.

    Raises:
        ConfigError: the URL is none, or the role may not create a schema.
        EngineAway: nobody answers, or the server goes away.
    """
    statements = tuple(split_script(text))
    found: list[tuple[int, Refusal]] = []
    with open_session(url) as session:
        schemas = {name: session.add_schema() for name in schemas_named(statements) if name != "public"}
        schemas["public"] = ""
        for number, statement in enumerate(statements):
            path = search_path_of(statement.sql)
            if path is not None:
                session.look_in([schemas[name] for name in path if schemas.get(name)])
            elif is_schema_statement(statement.sql):
                sql = with_schemas(statement.sql, schemas)
                failure = session.attempt(sql)
                if failure is not None:
                    found.append((statement.line, _refusal(number, sql, failure)))
    return tuple(found)


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
                found.append(_refusal(number, sql, failure))
        return tuple(found)

    def insert(self, statements: Sequence[str]) -> tuple[Refusal, ...]:
        """Insert up to the first refusal; deferred keys are checked at the end."""
        if not statements:
            return ()
        refused = self._session.attempt_all([*statements, "SET CONSTRAINTS ALL IMMEDIATE"])
        if refused is None:
            return ()
        number = min(refused[0], len(statements) - 1)
        return (_refusal(number, statements[number], refused[1]),)

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
