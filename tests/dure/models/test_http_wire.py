import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from aiohttp import web

from dure.chat import ChatOptions, ChatRequest, ChatResponse, ToolDefinition
from dure.client.chat_client import ChatClient
from dure.errors import (
    ConfigError,
    ConnectionFailed,
    DeadlineExceeded,
    InvalidRequest,
    MalformedResponse,
    ModelError,
    ModelTimeout,
    RateLimited,
    ServerFailed,
    Unauthenticated,
)
from dure.events import Event, TextDelta
from dure.messages import UserMessage
from dure.models.http_wire import LONGEST_BODY, HttpWire, WireTimeouts
from dure.models.openai_compatible import OpenAICompatibleModel
from dure.run import RunContext

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Serve = Callable[[Handler], Awaitable[str]]

REQUEST = ChatRequest(messages=(UserMessage(text="?"),))
STOCK = ToolDefinition(name="재고", description="stock", parameters={"type": "object", "properties": {}})


def stream(*chunks: object, done: bool = True) -> bytes:
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks] + ["data: [DONE]\n\n"] * done
    return "".join(lines).encode()


def delta(finish: str | None = None, **fields: object) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}


def answering(body: bytes, *, status: int = 200, kind: str = "text/event-stream", **headers: str) -> Handler:
    async def handle(_: web.Request) -> web.Response:
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        return web.Response(status=status, body=body, content_type=kind, headers=named)

    return handle


async def ask(address: str, request: ChatRequest = REQUEST, run: RunContext | None = None, **how: Any) -> ChatResponse:  # noqa: ANN401 passed on
    model = OpenAICompatibleModel("m", base_url=address, **how)
    try:
        async with asyncio.timeout(10):
            return await model.chat(request, run or RunContext())
    finally:
        await model.close()


@pytest.mark.parametrize(
    ("body", "kind", "error", "said"),
    [
        (b"", "text/event-stream", MalformedResponse, "empty body"),
        (b"  ", "application/json", MalformedResponse, "empty body"),
        (b"{}", "application/json", MalformedResponse, "without `choices`"),
        (b"<html>", "application/json", MalformedResponse, "not a chat completion"),
        (b"data: {oops\n\n", "text/event-stream", MalformedResponse, "not a chat completion"),
        (b'data: {"choices": 3}\n\n', "text/event-stream", MalformedResponse, r"\$\.choices"),
        (b'data: "\xff"\n\n', "text/event-stream", MalformedResponse, "not a chat completion"),
        (b"<html>hello</html>", "text/html", MalformedResponse, "empty body"),
        (
            stream(delta(content="a"), done=False),
            "text/event-stream",
            ConnectionFailed,
            "before the answer was complete",
        ),
        (
            stream(delta(content="a"), {"error": {"message": "overloaded"}}),
            "text/event-stream",
            ServerFailed,
            "overloaded",
        ),
        (b'{"error": {"message": "overloaded"}}', "application/json", ServerFailed, "overloaded"),
        (stream(delta("error")), "text/event-stream", ServerFailed, "failed while it answered"),
    ],
)
async def test_a_success_that_is_none_is_named(
    serve: Serve, body: bytes, kind: str, error: type[ModelError], said: str
) -> None:
    with pytest.raises(error, match=said):
        await ask(await serve(answering(body, kind=kind)))


async def test_a_refusal_of_the_server_becomes_our_error(serve: Serve) -> None:
    with pytest.raises(RateLimited) as limited:
        await ask(
            await serve(
                answering(b'{"error":{"message":"slow"}}', status=429, kind="application/json", Retry_After="2")
            )
        )
    assert limited.value.retry_after == 2
    with pytest.raises(Unauthenticated) as refused:
        await ask(await serve(answering(b"bad key sk-1", status=401, kind="text/plain")), api_key="sk-1")
    assert "sk-1" not in str(refused.value)
    with pytest.raises(InvalidRequest, match="answered 307"):
        await ask(await serve(answering(b"", status=307, Location="http://elsewhere.example/")))


async def test_a_connection_that_breaks_in_the_middle_is_a_failed_connection(serve: Serve) -> None:
    async def handle(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        await response.write(stream(delta(content="절"), done=False))
        assert request.transport is not None
        request.transport.abort()
        return response

    events: list[Event] = []
    with pytest.raises(ConnectionFailed):
        await ask(await serve(handle), run=RunContext(sink=events.append))
    assert events == [TextDelta(text="절")]


async def test_a_server_that_hangs_after_the_end_mark_does_not_hold_the_answer(serve: Serve) -> None:
    never = asyncio.Event()

    async def handle(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        await response.write(stream(delta("stop", content="a")))
        async with asyncio.timeout(10):
            await never.wait()
        return response

    assert (await ask(await serve(handle))).text == "a"
    never.set()


async def test_silence_is_a_time_out(serve: Serve) -> None:
    never = asyncio.Event()

    async def handle(_: web.Request) -> web.StreamResponse:
        async with asyncio.timeout(10):
            await never.wait()
        return web.Response()

    address = await serve(handle)
    with pytest.raises(ModelTimeout):
        await ask(address, timeouts=WireTimeouts(idle=0.05))
    never.set()


async def test_a_deadline_ends_a_call_that_waits(serve: Serve) -> None:
    never = asyncio.Event()

    async def handle(_: web.Request) -> web.StreamResponse:
        async with asyncio.timeout(10):
            await never.wait()
        return web.Response()

    model = OpenAICompatibleModel("m", base_url=await serve(handle))
    run = RunContext(deadline=asyncio.get_running_loop().time() + 0.05)
    async with asyncio.timeout(10):
        with pytest.raises(DeadlineExceeded, match="time"):
            await ChatClient(model).prompt("?").run(run).call()
        never.set()
        await model.close()


async def test_nobody_there_is_a_failed_connection() -> None:
    with pytest.raises(ConnectionFailed, match="check that the server runs"):
        await ask("http://127.0.0.1:9")


async def test_the_key_and_extra_headers_are_sent_and_the_connection_is_used_again(serve: Serve) -> None:
    seen: list[tuple[str, str, str, object]] = []

    async def handle(request: web.Request) -> web.Response:
        peer: object = request.transport.get_extra_info("peername") if request.transport else None
        seen.append((request.path, request.headers["Authorization"], request.headers["X-Team"], peer))
        return web.Response(body=stream(delta("stop", content="a")), content_type="text/event-stream")

    model = OpenAICompatibleModel("m", base_url=await serve(handle) + "/v1/", api_key="k", headers={"X-Team": "t"})
    async with asyncio.timeout(10):
        await model.chat(REQUEST, RunContext())
        await model.chat(REQUEST, RunContext())
        await model.close()
        await model.close()
    assert seen[0] == seen[1]
    assert seen[0][:3] == ("/v1/chat/completions", "Bearer k", "t")


def test_a_model_serves_several_event_loops_one_after_another() -> None:
    async def once(model: OpenAICompatibleModel) -> str:
        runner = web.AppRunner(web.Application())
        runner.app.router.add_post("/chat/completions", answering(stream(delta("stop", content="a"))))
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", port)
        await site.start()
        async with asyncio.timeout(10):
            text = (await model.chat(REQUEST, RunContext())).text
        await runner.cleanup()
        return text

    async def free_port() -> int:
        server = await asyncio.start_server(lambda _reader, _writer: None, "127.0.0.1", 0)
        found: int = server.sockets[0].getsockname()[1]
        server.close()
        return found

    port = asyncio.run(free_port())
    model = OpenAICompatibleModel("m", base_url=f"http://127.0.0.1:{port}")
    assert [asyncio.run(once(model)), asyncio.run(once(model))] == ["a", "a"]


@pytest.mark.parametrize("url", ["", "localhost:80", "ftp://h", "http://", "http://h:port"])
def test_a_wrong_address_is_refused_at_once(url: str) -> None:
    with pytest.raises(ConfigError, match="URL"):
        OpenAICompatibleModel("m", base_url=url)


@pytest.mark.parametrize("key", ["a\nb", "키"])
def test_a_key_with_foreign_characters_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(ConfigError, match="API key") as caught:
        HttpWire("http://h", api_key=key)
    assert key not in str(caught.value)


async def test_options_that_cannot_be_sent_are_refused_before_anything_is_sent() -> None:
    with pytest.raises(ConfigError):
        await ask("http://127.0.0.1:9", REQUEST.with_options(ChatOptions(extra={"model": "x"})))


async def test_a_request_of_megabytes_leaves_whole_and_without_a_warning(serve: Serve) -> None:
    sizes: list[int] = []

    async def handle(request: web.Request) -> web.Response:
        sizes.append(sum([len(piece) async for piece in request.content.iter_any()]))
        return web.Response(body=stream(delta("stop", content="a")), content_type="text/event-stream")

    long = UserMessage(text="가" * 1_000_000)
    assert (await ask(await serve(handle), REQUEST.with_messages(long))).text == "a"
    assert sizes[0] > 3_000_000


async def test_an_answer_in_one_piece_that_never_ends_is_cut_off(serve: Serve) -> None:
    piece = b" " * 1024 * 1024

    async def handle(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        await response.prepare(request)
        for _ in range(LONGEST_BODY // len(piece) + 1):
            await response.write(piece)
        return response

    with pytest.raises(MalformedResponse, match="does not stop: over 33,554,432 bytes"):
        await ask(await serve(handle))
