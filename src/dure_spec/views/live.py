"""The live view of a terminal: a table of the stages and what happens now, redrawn in place; at the end a summary.

Its height stays the same while it runs, so that nothing jumps, and never exceeds the terminal.
"""

import sys
import time
from collections.abc import Callable
from typing import TextIO

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from dure.console.render import clock, fit, tail
from dure_spec.artifacts.shared import Language
from dure_spec.pipeline.events import PipelineEvent
from dure_spec.views.board import Board
from dure_spec.views.news import disturbance, finding_lines, fix_lines
from dure_spec.views.stage_table import STYLES, TABLE_HEIGHT, stage_table
from dure_spec.views.summary import summary

_PAUSE = 0.2
"""Seconds between two drawings at least; faster only flickers."""
_TAIL = 6
_FINDINGS = 3
_ASKING = 2
_AROUND = TABLE_HEIGHT + 2 + _ASKING + 2
"""Lines that are always there: the table, the opening, the questions, the disturbance and the totals."""


class LiveView:
    """Draws the run on a terminal."""

    def __init__(
        self,
        stream: TextIO,
        *,
        language: Language | None = None,
        now: Callable[[], float] = time.monotonic,
        console: Console | None = None,
    ) -> None:
        self._console = console or Console(file=stream, highlight=False)
        self._own = stream is sys.stdout
        self._now = now
        self._board = Board(language=language)
        self._live: Live | None = None
        self._drawn: float | None = None
        self._stopping = False
        self._closed = False

    def show(self, event: PipelineEvent) -> None:
        """Take in the event and draw, unless that was done a moment ago."""
        now = self._now()
        self._board.take(event, now)
        if self._board.ended is not None:
            self.close()
        elif self._drawn is None or now - self._drawn >= _PAUSE:
            self._draw(now)

    def tick(self) -> None:
        """Draw again: the clock went on."""
        if self._live is not None:
            self._draw(self._now())

    def stopping(self) -> None:
        """Show that the run is putting its things away."""
        self._stopping = True
        self._draw(self._now())

    def close(self) -> None:
        """Replace the drawing by what is worth keeping."""
        if self._closed:
            return
        self._closed = True
        if self._live is not None:
            self._live.stop()
            self._live = None
        now = self._now()
        if self._board.run is not None:
            self._console.print(stage_table(self._board, now))
        for line in summary(self._board, now):
            self._console.print(Text(line), soft_wrap=True)

    def _draw(self, now: float) -> None:
        if self._closed:
            return
        if self._live is None:
            self._live = self._opened()
        self._drawn = now
        width, height = self._console.size
        self._live.update(_frame(self._board, now, width, height - 1, stopping=self._stopping), refresh=True)

    def _opened(self) -> Live:
        live = Live(
            console=self._console,
            auto_refresh=False,
            transient=True,
            vertical_overflow="crop",
            redirect_stdout=self._own,
            redirect_stderr=self._own,  # a warning then appears above the drawing, not in it
        )
        live.start()
        return live


def _frame(board: Board, now: float, width: int, height: int, *, stopping: bool) -> RenderableType:
    """The drawing in at most `height` lines: a low terminal loses findings first, then the tail, then the rest."""
    table = stage_table(board, now)
    bottom = _footer(board, now, width, stopping=stopping)
    if height < _AROUND:
        return Group(table, bottom)
    room = height - _AROUND
    tail_height = min(_TAIL, room)
    finding_height = min(_FINDINGS, room - tail_height)
    return Group(
        *_opening(board, width),
        table,
        *_padded(_asking(board, width), _ASKING),
        *_padded(_tail(board, width, tail_height), tail_height),
        *_padded(_findings(board, width, finding_height), finding_height),
        _disturbance(board, width),
        bottom,
    )


def _opening(board: Board, width: int) -> list[Text]:
    texts, run = board.texts, board.run
    if run is None:
        return _padded([], 2)
    kept = ", ".join(texts.stages[stage] for stage in run.kept)
    words = texts.going_on if kept else texts.started
    begins = words.format(sentence=fit(run.sentence, max(20, width // 2)), stages=kept)
    folder = texts.folder.format(run=run.run_id, model=run.model, out=run.out)
    return [Text(fit(begins, width), style="bold"), Text(fit(folder, width), style="dim")]


def _asking(board: Board, width: int) -> list[Text]:
    if board.preparing is not None:
        return [Text(fit(board.texts.preparing.format(model=board.preparing), width), style="cyan")]
    texts = board.texts
    return [
        Text(fit(texts.asking.format(stage=texts.stages[row.stage], about=row.asking), width), style="cyan")
        for row in board.working
        if row.asking
    ][:_ASKING]


def _tail(board: Board, width: int, count: int) -> list[Text]:
    # Of stages that run at once the first one is shown, so that the text does not change sides all the time.
    written = next((row.written for row in board.working if row.written), "")
    return [Text(f"│ {line}", style="dim", no_wrap=True) for line in tail(written, width - 3, count)]


def _findings(board: Board, width: int, count: int) -> list[Text]:
    fixed = _fixed(board, width)[:count]
    count -= len(fixed)
    room = count - 1 if len(board.findings) > count else count
    stage = board.texts.stages[board.judged.stage] if board.judged else ""
    lines = finding_lines(board, room) if room > 0 else []
    return [*fixed, *(Text(fit(f"! {stage}: {line}", width), style="yellow") for line in lines)]


def _fixed(board: Board, width: int) -> list[Text]:
    """One line about what the program repaired last."""
    event, texts = board.fixed, board.texts
    if event is None:
        return []
    said = texts.fixed.format(stage=texts.stages[event.stage], count=len(event.fixes), score=event.score)
    return [Text(fit(f"+ {said} · {'; '.join(fix_lines(board, event.fixes, 3))}", width), style="green")]


def _disturbance(board: Board, width: int) -> Text:
    if board.disturbed is None:
        return Text("")
    return Text(fit(disturbance(board, board.disturbed), width), style="magenta")


def _footer(board: Board, now: float, width: int, *, stopping: bool) -> Text:
    texts = board.texts
    if stopping:
        return Text(fit(texts.stopping, width), style=STYLES["stopped"])
    parts = [clock(now - (board.begun if board.begun is not None else now))]
    parts.append(texts.totals.format(input=f"{board.usage.input:,}", output=f"{board.usage.output:,}"))
    if board.rate is not None:
        parts.append(texts.rate.format(rate=board.rate))
    characters = sum(row.characters for row in board.working)
    if characters:
        parts.append(texts.writing.format(count=f"{characters:,}"))
    return Text(fit(" · ".join(parts), width))


def _padded(lines: list[Text], count: int) -> list[Text]:
    return (lines + [Text("")] * count)[:count]
