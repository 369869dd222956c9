"""What a person sees while a comparison runs: one line for each stage and run that ended."""

import time
from typing import TextIO

from dure.console.render import fit, one_line
from dure_spec.compare.cells import Cell
from dure_spec.pipeline.events import PipelineEvent, RunFinished, RunStopped, StageAccepted, StageStopped

_SENTENCE = 40
"""Columns that a sentence may take."""


class Progress:
    """Writes lines to `stream`; `kept` of `total` runs are there from an earlier sitting.

    `outdated` ones are of prompts or settings that are others now.
    """

    def __init__(self, stream: TextIO, *, total: int, kept: int, outdated: int = 0) -> None:
        self._stream = stream
        self._total = total
        self._ended = kept
        self._began = time.monotonic()
        if kept:
            self._say(f"{kept} of {total} runs are there already")
        if outdated:
            self._say(f"{outdated} earlier runs were made with other prompts or settings, and do not count")

    def told(self, cell: Cell, event: PipelineEvent) -> None:
        """An event of one of the runs."""
        match event:
            case StageAccepted(stage=stage, score=score, attempts=attempts):
                self._line(cell, f"{stage} {score:.1f}" + (f", attempt {attempts}" if attempts > 1 else ""))
            case StageStopped(stage=stage, reason=reason):
                self._line(cell, f"{stage} stopped: {reason}")
            case RunFinished(seconds=seconds):
                self._ended += 1
                self._line(cell, f"done in {seconds:.0f} s")
            case RunStopped(reason=reason):
                self._ended += 1
                self._line(cell, f"stopped: {reason}")
            case _:
                pass

    def _line(self, cell: Cell, text: str) -> None:
        about = f"{cell.variant.label} · {fit(one_line(cell.sentence), _SENTENCE).rstrip()}"
        self._say(f"[{self._ended}/{self._total}] {about}: {one_line(text)}")

    def _say(self, text: str) -> None:
        self._stream.write(f"{time.monotonic() - self._began:7.1f}s {text}\n")
        self._stream.flush()
