"""The edges of a run: stopped when it is cancelled or late, drained as events, or made synchronous."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from dure.errors import Cancelled, ConfigError, DeadlineExceeded
from dure.events import Event
from dure.run import RunContext

T = TypeVar("T")


async def bounded(work: Coroutine[Any, Any, T], run: RunContext) -> T:
    """The result of `work`, unless the run is cancelled or its deadline passes first.

    Raises:
        Cancelled: somebody set `run.cancelled`.
        DeadlineExceeded: the run's time is over.
    """
    task = asyncio.ensure_future(work)
    cancelled = asyncio.ensure_future(run.cancelled.wait())
    try:
        await asyncio.wait({task, cancelled}, timeout=run.remaining(), return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        if cancelled.done():
            raise Cancelled("the run was cancelled")
        raise DeadlineExceeded("the run's time is over; give it more time or ask for less")
    finally:
        task.cancel()
        cancelled.cancel()
        await asyncio.gather(task, cancelled, return_exceptions=True)


async def drained(run: RunContext, start: Callable[[], Awaitable[object]]) -> AsyncGenerator[Event]:
    """The events of `start()` as they happen; its failure is raised after the last one.

    Whoever stops reading early stops the work. The run's own sink still gets every event.
    """
    queue: asyncio.Queue[Event | None] = asyncio.Queue()
    watching = run.sink

    def sink(event: Event) -> None:
        watching(event)
        queue.put_nowait(event)

    run.sink = sink
    task = asyncio.ensure_future(start())
    task.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while (event := await queue.get()) is not None:
            yield event
        await task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        if run.sink is sink:
            run.sink = watching


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
