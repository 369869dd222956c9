"""Servers from wheels as children of the test run: a free loopback port, a folder of their own, gone when it ends."""

import ctypes
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

START_SECONDS = 30.0
_STOP_SECONDS = 10.0
_PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


class CannotStart(Exception):
    """The server cannot run on this machine; the text says why."""


def free_port() -> int:
    """A loopback port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def own_folder(prefix: str) -> Generator[Path]:
    """A folder that is removed with all that a server left in it."""
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class ChildServer:
    """One server process; `answers` says whether it takes requests yet."""

    def __init__(
        self,
        command: Sequence[str],
        answers: Callable[[], bool],
        *,
        folder: Path,
        account: str | None = None,
        stop_with: signal.Signals = signal.SIGTERM,
    ) -> None:
        self._command = command
        self._answers = answers
        self._folder = folder
        self._account = account
        self._stop_with = stop_with
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers.

        Raises:
            CannotStart: it ended, or does not answer in time.
        """
        log = self._folder / "output.log"
        with log.open("ab") as output:
            try:
                process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    cwd=self._folder,
                    user=self._account,
                    extra_groups=() if self._account else None,
                    preexec_fn=_die_with_the_parent if sys.platform == "linux" else None,
                )
            except OSError as error:
                raise CannotStart(f"{self._command[0]}: {error}") from error
        self._process = process
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=0.02)
            if process.returncode is not None or time.monotonic() > deadline:
                self.stop()
                raise CannotStart(f"{self._command[0]}: {log.read_text(errors='replace')[-400:]}")

    def stop(self) -> None:
        """End it; nothing happens when it has ended."""
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(self._stop_with)
        try:
            process.wait(timeout=_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(timeout=_STOP_SECONDS)


def _die_with_the_parent() -> None:
    """A test run that is killed leaves no server behind."""
    ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGINT)
