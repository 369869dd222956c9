"""What the files of a run hold: what it was begun with, and each accepted artifact with how it came about."""

from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from dure.errors import ConfigError
from dure.usage import Usage
from dure_spec.agents.setup import ModelNames
from dure_spec.artifacts import Part, Stage
from dure_spec.artifacts.bundle import MODELS
from dure_spec.artifacts.findings import Finding, Fix, Judgement, Waiver
from dure_spec.artifacts.report import Remaining, Retry, StageRow, Verdict, Waived
from dure_spec.artifacts.shared import Language
from dure_spec.pipeline.events import StageAccepted


class RunHeader(Part):
    """What a run was begun with; it keeps it to its end."""

    run_id: str
    sentence: str
    lang: Language
    model: str
    """The first stage's main model."""
    models: dict[Stage, ModelNames] = Field(default_factory=dict[Stage, ModelNames])
    """Empty in runs of earlier versions, which had one model for all."""
    created_at: str
    dure_version: str
    prompt_versions: dict[Stage, str]


class AuditLine(Part):
    """What a person did to a run."""

    at: str
    """ISO 8601 with its offset."""
    by: str
    did: Literal["edit", "waive"]
    stage: Stage
    what: tuple[str, ...]
    """The findings that were waived, or the score before and after an edit."""
    why: str = ""


class Decisions(Part):
    """What people decided about a run; lines are only ever added."""

    waivers: tuple[Waiver, ...] = ()
    audit: tuple[AuditLine, ...] = ()


class StageRecord(Part):
    """An artifact and how it came about: accepted, or stopped at its gate with the verdict `failed`."""

    stage: Stage
    verdict: Verdict
    score: float
    attempts: int
    findings: tuple[Finding, ...]
    model: str
    prompt_version: str
    tokens_in: int
    tokens_cached: int = 0
    """How many of those that went in were read from a cache."""
    tokens_out: int
    model_calls: int = 0
    seconds: float
    defaulted: tuple[str, ...] = ()
    """What no usable answer decided, so that the program's own proposal stands."""
    fixes: tuple[Fix, ...] = ()
    """What the program repaired by itself in this artifact."""
    retries: tuple[Retry, ...] = ()
    waivers: tuple[Waiver, ...] = ()
    """Those that cover findings of this artifact."""
    edited_by: str | None = None
    """Who changed it by hand last."""
    cost_usd: float | None = None
    artifact: dict[str, Any]

    @property
    def judgement(self) -> Judgement:
        """What the gate said of it."""
        return Judgement(stage=self.stage, score=self.score, findings=self.findings)

    def judged(self, judgement: Judgement, waivers: tuple[Waiver, ...]) -> "StageRecord":
        """The record after another judgement; what a gate lets through has passed or is forced."""
        verdict: Verdict = "pass" if judgement.passed else "forced" if judgement.forceable else "failed"
        covering = tuple(each for each in waivers if any(map(each.covers, judgement.findings)))
        update = {"verdict": verdict, "score": judgement.score, "findings": judgement.findings, "waivers": covering}
        return self.model_copy(update=update)

    def after(self, earlier: "StageRecord") -> "StageRecord":
        """The record with what an earlier sitting spent on the stage."""
        sums = ("attempts", "tokens_in", "tokens_cached", "tokens_out", "model_calls", "seconds")
        update: dict[str, Any] = {name: getattr(self, name) + getattr(earlier, name) for name in sums}
        costs = (earlier.cost_usd, self.cost_usd)
        update["cost_usd"] = sum(cost for cost in costs if cost is not None) if None not in costs else None
        return self.model_copy(update={**update, "retries": (*earlier.retries, *self.retries)})

    @property
    def usage(self) -> Usage:
        """What the stage spent, failed attempts included."""
        fresh = self.tokens_in - self.tokens_cached
        return Usage(
            fresh_input=fresh,
            cache_read=self.tokens_cached,
            output=self.tokens_out,
            model_calls=self.model_calls,
            cost=None if self.cost_usd is None else Decimal(str(self.cost_usd)),
        )

    @property
    def remaining(self) -> tuple[Remaining, ...]:
        """What still weighs."""
        return tuple(Remaining(**_place(finding)) for finding in self.findings if finding.weighs)

    def told(self) -> StageAccepted:
        """The event of its acceptance."""
        return StageAccepted(
            stage=self.stage,
            verdict=self.verdict,
            score=self.score,
            attempts=self.attempts,
            usage=self.usage,
            seconds=self.seconds,
            fixes=self.fixes,
            retries=self.retries,
            edited_by=self.edited_by,
        )

    def row(self) -> StageRow:
        """The line of the report."""
        return StageRow(
            stage=self.stage,
            attempts=self.attempts,
            score=self.score,
            verdict=self.verdict,
            waived=tuple(_waived(finding, self.waivers) for finding in self.findings if finding.waived_by),
            remaining=self.remaining if self.verdict != "pass" else (),
            fixes=self.fixes,
            retries=self.retries,
            edited_by=self.edited_by,
            cost_usd=self.cost_usd,
            model=self.model,
            prompt_version=self.prompt_version,
            tokens_in=self.tokens_in,
            tokens_out=self.tokens_out,
            seconds=round(self.seconds, 1),
        )


def _place(finding: Finding) -> dict[str, Any]:
    return {"id": finding.id, "severity": finding.severity, "ref": finding.ref, "message": finding.message}


def _waived(finding: Finding, waivers: tuple[Waiver, ...]) -> Waived:
    waiver = next(each for each in waivers if each.covers(finding))
    return Waived(**_place(finding), by=waiver.by, reason=waiver.reason, at=waiver.at)


def dump(artifact: Part) -> dict[str, Any]:
    """An artifact as the journal stores it."""
    return artifact.model_dump(mode="json", by_alias=True)


def read_header(path: Path) -> RunHeader:
    """The header in this file.

    Raises:
        ConfigError: it is damaged.
        OSError: it cannot be read.
    """
    try:
        return RunHeader.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise ConfigError(f"{path} is damaged: {_first(error)}; begin a new run in another folder") from error


def read_decisions(path: Path) -> Decisions:
    """The decisions in this file.

    Raises:
        ConfigError: it is damaged or cannot be read.
    """
    try:
        return Decisions.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise ConfigError(f"{path} is damaged: {_first(error)}; put it right, or remove it and decide again") from error
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror or error}") from error


def read_record(path: Path, stage: Stage) -> StageRecord:
    """The accepted artifact of `stage` in this file.

    Raises:
        ConfigError: it is damaged or cannot be read.
    """
    try:
        record = StageRecord.model_validate_json(path.read_bytes())
        MODELS[stage].model_validate(record.artifact)
    except ValidationError as error:
        raise ConfigError(
            f"{path} is damaged: {_first(error)}; remove it to run that stage and those after it again"
        ) from error
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror or error}") from error
    return record


def _first(error: ValidationError) -> str:
    fault = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in fault["loc"])
    return f"{place}: {fault['msg']}" if place else str(fault["msg"])
