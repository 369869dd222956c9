"""What a view has to remember: the run's events folded into one row a stage and the news of the moment."""

from dataclasses import dataclass, field, replace

from dure.usage import NO_USAGE, Usage
from dure_spec.artifacts.findings import Finding
from dure_spec.artifacts.shared import STAGES, Language, Stage
from dure_spec.pipeline.events import (
    Asking,
    AttemptJudged,
    AttemptStarted,
    AutoFixed,
    Disturbed,
    ModelPreparing,
    PipelineEvent,
    RunFinished,
    RunStarted,
    RunStopped,
    Spent,
    StageAccepted,
    StageStopped,
    Writing,
)
from dure_spec.views.texts import TEXTS, Status, Texts, language_of

_REMEMBERED = 20_000
"""Characters of an answer that are kept for the tail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One stage."""

    stage: Stage
    status: Status = "waiting"
    attempt: int = 0
    fixed: int = 0
    """Findings that the program repaired by itself in what was accepted."""
    score: float | None = None
    usage: Usage = NO_USAGE
    begun: float | None = None
    seconds: float | None = None
    """How long it took, once it is over."""
    asking: str = ""
    written: str = ""
    characters: int = 0

    def elapsed(self, now: float) -> float:
        """Seconds spent on it, until its end or until now."""
        if self.seconds is not None:
            return self.seconds
        return 0.0 if self.begun is None else max(0.0, now - self.begun)


@dataclass(slots=True, kw_only=True)
class Board:
    """The state of one run as far as it was told."""

    language: Language | None = None
    rows: dict[Stage, Row] = field(default_factory=lambda: {stage: Row(stage=stage) for stage in STAGES})
    begun: float | None = None
    run: RunStarted | None = None
    preparing: str | None = None
    usage: Usage = NO_USAGE
    model_seconds: float = 0.0
    judged: AttemptJudged | AutoFixed | StageStopped | None = None
    fixed: AutoFixed | None = None
    """The last repairs by the program, until the next attempt."""
    disturbed: Disturbed | None = None
    stopped: dict[Stage, StageStopped] = field(default_factory=dict[Stage, StageStopped])
    """Stages that stopped; two may run at the same time."""
    ended: RunFinished | RunStopped | None = None

    @property
    def texts(self) -> Texts:
        """The words in the run's language."""
        run = self.run
        return TEXTS[self.language or (run.lang if run else None) or language_of(run.sentence if run else "")]

    @property
    def working(self) -> tuple[Row, ...]:
        """The stages that run now."""
        return tuple(row for row in self.rows.values() if row.status == "working")

    @property
    def rate(self) -> float | None:
        """Tokens written a second, over the model calls that are complete."""
        return self.usage.output / self.model_seconds if self.model_seconds > 0 and self.usage.output else None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of the last judgement."""
        return self.judged.findings if self.judged else ()

    def take(self, event: PipelineEvent, now: float) -> None:
        """Take in the next event."""
        self.begun = now if self.begun is None else self.begun
        match event:
            case RunStarted():
                self.run = event
                for stage in event.kept:
                    self.rows[stage] = replace(self.rows[stage], status="kept")
            case ModelPreparing():
                self.preparing = event.model
            case RunFinished() | RunStopped():
                self.ended = event
                for row in self.working:
                    self.rows[row.stage] = replace(row, status="stopped", seconds=row.elapsed(now))
            case AttemptStarted() | Asking() | Writing() | Spent() | Disturbed():
                self.rows[event.stage] = self._worked(self.rows[event.stage], event, now)
            case AttemptJudged() | AutoFixed() | StageAccepted() | StageStopped():
                self.rows[event.stage] = self._judged(self.rows[event.stage], event, now)

    def _worked(self, row: Row, event: AttemptStarted | Asking | Writing | Spent | Disturbed, now: float) -> Row:
        row = replace(row, begun=now) if row.begun is None else row
        match event:
            case AttemptStarted():
                self.fixed = None
                return replace(row, status="working", attempt=event.attempt)
            case Asking():
                self.preparing = None
                return replace(row, asking=event.about, written="", characters=0)
            case Writing():
                self.disturbed = None
                written = (row.written + event.text)[-_REMEMBERED:]
                return replace(row, written=written, characters=row.characters + len(event.text))
            case Spent():
                self.usage += event.usage
                self.model_seconds += event.seconds
                return replace(row, usage=row.usage + event.usage)
            case Disturbed():
                self.disturbed = event
                return replace(row, written="", characters=0)

    def _judged(self, row: Row, event: AttemptJudged | AutoFixed | StageAccepted | StageStopped, now: float) -> Row:
        match event:
            case AttemptJudged():
                self.judged = event
                return replace(row, score=event.score)
            case AutoFixed():
                self.judged = event
                self.fixed = event
                return replace(row, score=event.score)
            case StageAccepted(verdict=verdict):
                status: Status = "forced" if verdict == "forced" else "pass"
                usage = event.usage if event.usage.total else row.usage
                return replace(
                    row,
                    status=status,
                    score=event.score,
                    attempt=event.attempts,
                    fixed=len(event.fixes),
                    usage=usage,
                    seconds=event.seconds,
                )
            case StageStopped():
                self.judged = self.stopped[event.stage] = event
                return replace(row, status="stopped", score=event.score, seconds=row.elapsed(now))
