"""A time limit and a cancel switch round a piece of work, without a task of its own.

Works like `asyncio.timeout` (the task that enters is cancelled, and the cancellation is taken back on
the way out), at a fraction of its cost, since every model and tool call has one.
"""

import asyncio
from types import TracebackType
from typing import Self


class TimeLimit:
    """`with TimeLimit(seconds) as limit:`; raises `TimeoutError` if the work took longer."""

    __slots__ = ("_cancelling", "_handle", "_seconds", "_task", "expired")

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self.expired = False
        """Whether the time ended before the work did."""

    def __enter__(self) -> Self:
        if self._seconds is None:
            self._handle = None
            return self
        task = asyncio.current_task()
        assert task is not None, "a time limit is entered inside a task"
        self._task = task
        self._cancelling = task.cancelling()
        self._handle = task.get_loop().call_later(self._seconds, self._expire)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._handle is None:
            return
        self._handle.cancel()
        if self.expired and self._task.uncancel() <= self._cancelling and isinstance(error, asyncio.CancelledError):
            raise TimeoutError from error

    def _expire(self) -> None:
        self.expired = True
        self._task.cancel()
