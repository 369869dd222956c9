"""The state of one request: the only mutable thing a chain touches.

Advisors are constants shared by many requests; whatever belongs to one request is kept here.
"""

import asyncio
import uuid
from dataclasses import dataclass, field

from dure.errors import Cancelled, DeadlineExceeded
from dure.events import Event, Sink, ignore


def new_run_id() -> str:
    """A short id, unique enough for one machine's runs."""
    return uuid.uuid4().hex[:12]


@dataclass(slots=True, kw_only=True)
class RunContext:
    """Ids, event sink, counters and limits of one request."""

    run_id: str = field(default_factory=new_run_id)
    conversation_id: str | None = None
    sink: Sink = ignore
    deadline: float | None = None
    """Event-loop time (`loop.time()`) after which no new model or tool call starts."""
    model_calls: int = 0
    tool_calls: int = 0
    text_left: bool = False
    """Whether text of the current model call was already sent to the sink."""
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)
    state: dict[object, object] = field(default_factory=dict[object, object])
    """Per-request values of advisors, keyed by the advisor (or a module-level sentinel)."""

    def emit(self, event: Event) -> None:
        """Send an event to whoever watches this run."""
        self.sink(event)

    def check(self) -> None:
        """Refuse to start another call once the run was cancelled or its deadline passed.

        Raises:
            Cancelled: somebody set `cancelled`.
            DeadlineExceeded: the deadline is behind us.
        """
        if self.cancelled.is_set():
            raise Cancelled("the run was cancelled")
        if self.deadline is not None and asyncio.get_running_loop().time() > self.deadline:
            raise DeadlineExceeded("the run's deadline has passed; give it more time or ask for less")

    def remaining(self) -> float | None:
        """Seconds until the deadline, or `None` without one."""
        if self.deadline is None:
            return None
        return max(0.0, self.deadline - asyncio.get_running_loop().time())
