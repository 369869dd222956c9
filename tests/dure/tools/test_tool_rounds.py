"""Rounds of many calls: at the same time up to a limit, in order, and stopped as one."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dure.errors import Cancelled, ConfigError, Signal
from dure.messages import ToolCall, ToolResult
from dure.run import RunContext
from dure.tools.executor import MAX_CONCURRENT, execute
from dure.tools.function import tool
from dure.tools.toolbox import Toolbox


def wishes(*names: str) -> list[ToolCall]:
    return [ToolCall(id=f"c{number}", name=name, arguments="{}") for number, name in enumerate(names)]


@pytest.mark.parametrize(("limit", "most"), [(None, MAX_CONCURRENT), (3, 3), (1, 1), (100, 40)])
async def test_at_most_so_many_calls_run_at_the_same_time(limit: int | None, most: int) -> None:
    running, seen = 0, 0

    @tool
    async def work() -> None:
        """Work."""
        nonlocal running, seen
        running += 1
        seen = max(seen, running)
        for _ in range(3):
            await asyncio.sleep(0)
        running -= 1

    settings: dict[str, Any] = {} if limit is None else {"max_concurrent": limit}
    async with asyncio.timeout(5):
        results = await execute(wishes(*["work"] * 40), Toolbox((work,)), RunContext(), **settings)
    assert [one.call_id for one in results] == [f"c{number}" for number in range(40)]
    assert seen == most


async def test_a_limit_below_one_and_no_calls_at_all() -> None:
    assert await execute([], Toolbox(), RunContext()) == ()
    with pytest.raises(ConfigError, match="max_concurrent"):
        await execute([], Toolbox(), RunContext(), max_concurrent=0)


async def test_one_call_runs_in_the_task_of_its_caller() -> None:
    tasks: list[asyncio.Task[Any] | None] = []

    @tool
    async def look() -> None:
        """Look."""
        tasks.append(asyncio.current_task())

    await execute(wishes("look"), Toolbox((look,)), RunContext())
    assert tasks == [asyncio.current_task()]


@pytest.mark.parametrize("how", ["a signal of one", "a cancelled run", "a cancelled task"])
async def test_when_a_round_stops_all_its_tools_have_stopped(how: str) -> None:
    started, cleaned = 0, 0
    all_started = asyncio.Event()
    run = RunContext()

    @tool
    async def wait() -> None:
        """Wait."""
        nonlocal started, cleaned
        started += 1
        if started == 3:
            all_started.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            cleaned += 1

    @tool
    async def stop() -> None:
        """Stop, once the others work."""
        await all_started.wait()
        if how == "a signal of one":
            raise Cancelled("enough")
        (run.cancel if how == "a cancelled run" else task.cancel)()
        await asyncio.Event().wait()

    before = asyncio.all_tasks()
    box = Toolbox((wait, stop))
    task = asyncio.ensure_future(execute(wishes("wait", "wait", "stop", "wait"), box, run))
    run.cancellation.tasks.add(task)
    async with asyncio.timeout(5):
        with pytest.raises(Signal if how == "a signal of one" else asyncio.CancelledError):
            await task
    assert (started, cleaned) == (3, 3)
    assert asyncio.all_tasks() == before


async def test_no_call_of_a_round_starts_after_the_run_was_cancelled() -> None:
    run, ran = RunContext(), 0

    @tool(concurrent=False)
    async def stop() -> None:
        """Stop."""
        nonlocal ran
        ran += 1
        run.cancel()

    with pytest.raises(Cancelled):
        await execute(wishes("stop", "stop"), Toolbox((stop,)), run)
    assert (ran, run.counts.tool_calls) == (1, 1)


def _behave(kind: str) -> Callable[..., Any]:
    async def succeed() -> str:
        return "ok"

    async def later() -> str:
        await asyncio.sleep(0)
        return "ok"

    def threaded() -> str:
        return "ok"

    async def fail() -> None:
        raise ValueError

    async def leave() -> None:
        raise SystemExit

    async def give_up() -> None:
        raise asyncio.CancelledError

    async def hang() -> None:
        await asyncio.Event().wait()

    async def odd() -> object:
        return object()

    def exhausted() -> None:
        raise StopIteration

    functions: list[Callable[..., Any]] = [succeed, later, threaded, fail, leave, give_up, hang, odd, exhausted]
    return {one.__name__: one for one in functions}[kind]


GOOD = ("succeed", "later", "threaded")
KINDS = (*GOOD, "fail", "leave", "give_up", "hang", "odd", "exhausted", "unknown", "broken")

BOX = Toolbox(
    tuple(
        tool(
            name=f"{kind}{'' if concurrent else '_alone'}",
            concurrent=concurrent,
            timeout=0.005 if kind == "hang" else 60,
        )(_behave(kind))
        for kind in KINDS[:-2]
        for concurrent in (True, False)
    )
)


@given(
    calls=st.lists(st.tuples(st.sampled_from(KINDS), st.booleans()), max_size=12),
    limit=st.integers(1, 4),
    cancel_after=st.none() | st.integers(0, 6),
)
@settings(max_examples=60, deadline=None)
def test_every_call_is_answered_once_in_order_or_the_round_was_cancelled(
    calls: list[tuple[str, bool]], limit: int, cancel_after: int | None
) -> None:
    batch = [
        ToolCall(
            id=f"c{number}",
            name="succeed" if kind == "broken" else f"{kind}{'_alone' if alone else ''}",
            arguments=json.dumps({"no": 1}) if kind == "broken" else "",
        )
        for number, (kind, alone) in enumerate(calls)
    ]

    async def play() -> tuple[ToolResult, ...] | None:
        before = asyncio.all_tasks()
        task = asyncio.ensure_future(execute(batch, BOX, RunContext(), max_concurrent=limit))
        async with asyncio.timeout(20):
            if cancel_after is not None:
                for _ in range(cancel_after):
                    await asyncio.sleep(0)
                task.cancel()
            done, _ = await asyncio.wait({task})
        assert asyncio.all_tasks() == before
        return None if done.pop().cancelled() else task.result()

    results = asyncio.run(play())
    if results is None:
        assert cancel_after is not None
        return
    assert [(one.call_id, one.name) for one in results] == [(one.id, one.name) for one in batch]
    assert all(one.text for one in results)
    assert [one.is_error for one in results] == [kind not in GOOD for kind, _ in calls]
