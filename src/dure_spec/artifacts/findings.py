"""What a validator says about an artifact, and what the gate makes of it."""

from typing import Any, Literal

from dure_spec.artifacts.shared import Part, Stage

Severity = Literal["critical", "major", "minor"]


class Change(Part):
    """One step of a patch, as in JSON Patch (RFC 6902); a `test` that fails leaves the whole patch undone."""

    op: Literal["test", "add", "replace", "remove"]
    stage: Stage
    """Whose artifact it changes: a rename reaches the artifacts of later stages too."""
    path: str
    """JSON pointer into that artifact, by alias names; `/-` appends to a list."""
    value: Any = None


class Waiver(Part):
    """A person's word that a finding may stay."""

    stage: Stage
    validator: str
    ref: str
    message: str
    by: str
    """Who says so."""
    reason: str
    at: str
    """When, ISO 8601 with its offset."""

    def covers(self, finding: "Finding") -> bool:
        """Whether it speaks of this finding; numbers and positions change from one judgement to the next."""
        return (self.stage, self.validator, self.ref, self.message) == (
            finding.stage,
            finding.validator,
            finding.ref,
            finding.message,
        )


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
    patch: tuple[Change, ...] = ()
    """What repairs it without any model; empty where only a person or a model can."""
    waived_by: str | None = None
    """Who lets it stay; it then weighs nothing."""

    @property
    def fixable(self) -> bool:
        """Whether the program can repair it by itself."""
        return bool(self.patch)

    @property
    def weighs(self) -> bool:
        """Whether it counts in the score."""
        return self.caused_by is None and self.waived_by is None


class Fix(Part):
    """A finding that the program repaired by itself."""

    stage: Stage
    validator: str
    severity: Severity
    ref: str
    message: str
    """What was wrong."""
    done: str
    """What was changed, in a few words: `order → purchase_orders`."""


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
