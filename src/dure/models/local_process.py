"""The owner's side of a local model server: started once, shared by counted users, stopped with the last.

One server a process and set of weights; other processes have their own.
"""

import asyncio
import atexit
import contextlib
import importlib.util
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

import msgspec

from dure.errors import ModelUnavailable
from dure.models.local_server import ADDRESS_FILE, LOG_FILE, ServerSettings

_POLL_SECONDS = 0.05
_STOP_SECONDS = 5.0
_LOG_LINES = 5
COMMAND = (sys.executable, "-P", "-m", "dure.models.local_server")


def runtime_is_installed() -> bool:
    """Whether the extra that runs weights is there; does not import it."""
    return importlib.util.find_spec("xllamacpp") is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSpec:
    """Which server; users with an equal spec share one."""

    model: Path
    context: int
    parallel: int
    threads: int
    command: tuple[str, ...] = COMMAND
    start_seconds: float = 180.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where a running server answers."""

    address: str
    api_key: str


@dataclass(slots=True, kw_only=True)
class _Child:
    process: subprocess.Popen[bytes]
    leash: IO[bytes]
    """The child's input; the child ends when it does."""
    folder: Path
    api_key: str

    def endpoint(self) -> Endpoint | None:
        """`None` while the child still loads."""
        try:
            return Endpoint(address=(self.folder / ADDRESS_FILE).read_text(encoding="utf-8"), api_key=self.api_key)
        except FileNotFoundError:
            return None

    def last_words(self) -> str:
        """The end of the child's log."""
        with contextlib.suppress(OSError):
            lines = (self.folder / LOG_FILE).read_text(encoding="utf-8", errors="replace").splitlines()
            return " | ".join(line.strip() for line in lines[-_LOG_LINES:] if line.strip())
        return ""

    def stop(self) -> None:
        """End the child; its pipe first, so that it can clean up, then by force."""
        with contextlib.suppress(OSError):
            self.leash.close()
        try:
            self.process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class LocalServer:
    """One server and its users."""

    def __init__(self, spec: ServerSpec) -> None:
        self._spec = spec
        self._lock = threading.Lock()
        self._users = 0
        self._child: _Child | None = None

    @property
    def process_id(self) -> int | None:
        """Of the child, while there is one."""
        return None if self._child is None else self._child.process.pid

    @property
    def folder(self) -> Path | None:
        """Where the child's log is, while there is a child."""
        return None if self._child is None else self._child.folder

    def join(self) -> None:
        """One user more."""
        with self._lock:
            self._users += 1

    def leave(self) -> None:
        """One user less; the last one stops the server."""
        with self._lock:
            self._users -= 1
            child = None if self._users else self._take_child()
        if child is not None:
            child.stop()

    def stop(self) -> None:
        """Stop it whoever uses it."""
        with self._lock:
            child = self._take_child()
        if child is not None:
            child.stop()

    async def endpoint(self) -> Endpoint:
        """Where it answers; starts it if it does not run, and waits until it does.

        Raises:
            ModelUnavailable: it ended while starting, or did not answer in time; quotes its log.
        """
        with self._lock:
            if self._child is not None and self._child.process.poll() is not None:
                self._child.stop()  # it crashed since the last call: only its traces are left
                self._child = None
            if self._child is None:
                self._child = _launch(self._spec)
            child = self._child
        try:
            async with asyncio.timeout(self._spec.start_seconds):
                while (found := child.endpoint()) is None:
                    if child.process.poll() is not None:
                        raise self._failed(child, f"ended with code {child.process.returncode} while it started")
                    await asyncio.sleep(_POLL_SECONDS)
        except TimeoutError as error:
            raise self._failed(child, f"did not answer within {self._spec.start_seconds:g} s") from error
        return found

    def _failed(self, child: _Child, what: str) -> ModelUnavailable:
        said = child.last_words()
        with self._lock:
            if self._child is child:
                self._child = None
        child.stop()
        return ModelUnavailable(
            f"the local model server {what}" + (f": {said}" if said else "") + "; check the weights with "
            "`dure models` and the free memory, or choose another model with DURE_MODEL"
        )

    def _take_child(self) -> _Child | None:
        child, self._child = self._child, None
        return child


def _launch(spec: ServerSpec) -> _Child:
    folder = Path(tempfile.mkdtemp(prefix="dure-local-"))
    api_key = secrets.token_urlsafe(24)
    settings = ServerSettings(
        model=str(spec.model),
        context=spec.context,
        parallel=spec.parallel,
        threads=spec.threads,
        api_key=api_key,
        folder=str(folder),
    )
    try:
        with (folder / LOG_FILE).open("wb") as log:
            process = _popen(spec.command, log.fileno())
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise ModelUnavailable(f"cannot start the local model server: {error}") from error
    leash = cast("IO[bytes]", process.stdin)
    with contextlib.suppress(OSError):  # a child that died at once is reported with its log
        leash.write(msgspec.json.encode(settings) + b"\n")
        leash.flush()
    return _Child(process=process, leash=leash, folder=folder, api_key=api_key)


def _popen(command: Sequence[str], log: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log)


class SharedServers:
    """The servers of this process. Two models with the same weights must not load them twice."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._servers: dict[ServerSpec, LocalServer] = {}
        atexit.register(self.stop_all)

    def of(self, spec: ServerSpec) -> LocalServer:
        """The server of a spec, made when first asked for."""
        with self._lock:
            return self._servers.setdefault(spec, LocalServer(spec))

    def stop_all(self) -> None:
        """Leave no child behind when the process ends in an ordinary way."""
        with self._lock:
            servers = list(self._servers.values())
        for server in servers:
            server.stop()


shared_server = SharedServers().of
"""The server for a spec, one a process."""
