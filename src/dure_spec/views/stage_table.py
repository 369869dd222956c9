"""The table of the six stages: name, status, attempts, score, tokens, time."""

from collections.abc import Mapping

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from dure.console.render import clock
from dure_spec.views.board import Board, Row
from dure_spec.views.texts import Status

STYLES: Mapping[Status, str] = {
    "waiting": "dim",
    "working": "bold cyan",
    "kept": "green",
    "pass": "green",
    "forced": "yellow",
    "stopped": "bold red",
}
TABLE_HEIGHT = 8
"""Lines: head, rule and six stages."""


def stage_table(board: Board, now: float) -> Table:
    """The stages as they are now."""
    texts = board.texts
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True, header_style="bold")
    table.add_column(texts.name, no_wrap=True, min_width=12)
    table.add_column(texts.status, no_wrap=True, min_width=9)
    for title in (texts.attempts, texts.score, texts.tokens, texts.time):
        table.add_column(title, no_wrap=True, justify="right", min_width=5)
    for row in board.rows.values():
        table.add_row(*_cells(board, row, now))
    return table


def _cells(board: Board, row: Row, now: float) -> list[Text]:
    style = STYLES[row.status]
    begun = row.begun is not None
    cells = (
        board.texts.stages[row.stage],
        board.texts.statuses[row.status],
        str(row.attempt) if row.attempt else "",
        "" if row.score is None else f"{row.score:.1f}",
        f"{row.usage.output:,}" if begun else "",
        clock(row.elapsed(now)) if begun else "",
    )
    return [Text(cell, style=style if column < 2 else "") for column, cell in enumerate(cells)]
