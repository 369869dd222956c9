"""What a validator says about an artifact, and what the gate makes of it."""

from typing import Literal

from dure_spec.artifacts.shared import Part, Stage

Severity = Literal["critical", "major", "minor"]


class Finding(Part):
    """One defect at one place."""

    id: str
    """`V07-1`: the validator, and a running number in its judgement."""
    validator: str
    """`V07`."""
    name: str
    """`ReferenceIntegrity`."""
    severity: Severity
    stage: Stage
    """Whose artifact must change."""
    path: str
    """JSON pointer into that stage's artifact, by alias names (`/tables/3/columns/4/fk`)."""
    ref: str
    """What a person calls the place: `orders.customer_id`, `FR-003`, `SC-004`."""
    message: str
    """What is wrong, and why it breaks what follows."""
    expected: str = ""
    candidates: tuple[str, ...] = ()
    """Values that would be right, best first."""
    caused_by: str | None = None
    """Id of the finding that this one follows from; it then weighs nothing."""


class Judgement(Part):
    """The findings on one stage and their score (0.0 to 10.0, one decimal)."""

    stage: Stage
    score: float
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """Good enough at once."""
        return self.score >= PASS

    @property
    def forceable(self) -> bool:
        """Good enough when all retries are spent."""
        return self.score >= FORCE


PASS = 9.0
FORCE = 8.0
