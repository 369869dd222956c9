"""Time limits round a piece of work."""

import asyncio

import pytest

from dure.time_limit import TimeLimit


async def at_once() -> int:
    return 7


async def forever() -> None:
    await asyncio.Event().wait()


@pytest.mark.parametrize("seconds", [None, 0.0, 5.0])
async def test_work_that_never_waits_has_no_limit(seconds: float | None) -> None:
    assert await TimeLimit(seconds).run(at_once()) == 7


async def test_work_that_waits_too_long_is_stopped_and_the_task_goes_on() -> None:
    limit, task = TimeLimit(0.0), asyncio.current_task()
    with pytest.raises(TimeoutError):
        await limit.run(forever())
    assert limit.expired
    assert task is not None
    assert task.cancelling() == 0
    assert await TimeLimit(5.0).run(asyncio.sleep(0, "still here")) == "still here"


async def test_a_time_out_of_the_works_own_is_not_ours() -> None:
    async def own() -> None:
        await asyncio.sleep(0)
        raise TimeoutError("own")

    limit = TimeLimit(5.0)
    with pytest.raises(TimeoutError, match="own"):
        await limit.run(own())
    assert not limit.expired


async def test_a_cancellation_from_outside_stays_one() -> None:
    async def limited() -> None:
        await TimeLimit(5.0).run(forever())

    task = asyncio.create_task(limited())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_of_two_limits_the_one_that_ended_tells_so() -> None:
    outer, inner = TimeLimit(0.0), TimeLimit(5.0)
    with pytest.raises(TimeoutError):
        await outer.run(inner.run(forever()))
    assert (outer.expired, inner.expired) == (True, False)
    outer, inner = TimeLimit(5.0), TimeLimit(0.0)
    with pytest.raises(TimeoutError):
        await outer.run(inner.run(forever()))
    assert (outer.expired, inner.expired) == (False, True)


async def test_work_that_ends_in_spite_of_its_stop_keeps_its_result() -> None:
    async def stubborn() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "done anyway"
        return "never"

    limit, task = TimeLimit(0.0), asyncio.current_task()
    assert await limit.run(stubborn()) == "done anyway"
    assert task is not None
    assert task.cancelling() == 0


async def test_work_that_is_given_up_is_closed() -> None:
    closed: list[bool] = []

    async def careful() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            closed.append(True)

    running = TimeLimit(5.0).run(careful())
    running.send(None)
    running.close()
    assert closed == [True]
