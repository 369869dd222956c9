import asyncio
import base64
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from aiohttp import web

from dure.chat import ChatRequest
from dure.errors import ConfigError
from dure.messages import UserMessage
from dure.models.openai_compatible import OpenAICompatibleModel
from dure.run import RunContext

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Serve = Callable[[Handler], Awaitable[str]]

CHUNK = {"choices": [{"delta": {"content": "a"}, "finish_reason": "stop"}]}
BODY = f"data: {json.dumps(CHUNK)}\n\ndata: [DONE]\n\n".encode()


async def ask(address: str, api_key: str | None = None) -> str:
    model = OpenAICompatibleModel("m", base_url=address, api_key=api_key)
    try:
        async with asyncio.timeout(10):
            return (await model.chat(ChatRequest(messages=(UserMessage(text="?"),)), RunContext())).text
    finally:
        await model.close()


async def test_the_proxy_of_the_environment_is_used_with_its_password_unless_the_host_is_exempt(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, str | None]] = []

    async def handle(request: web.Request) -> web.Response:
        seen.append((str(request.url), request.headers.get("Proxy-Authorization")))
        return web.Response(body=BODY, content_type="text/event-stream")

    address = await serve(handle)
    monkeypatch.setenv("http_proxy", address.replace("http://", "http://user:pass@"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    assert await ask("http://model.invalid/v1") == "a"
    assert await ask(address) == "a"
    monkeypatch.setenv("http_proxy", address.removeprefix("http://"))
    assert await ask("http://model.invalid/v1") == "a"
    password = "Basic " + base64.b64encode(b"user:pass").decode()
    path = "/chat/completions"
    assert seen == [
        (f"http://model.invalid/v1{path}", password),
        (f"{address}{path}", None),
        (f"http://model.invalid/v1{path}", None),
    ]


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:1080", "http://h:port"])
async def test_a_proxy_that_cannot_be_used_is_named(monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    monkeypatch.setenv("http_proxy", proxy)
    with pytest.raises(ConfigError, match="HTTP_PROXY"):
        await ask("http://model.invalid/v1")


async def test_a_netrc_file_neither_replaces_the_key_nor_breaks_the_call(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen: list[str] = []

    async def handle(request: web.Request) -> web.Response:
        seen.append(request.headers["Authorization"])
        return web.Response(body=BODY, content_type="text/event-stream")

    (tmp_path / "netrc").write_text("machine 127.0.0.1 login u password p\n", encoding="utf-8")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    await ask(await serve(handle), api_key="k")
    assert seen == ["Bearer k"]
