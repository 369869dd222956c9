"""Asking a service to refresh: whatever stands at the address, one clear error, and the token goes nowhere else."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from dure.errors import ConfigError
from dure_spec.commands.remote_refresh import ask_service

TOKEN = "sesame-4711"


@asynccontextmanager
async def answering(answer: bytes, seen: list[bytes]) -> AsyncGenerator[str]:
    """The address of a server that answers everything so, and then hangs up."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(answer)
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server, asyncio.timeout(30):
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


def http(status: str, body: bytes, *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (http("200 OK", b"hello"), "answered with HTTP 200, but not like dure serve; check the URL"),
        (http("404 Not Found", b'{"detail": "Not Found"}'), "answered with HTTP 404, but not like dure serve"),
        (http("200 OK", b'{"status": 1}'), "answered with HTTP 200, but not like dure serve"),
        (http("307 Temporary Redirect", b"", "Location: http://127.0.0.1:1/"), "answered with HTTP 307, but not like"),
        (http("200 OK", b"x" * 2_000_000), "answered with HTTP 200, but not like dure serve"),
        (b"", "no answer from"),
        (b"SSH-2.0-OpenSSH_9\r\n", "no answer from"),
        (
            http("503 Busy", b'{"error": {"code": "too_slow", "message": "try again later", "details": []}}'),
            "refuses: try again later",
        ),
    ],
)
async def test_what_is_no_answer_of_a_service_is_one_error(
    answer: bytes, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DURE_ADMIN_TOKEN", TOKEN)
    seen: list[bytes] = []
    async with answering(answer, seen) as url:
        with pytest.raises(ConfigError, match=said) as raised:
            await ask_service(url)
    assert len(seen) == 1
    assert f"Bearer {TOKEN}".encode() in seen[0]
    assert TOKEN not in str(raised.value)


@pytest.mark.parametrize("url", ["", "127.0.0.1:8080", "http://", "http://h/prompts", "http://h:99999", "http://h?x=1"])
async def test_what_is_no_address_is_refused_before_anything_is_sent(url: str) -> None:
    with pytest.raises(ConfigError, match="--url must be the address of a service, such as"):
        await ask_service(url)


async def test_a_token_that_cannot_be_sent_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DURE_ADMIN_TOKEN", "one\r\ntwo")
    with pytest.raises(ConfigError, match="DURE_ADMIN_TOKEN holds more than one line"):
        await ask_service("http://127.0.0.1:1")
