"""One PostgreSQL session in which every wait ends: a transaction that is never committed, in a schema of its own.

The extended protocol takes one statement at a time, so no text of a statement can end the transaction; where the
process is killed, the server rolls back by itself.
"""

import re
import secrets
import selectors
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import psycopg
from psycopg.pq import DiagnosticField, ExecStatus
from psycopg.pq.abc import PGconn, PGresult

from dure.errors import ConfigError
from dure.prompts.source_url import SourceUrl, parse_source_url
from dure_spec.engines.engine import EngineAway

CONNECT_SECONDS = 3
SECONDS = 60.0
"""How long a whole trial may take."""
_STATEMENT_MS = 5_000
_LOCK_MS = 2_000
_IDLE_MS = 30_000
_SETTINGS = {
    "statement_timeout": f"{_STATEMENT_MS}",
    "lock_timeout": f"{_LOCK_MS}",
    "idle_in_transaction_session_timeout": f"{_IDLE_MS}",
    "transaction_timeout": f"{int(SECONDS * 1000)}",  # from PostgreSQL 17 on
    "standard_conforming_strings": "on",
    "check_function_bodies": "off",
    "client_min_messages": "error",
}
_DONE = frozenset({ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK, ExecStatus.EMPTY_QUERY})
_LOST = ("08", "53", "55P03", "57", "58", "XX")
"""SQLSTATE classes of a server that is gone, full, locked, too slow or broken: no fault of the schema."""

Rows = list[tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """What the server says of a statement that it refuses."""

    message: str
    sqlstate: str
    position: int | None


# COMMIT and the like would end the transaction that nothing must outlive
_TRIED = re.compile(
    r"(?:\s|--[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)*(?:CREATE|ALTER|DROP|COMMENT|INSERT|UPDATE|DELETE|SELECT|WITH|SET)\b",
    re.I,
)
_OUTSIDE = Failure(message="a trial runs statements about a schema and its rows only", sqlstate="2D000", position=0)


@contextmanager
def open_session(url: str, *, seconds: float = SECONDS) -> Generator["Session"]:
    """A session inside its transaction and its schema, which lasts no longer than `seconds`.

    Raises:
        ConfigError: the URL is none, or the role may not create a schema.
        EngineAway: nobody answers, or the server refuses the role.
    """
    place = _place(url)
    connection = _connect(place)
    try:
        session = Session(connection.pgconn, place, seconds=seconds)
        session.begin()
        yield session
    finally:
        with suppress(psycopg.Error):
            connection.close()


def _place(url: str) -> SourceUrl:
    if not url.startswith(("postgresql://", "postgres://")):
        raise ConfigError("the URL of the PostgreSQL server must begin with postgresql://")
    try:
        if url.count("@") < 2:  # two, and libpq would take a part of the password for the host
            return parse_source_url(url)
    except ConfigError:
        pass  # told below, in our words
    raise ConfigError(
        "the URL of the PostgreSQL server cannot be read; write postgresql://user:password@host:port/database, "
        "with %40 for @, %2F for / and %23 for # in a password"
    )


def _connect(place: SourceUrl) -> psycopg.Connection:
    try:
        return psycopg.connect(
            place.url, connect_timeout=CONNECT_SECONDS, autocommit=True, prepare_threshold=None, tcp_user_timeout=10_000
        )
    except psycopg.ProgrammingError as error:
        message, kind = place.said(error), ConfigError
    except (psycopg.Error, OSError) as error:
        message, kind = place.said(error), EngineAway
    # raised out here, the error keeps neither the failed connection nor its URL in reach
    raise kind(f"cannot use {place.name}: {message}")


class Session:
    """Statements, one at a time, within one deadline."""

    def __init__(self, connection: PGconn, place: SourceUrl, *, seconds: float) -> None:
        self._connection = connection
        self._place = place
        self._deadline = time.monotonic() + seconds
        self._shared: list[str] = []
        self.schema = f"dure_trial_{secrets.token_hex(6)}"
        self._added = 0

    def begin(self) -> None:
        """Open the transaction, bound it, and create the schema that all names fall into."""
        self._must("BEGIN")
        for name, value in _SETTINGS.items():
            self.attempt(f"SET LOCAL {name} = '{value}'")  # an older server does not know them all
        failure = self.attempt(f"CREATE SCHEMA {self.schema}")
        if failure is not None:
            raise ConfigError(
                f"cannot use {self._place.name}: {failure.message}; the role must be allowed to create a schema "
                "(GRANT CREATE ON DATABASE … TO …) on a server that takes writes"
            )
        self.look_in(())

    def look_in(self, schemas: Sequence[str]) -> None:
        """Let bare names fall into the first of `schemas`, else into the session's own."""
        self._must(f"SET LOCAL search_path = {', '.join((*schemas, self.schema, *self._shared))}")

    def look_also_in(self, schema: str) -> None:
        """Let names that are nowhere else be found in a schema of the database, behind all others."""
        quoted = schema.replace('"', '""')
        self._shared.append(f'"{quoted}"')
        self.look_in(())

    def add_schema(self) -> str:
        """The name of one more schema that goes away with the transaction."""
        self._added += 1
        name = f"{self.schema}_{self._added}"
        self._must(f"CREATE SCHEMA {name}")
        return name

    def attempt(self, sql: str) -> Failure | None:
        """Run a statement of which nothing stays when it is refused."""
        if not _TRIED.match(sql):
            return _OUTSIDE
        self._must("SAVEPOINT before_statement")
        failure = self._run(sql)[1]
        if failure is not None:
            self._must("ROLLBACK TO SAVEPOINT before_statement")
        self._must("RELEASE SAVEPOINT before_statement")
        return failure

    def attempt_all(self, statements: Sequence[str]) -> tuple[int, Failure] | None:
        """Run statements up to the first that is refused; then none of them has happened."""
        self._must("SAVEPOINT before_all")
        for number, sql in enumerate(statements):
            failure = self._run(sql)[1] if _TRIED.match(sql) else _OUTSIDE
            if failure is not None:
                self._must("ROLLBACK TO SAVEPOINT before_all")
                return number, failure
        self._must("RELEASE SAVEPOINT before_all")
        return None

    def rows(self, sql: str) -> Rows:
        """The rows of a question that we ask ourselves, every value as text, NULL as ''."""
        return self._must(sql)

    def _must(self, sql: str) -> Rows:
        rows, failure = self._run(sql)
        if failure is not None:
            raise EngineAway(f"{self._place.name}: {failure.message}")
        return rows

    def _run(self, sql: str) -> tuple[Rows, Failure | None]:
        try:
            self._connection.send_query_params(sql.replace("\0", "").encode(), None)
            results = self._answers()
        except psycopg.Error as error:
            message = self._place.said(error)
        else:
            return self._read(sql, results)
        raise EngineAway(f"{self._place.name}: {message}")

    def _answers(self) -> list[PGresult]:
        """All results of what was sent, waited for no longer than the deadline."""
        found: list[PGresult] = []
        with selectors.DefaultSelector() as selector:
            selector.register(self._connection.socket, selectors.EVENT_READ)
            while True:
                while self._connection.is_busy():
                    left = self._deadline - time.monotonic()
                    if left <= 0 or not selector.select(min(left, 2 * _STATEMENT_MS / 1000)):
                        raise EngineAway(f"{self._place.name} gives no answer")
                    self._connection.consume_input()
                result = self._connection.get_result()
                if result is None:
                    return found
                found.append(result)
                if result.status in (ExecStatus.COPY_IN, ExecStatus.COPY_OUT, ExecStatus.COPY_BOTH):
                    raise EngineAway(f"{self._place.name}: COPY cannot be tried")

    def _read(self, sql: str, results: list[PGresult]) -> tuple[Rows, Failure | None]:
        rows: Rows = []
        for result in results:
            if result.status not in _DONE:
                return [], self._failure(sql, result)
            for row in range(result.ntuples):
                values = (result.get_value(row, column) for column in range(result.nfields))
                rows.append(tuple((value or b"").decode(errors="replace") for value in values))
        return rows, None

    def _failure(self, sql: str, result: PGresult) -> Failure:
        def field(name: DiagnosticField) -> str:
            return (result.error_field(name) or b"").decode(errors="replace")

        state = field(DiagnosticField.SQLSTATE)
        message = field(DiagnosticField.MESSAGE_PRIMARY) or "the connection was lost"
        if not state or state.startswith(_LOST):
            raise EngineAway(f"{self._place.name}: {message}")
        position = field(DiagnosticField.STATEMENT_POSITION)
        return Failure(message=message, sqlstate=state, position=int(position) - 1 if position else None)
