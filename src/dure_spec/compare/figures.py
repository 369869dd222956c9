"""What a comparison says about each variant: shares of the gate, scores, retries, tokens, cost and time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import fmean

from dure_spec.artifacts.findings import PASS
from dure_spec.artifacts.shared import STAGES, Stage
from dure_spec.compare.cells import Variant
from dure_spec.compare.results import CellResult, StageResult, Way

WAYS: tuple[Way, ...] = ("first", "retried", "forced", "stopped")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Of one variant; tokens, cost and seconds are means of a run."""

    variant: Variant
    runs: int
    finished: int
    """Came to their report without a person."""
    stages: int
    ways: dict[Way, int]
    """How many stages went which way."""
    unaided: int
    """Stages whose first attempt passed before the program repaired anything."""
    fixes: int
    """Findings that the program repaired, in all runs."""
    score: float
    """Mean over stages."""
    retries: int
    retry_tokens: float
    """Mean of one retry, in and out; 0 without any."""
    tokens_in: float
    tokens_out: float
    cost_usd: Decimal | None
    seconds: float
    stage_seconds: dict[Stage, float]
    """Of the stages that any run came to."""

    def share(self, way: Way) -> float:
        """Share of the stages, 0 to 1."""
        return self.ways[way] / self.stages if self.stages else 0.0

    @property
    def gate_rate(self) -> float:
        """Share of the stages that passed the gate at the first attempt."""
        return self.share("first")


def figures_of(results: Sequence[CellResult]) -> tuple[Figures, ...]:
    """One for each variant, in order of appearance."""
    variants = dict.fromkeys(Variant(model=result.model, prompts=result.prompts) for result in results)
    return tuple(_figures(variant, [one for one in results if _is_of(one, variant)]) for variant in variants)


def _is_of(result: CellResult, variant: Variant) -> bool:
    return (result.model, result.prompts) == (variant.model, variant.prompts)


def _figures(variant: Variant, results: Sequence[CellResult]) -> Figures:
    stages = [stage for result in results for stage in result.stages]
    retries = [tokens for stage in stages for tokens in stage.retry_tokens]
    costs = [result.cost_usd for result in results]
    known = [cost for cost in costs if cost is not None]
    return Figures(
        variant=variant,
        runs=len(results),
        finished=sum(result.finished for result in results),
        stages=len(stages),
        ways={way: sum(stage.way == way for stage in stages) for way in WAYS},
        unaided=sum((stage.unaided or 0) >= PASS for stage in stages),
        fixes=sum(stage.fixes for stage in stages),
        score=_mean(stage.score for stage in stages),
        retries=sum(len(stage.scores) - 1 for stage in stages if stage.scores),
        retry_tokens=_mean(retries),
        tokens_in=_mean(result.tokens_in for result in results),
        tokens_out=_mean(result.tokens_out for result in results),
        cost_usd=sum(known, Decimal(0)) / len(known) if known and len(known) == len(costs) else None,
        seconds=_mean(result.seconds for result in results),
        stage_seconds={stage: _mean(ran) for stage in STAGES if (ran := _seconds(stages, stage))},
    )


def _seconds(stages: Iterable[StageResult], stage: Stage) -> list[float]:
    return [one.seconds for one in stages if one.stage == stage]


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return fmean(listed) if listed else 0.0
