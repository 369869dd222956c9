"""How a run ends: by itself, by a signal, by a second one, by its time limit."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable

import pytest

from dure.errors import ModelUnavailable
from dure_spec.pipeline.events import PipelineEvent
from dure_spec.running import run_watched


class Watcher:
    """A view that remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.beat = asyncio.Event()

    def show(self, event: PipelineEvent) -> None:
        """Remember the event."""
        self.told.append(type(event).__name__)

    def tick(self) -> None:
        """Remember that time passed."""
        self.beat.set()

    def stopping(self) -> None:
        """Remember it."""
        self.told.append("stopping")

    def close(self) -> None:
        """Remember it."""
        self.told.append("close")


async def watched(
    work: Callable[[], Awaitable[int]], view: Watcher, *, minutes: float | None = None, forced: list[int] | None = None
) -> int:
    """The exit code, within ten seconds."""
    force_exit = (forced if forced is not None else []).append
    async with asyncio.timeout(10):
        return await run_watched(work, view, minutes=minutes, force_exit=force_exit)


async def test_the_exit_code_is_that_of_the_run_and_the_view_is_closed() -> None:
    async def work() -> int:
        return 3

    view = Watcher()
    assert await watched(work, view) == 3
    assert view.told == ["close"]


async def test_the_view_is_redrawn_while_the_run_works() -> None:
    view = Watcher()

    async def work() -> int:
        await view.beat.wait()
        return 0

    assert await watched(work, view) == 0


async def test_an_error_of_the_run_comes_out_after_the_view_is_closed() -> None:
    async def work() -> int:
        raise ModelUnavailable("none here")

    view = Watcher()
    with pytest.raises(ModelUnavailable):
        await watched(work, view)
    assert view.told == ["close"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_the_first_signal_lets_the_run_end_in_its_own_way(number: signal.Signals) -> None:
    async def work() -> int:
        os.kill(os.getpid(), number)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return 130
        return 0

    view = Watcher()
    assert await watched(work, view) == 130
    assert view.told == ["stopping", "close"]


async def test_a_run_that_just_lets_itself_be_cancelled_counts_as_interrupted() -> None:
    async def work() -> int:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.Event().wait()
        return 0

    assert await watched(work, Watcher()) == 130


async def test_the_second_signal_leaves_at_once() -> None:
    left: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    view = Watcher()

    async def work() -> int:
        os.kill(os.getpid(), signal.SIGINT)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            os.kill(os.getpid(), signal.SIGINT)
            return await left
        return 0

    async with asyncio.timeout(10):  # where the process would be gone, the test lives on
        assert await run_watched(work, view, force_exit=left.set_result) == 130
    assert view.told[:2] == ["stopping", "close"]


async def test_the_time_limit_stops_the_run_as_ctrl_c_does() -> None:
    async def work() -> int:
        await asyncio.Event().wait()
        return 0

    view = Watcher()
    assert await watched(work, view, minutes=0.0001) == 130
    assert view.told == ["stopping", "close"]


async def test_a_signal_after_the_time_limit_does_not_force_the_exit() -> None:
    forced: list[int] = []

    async def work() -> int:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            os.kill(os.getpid(), signal.SIGTERM)
            for _ in range(100):
                await asyncio.sleep(0)
            return 130
        return 0

    assert await watched(work, Watcher(), minutes=0.0001, forced=forced) == 130
    assert forced == []
