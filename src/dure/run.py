"""The state of one request: the only mutable thing a chain touches.

Advisors are constants shared by many requests; whatever belongs to one request is kept here.
"""

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Self

from dure.budget import Budget
from dure.errors import Cancelled, DeadlineExceeded, LimitExceeded
from dure.events import Event, Sink, SubAgentEvent, ignore
from dure.usage import NO_USAGE, Usage

Price = Callable[[str, Usage], Decimal | None]
"""US dollars that `provider:model` takes for a usage, or `None` where that is unknown."""


def new_run_id() -> str:
    """A short id, unique enough for one machine's runs."""
    return os.urandom(6).hex()


@dataclass(slots=True, kw_only=True)
class CallCounts:
    """Calls made so far. Give the counts of an earlier part to a run that goes on after it."""

    model_calls: int = 0
    tool_calls: int = 0
    spent: Usage = NO_USAGE
    """Everything the run spent on models, also on attempts that failed and answers thrown away."""


@dataclass(slots=True, kw_only=True, eq=False)
class Cancellation:
    """The switch that stops a run and every run below it."""

    requested: bool = False
    tasks: "set[asyncio.Task[object]]" = field(default_factory=set["asyncio.Task[object]"])
    """Those that work for the run and are cancelled with it."""


@dataclass(slots=True, kw_only=True)
class RunContext:
    """Ids, event sink, counters and limits of one request."""

    run_id: str = field(default_factory=new_run_id)
    conversation_id: str | None = None
    agent: str = "agent"
    """Who works: shown in spans and in the events of sub-agents."""
    sink: Sink = ignore
    deadline: float | None = None
    """Event-loop time (`loop.time()`) after which no new model or tool call starts."""
    budget: Budget | None = None
    """What the whole tree of runs may spend."""
    price: Price | None = None
    """Tells what a model call cost; without it costs are unknown."""
    counts: CallCounts = field(default_factory=CallCounts)
    cancellation: Cancellation = field(default_factory=Cancellation)
    depth: int = 0
    """0 for a run that a person began, one more for each sub-agent on the way."""
    max_depth: int = 1
    state: dict[object, object] = field(default_factory=dict[object, object])
    """Per-request values of advisors and tools, keyed by the advisor (or a module-level sentinel)."""

    @property
    def watched(self) -> bool:
        """Whether anybody listens; without a listener no event need be made."""
        return self.sink is not ignore

    @property
    def is_cancelled(self) -> bool:
        """Whether somebody asked the run to stop."""
        return self.cancellation.requested

    def emit(self, event: Event) -> None:
        """Send an event to whoever watches this run."""
        self.sink(event)

    def cancel(self) -> None:
        """Stop the run and all below it. From another thread: `loop.call_soon_threadsafe(run.cancel)`."""
        self.cancellation.requested = True
        for task in tuple(self.cancellation.tasks):
            task.cancel()

    def watched_by(self, sink: Sink) -> Self:
        """The same run, its events going to `sink` as well; limits, counters and state are shared."""
        if not self.watched:
            return replace(self, sink=sink)
        first = self.sink

        def both(event: Event) -> None:
            first(event)
            sink(event)

        return replace(self, sink=both)

    def child(self, agent: str) -> Self:
        """A run for a sub-agent: its own ids and state, the same budget, deadline and switch.

        Its events reach the watchers of this run wrapped in `SubAgentEvent`.

        Raises:
            LimitExceeded: sub-agents may not go any deeper.
        """
        if self.depth >= self.max_depth:
            raise LimitExceeded(f"{agent!r} would be a sub-agent at depth {self.depth + 1} of at most {self.max_depth}")
        run_id, sink = new_run_id(), self.sink

        def told(event: Event) -> None:
            sink(SubAgentEvent(agent=agent, run_id=run_id, event=event))

        return replace(
            self,
            run_id=run_id,
            agent=agent,
            conversation_id=None,
            sink=told if self.watched else ignore,
            counts=CallCounts(),
            depth=self.depth + 1,
            state={},
        )

    def check(self) -> None:
        """Refuse to start another call once the run was cancelled or its deadline passed.

        Raises:
            Cancelled: somebody called `cancel`.
            DeadlineExceeded: the deadline is behind us.
        """
        if self.cancellation.requested:
            raise Cancelled("the run was cancelled")
        if self.deadline is not None and asyncio.get_running_loop().time() > self.deadline:
            raise DeadlineExceeded("the run's deadline has passed; give it more time or ask for less")

    def remaining(self) -> float | None:
        """Seconds until the deadline, or `None` without one."""
        if self.deadline is None:
            return None
        return max(0.0, self.deadline - asyncio.get_running_loop().time())
