"""Runs a pipeline under a view: redraws it, and turns signals and a time limit into a request to stop."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Generator

from dure_spec.views.base import View

INTERRUPTED = 130
_BEAT = 0.2
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


async def run_watched(
    work: Callable[[], Awaitable[int]],
    view: View,
    *,
    minutes: float | None = None,
    force_exit: Callable[[int], object] = os._exit,
) -> int:
    """The exit code of `work`.

    The first SIGINT or SIGTERM, or the end of the time limit, cancels it, and it ends in its own way; the second
    signal leaves at once through `force_exit`.
    """
    running = asyncio.ensure_future(_finish(work))
    stop = _Stop(running, view, force_exit)
    limit = None if minutes is None else asyncio.get_running_loop().call_later(minutes * 60, stop.ask)
    beat = asyncio.create_task(_beat(view))
    try:
        with _signals(stop.hear):
            await asyncio.wait([running])
    finally:
        if limit is not None:
            limit.cancel()
        beat.cancel()
        view.close()
    return INTERRUPTED if running.cancelled() else running.result()


class _Stop:
    """Asks a task to stop once, and leaves the process when a person insists."""

    def __init__(self, running: "asyncio.Future[int]", view: View, force_exit: Callable[[int], object]) -> None:
        self._running = running
        self._view = view
        self._force_exit = force_exit
        self._heard = False
        self._asked = False

    def hear(self) -> None:
        """A signal came."""
        if self._heard:
            self._view.close()
            with contextlib.suppress(OSError, ValueError):
                sys.stdout.flush()
            self._force_exit(INTERRUPTED)
        self._heard = True
        self.ask()

    def ask(self) -> None:
        """Cancel the task, the first time."""
        if not self._asked:
            self._asked = True
            self._view.stopping()
            self._running.cancel()


async def _finish(work: Callable[[], Awaitable[int]]) -> int:
    return await work()


async def _beat(view: View) -> None:
    while True:
        await asyncio.sleep(_BEAT)
        view.tick()


@contextlib.contextmanager
def _signals(hear: Callable[[], None]) -> Generator[None]:
    # Where the loop knows no signals (another thread, Windows), Ctrl-C stays a KeyboardInterrupt.
    loop = asyncio.get_running_loop()
    heard: list[signal.Signals] = []
    with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
        for number in _SIGNALS:
            loop.add_signal_handler(number, hear)
            heard.append(number)
    try:
        yield
    finally:
        for number in heard:
            loop.remove_signal_handler(number)
