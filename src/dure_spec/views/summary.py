"""How a run ended, as lines: where the design lies and how good it is, or why there is none and how to go on."""

import shlex
from pathlib import PurePath

from dure.console.render import clock, one_line
from dure_spec.artifacts.findings import Finding
from dure_spec.pipeline.events import RunFinished, RunStopped
from dure_spec.views.board import Board
from dure_spec.views.news import finding_lines

_RESUMABLE = frozenset((4, 130))
_SHOWN = 10
"""Findings at the end; the report has them all."""
_FIRST = ("report.html",)
"""Files that people open first."""


def summary(board: Board, now: float) -> list[str]:
    """The lines of the end; of a run whose end was not told, how to go on with it."""
    match board.ended:
        case RunFinished() as finished:
            return _finished(board, finished)
        case RunStopped() as stopped:
            return _stopped(board, stopped, now)
        case None if board.run is not None:
            return [board.texts.resume.format(command=_command(board.run.run_id))]
        case None:
            return []


def ordered(files: tuple[str, ...]) -> list[str]:
    """The files with those first that people open first, the rest as told."""
    return sorted(files, key=lambda file: PurePath(file).name not in _FIRST)


def resume_command(board: Board) -> str | None:
    """The command that goes on with this stopped run, where one makes sense and the next step does not hold it."""
    stopped = board.ended
    if not isinstance(stopped, RunStopped) or not stopped.run_id or "--resume" in stopped.next_step:
        return None
    if board.run is None:
        return None
    if stopped.exit_code not in _RESUMABLE and not board.stopped:
        return None
    return _command(stopped.run_id)


def _command(run_id: str) -> str:
    return f"dure design --resume {shlex.quote(run_id)}"


def _finished(board: Board, finished: RunFinished) -> list[str]:
    texts = board.texts
    spent = {"input": f"{finished.usage.input:,}", "output": f"{finished.usage.output:,}"}
    lines = [texts.finished.format(out=one_line(finished.out), seconds=clock(finished.seconds), **spent)]
    lines += _listed(texts.files, ordered(finished.files))
    fixed = [f"{texts.stages[row.stage]} {row.fixed}" for row in board.rows.values() if row.fixed]
    if fixed:
        lines.append(texts.fixed_note.format(stages=", ".join(fixed)))
    forced = [
        texts.stages[row.stage] for row in board.rows.values() if row.status == "forced" or row.stage in finished.forced
    ]
    if forced:
        lines.append(texts.forced_note.format(stages=", ".join(forced)))
        lines += [f"  {line}" for line in _places(board, finished.remaining)]
    lines += _listed(f"! {texts.waived_note}", _places(board, finished.waived))
    return lines + _listed(texts.questions, finished.open_questions)


def _stopped(board: Board, stopped: RunStopped, now: float) -> list[str]:
    texts = board.texts
    lines = [texts.halted.format(reason=one_line(stopped.reason))]
    for stage, end in board.stopped.items():
        lines += [f"  {texts.stages[stage]}:"] if len(board.stopped) > 1 else []
        lines += [f"  {line}" for line in finding_lines(board, 5, end.findings)]
    if stopped.ways:
        lines.append(f"{texts.ways}:")
        lines += [f"  {one_line(way.about)}: {one_line(way.command)}" for way in stopped.ways]
    elif stopped.next_step:
        lines.append(texts.next_step.format(step=one_line(stopped.next_step)))
    command = resume_command(board)
    if command:
        lines.append(texts.resume.format(command=command))
    spent = texts.totals.format(input=f"{board.usage.input:,}", output=f"{board.usage.output:,}")
    return [*lines, f"{clock(now - (board.begun if board.begun is not None else now))} · {spent}"]


def _places(board: Board, findings: tuple[Finding, ...]) -> list[str]:
    """Each finding by its stage, its id and its place."""
    texts = board.texts
    lines = [
        one_line(f"{texts.stages[each.stage]} {texts.severities[each.severity]} {each.id} {each.ref}: {each.message}")
        for each in findings[:_SHOWN]
    ]
    beyond = len(findings) - len(lines)
    return [*lines, texts.more.format(count=beyond)] if beyond > 0 else lines


def _listed(title: str, items: list[str] | tuple[str, ...]) -> list[str]:
    return [f"{title}:", *(f"  {one_line(item)}" for item in items)] if items else []
