"""One stage through the gate: attempt, judge, repair, and accept the best that came.

≥ 9.0 pass · below: up to 3 repairs · then ≥ 8.0 forced · else failed
stops early when the same findings come twice or the score falls; the best attempt is kept
the report repairs nothing: what earlier gates forced does not fail it
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from dure.errors import EmptyAnswer, OutputInvalid, OutputTruncated
from dure.events import Event, ModelCallFinished, Restarted, TextDelta
from dure.run import RunContext
from dure.usage import NO_USAGE, Usage
from dure_spec.agents.base import BaseAgent, Bench
from dure_spec.agents.question import StageState
from dure_spec.agents.setup import StageSetup
from dure_spec.agents.task import Task
from dure_spec.artifacts import Part, Stage
from dure_spec.artifacts.bundle import with_artifact
from dure_spec.artifacts.findings import FORCE, PASS, Judgement
from dure_spec.pipeline.events import (
    Asking,
    AttemptJudged,
    AttemptStarted,
    Disturbed,
    PipelineEvent,
    Spent,
    StageStopped,
    Writing,
)
from dure_spec.pipeline.records import StageRecord, dump
from dure_spec.validators.gate import judge
from dure_spec.validators.policy import Policy

RETRIES = 3
_POLICY = Policy()

Emit = Callable[[PipelineEvent], None]


class StageFailed(Exception):
    """The stage has no acceptable artifact; a person has to decide."""


@dataclass(slots=True, kw_only=True)
class _Tally:
    """What a stage spent, counted where every model call ends."""

    stage: Stage
    emit: Emit
    usage: Usage = NO_USAGE
    defaulted: list[str] = field(default_factory=list[str])
    began: float = field(default_factory=time.monotonic)

    def hear(self, event: Event) -> None:
        """Translate an event of the chain into one of the pipeline."""
        match event:
            case TextDelta(text=text):
                self.emit(Writing(stage=self.stage, text=text))
            case ModelCallFinished(usage=usage, seconds=seconds):
                self.usage += usage
                self.emit(Spent(stage=self.stage, usage=usage, seconds=seconds))
            case Restarted(reason=reason, delay=delay):
                self.emit(Disturbed(stage=self.stage, reason=reason, delay=delay))
            case _:
                pass

    @property
    def seconds(self) -> float:
        """Since the stage began."""
        return time.monotonic() - self.began


@dataclass(slots=True, kw_only=True)
class _Attempts:
    """The attempts of a stage: the best so far, and what the last one said."""

    agent: BaseAgent[StageState]
    task: Task
    bench: Bench
    tally: _Tally
    policy: Policy
    artifact: Part | None = None
    """Of the best attempt."""
    judgement: Judgement | None = None
    """Of the best attempt."""
    last: Judgement | None = None
    fault: str = ""
    made: int = 0

    async def another(self) -> bool:
        """Make one more attempt; whether there is use in yet another."""
        self.made += 1
        stage, emit = self.agent.stage, self.tally.emit
        emit(AttemptStarted(stage=stage, attempt=self.made))
        task = replace(self.task, attempt=self.made, previous=self.artifact, judgement=self.judgement)
        try:
            artifact = await self.agent.run(task, self.bench)
        except (OutputInvalid, OutputTruncated, EmptyAnswer) as error:
            new, self.fault = str(error) != self.fault, str(error)
            if new:
                emit(Disturbed(stage=stage, reason=self.fault))
            return new
        judgement = judge(with_artifact(task.artifacts, artifact), stage, replace(self.policy, lang=task.lang))
        emit(AttemptJudged(stage=stage, attempt=self.made, score=judgement.score, findings=judgement.findings))
        return self._taken(artifact, judgement) and judgement.score < PASS and self.agent.repairs

    def _taken(self, artifact: Part, judgement: Judgement) -> bool:
        """Keep the attempt if it is the best; whether it brought something new and is no worse."""
        best = self.judgement
        if best is None or judgement.score > best.score:
            self.artifact, self.judgement = artifact, judgement
        self.task, self.last = replace(self.task, repeated=self.last), judgement
        return best is None or (judgement.score >= best.score and _marks(judgement) != _marks(best))


async def run_stage(
    agent: BaseAgent[StageState],
    task: Task,
    setup: StageSetup,
    *,
    run_id: str,
    emit: Emit,
    policy: Policy = _POLICY,
) -> StageRecord:
    """The accepted artifact of a stage.

    Raises:
        StageFailed: the gate stays shut.
        ModelError: the model failed for good.
    """
    tally = _Tally(stage=agent.stage, emit=emit)
    bench = Bench.of(
        setup,
        run=RunContext(run_id=run_id, sink=tally.hear),
        asking=lambda about: emit(Asking(stage=agent.stage, about=about)),
        defaulted=tally.defaulted.append,
    )
    attempts = _Attempts(agent=agent, task=task, bench=bench, tally=tally, policy=policy)
    while await attempts.another() and attempts.made <= RETRIES:
        pass
    return _accepted(attempts)


def _marks(judgement: Judgement) -> set[tuple[str, str, str]]:
    return {(finding.validator, finding.path, finding.ref) for finding in judgement.findings}


def _accepted(attempts: _Attempts) -> StageRecord:
    stage, tally, judgement = attempts.agent.stage, attempts.tally, attempts.judgement
    if attempts.artifact is None or judgement is None:
        reason = attempts.fault or "no artifact"
        tally.emit(StageStopped(stage=stage, reason=reason))
        raise StageFailed(f"{stage}: {reason}")
    if judgement.score < FORCE and (attempts.agent.repairs or _is_broken(judgement)):
        reason = f"score {judgement.score:.1f} is below {FORCE:.1f} after {attempts.made} attempts"
        tally.emit(StageStopped(stage=stage, reason=reason, score=judgement.score, findings=judgement.findings))
        raise StageFailed(f"{stage}: {reason}")
    return StageRecord(
        stage=stage,
        verdict="pass" if judgement.score >= PASS else "forced",
        score=judgement.score,
        attempts=attempts.made,
        findings=judgement.findings,
        model=attempts.bench.model.name,
        prompt_version=attempts.task.prompts.version,
        tokens_in=tally.usage.input,
        tokens_cached=tally.usage.cache_read,
        tokens_out=tally.usage.output,
        model_calls=tally.usage.model_calls,
        seconds=tally.seconds,
        defaulted=tuple(dict.fromkeys(tally.defaulted)),
        artifact=dump(attempts.artifact),
    )


def _is_broken(judgement: Judgement) -> bool:
    """Whether more is left than what earlier gates let through: those never force a critical finding."""
    return any(finding.severity == "critical" for finding in judgement.findings)
