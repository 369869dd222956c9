"""The Supervisor's artifact: a short judgement by the model, everything else computed."""

from typing import Literal

from dure_spec.artifacts.findings import Fix, Severity
from dure_spec.artifacts.shared import Part, RequirementId, RiskId, Stage

Verdict = Literal["pass", "forced", "failed"]


class Risk(Part):
    """What may go wrong; `refs` are ids of the other artifacts."""

    id: RiskId
    text: str
    impact: Literal["high", "medium", "low"]
    refs: tuple[str, ...]


class TraceRow(Part):
    """What covers one requirement, and what is missing."""

    req: RequirementId
    pri: str
    screens: tuple[str, ...]
    tables: tuple[str, ...]
    ops: tuple[str, ...]
    components: tuple[str, ...]
    acs: tuple[str, ...]
    status: Literal["full", "partial", "missing"]
    gaps: tuple[str, ...] = ()


class Retry(Part):
    """One repair: what it cost, and what it was good for. A score is `None` where there was no artifact."""

    attempt: int
    """2 is the first repair."""
    model: str
    tokens_in: int
    tokens_out: int
    score_before: float | None
    score_after: float | None
    findings_before: int
    findings_after: int


class Remaining(Part):
    """A finding that an accepted artifact still has."""

    id: str
    severity: Severity
    ref: str
    message: str


class Waived(Remaining):
    """A finding that a person let stay."""

    by: str
    reason: str
    at: str


class StageRow(Part):
    """How one stage went; `cost_usd` is `None` where no price is known."""

    stage: Stage
    attempts: int
    score: float
    verdict: Verdict
    waived: tuple[Waived, ...] = ()
    remaining: tuple[Remaining, ...] = ()
    """What was found and stays: why a stage did not simply pass."""
    fixes: tuple[Fix, ...] = ()
    """What the program repaired by itself."""
    retries: tuple[Retry, ...] = ()
    edited_by: str | None = None
    """Who changed the artifact by hand."""
    model: str
    prompt_version: str
    tokens_in: int
    tokens_out: int
    seconds: float
    cost_usd: float | None = None


class Report(Part):
    """Final report."""

    summary: str
    decisions: tuple[str, ...] = ()
    risks: tuple[Risk, ...] = ()
    next_steps: tuple[str, ...] = ()
    trace: tuple[TraceRow, ...]
    stages: tuple[StageRow, ...]
    open_questions: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
