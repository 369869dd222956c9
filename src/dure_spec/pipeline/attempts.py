"""The attempts of one stage: ask, judge, repair by program, and keep the best.

attempt ─► judge ─► autofix ─► judge ─► ≥ 9.0? done · else ask for what fails, only that, at most three times
stops early when the same findings come twice or the score falls; the third repair goes to the fallback model
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from dure.errors import CallLimitExceeded, EmptyAnswer, OutputInvalid, OutputTruncated
from dure.models.prices import PriceTable
from dure.models.token_prices import FREE
from dure.run import CallCounts, RunContext
from dure_spec.agents.base import BaseAgent, Bench
from dure_spec.agents.question import StageState
from dure_spec.agents.setup import StageSetup
from dure_spec.agents.task import Task
from dure_spec.artifacts import Part
from dure_spec.artifacts.bundle import artifact_of, with_artifact
from dure_spec.artifacts.findings import PASS, Fix, Judgement, Severity
from dure_spec.artifacts.report import Retry
from dure_spec.autofix.rounds import Fixed, autofix
from dure_spec.config import Autofix
from dure_spec.pipeline.events import Asking, AttemptJudged, AttemptStarted, AutoFixed, Disturbed
from dure_spec.pipeline.fault_texts import fault_text
from dure_spec.pipeline.tally import Tally
from dure_spec.validators.gate import judge
from dure_spec.validators.policy import Policy

RETRIES = 3
PRICES = PriceTable(dict.fromkeys(("local:*", "llamacpp:*", "ollama:*", "scripted:*"), FREE))
"""Listed prices; what runs on one's own machine costs nothing."""

_WEIGHT: Mapping[Severity, float] = {"critical": 3.0, "major": 1.0, "minor": 0.2}
_Marks = frozenset[tuple[str, str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """The best attempt so far, repaired by program."""

    artifact: Part
    judgement: Judgement
    fixes: tuple[Fix, ...] = ()
    models: tuple[str, ...]
    """Who had a part in it."""


@dataclass(slots=True, kw_only=True)
class Attempts:
    """The attempts of a stage, and what the last one said."""

    agent: BaseAgent[StageState]
    task: Task
    setup: StageSetup
    tally: Tally
    run_id: str
    policy: Policy
    mode: Autofix
    best: Best | None = None
    last: Judgement | None = None
    fault: str = ""
    made: int = 0
    counts: CallCounts = field(default_factory=CallCounts)
    """Of all attempts together, for the limit is the stage's."""
    retries: list[Retry] = field(default_factory=list[Retry])
    seen: set[_Marks] = field(default_factory=set[_Marks])
    """The sets of findings that came already."""

    async def another(self) -> bool:
        """Make one more attempt; whether there is use in yet another.

        Raises:
            CallLimitExceeded: the stage may not ask any more, and nothing was reached.
            ModelError: the model failed for good.
        """
        self.made += 1
        self.tally.emit(AttemptStarted(stage=self.agent.stage, attempt=self.made))
        spent, before = self.tally.usage, self.best
        bench, task = self._bench(), self._asked()
        try:
            artifact = await self.agent.run(task, bench)
        except (OutputInvalid, OutputTruncated, EmptyAnswer) as error:
            self._count(bench, before, None, spent.input, spent.output)
            return self._refused(str(error))
        except CallLimitExceeded as limit:
            if before is None:
                raise
            self._count(bench, before, None, spent.input, spent.output)
            self.tally.emit(Disturbed(stage=self.agent.stage, reason=fault_text(self.task.lang, str(limit))))
            return False
        fixed = await self._judged(artifact)
        self._count(bench, before, fixed.judgement, spent.input, spent.output)
        useful = self._take(fixed, bench)
        return useful and fixed.judgement.score < PASS and self.agent.repairs and self.made <= RETRIES

    def _bench(self) -> Bench:
        """Where the agent works; the last repair is the fallback model's."""
        setup, last = self.setup, self.setup.last_model
        if last is not None and self.made > RETRIES:
            setup = replace(setup, model=last, tool_model=last)
        stage, emit = self.agent.stage, self.tally.emit
        return Bench.of(
            setup,
            run=RunContext(run_id=self.run_id, sink=self.tally.hear, price=PRICES, counts=self.counts),
            asking=lambda about: emit(Asking(stage=stage, about=about)),
            defaulted=self.tally.defaulted.append,
        )

    def _asked(self) -> Task:
        best, last = self.best, self.setup.last_model
        task = replace(self.task, attempt=self.made)
        if best is not None:
            task = replace(task, previous=best.artifact, judgement=best.judgement)
        if last is not None and self.made > RETRIES:
            task = replace(task, small=last.capabilities.small, grammar=last.capabilities.grammar)
        return task

    def _refused(self, fault: str) -> bool:
        """There was no artifact; whether there may be one, for the fault is a new one."""
        new, self.fault = fault != self.fault, fault
        if new:
            self.tally.emit(Disturbed(stage=self.agent.stage, reason=fault_text(self.task.lang, fault)))
        return new and self.made <= RETRIES

    async def _judged(self, artifact: Part) -> Fixed:
        """The artifact as the gate sees it, after the program's own repairs; the event loop goes on meanwhile."""
        stage, emit, attempt = self.agent.stage, self.tally.emit, self.made
        whole = with_artifact(self.task.artifacts, artifact)
        judgement = await asyncio.to_thread(judge, whole, stage, self.policy)
        emit(AttemptJudged(stage=stage, attempt=attempt, score=judgement.score, findings=judgement.findings))
        if self.mode == "off" or not self.agent.repairs or not judgement.findings:
            return Fixed(artifacts=whole, judgement=judgement)
        fixed = await asyncio.to_thread(autofix, whole, judgement, self.mode, self.policy, stage=stage)
        if fixed.fixes:
            score, findings = fixed.judgement.score, fixed.judgement.findings
            emit(AutoFixed(stage=stage, attempt=attempt, score=score, fixes=fixed.fixes, findings=findings))
        return fixed

    def _take(self, fixed: Fixed, bench: Bench) -> bool:
        """Keep the attempt if it is the best; whether it brought something new and is no worse."""
        best, judgement = self.best, fixed.judgement
        if best is None or _worth(judgement) > _worth(best.judgement):
            artifact = artifact_of(fixed.artifacts, self.agent.stage)
            assert artifact is not None
            fixes, models = (best.fixes, best.models) if best else ((), ())
            self.best = Best(
                artifact=artifact,
                judgement=judgement,
                fixes=tuple(dict.fromkeys((*fixes, *fixed.fixes))),
                models=tuple(dict.fromkeys((*models, bench.model.name))),
            )
        self.task, self.last = replace(self.task, repeated=self.last), judgement
        marks = _marks(judgement)
        new = marks not in self.seen
        self.seen.add(marks)
        return new and (best is None or judgement.score >= best.judgement.score)

    def _count(self, bench: Bench, before: Best | None, after: Judgement | None, read: int, written: int) -> None:
        """Note what a repair cost; the first attempt is none."""
        if self.made < 2:
            return
        self.retries.append(
            Retry(
                attempt=self.made,
                model=bench.model.name,
                tokens_in=self.tally.usage.input - read,
                tokens_out=self.tally.usage.output - written,
                score_before=before.judgement.score if before else None,
                score_after=after.score if after else None,
                findings_before=_weighing(before.judgement) if before else 0,
                findings_after=_weighing(after) if after else 0,
            )
        )


def _marks(judgement: Judgement) -> _Marks:
    return frozenset((each.validator, each.severity, each.ref) for each in judgement.findings if each.weighs)


def _worth(judgement: Judgement) -> tuple[float, float]:
    """What is compared: the score, and below its floor and its caps how much is wrong."""
    weights = (_WEIGHT[finding.severity] for finding in judgement.findings if finding.weighs)
    return judgement.score, -sum(weights)


def _weighing(judgement: Judgement) -> int:
    return sum(finding.weighs for finding in judgement.findings)
