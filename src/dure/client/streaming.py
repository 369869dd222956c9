"""The edges of a run: stopped when it is cancelled or late, drained as events, or made synchronous."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from dure.errors import Cancelled, ConfigError, DeadlineExceeded
from dure.events import Event
from dure.run import RunContext
from dure.time_limit import TimeLimit

T = TypeVar("T")


async def bounded(work: Coroutine[Any, Any, T], run: RunContext) -> T:
    """The result of `work`, unless the run is cancelled or its deadline passes first.

    Raises:
        Cancelled: somebody called `run.cancel`.
        DeadlineExceeded: the run's time is over.
    """
    task = asyncio.current_task()
    assert task is not None, "a coroutine is always run by a task"
    tasks = run.cancellation.tasks
    joined = task not in tasks
    tasks.add(task)
    before, limit = task.cancelling(), TimeLimit(run.remaining())
    try:
        result = await (work if limit.seconds is None else limit.run(work))
        if run.is_cancelled and task.cancelling() > before:
            await asyncio.sleep(0)  # where a cancellation that came with the last step is delivered
        return result
    except asyncio.CancelledError as error:
        if not run.is_cancelled or task.cancelling() <= before or task.uncancel() > before:
            raise
        raise Cancelled("the run was cancelled") from error
    except TimeoutError as error:
        if not limit.expired:
            raise
        raise DeadlineExceeded("the run's time is over; give it more time or ask for less") from error
    finally:
        if joined:
            tasks.discard(task)


async def drained(run: RunContext, start: Callable[[RunContext], Awaitable[object]]) -> AsyncGenerator[Event]:
    """The events of `start(run)` as they happen; its failure is raised after the last one.

    Whoever stops reading early stops the work. The run's own sink still gets every event.
    """
    queue: asyncio.Queue[Event | None] = asyncio.Queue()
    task = asyncio.ensure_future(start(run.watched_by(queue.put_nowait)))
    task.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while (event := await queue.get()) is not None:
            yield event
        await task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def run_sync(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end from code that is not async, as in `run_sync(client.prompt("…").text())`.

    Raises:
        ConfigError: there is an event loop here already; await the work instead.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    work.close()
    raise ConfigError("run_sync() was called inside an event loop; await the call instead")
