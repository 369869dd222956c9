"""The order of the stages: who needs whose artifact, and what may run at the same time."""

import asyncio
from collections.abc import Awaitable, Callable

from dure_spec.artifacts import STAGES, Stage

NEEDS: dict[Stage, tuple[Stage, ...]] = {
    "ba": (),
    "planner": ("ba",),
    "dba": ("ba",),
    "backend": ("planner", "dba"),
    "frontend": ("backend",),
    "supervisor": ("frontend",),
}


def ready(done: set[Stage]) -> tuple[Stage, ...]:
    """Stages that can run now, in pipeline order."""
    return tuple(stage for stage in STAGES if stage not in done and set(NEEDS[stage]) <= done)


async def supervise(done: set[Stage], work: Callable[[Stage], Awaitable[None]], *, parallel: bool) -> None:
    """Run every stage that is not done, as soon as its needs are there.

    When one stage fails, those that run beside it still finish, so that their artifacts are kept; then the
    first failure is raised.
    """
    finished = set(done)
    while stages := ready(finished):
        batch = stages if parallel else stages[:1]
        results = await asyncio.gather(*(work(stage) for stage in batch), return_exceptions=True)
        failures = [result for result in results if isinstance(result, BaseException)]
        if failures:
            raise failures[0]
        finished |= set(batch)
