"""One stage through the gate: the best of its attempts is accepted, or kept for a person to decide.

≥ 9.0 pass · else repairs · then ≥ 8.0 forced · else failed
the report repairs nothing: what earlier gates forced does not fail it
"""

from dataclasses import replace

from dure_spec.agents.base import BaseAgent
from dure_spec.agents.question import StageState
from dure_spec.agents.setup import StageSetup
from dure_spec.agents.task import Task
from dure_spec.artifacts import Stage
from dure_spec.artifacts.findings import FORCE, Judgement
from dure_spec.artifacts.shared import Language
from dure_spec.config import Autofix
from dure_spec.pipeline.attempts import Attempts, Best
from dure_spec.pipeline.events import StageStopped
from dure_spec.pipeline.fault_texts import fault_text
from dure_spec.pipeline.records import StageRecord, dump
from dure_spec.pipeline.tally import Emit, Tally
from dure_spec.validators.policy import Policy

_POLICY = Policy()


class StageFailed(Exception):
    """The stage has no acceptable artifact; a person has to decide.

    `record` is its best attempt, where there is one.
    """

    def __init__(self, stage: Stage, reason: str, record: StageRecord | None = None) -> None:
        super().__init__(f"{stage}: {reason}")
        self.stage = stage
        self.record = record


async def run_stage(
    agent: BaseAgent[StageState],
    task: Task,
    setup: StageSetup,
    *,
    run_id: str,
    emit: Emit,
    policy: Policy = _POLICY,
    autofix: Autofix = "all",
) -> StageRecord:
    """The accepted artifact of a stage.

    Raises:
        StageFailed: the gate stays shut.
        ModelError: the model failed for good.
    """
    attempts = Attempts(
        agent=agent,
        task=task,
        setup=setup,
        tally=Tally(stage=agent.stage, lang=task.lang, emit=emit),
        run_id=run_id,
        policy=replace(policy, lang=task.lang),
        mode=autofix,
    )
    while await attempts.another():
        pass
    return _accepted(attempts)


def opens(judgement: Judgement, *, repairs: bool) -> bool:
    """Whether the gate lets an artifact through, if only by force.

    Where nothing can be repaired, only what earlier gates cannot have let through counts: a critical finding.
    """
    broken = any(finding.severity == "critical" and finding.weighs for finding in judgement.findings)
    return judgement.forceable or not (repairs or broken)


def _accepted(attempts: Attempts) -> StageRecord:
    stage, lang, best = attempts.agent.stage, attempts.task.lang, attempts.best
    if best is None:
        reason = fault_text(lang, attempts.fault or "no artifact")
        attempts.tally.emit(StageStopped(stage=stage, reason=reason))
        raise StageFailed(stage, reason)
    record = _record(attempts, best)
    if opens(best.judgement, repairs=attempts.agent.repairs):
        return record
    reason = below(lang, best.judgement.score, attempts.made)
    attempts.tally.emit(
        StageStopped(stage=stage, reason=reason, score=best.judgement.score, findings=best.judgement.findings)
    )
    raise StageFailed(stage, reason, record.model_copy(update={"verdict": "failed"}))


def below(lang: Language, score: float, attempts: int) -> str:
    """Why the gate stays shut."""
    if lang == "ko":
        return f"{attempts}번 시도했지만 점수가 {score:.1f}점으로 {FORCE:.1f}점에 못 미칩니다"
    return f"score {score:.1f} is below {FORCE:.1f} after {attempts} attempts"


def _record(attempts: Attempts, best: Best) -> StageRecord:
    usage = attempts.tally.usage
    judgement = best.judgement
    waivers = attempts.policy.waivers
    return StageRecord(
        stage=attempts.agent.stage,
        verdict="pass" if judgement.passed else "forced",
        score=judgement.score,
        attempts=attempts.made,
        findings=judgement.findings,
        model=" + ".join(best.models),
        prompt_version=attempts.task.prompts.version,
        tokens_in=usage.input,
        tokens_cached=usage.cache_read,
        tokens_out=usage.output,
        model_calls=usage.model_calls,
        seconds=attempts.tally.seconds,
        defaulted=tuple(dict.fromkeys(attempts.tally.defaulted)),
        fixes=best.fixes,
        retries=tuple(attempts.retries),
        waivers=tuple(each for each in waivers if any(map(each.covers, judgement.findings))),
        cost_usd=None if usage.cost is None else float(usage.cost),
        artifact=dump(best.artifact),
    )
