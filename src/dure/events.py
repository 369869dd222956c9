"""What leaves a run sideways while it works: enough to draw any user interface.

Events are facts in the order they happened. Usage here is for display; the accounting truth is the
usage folded into `ChatResponse`.
"""

from collections.abc import Callable
from dataclasses import dataclass

from dure.chat import FinishReason
from dure.usage import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCallStarted:
    """A request is about to leave for a model."""

    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDelta:
    """Some more of the answer."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasoningDelta:
    """Some more of the model's thinking."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallDelta:
    """Some more of a tool call's arguments."""

    call_id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolStarted:
    """A tool begins to run."""

    call_id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFinished:
    """A tool has its result, or failed with it."""

    call_id: str
    name: str
    text: str
    is_error: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolProgress:
    """A tool tells how far it is."""

    call_id: str
    name: str
    message: str = ""
    progress: float | None = None
    """Of `total`, where the tool counts; only ever grows."""
    total: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRequested:
    """A tool call waits for a decision."""

    call_id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalDecided:
    """The decision about a tool call is made."""

    call_id: str
    name: str
    decision: str
    """`approve`, `modify`, `reject` or `terminate`."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsFound:
    """A search made more tools visible to the model."""

    query: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryCompacted:
    """Old messages of a conversation were replaced by a summary of them."""

    messages_before: int
    messages_after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SubAgentEvent:
    """Something happened in a run below this one."""

    agent: str
    run_id: str
    event: "Event"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnded:
    """One model call of a tool loop and its tools are done; counted from 1."""

    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Restarted:
    """What was shown since the last model call began does not count; another attempt follows."""

    reason: str
    delay: float = 0.0
    """Seconds until the next attempt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCallFinished:
    """One model call is complete."""

    model: str
    usage: Usage
    finish_reason: FinishReason
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """The run is over and has an answer."""

    text: str
    usage: Usage
    finish_reason: FinishReason


Event = (
    ModelCallStarted
    | TextDelta
    | ReasoningDelta
    | ToolCallDelta
    | ToolStarted
    | ToolFinished
    | ToolProgress
    | ApprovalRequested
    | ApprovalDecided
    | ToolsFound
    | MemoryCompacted
    | SubAgentEvent
    | RoundEnded
    | Restarted
    | ModelCallFinished
    | Finished
)

Sink = Callable[[Event], None]
"""Receives events at once, in order; must not block and must not raise."""


def ignore(event: Event) -> None:
    """The sink of a caller who only wants the answer."""
