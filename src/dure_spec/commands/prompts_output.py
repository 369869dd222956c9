"""What the prompts commands print: tables and diffs for people, JSON for programs."""

import difflib
import sys
from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dure.console.render import one_line, printable
from dure.console.wide import wide_console
from dure.prompts import PromptFault
from dure_spec.artifacts.shared import Part
from dure_spec.commands.prompts_reading import Pair
from dure_spec.service.answers import HistoryAnswer, PromptsAnswer, RefreshOutcome

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def print_json(answer: Part) -> None:
    """Print an answer for programs."""
    sys.stdout.write(answer.model_dump_json(indent=2) + "\n")


def print_list(answer: PromptsAnswer) -> None:
    """Print which prompts are in use."""
    table = _table("stage", "language", "version", "from", "")
    for row in answer.prompts:
        mark = Text("changed", style="yellow") if row.changed else Text("")
        table.add_row(row.stage, row.lang, row.version, Text(one_line(row.source)), mark)
    wide_console().print(table)


def print_history(answer: HistoryAnswer) -> None:
    """Print the versions of a prompt."""
    console = wide_console()
    console.print(Text(f"{answer.prompt} in {one_line(answer.source)}"))
    table = _table("version", "since", "")
    for row in answer.versions:
        marks = [word for word, true in (("current", row.current), ("packaged", row.packaged)) if true]
        table.add_row(row.version, row.added_at or "-", ", ".join(marks))
    console.print(table)


def print_refresh(answer: RefreshOutcome) -> None:
    """Print what a refresh changed, or what is wrong."""
    source = one_line(answer.source)
    if answer.good:
        lines = [f"{change.prompt}: {change.old} → {change.new}" for change in answer.changes]
        lines = lines or [f"nothing changed in {source}"]
    elif answer.faults:
        faults = [str(PromptFault(**dict(fault))) for fault in answer.faults]
        count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        lines = [*faults, f"{count} in {source}: the prompts in use stay"]
    else:
        lines = [f"{answer.reason}: the prompts in use stay"]
    for line in (*lines, *(f"note: {note}" for note in answer.notes)):
        sys.stdout.write(f"{one_line(line)}\n")


def print_text(text: str) -> None:
    """Print a prompt as it stands, without what would steer a terminal."""
    sys.stdout.write(printable(text) if sys.stdout.isatty() else text)
    sys.stdout.write("" if text.endswith("\n") else "\n")


def print_diff(pairs: Iterable[Pair]) -> None:
    """Print unified diffs, coloured on a terminal."""
    console = Console(soft_wrap=True, highlight=False)
    same = True
    for pair in pairs:
        for line in _diff(pair):
            same = False
            style = "bold" if line.startswith(("---", "+++")) else _COLOURS.get(line[:1], "")
            console.print(Text(printable(line), style=style))
    if same:
        console.print("no difference")


def _diff(pair: Pair) -> Iterable[str]:
    return difflib.unified_diff(
        pair.older.splitlines(),
        pair.newer.splitlines(),
        fromfile=f"{pair.key} ({one_line(pair.older_name)})",
        tofile=f"{pair.key} ({one_line(pair.newer_name)})",
        lineterm="",
    )


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table
