"""The port to whoever decides whether a tool call may run: a person, a policy, another system."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from dure.messages import Json

Verdict = Literal[
    "approve",  # run it as asked
    "modify",  # run it with other arguments
    "reject",  # do not run it; the model is told why and goes on
    "terminate",  # do not run it, and stop the run
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRequest:
    """A tool call that must not run before somebody says so."""

    run_id: str
    agent: str
    call_id: str
    tool: str
    description: str
    arguments: Mapping[str, Json]
    digest: str
    """SHA-256 of the tool's name and its arguments in canonical JSON: what exactly is approved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What was decided, for exactly the request with this digest."""

    verdict: Verdict
    digest: str
    reason: str = ""
    arguments: Mapping[str, Json] | None = None
    """The arguments to use instead; only with `modify`."""
    decided_by: str = ""


class Approver(Protocol):
    """Decides. Waits as long as it takes; the gate has the time limit, and no answer is a rejection."""

    async def decide(self, request: ApprovalRequest) -> Decision:
        """The decision; anything but a `Decision` for this digest counts as a rejection."""
        ...
