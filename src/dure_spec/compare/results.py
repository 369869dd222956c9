"""How one run of a comparison went, gathered from its events."""

from decimal import Decimal
from typing import Literal

from dure.usage import NO_USAGE, Usage
from dure_spec.artifacts.shared import STAGES, Part, Stage
from dure_spec.compare.cells import Cell
from dure_spec.pipeline.events import (
    AttemptJudged,
    AutoFixed,
    PipelineEvent,
    RunFinished,
    RunStarted,
    RunStopped,
    Spent,
    StageAccepted,
    StageStopped,
)

Way = Literal["first", "retried", "forced", "stopped"]
"""Passed at the first attempt, after retries, accepted below the passing score, or not at all."""


class StageResult(Part):
    """One stage of one run."""

    stage: Stage
    way: Way
    scores: tuple[float, ...]
    """Of each attempt, with what the program repaired in it."""
    unaided: float | None = None
    """What the first attempt scored before the program repaired anything; `None` where there was none."""
    fixes: int = 0
    """How many findings the program repaired."""
    score: float
    """Of what was accepted; of the best attempt where nothing was."""
    retry_tokens: tuple[int, ...] = ()
    """In and out together, of each attempt after the first."""
    tokens_in: int
    tokens_out: int
    cost_usd: Decimal | None = None
    seconds: float


class CellResult(Part):
    """One run."""

    key: str
    sentence: str
    model: str | None
    prompts: str | None
    """What they are called; holds no secret."""
    turn: int
    run_id: str = ""
    models: tuple[str, ...] = ()
    """Those that answered."""
    folder: str = ""
    """Below the comparison's own."""
    exit_code: int
    reason: str = ""
    seconds: float = 0.0
    stages: tuple[StageResult, ...] = ()

    @property
    def finished(self) -> bool:
        """Whether the run came to its report without a person."""
        return self.exit_code == 0

    @property
    def tokens_in(self) -> int:
        """Of all stages."""
        return sum(stage.tokens_in for stage in self.stages)

    @property
    def tokens_out(self) -> int:
        """Of all stages."""
        return sum(stage.tokens_out for stage in self.stages)

    @property
    def cost_usd(self) -> Decimal | None:
        """Of all stages; `None` where a price is unknown."""
        costs = [stage.cost_usd for stage in self.stages]
        return None if None in costs else sum((cost for cost in costs if cost is not None), Decimal(0))

    def after(self, earlier: "CellResult") -> "CellResult":
        """This sitting of a run together with one before it, whose stages it did not make again."""
        again = {stage.stage for stage in self.stages}
        kept = tuple(stage for stage in earlier.stages if stage.stage not in again)
        both = sorted((*kept, *self.stages), key=lambda one: STAGES.index(one.stage))
        return self.model_copy(
            update={
                "models": tuple(dict.fromkeys((*earlier.models, *self.models))),
                "seconds": round(earlier.seconds + self.seconds, 3),
                "stages": tuple(both),
            }
        )


class Gathering:
    """Hears the events of one run; `result` at its end."""

    def __init__(self, cell: Cell) -> None:
        self._cell = cell
        self._run_id = ""
        self._model = ""
        self._reason = ""
        self._usage: dict[Stage, list[Usage]] = {}
        """By stage, what each attempt spent."""
        self._scores: dict[Stage, list[float]] = {}
        self._unaided: dict[Stage, float] = {}
        self._fixes: dict[Stage, int] = {}
        self._seconds: dict[Stage, float] = {}
        self._ways: dict[Stage, tuple[Way, float]] = {}

    def hear(self, event: PipelineEvent) -> None:
        """Take note."""
        match event:
            case RunStarted(run_id=run_id, model=model):
                self._run_id, self._model = run_id, model
            case Spent(stage=stage, usage=usage, seconds=seconds):
                attempts = self._usage.setdefault(stage, [NO_USAGE])
                attempts[-1] += usage
                self._seconds[stage] = self._seconds.get(stage, 0.0) + seconds
            case AttemptJudged(stage=stage, score=score):
                self._unaided.setdefault(stage, score)
                self._scores.setdefault(stage, []).append(score)
                self._usage.setdefault(stage, [NO_USAGE]).append(NO_USAGE)
            case AutoFixed(stage=stage, score=score, fixes=fixes):
                self._scores[stage][-1] = score
                self._fixes[stage] = self._fixes.get(stage, 0) + len(fixes)
            case StageAccepted(stage=stage, verdict=verdict, score=score, attempts=attempts, seconds=seconds):
                way: Way = "forced" if verdict == "forced" else "first" if attempts == 1 else "retried"
                self._ways[stage] = way, score
                self._seconds[stage] = seconds
            case StageStopped(stage=stage, score=score):
                self._ways[stage] = "stopped", score or max(self._scores.get(stage, [0.0]))
            case RunStopped(reason=reason):
                self._reason = reason
            case RunFinished():
                self._reason = ""
            case _:
                pass

    def result(self, exit_code: int, seconds: float, folder: str) -> CellResult:
        """All that was heard."""
        cell = self._cell
        return CellResult(
            key=cell.key,
            sentence=cell.sentence,
            model=cell.variant.model,
            prompts=cell.variant.source,
            turn=cell.turn,
            run_id=self._run_id,
            models=(self._model,) if self._model else (),
            folder=folder,
            exit_code=exit_code,
            reason=self._reason,
            seconds=round(seconds, 3),
            stages=tuple(self._stage(stage) for stage in STAGES if stage in self._ways),
        )

    def _stage(self, stage: Stage) -> StageResult:
        way, score = self._ways[stage]
        attempts = self._usage.get(stage, [NO_USAGE])
        total = sum(attempts, NO_USAGE)
        spent = [usage for usage in attempts if usage != NO_USAGE]
        return StageResult(
            stage=stage,
            way=way,
            scores=tuple(self._scores.get(stage, ())),
            unaided=self._unaided.get(stage),
            fixes=self._fixes.get(stage, 0),
            score=score,
            retry_tokens=tuple(usage.input + usage.output for usage in attempts[1:] if usage != NO_USAGE),
            tokens_in=total.input,
            tokens_out=total.output,
            cost_usd=total.cost if spent else Decimal(0),
            seconds=round(self._seconds.get(stage, 0.0), 3),
        )
