"""What every service answers when something is wrong: one shape, within limits of size and time."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dure.web import HttpError, RequestLimits, answer_errors

MOST = 1000
SLOW = "the request took longer than 0.5 s; try again later"


def service() -> FastAPI:
    """Handlers that do what handlers do wrong."""
    app = FastAPI()
    answer_errors(app)

    async def refuses() -> None:
        raise HttpError(409, "busy", "not now", details=["one"], headers={"Retry-After": "3"})

    async def fails() -> None:
        raise RuntimeError("the password is sesame")

    async def waits() -> None:
        await asyncio.Event().wait()

    async def counts(number: int) -> int:
        return number

    async def measures(content: dict[str, str]) -> int:
        return len(content["text"])

    app.add_api_route("/refuses", refuses)
    app.add_api_route("/fails", fails)
    app.add_api_route("/waits", waits)
    app.add_api_route("/counts", counts)
    app.add_api_route("/measures", measures, methods=["POST"])
    app.add_middleware(RequestLimits, max_bytes=MOST, seconds=0.5)
    return app


@pytest.fixture
async def client() -> AsyncGenerator[httpx2.AsyncClient]:
    transport = httpx2.ASGITransport(app=service(), raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://service") as opened, asyncio.timeout(30):
        yield opened


@pytest.mark.parametrize(
    ("path", "status", "error"),
    [
        ("/refuses", 409, {"code": "busy", "message": "not now", "details": ["one"]}),
        ("/nothing", 404, {"code": "not_found", "message": "GET /nothing: Not Found", "details": []}),
        ("/measures", 405, {"code": "refused", "message": "GET /measures: Method Not Allowed", "details": []}),
        ("/fails", 500, {"code": "failed", "message": "the service failed; its log says where", "details": []}),
        (
            "/waits",
            503,
            {"code": "too_slow", "message": "the request took longer than 0.5 s; try again later", "details": []},
        ),
    ],
)
async def test_an_error_is_always_of_the_same_shape(
    path: str, status: int, error: dict[str, Any], client: httpx2.AsyncClient
) -> None:
    answer = await client.get(path)
    assert (answer.status_code, answer.json()) == (status, {"error": error})


async def test_the_headers_of_an_error_are_sent(client: httpx2.AsyncClient) -> None:
    assert (await client.get("/refuses")).headers["Retry-After"] == "3"
    assert (await client.get("/measures")).headers["Allow"] == "POST"


async def test_a_request_of_the_wrong_form_names_its_fields(client: httpx2.AsyncClient) -> None:
    answer = await client.get("/counts", params={"number": "many"})
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "invalid"
    (detail,) = answer.json()["error"]["details"]
    assert detail.startswith("query.number: ")


async def test_a_body_within_the_limit_arrives_whole_in_whatever_pieces(client: httpx2.AsyncClient) -> None:
    body = json.dumps({"text": "가" * 100}).encode()

    async def pieces() -> AsyncIterator[bytes]:
        for start in range(0, len(body), 7):
            yield body[start : start + 7]

    answer = await client.post("/measures", content=pieces(), headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()) == (200, 100)


async def test_a_body_beyond_the_limit_is_refused(client: httpx2.AsyncClient) -> None:
    answer = await client.post("/measures", content=b"x" * (MOST + 1))
    assert (answer.status_code, answer.headers["Connection"]) == (413, "close")
    assert answer.json()["error"]["message"] == "the request is larger than 1,000 bytes"


async def asked(app: ASGIApp, *messages: Message) -> list[Message]:
    """What is sent after these messages; the client then says nothing more."""
    waiting, sent = list(messages), list[Message]()

    async def receive() -> Message:
        if waiting:
            return waiting.pop(0)
        await asyncio.Event().wait()
        raise AssertionError("nobody comes here")

    async def send(message: Message) -> None:
        sent.append(message)

    scope: Scope = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "headers": [],
        "query_string": b"",
        "http_version": "1.1",
    }
    async with asyncio.timeout(30):
        await RequestLimits(app, max_bytes=MOST, seconds=0.2)(scope, receive, send)
    return sent


async def test_a_client_that_never_finishes_its_request_is_answered_in_time() -> None:
    sent = await asked(service(), {"type": "http.request", "body": b"half", "more_body": True})
    assert sent[0]["status"] == 503


async def test_half_a_request_is_never_handed_on() -> None:
    half: Message = {"type": "http.request", "body": b"half", "more_body": True}
    assert await asked(service(), half, {"type": "http.disconnect"}) == []


async def test_an_answer_that_was_begun_is_not_begun_again() -> None:
    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.Event().wait()

    sent = await asked(slow, {"type": "http.request"})
    assert [message["status"] for message in sent] == [200]


async def test_what_is_no_request_is_handed_on_as_it_is() -> None:
    seen: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope["type"])

    async def receive() -> Message:
        return {"type": "lifespan.startup"}

    async def send(message: Message) -> None:
        return None

    await RequestLimits(app)({"type": "lifespan"}, receive, send)
    assert seen == ["lifespan"]


async def test_a_request_that_is_broken_off_when_the_server_ends_is_told_so(client: httpx2.AsyncClient) -> None:
    sent: list[Message] = []
    asked = asyncio.Event()

    async def waits(scope: Scope, receive: Receive, send: Send) -> None:
        asked.set()
        await asyncio.Event().wait()

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    running = asyncio.ensure_future(RequestLimits(waits)({"type": "http"}, receive, send))
    async with asyncio.timeout(30):
        await asked.wait()
        running.cancel()
        await running
    assert sent[0]["status"] == 503
    assert json.loads(sent[1]["body"])["error"]["code"] == "stopping"
