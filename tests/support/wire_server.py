"""A loopback server that plays written answers and keeps the requests it got."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

DEADLINE = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One HTTP answer."""

    body: bytes = b""
    status: int = 200
    content_type: str = "text/event-stream"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    chunk: int = 0
    """Bytes that are sent at a time; 0 sends all at once."""
    broken: bool = False
    """The connection is cut after the body, so that its end never comes."""


@dataclass(slots=True)
class WireServer:
    """Gives each request the next answer; the last one is given again."""

    replies: list[Reply]
    address: str = ""
    bodies: list[bytes] = field(default_factory=list[bytes])
    headers: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    paths: list[str] = field(default_factory=list[str])

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Play one answer."""
        self.bodies.append(await request.read())
        self.headers.append({name.lower(): value for name, value in request.headers.items()})
        self.paths.append(request.path)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        response = web.StreamResponse(status=reply.status, headers=dict(reply.headers))
        response.content_type = reply.content_type
        await response.prepare(request)
        size = reply.chunk or len(reply.body) or 1
        for start in range(0, len(reply.body), size):
            await response.write(reply.body[start : start + size])
            await asyncio.sleep(0)  # lets the other end read this piece alone
        if reply.broken and request.transport is not None:
            request.transport.abort()
            return response
        await response.write_eof()
        return response


@asynccontextmanager
async def serving(*replies: Reply) -> AsyncGenerator[WireServer]:
    """A server on a free port, and a deadline round everything that is done with it."""
    server = WireServer(list(replies))
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", server.handle)
    runner = web.AppRunner(application, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0][:2]
        server.address = f"http://{host}:{port}"
        async with asyncio.timeout(DEADLINE):
            yield server
    finally:
        await runner.cleanup()
