"""JSON over HTTP for the adapters: one session per event loop, time-outs, answers as chunks of bytes."""

import asyncio
import io
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from urllib.request import getproxies, proxy_bypass

import aiohttp
from yarl import URL

from dure.errors import ConfigError, MalformedResponse
from dure.models.http_errors import CAUGHT, Failure, from_exception, from_failure
from dure.time_limit import TimeLimit

_ERROR_BODY = 64 * 1024
_LARGE_BODY = 1024 * 1024
"""Bytes; a larger body is written in pieces, so that the event loop serves others in between."""
_DRAIN_SECONDS = 0.5
LONGEST_BODY = 32 * 1024 * 1024
"""Bytes of an answer that comes as a whole."""


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

    async def read(self) -> bytes:
        """The whole body.

        Raises:
            MalformedResponse: it is longer than any answer.
        """
        parts: list[bytes] = []
        size = 0
        async for part in self.chunks:
            parts.append(part)
            size += len(part)
            if size > LONGEST_BODY:
                raise MalformedResponse(f"the server does not stop: over {LONGEST_BODY:,} bytes in one answer")
        return b"".join(parts)

    async def drain(self) -> None:
        """Read past an answer that is complete, since a connection read to its end can be used again.

        The end comes with the last piece or just after it; a server that keeps it back is not waited for.
        """
        if not self.content.is_eof():
            with suppress(*CAUGHT):
                await TimeLimit(_DRAIN_SECONDS).run(self.content.read())


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
        self.host = URL(self._base_url).host or ""
        """The host alone."""
        self._secret = api_key
        self._headers = {"Content-Type": "application/json", **(headers or {})}
        if api_key:
            self._headers["Authorization"] = f"Bearer {_header_value(api_key)}"
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
                _url(self._base_url + path), data=data, proxy=session.proxy, allow_redirects=False
            ) as response:
                if not 200 <= response.status < 300:
                    failure = Failure(
                        status=response.status,
                        body=await response.content.read(_ERROR_BODY),
                        headers=response.headers,
                    )
                    raise from_failure(failure, server=self._base_url, secret=self._secret)
                yield Reply(content_type=response.content_type, content=response.content)
        except CAUGHT as error:
            raise from_exception(error, server=self._base_url) from error

    async def close(self) -> None:
        """Close this loop's connections; those of other loops close with their loop."""
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
            proxy = _proxy_for(URL(self._base_url))
            self._sessions[loop] = keeper = _kept_session(self._headers, self._timeout, proxy)
            self._open[loop] = found = await anext(keeper)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Session:
    client: aiohttp.ClientSession
    proxy: URL | None


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
    try:
        yield _Session(client=client, proxy=proxy)
    finally:
        await client.close()


def _proxy_for(url: URL) -> URL | None:
    # Asked once a session: aiohttp's own `trust_env` reads the environment and ~/.netrc in threads for every request.
    address = getproxies().get(url.scheme)
    if not address or proxy_bypass(url.host or ""):
        return None
    named = f"the proxy that the environment names for {url.scheme} ({url.scheme.upper()}_PROXY)"
    try:
        proxy = URL(address if "://" in address else f"http://{address}")
    except ValueError as error:
        raise ConfigError(f"{named} is not a URL; correct or unset it") from error
    if proxy.scheme not in ("http", "https") or not proxy.host:
        raise ConfigError(f"{named} is not an http(s) URL; correct or unset it, or add {url.host} to NO_PROXY")
    return proxy


@lru_cache(maxsize=256)
def _url(address: str) -> URL:
    return URL(address)


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
