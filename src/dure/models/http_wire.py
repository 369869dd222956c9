"""JSON over HTTP for the adapters: one session per event loop, time-outs, answers as chunks of bytes."""

import asyncio
import io
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Literal

import aiohttp
from yarl import URL

from dure.errors import ConfigError, MalformedResponse, ModelError
from dure.models.http_address import Address, checked_headers, checked_key
from dure.models.http_errors import CAUGHT, Failure, from_exception, from_failure, hide
from dure.time_limit import TimeLimit

_ERROR_BODY = 64 * 1024
_LARGE_BODY = 1024 * 1024
"""Bytes; a larger body is written in pieces, so that the event loop serves others in between."""
_DRAIN_SECONDS = 0.5
_DRAIN_BODY = 1024 * 1024
_ERROR_SECONDS = 5.0
"""A refusal is known by its status; its reason is not waited for longer."""
LONGEST_BODY = 32 * 1024 * 1024
"""Bytes of an answer that comes as a whole."""
_BEFORE_JSON = b"\xef\xbb\xbf \t\r\n"
_STREAM_LETTERS = (b"d", b"e", b"i", b"r", b":")
"""How the lines of a stream of events begin: data, event, id, retry and comments."""

KeyHeader = Literal["Authorization", "x-api-key"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WireTimeouts:
    """How long to wait, in seconds."""

    connect: float = 10.0
    idle: float = 120.0
    """Between two pieces of an answer, and for the first one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A successful answer that still flows."""

    content_type: str
    content: aiohttp.StreamReader

    @property
    def chunks(self) -> AsyncIterator[bytes]:
        """What has come, as it comes, until the end."""
        return self.content.iter_any()

    async def beginning(self) -> bytes:
        """The first piece that is more than space; nothing if there is none.

        Raises:
            MalformedResponse: nothing but space comes, for ever.
        """
        size = 0
        while (piece := await self.content.readany()).isspace():
            size += len(piece)
            if size > LONGEST_BODY:
                raise _endless()
        return piece

    def is_whole(self, beginning: bytes) -> bool:
        """Whether the body is one JSON value and not a stream; servers and proxies mislabel both."""
        first = beginning.lstrip(_BEFORE_JSON)[:1]
        return first in (b"{", b"[") or (self.content_type == "application/json" and first not in _STREAM_LETTERS)

    async def read(self, beginning: bytes = b"") -> bytes:
        """The whole body, after a beginning that was read before.

        Raises:
            MalformedResponse: it is longer than any answer.
        """
        parts = [beginning]
        size = len(beginning)
        async for part in self.chunks:
            parts.append(part)
            size += len(part)
            if size > LONGEST_BODY:
                raise _endless()
        return b"".join(parts)

    async def drain(self) -> None:
        """Read past an answer that is complete, since a connection read to its end can be used again.

        The end comes with the last piece or just after it; a server that keeps it back is not waited for.
        """
        if not self.content.is_eof():
            with suppress(*CAUGHT):
                await TimeLimit(_DRAIN_SECONDS).run(_read(self.content, _DRAIN_BODY))


class HttpWire:
    """Posts JSON to one server and hands its failures on as `ModelError`s."""

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        key_header: KeyHeader = "Authorization",
        headers: Mapping[str, str] | None = None,
        timeouts: WireTimeouts = WireTimeouts(),
    ) -> None:
        self._address = Address(base_url)
        self.host = self._address.host
        """The host alone."""
        self._headers = checked_headers({"Content-Type": "application/json"}, headers or {})
        if api_key:
            key = checked_key(api_key)
            self._headers[key_header] = f"Bearer {key}" if key_header == "Authorization" else key
        self._secrets = (*([api_key] if api_key else ()), *self._address.secrets)
        if self._address.url.user is not None and "Authorization" in self._headers:
            raise ConfigError(f"give the user in the URL of {self._address.shown!r} or an API key, not both")
        self._timeout = aiohttp.ClientTimeout(
            total=None, sock_connect=timeouts.connect, connect=None, sock_read=timeouts.idle
        )
        self._sessions: dict[asyncio.AbstractEventLoop, AsyncGenerator[_Session]] = {}
        self._open: dict[asyncio.AbstractEventLoop, _Session] = {}

    @asynccontextmanager
    async def post(self, path: str, body: bytes) -> AsyncGenerator[Reply]:
        """Send a body; the answer may be read inside the `async with` block.

        Raises:
            ModelError: no connection, a time-out, or a status other than success.
        """
        try:
            session = await self._session()
            data = body if len(body) <= _LARGE_BODY else io.BytesIO(body)
            async with session.client.post(
                self._address.of(path), data=data, proxy=session.proxy, allow_redirects=False
            ) as response:
                if not 200 <= response.status < 300:
                    body = await _reason(response.content)
                    failure = Failure(status=response.status, body=body, headers=response.headers)
                    raise from_failure(failure, server=self._address.shown, secrets=self._secrets)
                content = response.content
                session.flowing.add(content)
                try:
                    yield Reply(content_type=response.content_type, content=content)
                finally:
                    session.flowing.discard(content)
        except CAUGHT as error:
            raise hide(from_exception(error, server=self._address.shown), self._secrets) from error
        except ModelError as error:
            hide(error, self._secrets)
            raise

    async def close(self) -> None:
        """Close this loop's connections, also under calls not yet done; those of other loops go with their loop."""
        loop = asyncio.get_running_loop()
        self._open.pop(loop, None)
        keeper = self._sessions.pop(loop, None)
        if keeper is not None:
            await keeper.aclose()

    async def _session(self) -> "_Session":
        loop = asyncio.get_running_loop()
        found = self._open.get(loop)
        if found is None:
            for other in [other for other in self._open if other.is_closed()]:
                del self._open[other], self._sessions[other]
            proxy = self._address.proxy()
            self._sessions[loop] = keeper = _kept_session(self._headers, self._timeout, proxy)
            self._open[loop] = found = await anext(keeper)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Session:
    client: aiohttp.ClientSession
    proxy: URL | None
    flowing: set[aiohttp.StreamReader] = field(default_factory=set[aiohttp.StreamReader])
    """Answers that are being read."""

    async def close(self) -> None:
        # aiohttp closes the connections and lets everybody wait who reads from one, for ever.
        for content in self.flowing:
            content.set_exception(aiohttp.ClientConnectionError("the model was closed while it answered"))
        await self.client.close()


async def _kept_session(
    headers: Mapping[str, str], limits: aiohttp.ClientTimeout, proxy: URL | None
) -> AsyncGenerator[_Session]:
    # A generator, because a loop closes its generators before it closes itself: a session is never left open.
    client = aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=30),
        cookie_jar=aiohttp.DummyCookieJar(),
        headers=headers,
        timeout=limits,
    )
    session = _Session(client=client, proxy=proxy)
    try:
        yield session
    finally:
        await session.close()


def _endless() -> MalformedResponse:
    return MalformedResponse(f"the server does not stop: over {LONGEST_BODY:,} bytes in one answer")


async def _reason(content: aiohttp.StreamReader) -> bytes:
    """The body of a refusal as far as it comes: what breaks or is kept back does not change the status."""
    parts: list[bytes] = []
    with suppress(*CAUGHT):
        await TimeLimit(_ERROR_SECONDS).run(_read(content, _ERROR_BODY, into=parts))
    return b"".join(parts)


async def _read(content: aiohttp.StreamReader, most: int, *, into: list[bytes] | None = None) -> None:
    while most > 0 and (piece := await content.readany()):
        most -= len(piece)
        if into is not None:
            into.append(piece)
