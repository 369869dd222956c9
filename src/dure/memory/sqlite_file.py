"""A file of conversations: its table, its versions, and what its faults mean. Blocking; used by one thread.

The write-ahead log lets other processes read while one writes. With `NORMAL` a killed process loses
nothing, and a power cut at most the newest turns, never a part of one; `FULL` waits for the disk at
each turn and loses nothing then either.
"""

import contextlib
import os
import sqlite3
import time
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Literal

from dure.errors import ConfigError
from dure.memory.codec import FORMAT, Unreadable, decoded, encoded
from dure.messages import Message

Synchronous = Literal["NORMAL", "FULL"]

_APPLICATION = 0x64757265
"""`dure` in ASCII: marks the file as ours."""
_STEPS: tuple[str, ...] = (
    """
    CREATE TABLE message (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        conversation_id TEXT NOT NULL,
        position INTEGER NOT NULL,
        format INTEGER NOT NULL,
        body TEXT NOT NULL,
        UNIQUE (conversation_id, position)
    )
    """,
)
"""How a file of version n becomes one of version n + 1; `PRAGMA user_version` counts them."""
_PAUSE = 0.02
_NEXT_STEPS = {
    "SQLITE_NOTADB": "it is no SQLite file or is damaged; restore a copy of it, or move it away to begin anew",
    "SQLITE_CORRUPT": "it is damaged; restore a copy of it, or move it away to begin anew",
    "SQLITE_BUSY": "another process kept it locked too long; end that process, or give each its own file",
    "SQLITE_FULL": "the disk is full; make room",
    "SQLITE_READONLY": "it cannot be written; check its permissions and those of its folder",
    "SQLITE_CANTOPEN": "it cannot be opened; check that its folder is there and can be written",
}
_OLDEST_FIRST = "SELECT position, format, body FROM message WHERE conversation_id = ? ORDER BY position"
_NEWEST_FIRST = f"{_OLDEST_FIRST} DESC LIMIT ?"
_INSERT = "INSERT INTO message (conversation_id, position, format, body) VALUES (?, ?, ?, ?)"


class ConversationFile:
    """One connection to the file, opened at the first use. Every fault is a `ConfigError` that names the file."""

    def __init__(self, path: Path, *, patience: float, synchronous: Synchronous) -> None:
        self._path = path
        self._patience = patience
        self._synchronous: Synchronous = synchronous
        self._connection: sqlite3.Connection | None = None

    def load(self, conversation_id: str, newest: int | None) -> tuple[Message, ...]:
        """Everything of a conversation, or its `newest` messages."""
        with self._told() as connection:
            if newest is None:
                rows = connection.execute(_OLDEST_FIRST, (conversation_id,)).fetchall()
            else:
                rows = connection.execute(_NEWEST_FIRST, (conversation_id, max(0, newest))).fetchall()[::-1]
        return self._messages(conversation_id, rows)

    def append(self, conversation_id: str, messages: Sequence[Message]) -> None:
        """Add messages in one transaction."""
        bodies = _bodies(messages)
        with self._writing() as connection:
            query = "SELECT COALESCE(MAX(position), -1) FROM message WHERE conversation_id = ?"
            (last,) = connection.execute(query, (conversation_id,)).fetchone()
            _insert(connection, conversation_id, last + 1, bodies)

    def replace(self, conversation_id: str, old: Sequence[Message], new: Sequence[Message]) -> bool:
        """Put `new` where the oldest messages are, if these are `old`."""
        bodies = _bodies(new)
        with self._writing() as connection:
            rows = connection.execute(f"{_OLDEST_FIRST} LIMIT ?", (conversation_id, len(old))).fetchall()
            if self._messages(conversation_id, rows) != tuple(old):
                return False
            end = rows[-1][0] + 1 if rows else self._first(connection, conversation_id)
            connection.execute("DELETE FROM message WHERE conversation_id = ? AND position < ?", (conversation_id, end))
            # positions only order the messages; they may well become negative
            _insert(connection, conversation_id, end - len(bodies), bodies)
        return True

    def clear(self, conversation_id: str) -> None:
        """Delete a conversation."""
        with self._writing() as connection:
            connection.execute("DELETE FROM message WHERE conversation_id = ?", (conversation_id,))

    def conversations(self) -> tuple[str, ...]:
        """Ids, the one written to last first."""
        query = "SELECT conversation_id FROM message GROUP BY conversation_id ORDER BY MAX(id) DESC"
        with self._told() as connection:
            return tuple(row[0] for row in connection.execute(query))

    def close(self) -> None:
        """Close the connection; the last one of all processes folds the log into the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _first(self, connection: sqlite3.Connection, conversation_id: str) -> int:
        query = "SELECT COALESCE(MIN(position), 0) FROM message WHERE conversation_id = ?"
        return connection.execute(query, (conversation_id,)).fetchone()[0]

    def _messages(self, conversation_id: str, rows: Sequence[tuple[int, int, str]]) -> tuple[Message, ...]:
        messages: list[Message] = []
        for position, written_as, body in rows:
            try:
                messages.append(decoded(body, written_as))
            except Unreadable as error:
                raise ConfigError(
                    f"message {position} of conversation {conversation_id!r} in {str(self._path)!r}"
                    f" cannot be read: {error}"
                ) from error
        return tuple(messages)

    @contextlib.contextmanager
    def _writing(self) -> Generator[sqlite3.Connection]:
        with self._told() as connection, _transaction(connection):
            yield connection

    @contextlib.contextmanager
    def _told(self) -> Generator[sqlite3.Connection]:
        """The open connection; whatever SQLite or the disk says becomes one line about the file."""
        try:
            if self._connection is None:
                self._connection = self._opened()
            yield self._connection
        except sqlite3.Error as error:
            name = str(getattr(error, "sqlite_errorname", ""))
            step = next((step for kind, step in _NEXT_STEPS.items() if name.startswith(kind)), "check the file")
            raise ConfigError(f"conversations in {str(self._path)!r}: {error}: {step}") from error
        except OSError as error:
            raise ConfigError(f"conversations in {str(self._path)!r}: {error}; give another path") from error

    def _opened(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        # what people say is theirs: nobody else may read a new file
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
        connection = sqlite3.connect(self._path, timeout=self._patience, isolation_level=None)
        try:
            version = self._version(connection)
            self._switch_to_log(connection)
            connection.execute(f"PRAGMA synchronous = {self._synchronous}")
            if version < len(_STEPS):
                self._migrate(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _switch_to_log(self, connection: sqlite3.Connection) -> None:
        """SQLite does not wait for a lock here, so that processes that begin together must."""
        end = time.monotonic() + self._patience
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() >= end:
                    raise
            time.sleep(_PAUSE)

    def _version(self, connection: sqlite3.Connection) -> int:
        """How far the file has come; nothing is changed in a file that is not ours."""
        version = _pragma(connection, "user_version")
        tables = connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]
        if _pragma(connection, "application_id") != _APPLICATION and (version or tables):
            raise ConfigError(f"{str(self._path)!r} is a SQLite file of something else; give another path")
        if version > len(_STEPS):
            raise ConfigError(f"{str(self._path)!r} was made by a newer dure (version {version}); install that one")
        return version

    def _migrate(self, connection: sqlite3.Connection) -> None:
        with _transaction(connection):
            # once more: another process may have done it while this one waited
            for step in _STEPS[self._version(connection) :]:
                connection.execute(step)
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            connection.execute(f"PRAGMA user_version = {len(_STEPS)}")


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Generator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def _bodies(messages: Sequence[Message]) -> list[str]:
    try:
        return [encoded(message) for message in messages]
    except TypeError as error:
        raise ConfigError(f"a message cannot be stored: {error}; `extra` must be JSON") from error


def _insert(connection: sqlite3.Connection, conversation_id: str, position: int, bodies: Sequence[str]) -> None:
    rows = [(conversation_id, number, FORMAT, body) for number, body in enumerate(bodies, start=position)]
    connection.executemany(_INSERT, rows)
