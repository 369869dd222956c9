"""Prompts in Redis (or Valkey): every published text is kept under its version, one version is current.

    {dure:prompts}:current                hash: `ko/ba` → version
    {dure:prompts}:text:ko/ba@VERSION     the text; never changed
    {dure:prompts}:history:ko/ba          list of `VERSION time`, oldest first

The braces keep all keys in one slot of a cluster.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any, Protocol, cast

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from dure.prompts.keys import PromptKey, raw_version
from dure.prompts.source import DEADLINE, MAX_BYTES, PromptVersion, SourceAway
from dure.prompts.source_url import SourceUrl, parse_source_url

_CURRENT = "{dure:prompts}:current"

# All or nothing, and never a moment in which a prompt is current whose text is not there.
_PUBLISH = """
for i = 1, #ARGV - 1, 3 do
    local key, version, text = ARGV[i], ARGV[i + 1], ARGV[i + 2]
    if redis.call('SETNX', '{dure:prompts}:text:' .. key .. '@' .. version, text) == 1 then
        redis.call('RPUSH', '{dure:prompts}:history:' .. key, version .. ' ' .. ARGV[#ARGV])
    end
    redis.call('HSET', KEYS[1], key, version)
end
"""


class _Commands(Protocol):
    """The typed part of a client: its own signatures are not."""

    def execute_command(self, *words: str | bytes) -> Awaitable[Any]: ...


class RedisPrompts:
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
        async with self._client() as client:
            current = await self._current(client)
            pipe = client.pipeline(transaction=False)
            for key, version in current.items():
                pipe.getrange(_text_at(key, version), 0, MAX_BYTES)
            texts = cast("list[bytes]", await pipe.execute()) if current else []
            return dict(zip(current, texts, strict=True))

    async def history(self, key: PromptKey) -> tuple[PromptVersion, ...]:
        """All versions that were ever published."""
        async with self._client() as client:
            current = (await self._current(client)).get(key)
            entries = cast("list[bytes]", await _asked(client, "LRANGE", _history_at(key), "0", "-1"))
            return tuple(_entry(entry.decode(), current) for entry in reversed(entries))

    async def read_version(self, key: PromptKey, version: str) -> bytes | None:
        """A text that was published at some time."""
        async with self._client() as client:
            return cast("bytes | None", await _asked(client, "GET", _text_at(key, version)))

    async def publish(self, texts: Mapping[PromptKey, bytes]) -> None:
        """Add versions and make them current, all at once."""
        words = [word for key, text in texts.items() for word in (str(key), raw_version(text), text)]
        now = datetime.now(UTC).isoformat(timespec="seconds")
        async with self._client() as client:
            await _asked(client, "EVAL", _PUBLISH, "1", _CURRENT, *words, now)

    async def _current(self, client: Redis) -> dict[PromptKey, str]:
        found = cast("dict[bytes, bytes]", await _asked(client, "HGETALL", _CURRENT))
        keys = {PromptKey.parse(key.decode(errors="replace")): version.decode() for key, version in found.items()}
        return {key: version for key, version in keys.items() if key is not None}

    @asynccontextmanager
    async def _client(self) -> AsyncGenerator[Redis]:
        try:
            async with asyncio.timeout(self._deadline):
                client = Redis.from_url(  # pyright: ignore[reportUnknownMemberType] - its keywords are untyped
                    self._url.url, retry=Retry(NoBackoff(), 0), socket_timeout=None, socket_connect_timeout=None
                )
                try:
                    yield client
                finally:
                    await client.aclose()
        except TimeoutError:
            raise SourceAway(f"{self.name} gave no answer within {self._deadline:g} s") from None
        except (TypeError, ValueError):
            raise SourceAway(
                f"cannot use {self.name}: one of its options is unknown, or what it holds is no prompt"
            ) from None
        except (RedisError, OSError) as error:
            raise SourceAway(f"cannot use {self.name}: {self._url.said(error)}") from None


async def _asked(client: Redis, *words: str | bytes) -> Any:  # noqa: ANN401 - whatever the command answers
    return await cast(_Commands, client).execute_command(*words)


def _entry(line: str, current: str | None) -> PromptVersion:
    version, _, added_at = line.partition(" ")
    return PromptVersion(version=version, added_at=datetime.fromisoformat(added_at), current=version == current)


def _text_at(key: PromptKey, version: str) -> str:
    return f"{{dure:prompts}}:text:{key}@{version}"


def _history_at(key: PromptKey) -> str:
    return f"{{dure:prompts}}:history:{key}"
