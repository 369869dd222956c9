"""Runs the cells of a comparison, keeps each result as it comes, and goes on where an earlier sitting ended.

OUT/results.jsonl     one line for each run that ended
OUT/runs/KEY/         the design itself
"""

import asyncio
import fcntl
import json
import os
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from dure.errors import ConfigError, DureError
from dure.models.base import ChatModel
from dure.whole_file import READABLE_BY_ALL, write_whole
from dure_spec.compare.cells import Cell
from dure_spec.compare.page import page
from dure_spec.compare.results import CellResult, Gathering
from dure_spec.config import DesignConfig
from dure_spec.pipeline.design import Design, DesignOptions
from dure_spec.pipeline.events import PipelineEvent, RunStopped
from dure_spec.pipeline.stops import FAILED, INTERRUPTED, NO_MODEL

PAGE = "comparison.html"
_BROKEN_OFF = (FAILED, INTERRUPTED, NO_MODEL)
"""Ends that say nothing of the variant: a full disk, Ctrl-C, a model that is not there."""

Told = Callable[[Cell, PipelineEvent], None]
OpenModel = Callable[[Cell], ChatModel | None]


def _configured(cell: Cell) -> None:
    """The model is opened by the run itself."""


class Comparison:
    """A comparison in one folder, held by one process at a time."""

    def __init__(
        self, out: Path, cells: Sequence[Cell], config: DesignConfig, *, model: OpenModel = _configured
    ) -> None:
        self.out = out
        self._cells = tuple(cells)
        self._config = config
        self._model = model

    def results(self) -> tuple[CellResult, ...]:
        """Those that ended, in the order of the plan; a later one of the same run counts.

        Raises:
            ConfigError: the file of results is damaged.
        """
        found = {result.key: result for result in self._read()}
        return tuple(found[cell.key] for cell in self._cells if cell.key in found)

    def open_cells(self) -> tuple[Cell, ...]:
        """What is left to run: also what an earlier sitting broke off, or found no model or no room for."""
        ended = {one.key for one in self.results() if one.exit_code not in _BROKEN_OFF}
        return tuple(cell for cell in self._cells if cell.key not in ended)

    def outdated(self) -> int:
        """How many of these runs ended with other prompts or settings, and so are not those that are planned."""
        planned = {_about(cell.sentence, cell.variant.model, cell.variant.source, cell.turn) for cell in self._cells}
        keys = {cell.key for cell in self._cells}
        others = {one.key: _about(one.sentence, one.model, one.prompts, one.turn) for one in self._read()}
        return sum(key not in keys and about in planned for key, about in others.items())

    def write_page(self) -> None:
        """Show what ended as a page, where anything did.

        Raises:
            ConfigError: it cannot be written.
        """
        ended = self.results()
        if ended:
            with self._writing(self.out / PAGE):
                write_whole(self.out / PAGE, page(ended).encode("utf-8", "replace"), mode=READABLE_BY_ALL)

    async def run(self, told: Told, *, jobs: int = 1) -> tuple[CellResult, ...]:
        """Run what is left, at most `jobs` at the same time.

        Raises:
            ConfigError: the folder cannot be used, or another process works in it.
        """
        with self._held():
            room = asyncio.Semaphore(jobs)
            before = {one.key: one for one in self.results()}

            async def one(cell: Cell) -> None:
                async with room:
                    result = await self._run(cell, told)
                    earlier = before.get(cell.key)
                    self._keep(result if earlier is None else result.after(earlier))

            try:
                async with asyncio.TaskGroup() as group:
                    for cell in self.open_cells():
                        group.create_task(one(cell))
            except ExceptionGroup as failures:  # the first is the cause; the others were broken off with it
                raise failures.exceptions[0] from None
        return self.results()

    async def _run(self, cell: Cell, told: Told) -> CellResult:
        folder = self.out / "runs" / cell.key
        gathering, began = Gathering(cell), time.monotonic()

        def hear(event: PipelineEvent) -> None:
            gathering.hear(event)
            told(cell, event)

        design = Design(self._options(cell, folder), hear, model=self._model(cell))
        try:
            code = await design.run()
        except DureError as error:  # wrong settings or no model for this variant; the others go on
            code = NO_MODEL
            hear(RunStopped(run_id="", reason=str(error), next_step="", exit_code=code))
            return gathering.result(code, time.monotonic() - began, "")
        return gathering.result(code, time.monotonic() - began, f"runs/{cell.key}" if folder.exists() else "")

    def _options(self, cell: Cell, folder: Path) -> DesignOptions:
        config = self._config
        if cell.variant.prompts is not None:
            config = config.model_copy(update={"prompts": cell.variant.prompts})
        options = DesignOptions(model=cell.variant.model, config=config)
        if (folder / ".dure" / "run.json").exists():
            return replace(options, resume=str(folder), model=None)
        return replace(options, sentence=cell.sentence, out=folder)

    @property
    def _file(self) -> Path:
        return self.out / "results.jsonl"

    @contextmanager
    def _held(self) -> Generator[None]:
        try:
            self.out.mkdir(parents=True, exist_ok=True)
            lock = (self.out / ".lock").open("w")
        except OSError as error:
            raise ConfigError(f"cannot write to {self.out}: {error.strerror or error}; give another --out") from error
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise ConfigError(f"another comparison is running in {self.out}; wait for it or stop it") from error
            yield

    def _keep(self, result: CellResult) -> None:
        """One line, on the disk before anything else begins; half a line of a dead process ends at the newline."""
        line = json.dumps(result.model_dump(mode="json"), ensure_ascii=False)
        with self._writing(self._file), self._file.open("a+b") as file:
            file.seek(0, os.SEEK_END)
            if file.tell():
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":
                    file.write(b"\n")
            file.write(line.encode("utf-8", "replace") + b"\n")
            file.flush()
            os.fsync(file.fileno())

    @contextmanager
    def _writing(self, path: Path) -> Generator[None]:
        try:
            yield
        except OSError as error:
            said = f"cannot write {path}: {error.strerror or error}"
            raise ConfigError(f"{said}; put that right, then the same command goes on") from error

    def _read(self) -> Iterator[CellResult]:
        try:
            lines = self._file.read_bytes().split(b"\n")
        except FileNotFoundError:
            return
        except OSError as error:
            raise ConfigError(f"cannot read {self._file}: {error.strerror or error}") from error
        for line in lines:
            try:
                if line.strip():
                    yield CellResult.model_validate_json(line)
            except ValidationError:
                continue  # half a line: that run is made again


def _about(sentence: str, model: str | None, prompts: str | None, turn: int) -> tuple[str, str, str, int]:
    return sentence, model or "", prompts or "", turn
