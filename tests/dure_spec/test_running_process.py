"""A watched run as a process of its own: what its pipes carry and how it leaves when somebody interferes."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager

import pytest

SCRIPT = """
import asyncio, sys
from dure_spec.pipeline.events import Asking, RunStarted, RunStopped
from dure_spec.running import run_watched
from dure_spec.views import choose_mode, open_view

view = open_view(choose_mode(sys.stdout, as_json=sys.argv[1] == "json", as_plain=False), sys.stdout, language="ko")

async def work():
    view.show(RunStarted(run_id="r1", sentence="주문", model="m", out="o"))
    try:
        if sys.argv[2] == "wait":
            await asyncio.Event().wait()
        sys.stdin.readline()
        for number in range(2000):
            view.show(Asking(stage="ba", about="질문 " + "가" * 100))
    except asyncio.CancelledError:
        if sys.argv[2] == "wait" and sys.argv[3:] == ["stubborn"]:
            view.show(Asking(stage="ba", about="정리"))
            await asyncio.Event().wait()
        view.show(RunStopped(run_id="r1", reason="중단", next_step="", exit_code=130))
        return 130
    sys.stderr.write("the run went to its end\\n")
    return 0

sys.exit(asyncio.run(run_watched(work, view)))
"""


@contextmanager
def process(*arguments: str) -> Generator[subprocess.Popen[bytes]]:
    """The script with these arguments, gone after the test."""
    command = [sys.executable, "-W", "error", "-c", SCRIPT, *arguments]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment) as running:
        try:
            yield running
        finally:
            running.kill()


@pytest.mark.parametrize("mode", ["plain", "json"])
def test_a_run_whose_reader_goes_away_goes_on_to_its_end_without_a_complaint(mode: str) -> None:
    with process(mode, "go") as running:
        assert running.stdout is not None
        running.stdout.readline()
        running.stdout.close()
        running.stdout = None
        _, said = running.communicate(b"\n", timeout=30)
    assert (running.returncode, said) == (0, b"the run went to its end\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_run_with_the_way_to_go_on(number: signal.Signals) -> None:
    with process("plain", "wait") as running:
        assert running.stdout is not None
        running.stdout.readline()
        running.send_signal(number)
        rest, said = running.communicate(timeout=30)
    text = rest.decode()
    assert (running.returncode, said) == (130, b"")
    assert "멈추는 중입니다" in text
    assert text.rstrip().count("dure design --resume r1") == 1


def test_a_second_signal_leaves_a_run_that_does_not_stop() -> None:
    with process("json", "wait", "stubborn") as running:
        assert running.stdout is not None
        assert json.loads(running.stdout.readline())["event"] == "RunStarted"
        running.send_signal(signal.SIGINT)
        assert json.loads(running.stdout.readline())["about"] == "정리"
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=30) == 130
