"""One sitting of a run: each stage from its task to the journal, by a model or by what a person decided."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from dure_spec.agents.prompt_files import PromptSet
from dure_spec.agents.registry import AGENTS
from dure_spec.agents.task import Task
from dure_spec.artifacts import Stage
from dure_spec.artifacts.bundle import MODELS, with_artifact
from dure_spec.config import DesignConfig
from dure_spec.intake import Intake
from dure_spec.patterns import Proposal
from dure_spec.pipeline.events import PipelineEvent
from dure_spec.pipeline.journal import Journal
from dure_spec.pipeline.records import StageRecord
from dure_spec.pipeline.setups import Setups
from dure_spec.pipeline.stage_run import StageFailed, opens, run_stage
from dure_spec.pipeline.stopped_files import hide, show
from dure_spec.validators.gate import judge
from dure_spec.validators.policy import Policy


def run_policy(policy: Policy, intake: Intake, config: DesignConfig, journal: Journal) -> Policy:
    """How the gates of a run judge: in its language, knowing its sentence and what people let stay."""
    return replace(
        policy,
        lang=intake.lang,
        sentence=intake.sentence,
        postgresql=config.postgresql or policy.postgresql,
        waivers=(*policy.waivers, *journal.decisions().waivers),
    )


def judged_again(record: StageRecord, journal: Journal, policy: Policy) -> StageRecord:
    """A stopped attempt as the gate sees it now."""
    artifact = MODELS[record.stage].model_validate(record.artifact)
    judgement = judge(with_artifact(journal.artifacts(), artifact), record.stage, policy)
    again = record.judged(judgement, policy.waivers)
    through = opens(judgement, repairs=AGENTS[record.stage].repairs)
    return again.model_copy(update={"verdict": "forced"}) if through and again.verdict == "failed" else again


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """What all stages of a sitting share."""

    journal: Journal
    intake: Intake
    setups: Setups
    prompts: PromptSet
    proposal: Proposal
    policy: Policy
    config: DesignConfig
    emit: Callable[[PipelineEvent], None]

    async def work(self, stage: Stage) -> None:
        """Bring a stage to its acceptance.

        Raises:
            StageFailed: the gate stays shut; the best attempt is kept.
            ModelError: the model failed for good.
        """
        stopped = self.journal.stopped().get(stage)
        record = None if stopped is None else judged_again(stopped, self.journal, self._policy())
        if record is None or record.verdict == "failed":
            record = await self._asked(stage, stopped)
        self.journal.accept(record)
        hide(self.journal.out, record, before=stopped)
        self.emit(record.told())  # only what is on the disk is called accepted

    async def _asked(self, stage: Stage, stopped: StageRecord | None) -> StageRecord:
        try:
            record = await run_stage(
                AGENTS[stage],
                self._task(stage),
                self.setups.of(stage),
                run_id=self.journal.header.run_id,
                emit=self.emit,
                policy=self._policy(),
                autofix=self.config.autofix,
            )
        except StageFailed as failure:
            if failure.record is not None:
                self._keep(failure.record, stopped)
            raise
        return record if stopped is None else record.after(stopped)

    def _keep(self, record: StageRecord, before: StageRecord | None) -> None:
        """Keep the better of both for a person, with what both cost."""
        kept = record
        if before is not None:
            kept = record.after(before) if record.score >= before.score else before.after(record)
        self.journal.stop(kept)
        show(self.journal.out, self.journal.header, kept, before=before)

    def _policy(self) -> Policy:
        return run_policy(self.policy, self.intake, self.config, self.journal)

    def _task(self, stage: Stage) -> Task:
        """What a stage is asked to do, after those that are accepted."""
        records, model = self.journal.records(), self.setups.of(stage).model
        return Task(
            stage=stage,
            intake=self.intake,
            proposal=self.proposal,
            artifacts=self.journal.artifacts(),
            prompts=self.prompts[stage],
            lang=self.intake.lang,
            small=model.capabilities.small,
            grammar=model.capabilities.grammar,
            stages=tuple(record.row() for record in records.values()),
            defaulted=tuple(about for record in records.values() for about in record.defaulted),
        )
