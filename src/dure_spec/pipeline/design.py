"""One design run, from the sentence to the files: the door that the command line and programs go through."""

import asyncio
import time
from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from dure.advisors.base import Advisor
from dure.errors import CallLimitExceeded, ConfigError, ModelError
from dure.models.base import ChatModel
from dure.run import new_run_id
from dure.usage import NO_USAGE
from dure_spec.agents.accounts import with_accounts
from dure_spec.agents.prompt_files import PromptSet
from dure_spec.artifacts import STAGES
from dure_spec.artifacts.findings import Finding
from dure_spec.artifacts.shared import Language
from dure_spec.config import DesignConfig
from dure_spec.intake import Intake, screen
from dure_spec.patterns import propose
from dure_spec.pipeline.events import ModelPreparing, PipelineEvent, RunFinished, RunStarted, RunStopped
from dure_spec.pipeline.journal import Journal, check_free
from dure_spec.pipeline.records import RunHeader
from dure_spec.pipeline.run_prompts import begin_with, pin, pinned
from dure_spec.pipeline.setups import Setups, open_setups
from dure_spec.pipeline.sitting import Sitting
from dure_spec.pipeline.stage_run import StageFailed
from dure_spec.pipeline.stops import Stop, gate_stop, no_model, refused, stop_for
from dure_spec.pipeline.supervision import supervise
from dure_spec.render.files import render
from dure_spec.validators.policy import Policy

_POLICY = Policy()
_CONFIG = DesignConfig()
Emit = Callable[[PipelineEvent], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignOptions:
    """What a user asks for: a sentence for a new run, or `resume` for one that was begun."""

    sentence: str | None = None
    out: Path | None = None
    resume: str | None = None
    model: str | None = None
    lang: Language | None = None
    config: DesignConfig = _CONFIG


class Design:
    """A run. `run` may be called once.

    `advisors` join those of every question; one of a kind that is there anyway, such as the retry, takes its place.
    `policy` says how the gates judge; its language is always that of the run.
    """

    def __init__(
        self,
        options: DesignOptions,
        emit: Emit,
        *,
        model: ChatModel | None = None,
        advisors: tuple[Advisor, ...] = (),
        policy: Policy = _POLICY,
    ) -> None:
        self._options = options
        self._emit = emit
        self._model = model
        self._advisors = advisors
        self._policy = policy
        self._began = time.monotonic()

    async def run(self) -> int:
        """Work until the report is there; gives the exit code.

        Raises:
            ConfigError: the options are wrong; nothing was written.
            ModelError: there is no usable model; nothing was written.
        """
        async with AsyncExitStack() as held:
            journal = self._taken_up(held)
            intake = self._screened() if journal is None else _screened_again(journal)
            if intake.verdict == "refused":
                return self._stop("", refused(intake))
            if journal is None:
                check_free(self._options.out)
            setups = self._opened(journal)
            held.push_async_callback(_closed, setups)
            fresh = journal is None
            if journal is None:
                prompts = await begin_with(self._options.config.prompts, intake.lang)
                journal = self._created(intake, setups, prompts)
                held.callback(journal.close)
                pin(journal.out, prompts)
            else:
                prompts = pinned(journal.out, intake.lang)
            sitting = Sitting(
                journal=journal,
                intake=intake,
                setups=setups,
                prompts=prompts,
                proposal=with_accounts(propose(intake.sentence), intake),
                policy=self._policy,
                config=self._options.config,
                emit=self._emit,
            )
            return await self._work(sitting, fresh=fresh)

    def _screened(self) -> Intake:
        if self._options.sentence is None:
            raise ConfigError('what shall be designed? Give a sentence: dure design "주문 관리 시스템을 만들어줘."')
        return screen(self._options.sentence, lang=self._options.lang)

    def _taken_up(self, held: AsyncExitStack) -> Journal | None:
        if self._options.resume is None:
            return None
        if self._options.sentence is not None or self._options.out is not None:
            raise ConfigError("--resume goes on with a run as it was begun: leave out the sentence and --out")
        if self._options.lang is not None:
            raise ConfigError("--resume goes on in the language that the run was begun in: leave out --lang")
        journal = Journal.resume(self._options.resume)
        held.callback(journal.close)
        for read in (journal.records, journal.stopped, journal.decisions):
            read()  # a damaged file is told before a model is woken
        return journal

    def _opened(self, journal: Journal | None) -> Setups:
        return open_setups(
            self._options.config,
            model=self._model,
            spec=self._options.model or (journal.header.model if journal and not journal.header.models else None),
            begun_with=None if journal is None else journal.header.models,
            advisors=self._advisors,
        )

    def _created(self, intake: Intake, setups: Setups, prompts: PromptSet) -> Journal:
        run_id = new_run_id()
        header = RunHeader(
            run_id=run_id,
            sentence=intake.sentence,
            lang=intake.lang,
            model=setups.names["ba"].model,
            models=setups.names,
            created_at=datetime.now(UTC).isoformat(timespec="seconds"),
            dure_version=version("dure"),
            prompt_versions={stage: prompts[stage].version for stage in STAGES},
        )
        return Journal.create(self._options.out or Path("designs") / run_id, header)

    async def _work(self, sitting: Sitting, *, fresh: bool) -> int:
        journal, header, model = sitting.journal, sitting.journal.header, sitting.setups.model
        done = journal.records()
        self._emit(
            RunStarted(
                run_id=header.run_id,
                sentence=header.sentence,
                model=model.name,
                out=str(journal.out),
                kept=tuple(done),
                lang=header.lang,
            )
        )
        if model.name.startswith("local:"):
            self._emit(ModelPreparing(model=model.name))
        try:
            await supervise(set(done), sitting.work, parallel=sitting.setups.parallel)
        except (asyncio.CancelledError, StageFailed, CallLimitExceeded, ModelError, OSError) as failure:
            return self._ended(journal, failure, fresh=fresh)
        return self._finish(journal)

    def _ended(self, journal: Journal, failure: BaseException, *, fresh: bool) -> int:
        """A run that has nothing to show, and no model to go on with, leaves nothing behind."""
        header = journal.header
        hopeless = isinstance(failure, ModelError) and not failure.retryable
        if fresh and hopeless and not journal.records():
            journal.discard()
            return self._stop("", no_model(header.lang, failure))
        if isinstance(failure, StageFailed):
            return self._stop(header.run_id, gate_stop(header.lang, header.run_id, failure, journal.stopped()), journal)
        return self._stop(header.run_id, stop_for(header.lang, header.run_id, failure), journal)

    def _finish(self, journal: Journal) -> int:
        header, records, artifacts = journal.header, journal.records(), journal.artifacts()
        try:
            files = render(artifacts, journal.out)
        except OSError as failure:
            return self._stop(header.run_id, stop_for(header.lang, header.run_id, failure))
        journal.sweep(files)
        self._emit(
            RunFinished(
                run_id=header.run_id,
                out=str(journal.out),
                files=files,
                usage=sum((record.usage for record in records.values()), NO_USAGE),
                seconds=time.monotonic() - self._began,
                open_questions=artifacts.report.open_questions if artifacts.report else (),
                forced=tuple(stage for stage, record in records.items() if record.verdict == "forced"),
                remaining=_each_once(
                    finding
                    for record in records.values()
                    if record.verdict == "forced"
                    for finding in record.findings
                    if finding.weighs
                ),
                waived=_each_once(
                    finding for record in records.values() for finding in record.findings if finding.waived_by
                ),
            )
        )
        return 0

    def _stop(self, run_id: str, stop: Stop, journal: Journal | None = None) -> int:
        """End before the report; what is accepted is rendered, so that a person can look at it."""
        if journal is not None and journal.records():
            try:
                render(journal.artifacts(), journal.out)
            except OSError as failure:
                stop = stop_for(journal.header.lang, run_id, failure)
        self._emit(
            RunStopped(
                run_id=run_id,
                reason=stop.reason,
                next_step=stop.next_step,
                exit_code=stop.exit_code,
                ways=stop.ways,
            )
        )
        return stop.exit_code


def _each_once(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The last gate finds again what earlier ones let through."""
    seen: dict[tuple[str, str, str, str], Finding] = {}
    for finding in findings:
        seen.setdefault((finding.stage, finding.validator, finding.ref, finding.message), finding)
    return tuple(seen.values())


def _screened_again(journal: Journal) -> Intake:
    return screen(journal.header.sentence, lang=journal.header.lang)


async def _closed(setups: Setups) -> None:
    """Close the models to the end: a Ctrl-C that comes so late changes nothing about the run."""
    closing = asyncio.ensure_future(setups.close())
    while not closing.done():
        with suppress(asyncio.CancelledError):
            await asyncio.shield(closing)
    closing.result()
