"""The short lines about what just went wrong: findings, and calls that are made again."""

from collections.abc import Sequence

from dure.console.render import one_line
from dure_spec.artifacts.findings import Finding, Fix
from dure_spec.pipeline.events import Disturbed
from dure_spec.views.board import Board


def finding_lines(board: Board, count: int, findings: Sequence[Finding] | None = None) -> list[str]:
    """The first of these findings, else of the last judgement, a short line each, and how many there are beyond."""
    texts, shown = board.texts, board.findings if findings is None else findings
    lines = [
        one_line(f"{texts.severities[finding.severity]} {finding.ref}: {finding.message}") for finding in shown[:count]
    ]
    beyond = len(shown) - len(lines)
    return [*lines, texts.more.format(count=beyond)] if beyond > 0 and lines else lines


def fix_lines(board: Board, fixes: tuple[Fix, ...], count: int) -> list[str]:
    """What the program repaired, one short line each, and how many there are beyond."""
    lines = [one_line(f"{fix.validator} {fix.ref}: {fix.done}") for fix in fixes[:count]]
    beyond = len(fixes) - len(lines)
    return [*lines, board.texts.more.format(count=beyond)] if beyond > 0 else lines


def disturbance(board: Board, event: Disturbed) -> str:
    """Why a model call is made again, and when."""
    texts = board.texts
    words = texts.again_in if event.delay >= 1 else texts.again
    return words.format(stage=texts.stages[event.stage], delay=event.delay, reason=one_line(event.reason))
