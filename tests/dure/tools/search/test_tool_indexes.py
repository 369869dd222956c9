"""Indexes over tools: built once for equal sets, given up when they are too many, not tried again at once."""

import asyncio
from collections.abc import Sequence

import pytest

from dure.chat import ToolDefinition
from dure.errors import Cancelled, ConfigError, ConnectionFailed, ToolFailed
from dure.search.base import Entry, Hit, TextIndex
from dure.tools.search.indexes import ToolIndexes


class Clock:
    """Time that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Counting:
    """Builds indexes that find nothing, and counts them."""

    def __init__(self, *, error: BaseException | None = None, waiting: asyncio.Event | None = None) -> None:
        self.built: list[list[str]] = []
        self.error = error
        self.waiting = waiting

    async def build(self, entries: Sequence[Entry]) -> TextIndex:
        self.built.append([entry.id for entry in entries])
        if self.waiting is not None:
            await self.waiting.wait()
        if self.error is not None:
            raise self.error
        return Nothing()


class Nothing:
    """Finds nothing."""

    async def search(self, query: str, *, limit: int) -> tuple[Hit, ...]:
        return ()


def tools(*names: str) -> list[ToolDefinition]:
    return [ToolDefinition(name=name, description="", parameters={}) for name in names]


def indexes(builder: Counting, *, max_tools: int = 100, clock: Clock | None = None, timeout: float = 9) -> ToolIndexes:
    return ToolIndexes(builder, max_tools=max_tools, build_timeout=timeout, retry_after=60, clock=clock or Clock())


async def test_all_definitions_are_indexed_once_in_order_and_again_only_when_they_change() -> None:
    builder = Counting()
    kept = indexes(builder)
    first = await kept.index_of(tools("b", "a"))
    assert await kept.index_of(tools("a", "b")) is first
    assert builder.built == [["b", "a"]]
    assert await kept.index_of(tools("a", "b", "c")) is not first
    assert builder.built == [["b", "a"], ["a", "b", "c"]]
    assert await kept.index_of(tools("a", "b")) is first


async def test_the_same_set_asked_for_at_the_same_time_is_built_once() -> None:
    waiting = asyncio.Event()
    builder = Counting(waiting=waiting)
    kept = indexes(builder)
    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        asked = [group.create_task(kept.index_of(tools("a"))) for _ in range(50)]
        other = group.create_task(kept.index_of(tools("b")))
        await asyncio.sleep(0)
        waiting.set()
    assert sorted(builder.built) == [["a"], ["b"]]
    assert len({id(task.result()) for task in asked}) == 1
    assert other.result() is not asked[0].result()


async def test_one_who_gives_up_while_it_is_built_leaves_the_others_their_index() -> None:
    waiting = asyncio.Event()
    builder = Counting(waiting=waiting)
    kept = indexes(builder)
    async with asyncio.timeout(10):
        first = asyncio.create_task(kept.index_of(tools("a")))
        second = asyncio.create_task(kept.index_of(tools("a")))
        await asyncio.sleep(0)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        waiting.set()
        assert await second is await kept.index_of(tools("a"))
    assert builder.built == [["a"], ["a"]]


async def test_the_sets_used_last_are_kept_up_to_a_number_of_tools() -> None:
    builder = Counting()
    kept = indexes(builder, max_tools=4)
    for names in ("ab", "cd", "ab", "ef", "ab", "cd"):
        await kept.index_of(tools(*names))
    assert ["".join(names) for names in builder.built] == ["ab", "cd", "ef", "cd"]
    await kept.index_of(tools(*"uvwxyz"))
    await kept.index_of(tools(*"uvwxyz"))
    assert len(builder.built) == 5


@pytest.mark.parametrize("error", [ConnectionFailed("the model is away"), ValueError("the model is away")])
async def test_an_index_that_cannot_be_built_is_tried_again_only_after_a_while(error: Exception) -> None:
    clock, builder = Clock(), Counting(error=error)
    kept = indexes(builder, clock=clock)
    for now in (0.0, 59.0):
        clock.now = now
        with pytest.raises(ToolFailed, match="no index over 1 tools: the model is away"):
            await kept.index_of(tools("a"))
    assert len(builder.built) == 1
    builder.error, clock.now = None, 60.0
    assert await kept.index_of(tools("a")) is await kept.index_of(tools("a"))
    assert len(builder.built) == 2


async def test_an_index_that_takes_too_long_is_given_up() -> None:
    async with asyncio.timeout(10):
        with pytest.raises(ToolFailed, match="no index over 1 tools: TimeoutError"):
            await indexes(Counting(waiting=asyncio.Event()), timeout=0.01).index_of(tools("a"))


async def test_a_signal_goes_through_and_is_not_remembered_as_a_failure() -> None:
    builder = Counting(error=Cancelled("stop"))
    kept = indexes(builder)
    with pytest.raises(Cancelled):
        await kept.index_of(tools("a"))
    builder.error = None
    assert await kept.index_of(tools("a"))


def test_one_store_serves_event_loops_one_after_the_other() -> None:
    builder = Counting()
    kept = indexes(builder)
    first = asyncio.run(kept.index_of(tools("a")))
    assert asyncio.run(kept.index_of(tools("a"))) is first


@pytest.mark.parametrize(("max_tools", "timeout"), [(0, 1.0), (1, 0.0)])
def test_limits_without_room_are_refused(max_tools: int, timeout: float) -> None:
    with pytest.raises(ConfigError):
        indexes(Counting(), max_tools=max_tools, timeout=timeout)
