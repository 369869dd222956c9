"""JSON over HTTP for the adapters: one session per event loop, time-outs, answers as chunks of bytes."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp
from yarl import URL

from dure.errors import ConfigError
from dure.models.http_errors import CAUGHT, Failure, from_exception, from_failure

_ERROR_BODY = 64 * 1024


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
    chunks: AsyncIterator[bytes]

    async def read(self) -> bytes:
        """The whole body."""
        return b"".join([chunk async for chunk in self.chunks])


class HttpWire:
    """Posts JSON to one server and hands its failures on as `ModelError`s."""

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        timeouts: WireTimeouts = WireTimeouts(),
    ) -> None:
        self._base_url = _checked(base_url)
        self._secret = api_key
        self._headers = {"Content-Type": "application/json", **(headers or {})}
        if api_key:
            self._headers["Authorization"] = f"Bearer {_header_value(api_key)}"
        self._timeout = aiohttp.ClientTimeout(
            total=None, sock_connect=timeouts.connect, connect=None, sock_read=timeouts.idle
        )
        self._sessions: dict[asyncio.AbstractEventLoop, AsyncGenerator[aiohttp.ClientSession]] = {}
        self._open: dict[asyncio.AbstractEventLoop, aiohttp.ClientSession] = {}

    @property
    def host(self) -> str:
        """The host alone."""
        return URL(self._base_url).host or ""

    @asynccontextmanager
    async def post(self, path: str, body: bytes) -> AsyncGenerator[Reply]:
        """Send a body; the answer may be read inside the `async with` block.

        Raises:
            ModelError: no connection, a time-out, or a status other than success.
        """
        try:
            session = await self._session()
            async with session.post(
                self._base_url + path, data=body, headers=self._headers, allow_redirects=False
            ) as response:
                if not 200 <= response.status < 300:
                    failure = Failure(
                        status=response.status,
                        body=await response.content.read(_ERROR_BODY),
                        headers=response.headers,
                    )
                    raise from_failure(failure, server=self._base_url, secret=self._secret)
                yield Reply(content_type=response.content_type, chunks=response.content.iter_any())
        except CAUGHT as error:
            raise from_exception(error, server=self._base_url) from error

    async def close(self) -> None:
        """Close this loop's connections; those of other loops close with their loop."""
        loop = asyncio.get_running_loop()
        self._open.pop(loop, None)
        keeper = self._sessions.pop(loop, None)
        if keeper is not None:
            await keeper.aclose()

    async def _session(self) -> aiohttp.ClientSession:
        loop = asyncio.get_running_loop()
        if loop not in self._open:
            for other in [other for other in self._open if other.is_closed()]:
                del self._open[other], self._sessions[other]
            keeper = _kept_session(self._timeout)
            self._sessions[loop] = keeper
            self._open[loop] = await anext(keeper)
        return self._open[loop]


async def _kept_session(limits: aiohttp.ClientTimeout) -> AsyncGenerator[aiohttp.ClientSession]:
    # A generator, because a loop closes its generators before it closes itself: a session is never left open.
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=30)
    session = aiohttp.ClientSession(connector=connector, timeout=limits, trust_env=True)
    try:
        yield session
    finally:
        await session.close()


def _checked(base_url: str) -> str:
    try:
        url = URL(base_url)
    except ValueError as error:
        raise ConfigError(f"{base_url!r} is not a URL: {error}; give one like 'http://127.0.0.1:8080/v1'") from error
    if url.scheme not in ("http", "https") or not url.host:
        raise ConfigError(f"{base_url!r} is not an http(s) URL; give one like 'http://127.0.0.1:8080/v1'")
    return base_url.rstrip("/")


def _header_value(api_key: str) -> str:
    if not api_key.isascii() or not api_key.isprintable():
        raise ConfigError("the API key has characters that no key has (line breaks or non-ASCII); set it again")
    return api_key
