"""Connections that say nothing, or never come to an end of it, are closed; others are left alone."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
import uvicorn

from dure_spec.agents.prompt_files import open_store
from dure_spec.service.app import create_app
from dure_spec.service.connections import TimedConnection
from dure_spec.service.serving import listen

HEALTH = b"GET /health HTTP/1.1\r\nHost: service\r\n\r\n"


class Impatient(TimedConnection):
    """Waits no longer than a test does."""

    head_seconds = 0.4


@asynccontextmanager
async def served() -> AsyncGenerator[int]:
    """The port of a service with such connections."""
    config = uvicorn.Config(create_app(open_store(None)), http=Impatient, log_config=None, timeout_keep_alive=60)
    server = uvicorn.Server(config)
    with listen("127.0.0.1", 0) as listening:
        running = asyncio.ensure_future(server.serve(sockets=[listening]))
        try:
            async with asyncio.timeout(30):
                yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            await asyncio.wait_for(running, 30)


@pytest.mark.parametrize("begun", [b"", b"GET /hea", b"GET /health HTTP/1.1\r\n", HEALTH + b"GET /"])
async def test_a_request_that_never_becomes_whole_is_given_up(begun: bytes) -> None:
    async with served() as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(begun)
        answer = await reader.read()
        writer.close()
    assert answer.count(b"HTTP/1.1 200") == begun.count(HEALTH)


async def test_a_client_that_sends_a_header_now_and_then_is_given_up_too() -> None:
    async with served() as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        ended = asyncio.ensure_future(reader.read())
        writer.write(b"GET /health HTTP/1.1\r\n")
        while not ended.done():
            writer.write(b"A: b\r\n")
            await asyncio.wait((ended,), timeout=0.05)
        writer.close()


async def test_a_connection_that_goes_on_asking_stays() -> None:
    async with served() as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(4):
            writer.write(HEALTH)
            assert b" 200 " in await reader.readuntil(b"\r\n")
            await reader.readuntil(b"}")
        writer.close()
