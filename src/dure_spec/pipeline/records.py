"""What the files of a run hold: what it was begun with, and each accepted artifact with how it came about."""

from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from dure.errors import ConfigError
from dure.usage import Usage
from dure_spec.agents.setup import ModelNames
from dure_spec.artifacts import Backend, Erd, Frontend, Ia, Part, Prd, Report, Stage
from dure_spec.artifacts.findings import Finding
from dure_spec.artifacts.report import StageRow, Verdict
from dure_spec.artifacts.shared import Language
from dure_spec.pipeline.events import StageAccepted

MODELS: dict[Stage, type[Part]] = {
    "ba": Prd,
    "planner": Ia,
    "dba": Erd,
    "backend": Backend,
    "frontend": Frontend,
    "supervisor": Report,
}
FIELDS: dict[Stage, str] = {
    "ba": "prd",
    "planner": "ia",
    "dba": "erd",
    "backend": "backend",
    "frontend": "frontend",
    "supervisor": "report",
}


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


class StageRecord(Part):
    """An accepted artifact and how it came about."""

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
    artifact: dict[str, Any]

    @property
    def usage(self) -> Usage:
        """What the stage spent, failed attempts included."""
        fresh = self.tokens_in - self.tokens_cached
        return Usage(
            fresh_input=fresh, cache_read=self.tokens_cached, output=self.tokens_out, model_calls=self.model_calls
        )

    def told(self) -> StageAccepted:
        """The event of its acceptance."""
        return StageAccepted(
            stage=self.stage,
            verdict=self.verdict,
            score=self.score,
            attempts=self.attempts,
            usage=self.usage,
            seconds=self.seconds,
        )

    def row(self) -> StageRow:
        """The line of the report."""
        return StageRow(
            stage=self.stage,
            attempts=self.attempts,
            score=self.score,
            verdict=self.verdict,
            model=self.model,
            prompt_version=self.prompt_version,
            tokens_in=self.tokens_in,
            tokens_out=self.tokens_out,
            seconds=round(self.seconds, 1),
        )


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
