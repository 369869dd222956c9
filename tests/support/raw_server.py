"""A loopback server that writes bytes exactly as given, however wrong they are, and counts its connections."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

DEADLINE = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """The bytes of one HTTP answer."""

    data: bytes
    piece: int = 0
    """Bytes that are written at a time; 0 writes all at once."""
    held: bool = False
    """The connection stays open after them, until the client ends it."""


def http(
    body: bytes,
    *,
    status: str = "200 OK",
    kind: str = "text/event-stream",
    version: str = "1.1",
    sized: bool = True,
    **headers: str,
) -> bytes:
    """An answer; without `sized` only the end of the connection ends it."""
    lines = [f"HTTP/{version} {status}", f"Content-Type: {kind}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    lines += [f"Content-Length: {len(body)}"] if sized else ["Connection: close"]
    return "\r\n".join([*lines, "", ""]).encode() + body


def chunked(*pieces: bytes, ended: bool = True) -> bytes:
    """An answer in HTTP's own chunks, with or without the last one."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    body = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)
    return head + body + (b"0\r\n\r\n" if ended else b"")


@dataclass(slots=True)
class RawServer:
    """What it saw."""

    answer: Callable[[bytes], Raw]
    """Makes the answer to the body of a request."""
    address: str = ""
    connections: int = 0
    """That are open now."""
    heads: list[bytes] = field(default_factory=list[bytes])
    bodies: list[bytes] = field(default_factory=list[bytes])
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def has(self, connections: int) -> None:
        """Wait until this many connections are open."""
        while self.connections != connections:
            self.changed.clear()
            await self.changed.wait()

    async def asked(self) -> None:
        """Wait until a request has come."""
        while not self.bodies:
            self.changed.clear()
            await self.changed.wait()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        self._count(1)
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while True:
                body = await self._request(reader)
                await self._write(self.answer(body), reader, writer)
        writer.close()
        self._count(-1)

    async def _request(self, reader: asyncio.StreamReader) -> bytes:
        head = await reader.readuntil(b"\r\n\r\n")
        self.heads.append(head)
        sizes = [line[15:] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        self.bodies.append(await reader.readexactly(int(sizes[0]) if sizes else 0))
        self.changed.set()
        return self.bodies[-1]

    async def _write(self, raw: Raw, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        size = raw.piece or len(raw.data) or 1
        for start in range(0, len(raw.data), size):
            writer.write(raw.data[start : start + size])
            await writer.drain()
            await asyncio.sleep(0)  # lets the other end read this piece alone
        if raw.held:
            await reader.read(1)
        if raw.held or not raw.data.startswith(b"HTTP/1.1 200") or b"Connection: close" in raw.data:
            raise ConnectionResetError

    def _count(self, change: int) -> None:
        self.connections += change
        self.changed.set()


@asynccontextmanager
async def raw_server(answer: Raw | bytes | Callable[[bytes], Raw]) -> AsyncGenerator[RawServer]:
    """A server on a free port, and a deadline round everything that is done with it."""
    if isinstance(answer, bytes):
        answer = Raw(data=answer)
    played = RawServer((lambda _: answer) if isinstance(answer, Raw) else answer)
    server = await asyncio.start_server(played.serve, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()[:2]
    played.address = f"http://{host}:{port}"
    try:
        async with asyncio.timeout(DEADLINE):
            yield played
            await played.has(0)  # whoever asked has given back every connection
    finally:
        server.close()
        await server.wait_closed()
