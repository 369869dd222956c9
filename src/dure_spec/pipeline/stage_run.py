"""One stage through the gate: attempt, judge, repair, and accept the best that came.

≥ 9.0 pass · below: up to 3 repairs · then ≥ 8.0 forced · else failed
stops early when the same findings come twice or the score falls; the best attempt is kept
the report repairs nothing: what earlier gates forced does not fail it
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from dure.advisors.base import Advisor
from dure.errors import EmptyAnswer, OutputInvalid, OutputTruncated
from dure.events import Event, ModelCallFinished, Restarted, TextDelta
from dure.models.base import ChatModel
from dure.run import RunContext
from dure.usage import NO_USAGE, Usage
from dure_spec.agents.base import BaseAgent, Bench
from dure_spec.agents.question import StageState
from dure_spec.agents.task import Task
from dure_spec.artifacts import Part, Stage
from dure_spec.artifacts.bundle import with_artifact
from dure_spec.artifacts.findings import FORCE, PASS, Finding, Judgement
from dure_spec.artifacts.report import Verdict
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
class _Best:
    """The best attempt so far."""

    artifact: Part | None = None
    judgement: Judgement | None = None

    def take(self, artifact: Part, judgement: Judgement) -> bool:
        """Keep an attempt if it is better; whether it is not worse."""
        if self.judgement is None or judgement.score > self.judgement.score:
            self.artifact, self.judgement = artifact, judgement
            return True
        return judgement.score == self.judgement.score


async def run_stage(
    agent: BaseAgent[StageState],
    task: Task,
    model: ChatModel,
    *,
    run_id: str,
    emit: Emit,
    advisors: tuple[Advisor, ...] = (),
    policy: Policy = _POLICY,
) -> StageRecord:
    """The accepted artifact of a stage.

    Raises:
        StageFailed: the gate stays shut.
        ModelError: the model failed for good.
    """
    stage = agent.stage
    tally = _Tally(stage=stage, emit=emit)
    run = RunContext(run_id=run_id, sink=tally.hear)
    bench = Bench(
        model=model,
        run=run,
        asking=lambda about: emit(Asking(stage=stage, about=about)),
        defaulted=tally.defaulted.append,
        advisors=advisors,
    )
    best, attempts, fault = _Best(), 0, ""
    last: Judgement | None = None
    for attempt in range(1, RETRIES + 2):
        attempts = attempt
        emit(AttemptStarted(stage=stage, attempt=attempt))
        current = replace(task, attempt=attempt, previous=best.artifact, judgement=best.judgement)
        try:
            artifact = await agent.run(current, bench)
        except (OutputInvalid, OutputTruncated, EmptyAnswer) as error:
            if str(error) == fault:
                break
            fault = str(error)
            emit(Disturbed(stage=stage, reason=fault))
            continue
        judgement = judge(with_artifact(task.artifacts, artifact), stage, replace(policy, lang=task.lang))
        emit(AttemptJudged(stage=stage, attempt=attempt, score=judgement.score, findings=judgement.findings))
        again = best.judgement is not None and _same(best.judgement.findings, judgement.findings)
        fell = not best.take(artifact, judgement)
        if judgement.score >= PASS or again or fell or not agent.repairs:
            break
        task, last = replace(task, repeated=last), judgement
    return _accepted(agent, best, attempts, fault, tally, model.name, task.prompts.version)


def _same(one: tuple[Finding, ...], other: tuple[Finding, ...]) -> bool:
    return {(f.validator, f.path, f.ref) for f in one} == {(f.validator, f.path, f.ref) for f in other}


def _is_broken(findings: tuple[Finding, ...]) -> bool:
    """Whether more is left than what earlier gates let through: those never force a critical finding."""
    return any(finding.severity == "critical" for finding in findings)


def _accepted(
    agent: BaseAgent[StageState],
    best: _Best,
    attempts: int,
    fault: str,
    tally: _Tally,
    model: str,
    prompt_version: str,
) -> StageRecord:
    stage = agent.stage
    if best.artifact is None or best.judgement is None:
        tally.emit(StageStopped(stage=stage, reason=fault or "no artifact"))
        raise StageFailed(f"{stage}: {fault or 'no artifact'}")
    score, findings = best.judgement.score, best.judgement.findings
    if score < FORCE and (agent.repairs or _is_broken(findings)):
        reason = f"score {score:.1f} is below {FORCE:.1f} after {attempts} attempts"
        tally.emit(StageStopped(stage=stage, reason=reason, score=score, findings=findings))
        raise StageFailed(f"{stage}: {reason}")
    verdict: Verdict = "pass" if score >= PASS else "forced"
    return StageRecord(
        stage=stage,
        verdict=verdict,
        score=score,
        attempts=attempts,
        findings=findings,
        model=model,
        prompt_version=prompt_version,
        tokens_in=tally.usage.input,
        tokens_cached=tally.usage.cache_read,
        tokens_out=tally.usage.output,
        model_calls=tally.usage.model_calls,
        seconds=tally.seconds,
        defaulted=tuple(dict.fromkeys(tally.defaulted)),
        artifact=dump(best.artifact),
    )
