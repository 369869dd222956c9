"""One design run, from the sentence to the files: the door that the command line and programs go through."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from dure.errors import ConfigError, ModelError
from dure.models.base import ChatModel
from dure.models.registry import open_model
from dure.run import new_run_id
from dure.usage import NO_USAGE, Usage
from dure_spec.agents import AGENTS
from dure_spec.agents.accounts import with_accounts
from dure_spec.agents.prompt_files import PromptSet, load_prompts
from dure_spec.agents.task import Task
from dure_spec.artifacts import STAGES, Stage
from dure_spec.artifacts.shared import Language
from dure_spec.intake import Intake, screen
from dure_spec.patterns import propose
from dure_spec.pipeline.events import ModelPreparing, PipelineEvent, RunFinished, RunStarted, RunStopped, StageAccepted
from dure_spec.pipeline.journal import Journal, RunHeader
from dure_spec.pipeline.stage_run import StageFailed, run_stage
from dure_spec.pipeline.stops import Stop, interrupted, model_failed, refused, stage_failed, unwritable
from dure_spec.pipeline.supervision import supervise
from dure_spec.render.files import render

Emit = Callable[[PipelineEvent], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignOptions:
    """What a user asks for: a sentence for a new run, or `resume` for one that was begun."""

    sentence: str | None = None
    out: Path | None = None
    resume: str | None = None
    model: str | None = None
    lang: Language | None = None


class Design:
    """A run. `run` may be called once."""

    def __init__(self, options: DesignOptions, emit: Emit, *, model: ChatModel | None = None) -> None:
        self._options = options
        self._model = model
        self._began = time.monotonic()
        self._usage = NO_USAGE

        def counted(event: PipelineEvent) -> None:
            if isinstance(event, StageAccepted):
                self._usage += event.usage
            emit(event)

        self._emit = counted

    async def run(self) -> int:
        """Work until the report is there; gives the exit code.

        Raises:
            ConfigError: the options are wrong; nothing was written.
            ModelError: there is no usable model; nothing was written.
        """
        journal, intake = self._resumed() if self._options.resume is not None else (None, self._screened())
        if intake.verdict == "refused":
            return self._stop("", refused(intake))
        if journal is None:
            _check_out(self._options.out)
        model = self._model or open_model(
            self._options.model or (journal.header.model if journal and self._options.model is None else None)
        )
        try:
            prompts = load_prompts(intake.lang)
            journal = journal or self._created(intake, model, prompts)
            return await self._work(journal, intake, model, prompts)
        finally:
            if journal is not None:
                journal.close()
            await model.close()

    def _screened(self) -> Intake:
        if self._options.sentence is None:
            raise ConfigError('what shall be designed? Give a sentence: dure design "주문 관리 시스템을 만들어줘."')
        return screen(self._options.sentence, lang=self._options.lang)

    def _resumed(self) -> tuple[Journal, Intake]:
        if self._options.sentence is not None or self._options.out is not None:
            raise ConfigError("--resume goes on with a run as it was begun: leave out the sentence and --out")
        journal = Journal.resume(self._options.resume or "")
        return journal, screen(journal.header.sentence, lang=journal.header.lang)

    def _created(self, intake: Intake, model: ChatModel, prompts: PromptSet) -> Journal:
        run_id = new_run_id()
        header = RunHeader(
            run_id=run_id,
            sentence=intake.sentence,
            lang=intake.lang,
            model=model.name,
            created_at=datetime.now(UTC).isoformat(timespec="seconds"),
            dure_version=version("dure"),
            prompt_versions={stage: prompts[stage].version for stage in STAGES},
        )
        return Journal.create(self._options.out or Path("designs") / run_id, header)

    async def _work(self, journal: Journal, intake: Intake, model: ChatModel, prompts: PromptSet) -> int:
        done = journal.records()
        header = journal.header
        self._emit(
            RunStarted(
                run_id=header.run_id,
                sentence=intake.sentence,
                model=model.name,
                out=str(journal.out),
                kept=tuple(done),
            )
        )
        if model.name.startswith("local:"):
            self._emit(ModelPreparing(model=model.name))

        proposal = with_accounts(propose(intake.sentence), intake)

        async def work(stage: Stage) -> None:
            task = Task(
                stage=stage,
                intake=intake,
                proposal=proposal,
                artifacts=journal.artifacts(),
                prompts=prompts[stage],
                lang=intake.lang,
                small=model.capabilities.small,
                grammar=model.capabilities.grammar,
                stages=tuple(record.row() for record in journal.records().values()),
                defaulted=tuple(about for record in journal.records().values() for about in record.defaulted),
            )
            journal.accept(await run_stage(AGENTS[stage], task, model, run_id=header.run_id, emit=self._emit))

        try:
            await supervise(set(done), work, parallel=model.capabilities.parallel > 1)
        except asyncio.CancelledError:
            return self._stop(header.run_id, interrupted(intake.lang, header.run_id), journal)
        except StageFailed as failure:
            return self._stop(header.run_id, stage_failed(intake.lang, header.run_id, failure), journal)
        except ModelError as failure:
            return self._stop(header.run_id, model_failed(intake.lang, header.run_id, failure), journal)
        except OSError as failure:
            return self._stop(header.run_id, unwritable(intake.lang, header.run_id, failure))
        return self._finish(journal)

    def _finish(self, journal: Journal) -> int:
        try:
            files = render(journal.artifacts(), journal.out)
        except OSError as failure:
            return self._stop(journal.header.run_id, unwritable(journal.header.lang, journal.header.run_id, failure))
        seconds = time.monotonic() - self._began
        usage = _usage_of(journal)
        self._emit(
            RunFinished(run_id=journal.header.run_id, out=str(journal.out), files=files, usage=usage, seconds=seconds)
        )
        return 0

    def _stop(self, run_id: str, stop: Stop, journal: Journal | None = None) -> int:
        """End before the report; what is accepted is rendered, so that a person can look at it."""
        if journal is not None and journal.records():
            try:
                render(journal.artifacts(), journal.out)
            except OSError as failure:
                stop = unwritable(journal.header.lang, run_id, failure)
        self._emit(RunStopped(run_id=run_id, reason=stop.reason, next_step=stop.next_step, exit_code=stop.exit_code))
        return stop.exit_code


def _usage_of(journal: Journal) -> Usage:
    """Of all stages, also those of earlier sittings."""
    total = NO_USAGE
    for record in journal.records().values():
        total += Usage(fresh_input=record.tokens_in, output=record.tokens_out)
    return total


def _check_out(out: Path | None) -> None:
    """Refuse a folder that cannot be used before a model is woken.

    Raises:
        ConfigError: it is a file, or it holds a run.
    """
    if out is not None and out.exists() and not out.is_dir():
        raise ConfigError(f"--out {out} is a file; give a folder")
    if out is not None and (out / ".dure" / "run.json").exists():
        raise ConfigError(f"{out} already holds a run; go on with --resume {out}, or give another --out")
