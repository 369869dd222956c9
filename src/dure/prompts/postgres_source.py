"""Prompts in PostgreSQL: a row for every version that was ever published, one of each prompt current.

The table `dure_prompts` comes into being with the first publication, in the first schema of the search path.
"""

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import TypeVar

from psycopg import AsyncConnection, Error
from psycopg.rows import TupleRow

from dure.prompts.keys import PromptKey, raw_version
from dure.prompts.source import DEADLINE, MAX_BYTES, PromptVersion, SourceAway
from dure.prompts.source_url import SourceUrl, parse_source_url

T = TypeVar("T")
Connection = AsyncConnection[TupleRow]

_CREATE = """
CREATE TABLE IF NOT EXISTS dure_prompts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    lang text NOT NULL,
    name text NOT NULL,
    version text NOT NULL,
    body bytea NOT NULL,
    is_current boolean NOT NULL DEFAULT false,
    added_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (lang, name, version)
);
CREATE UNIQUE INDEX IF NOT EXISTS dure_prompts_current ON dure_prompts (lang, name) WHERE is_current
"""
_READ = f"SELECT lang, name, substring(body FOR {MAX_BYTES + 1}) FROM dure_prompts WHERE is_current"
_HISTORY = "SELECT version, added_at, is_current FROM dure_prompts WHERE lang = %s AND name = %s ORDER BY id DESC"
_VERSION = "SELECT body FROM dure_prompts WHERE lang = %s AND name = %s AND version = %s"
_RETIRE = "UPDATE dure_prompts SET is_current = false WHERE lang = %s AND name = %s AND is_current"
_ADD = """
INSERT INTO dure_prompts (lang, name, version, body, is_current) VALUES (%s, %s, %s, %s, true)
ON CONFLICT (lang, name, version) DO UPDATE SET is_current = true
"""
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtext('dure_prompts'))"


class PostgresPrompts:
    """A connection is opened for each request, so that a server may go and come back between them."""

    def __init__(self, url: str, *, deadline: float = DEADLINE) -> None:
        self._url: SourceUrl = parse_source_url(url)
        self._deadline = deadline

    @property
    def name(self) -> str:
        """The URL without its secrets."""
        return self._url.name

    async def read(self) -> Mapping[PromptKey, bytes]:
        """The current texts."""

        async def work(connection: Connection) -> Mapping[PromptKey, bytes]:
            rows: list[tuple[str, str, bytes]] = await _rows(connection, _READ)
            keys = ((PromptKey.parse(f"{lang}/{name}"), body) for lang, name, body in rows)
            return {key: body for key, body in keys if key is not None}

        return await self._within(work)

    async def history(self, key: PromptKey) -> tuple[PromptVersion, ...]:
        """All versions that were ever published."""

        async def work(connection: Connection) -> tuple[PromptVersion, ...]:
            rows: list[tuple[str, datetime, bool]] = await _rows(connection, _HISTORY, *key)
            return tuple(PromptVersion(version=row[0], added_at=row[1], current=row[2]) for row in rows)

        return await self._within(work)

    async def read_version(self, key: PromptKey, version: str) -> bytes | None:
        """A text that was published at some time."""

        async def work(connection: Connection) -> bytes | None:
            rows: list[tuple[bytes]] = await _rows(connection, _VERSION, *key, version)
            return rows[0][0] if rows else None

        return await self._within(work)

    async def publish(self, texts: Mapping[PromptKey, bytes]) -> None:
        """Add versions and make them current, all in one transaction."""

        async def work(connection: Connection) -> None:
            await connection.execute(_ONE_AT_A_TIME)
            await connection.execute(_CREATE)
            for key, text in texts.items():
                await connection.execute(_RETIRE, key)
                await connection.execute(_ADD, (*key, raw_version(text), text))

        await self._within(work)

    async def _within(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """The work on a connection of its own, cut off at the deadline."""
        loop = asyncio.get_running_loop()
        over, said = loop.time() + self._deadline, ""
        try:
            async with asyncio.timeout_at(over):
                connection = await AsyncConnection.connect(self._url.url)
            return await self._worked(connection, work, over)
        except TimeoutError:
            late = True
        except (Error, OSError) as error:
            late, said = loop.time() >= over, self._url.said(error)
        # Raised out here, the error keeps neither the connection that failed open nor its URL in reach.
        raise SourceAway(
            f"{self.name} gave no answer within {self._deadline:g} s" if late else f"cannot use {self.name}: {said}"
        )

    async def _worked(self, connection: Connection, work: Callable[[Connection], Awaitable[T]], over: float) -> T:
        """Whoever cancels a query waits for the server to agree; one that hangs never does, so its socket is shut."""
        cutting = asyncio.get_running_loop().call_at(over, _cut, connection)

        async def done() -> T:
            async with connection:
                return await work(connection)

        task = asyncio.ensure_future(done())
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            _cut(connection)
            with suppress(Error, OSError):
                await task
            raise
        finally:
            cutting.cancel()


async def _rows(connection: Connection, query: str, *values: str) -> list[TupleRow]:
    """What a query finds; nothing where nothing was ever published."""
    there = await (await connection.execute("SELECT to_regclass('dure_prompts') IS NOT NULL")).fetchone()
    if there is None or not there[0]:
        return []
    return await (await connection.execute(query.encode(), values)).fetchall()


def _cut(connection: Connection) -> None:
    with suppress(Error, OSError), socket.socket(fileno=os.dup(connection.fileno())) as wire:
        wire.shutdown(socket.SHUT_RDWR)
