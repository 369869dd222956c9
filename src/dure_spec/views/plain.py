"""One line a fact with the time since the start: for logs, pipes and screen readers."""

import time
from collections.abc import Callable
from typing import TextIO

from dure.console.render import fit, one_line
from dure_spec.artifacts.shared import Language
from dure_spec.pipeline.events import (
    Asking,
    AttemptJudged,
    AttemptStarted,
    AutoFixed,
    Disturbed,
    ModelPreparing,
    PipelineEvent,
    RunFinished,
    RunStarted,
    RunStopped,
    Spent,
    StageAccepted,
    StageStopped,
    Writing,
)
from dure_spec.views.board import Board
from dure_spec.views.news import disturbance, finding_lines, fix_lines
from dure_spec.views.summary import summary

_FINDINGS = 5


class PlainView:
    """Writes every fact but the flowing text, without colour."""

    def __init__(
        self, stream: TextIO, *, language: Language | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._stream = stream
        self._now = now
        self._board = Board(language=language)
        self._closed = False

    def show(self, event: PipelineEvent) -> None:
        """Write the event's lines."""
        now = self._now()
        self._board.take(event, now)
        self._write(_lines(self._board, event, now))

    def tick(self) -> None:
        """Time alone is no fact."""

    def stopping(self) -> None:
        """Say that the run is putting its things away."""
        self._write([self._board.texts.stopping])

    def close(self) -> None:
        """Say how to go on with a run whose end was not told."""
        if self._board.ended is None and not self._closed:
            self._write(summary(self._board, self._now()))
        self._closed = True

    def _write(self, lines: list[str]) -> None:
        if not lines:
            return
        begun = self._board.begun
        elapsed = 0.0 if begun is None else self._now() - begun
        encoding = self._stream.encoding or "utf-8"
        text = "".join(f"[{elapsed:7.1f}s] {line}\n" for line in lines)
        self._stream.write(text.encode(encoding, "replace").decode(encoding))
        self._stream.flush()


def _lines(board: Board, event: PipelineEvent, now: float) -> list[str]:
    texts = board.texts
    match event:
        case RunStarted():
            return _opening(board, event)
        case ModelPreparing():
            return [texts.preparing.format(model=one_line(event.model))]
        case Writing() | Spent():
            return []
        case RunFinished() | RunStopped():
            return summary(board, now)
        case _:
            return _stage_lines(board, event)


def _opening(board: Board, event: RunStarted) -> list[str]:
    texts = board.texts
    sentence = fit(event.sentence, 160)
    kept = ", ".join(texts.stages[stage] for stage in event.kept)
    begins = texts.going_on.format(sentence=sentence, stages=kept) if kept else texts.started.format(sentence=sentence)
    return [begins, texts.folder.format(run=event.run_id, model=one_line(event.model), out=one_line(event.out))]


def _stage_lines(
    board: Board, event: AttemptStarted | Asking | Disturbed | AttemptJudged | AutoFixed | StageAccepted | StageStopped
) -> list[str]:
    texts = board.texts
    stage = texts.stages[event.stage]
    match event:
        case AttemptStarted():
            return [texts.attempt.format(stage=stage, attempt=event.attempt)]
        case Asking():
            return [texts.asking.format(stage=stage, about=one_line(event.about))]
        case Disturbed():
            return [disturbance(board, event)]
        case AttemptJudged():
            count = len(event.findings)
            found = texts.findings.format(count=count) if count else texts.clean
            line = texts.judged.format(stage=stage, attempt=event.attempt, score=event.score, findings=found)
            return [line, *(f"  {finding}" for finding in finding_lines(board, _FINDINGS))]
        case AutoFixed():
            line = texts.fixed.format(stage=stage, count=len(event.fixes), score=event.score)
            return [line, *(f"  {fix}" for fix in fix_lines(board, event.fixes, _FINDINGS))]
        case StageAccepted():
            row = board.rows[event.stage]
            verdict = texts.statuses[row.status]
            facts = {"attempts": event.attempts, "tokens": f"{row.usage.output:,}", "seconds": event.seconds}
            return [texts.accepted.format(stage=stage, verdict=verdict, score=event.score, **facts)]
        case StageStopped():
            return [texts.stage_stopped.format(stage=stage, reason=one_line(event.reason))]
