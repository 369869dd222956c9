"""`dure serve` as a process: it answers, is asked to refresh by `dure prompts refresh --url`, and stops cleanly."""

import json
import signal
import socket
import subprocess
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import command_line
import pytest

from dure.prompts import PackagedPrompts, PromptKey

TOKEN = "sesame-4711"
TEXT = PackagedPrompts("dure_spec").texts()[PromptKey("ko", "ba")].decode()


@dataclass(frozen=True, kw_only=True)
class Served:
    """A running service."""

    url: str
    greeting: str
    process: "subprocess.Popen[str]"


@contextmanager
def served(home: Path, *words: str, **settings: str) -> Generator[Served]:
    """`dure serve` on a free port, killed in the end if it still lives."""
    process = subprocess.Popen(
        command_line.command("serve", "--port", "0", *words),
        cwd=home,
        env=command_line.environment(home, **settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        greeting = process.stdout.readline()
        assert "dure serves on http://" in greeting, process.communicate(timeout=command_line.DEADLINE)
        yield Served(url=greeting.split()[3], greeting=greeting, process=process)
    finally:
        process.kill()
        process.communicate(timeout=command_line.DEADLINE)


def write(home: Path, text: str) -> None:
    (home / "own" / "ko").mkdir(parents=True, exist_ok=True)
    (home / "own" / "ko" / "ba.md").write_text(text, encoding="utf-8")


def refresh(home: Path, url: str, *words: str, token: str = TOKEN) -> command_line.Ended:
    settings = {"DURE_ADMIN_TOKEN": token}
    return command_line.dure("prompts", "refresh", "--url", url, *words, home=home, cwd=home, settings=settings)


def test_a_running_service_is_refreshed_and_tells_faults_and_a_source_that_is_away(tmp_path: Path) -> None:
    write(tmp_path, TEXT)
    with served(tmp_path, DURE_PROMPTS="own", DURE_ADMIN_TOKEN=TOKEN) as service:
        assert f"(prompts: {tmp_path}/own)" in service.greeting
        with urllib.request.urlopen(f"{service.url}/health", timeout=30) as answer:
            assert json.load(answer)["status"] == "ok"
        write(tmp_path, TEXT + "\n한 줄 더\n")
        done = refresh(tmp_path, service.url)
        assert (done.code, done.out.startswith("ko/ba: "), done.err) == (0, True, "")
        write(tmp_path, TEXT.replace("$system", ""))
        done = refresh(tmp_path, f"{service.url}/")
        assert (done.code, done.out.splitlines()[0].startswith("ko/ba [sentences] $system:")) == (1, True)
        (tmp_path / "own" / "ko" / "ba.md").unlink()
        (tmp_path / "own" / "ko").rmdir()
        (tmp_path / "own").rmdir()
        done = refresh(tmp_path, service.url, "--json")
        assert (done.code, json.loads(done.out)["status"]) == (1, "away")
        done = refresh(tmp_path, service.url, token="wrong")
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith(f"dure: {service.url} refuses: the admin token is missing or wrong")
        service.process.send_signal(signal.SIGTERM)
        _, log = service.process.communicate(timeout=command_line.DEADLINE)
    assert service.process.returncode == 0
    assert "prompts refreshed from" in log
    assert "prompts not refreshed" in log
    assert "Traceback" not in log
    assert TOKEN not in log


def test_a_service_without_a_token_says_so_and_ends_at_ctrl_c(tmp_path: Path) -> None:
    with served(tmp_path) as service:
        assert service.process.stdout is not None
        closed = service.process.stdout.readline()
        assert closed == "refreshing prompts is closed: DURE_ADMIN_TOKEN is not set\n"
        done = refresh(tmp_path, service.url)
        assert (done.code, "this service takes no changes: set DURE_ADMIN_TOKEN" in done.err) == (2, True)
        service.process.send_signal(signal.SIGINT)
        service.process.communicate(timeout=command_line.DEADLINE)
    assert service.process.returncode == 0


def test_a_taken_port_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = command_line.dure("serve", "--port", str(port), home=tmp_path, cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert done.err == f"dure: port {port} of 127.0.0.1 is taken; give another one, or --port 0 for any\n"


@pytest.mark.parametrize(
    ("words", "settings", "said"),
    [
        (("--host", "999.1.1.1"), {}, "dure: cannot listen on '999.1.1.1', port 8080: "),
        (("--port", "70000"), {}, "dure: Invalid value for '--port'"),
        ((), {"DURE_PROMPTS": "nowhere"}, "dure: the prompt folder "),
        ((), {"DURE_ADMIN_TOKEN": "two\nlines"}, "dure: DURE_ADMIN_TOKEN holds more than one line"),
    ],
)
def test_what_cannot_be_served_is_one_line(
    words: tuple[str, ...], settings: dict[str, str], said: str, tmp_path: Path
) -> None:
    done = command_line.dure("serve", *words, home=tmp_path, cwd=tmp_path, settings=settings)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith(said)


def test_a_missing_extra_is_named(tmp_path: Path) -> None:
    (tmp_path / "fastapi.py").write_text("raise ImportError('no fastapi')", encoding="utf-8")
    settings = {"PYTHONPATH": str(tmp_path)}
    done = command_line.dure("serve", home=tmp_path, cwd=tmp_path, settings=settings)
    assert (done.code, done.err) == (2, "dure: dure serve needs its HTTP server: pip install 'dure[web]'\n")


@pytest.mark.parametrize(
    ("module", "url"), [("redis", "redis://127.0.0.1:1"), ("psycopg", "postgresql://127.0.0.1:1/x")]
)
def test_a_missing_client_of_a_source_is_named(module: str, url: str, tmp_path: Path) -> None:
    (tmp_path / f"{module}.py").write_text("raise ImportError('not installed')", encoding="utf-8")
    settings = {"PYTHONPATH": str(tmp_path)}
    done = command_line.dure("prompts", "list", "--source", url, home=tmp_path, cwd=tmp_path, settings=settings)
    extra = {"redis": "redis", "psycopg": "postgres"}[module]
    assert (done.code, f"pip install 'dure[{extra}]'" in done.err) == (2, True)


def test_something_else_at_the_address_is_told_from_a_service(tmp_path: Path) -> None:
    done = refresh(tmp_path, "http://127.0.0.1:1")
    assert (done.code, done.err.startswith("dure: no answer from http://127.0.0.1:1: ")) == (2, True)
