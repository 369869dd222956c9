"""A time limit round a piece of work that costs next to nothing while the work does not wait.

Works like `asyncio.timeout` (the task is cancelled, and the cancellation is taken back on the way
out), but the timer starts only when the work first waits for something: every model and tool call
has a limit, and many of them never wait.
"""

import asyncio
import types
from collections.abc import Coroutine, Generator
from typing import Any, TypeVar, cast

T = TypeVar("T")


class TimeLimit:
    """`await TimeLimit(seconds).run(work)`; raises `TimeoutError`, with `expired` set, if it takes longer."""

    __slots__ = ("_task", "expired", "seconds")

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        """`None` is no limit."""
        self.expired = False
        """Whether the time ended before the work did; tells our `TimeoutError` from one of the work's own."""

    def run(self, work: Coroutine[Any, Any, T]) -> Coroutine[Any, Any, T]:
        """Await it for the result of `work`."""
        # what `types.coroutine` makes is awaited like a coroutine, without one more frame around it
        return cast("Coroutine[Any, Any, T]", self._driven(work))

    @types.coroutine
    def _driven(self, work: Coroutine[Any, Any, T]) -> Generator[Any, Any, T]:
        try:
            waits_for = work.send(None)
        except StopIteration as done:
            return done.value
        if self.seconds is None:
            return (yield from _resumed(work, waits_for))
        task = asyncio.current_task()
        assert task is not None, "a coroutine is always run by a task"
        self._task = task
        cancelling = task.cancelling()
        timer = task.get_loop().call_later(self.seconds, self._expire)
        try:
            return (yield from _resumed(work, waits_for))
        except asyncio.CancelledError as error:
            if self.expired and task.cancelling() == cancelling + 1:
                raise TimeoutError from error
            raise
        finally:
            timer.cancel()
            if self.expired:
                task.uncancel()

    def _expire(self) -> None:
        self.expired = True
        self._task.cancel()


def _resumed(work: Coroutine[Any, Any, T], waits_for: Any) -> Generator[Any, Any, T]:  # noqa: ANN401 - what asyncio yields
    """`yield from work`, for a work that has begun."""
    try:
        while True:
            try:
                sent = yield waits_for
            except GeneratorExit:
                work.close()
                raise
            except BaseException as error:
                waits_for = work.throw(error)
            else:
                waits_for = work.send(sent)
    except StopIteration as done:
        return done.value
