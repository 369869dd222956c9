"""Show which models are usable here, and fetch the embedded one."""

import asyncio
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn
from rich.table import Table
from rich.text import Text

from dure.console.models_texts import texts
from dure.console.render import one_line
from dure.console.wide import wide_console
from dure.models.registry import VARIABLE, SurveyRow, survey
from dure.models.weights_sources import PullProgress

_NO_MODEL = 4
_INTERRUPTED = 130
_PLAIN_STEPS = 10

app = typer.Typer(add_completion=False, help=__doc__)


@app.callback(invoke_without_command=True)
def models(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """List every provider: usable here or not, why, and which one would be used."""
    if context.invoked_subcommand is not None:
        return
    rows = survey()
    if as_json:
        sys.stdout.write(as_json_text(rows) + "\n")
    else:
        _show(rows, wide_console())
    if not any(row.chosen and row.check.state in ("ready", "needs_path") for row in rows):
        raise typer.Exit(_NO_MODEL)


@app.command()
def pull(
    source: Annotated[
        Path | None, typer.Option("--from", help="A file you have; it is checked and used where it is.")
    ] = None,
) -> None:
    """Fetch the embedded model's weights (1.1 GB), or go on with an interrupted fetch."""
    from dure.models.weights_pull import adopt  # the fetching side loads an HTTP client
    from dure.models.weights_pull import pull as fetch

    words = texts()
    console = Console()
    if source is not None:
        path = adopt(source)
    else:
        bar, told = _bar(console, words) if console.is_terminal else (nullcontext(), plain_lines(console, words))
        try:
            with bar:
                path = asyncio.run(fetch(told))
        except KeyboardInterrupt:
            console.print(words["interrupted"], markup=False, highlight=False)
            raise typer.Exit(_INTERRUPTED) from None
    console.print(words["pulled"].format(path=path), markup=False, highlight=False, soft_wrap=True)


def as_json_text(rows: Sequence[SurveyRow]) -> str:
    """The survey for programs."""
    chosen = next((row for row in rows if row.chosen), None)
    value = {
        "chosen": None if chosen is None else f"{chosen.provider}:{chosen.check.model}",
        "providers": [
            {
                "provider": row.provider,
                "usable": row.check.state == "ready",
                "state": row.check.state,
                "model": row.check.model,
                "detail": row.check.detail,
                "chosen": row.chosen,
            }
            for row in rows
        ],
    }
    return msgspec.json.format(msgspec.json.encode(value)).decode()


def plain_lines(console: Console, words: Mapping[str, str]) -> Callable[[PullProgress], None]:
    """A listener that prints a line for each tenth, for logs and pipes."""
    told: list[tuple[str, str, int]] = []

    def tell(progress: PullProgress) -> None:
        step = (progress.source, progress.phase, progress.done * _PLAIN_STEPS // progress.total)
        if told and told[-1] == step:
            return
        told[:] = [step]
        what = words[progress.phase].format(source=progress.source)
        console.print(
            f"{what}: {progress.done / 1e6:,.0f} / {progress.total / 1e6:,.0f} MB", markup=False, highlight=False
        )

    return tell


def _bar(
    console: Console, words: Mapping[str, str]
) -> tuple[AbstractContextManager[object], Callable[[PullProgress], None]]:
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    bar = Progress(*columns, TimeRemainingColumn(), console=console)
    task = bar.add_task("", total=None)

    def tell(progress: PullProgress) -> None:
        description = words[progress.phase].format(source=progress.source)
        bar.update(task, description=description, completed=progress.done, total=progress.total)

    return bar, tell


def _show(rows: Sequence[SurveyRow], console: Console) -> None:
    words = texts()
    table = Table(title=words["title"], title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("", words["model"], words["usable"], words["reason"]):
        table.add_column(heading, overflow="fold")
    for row in rows:
        ready = row.check.state == "ready"
        reason = words[row.check.state].format(detail=one_line(row.check.detail))
        table.add_row(
            "*" if row.chosen else "",
            Text(one_line(f"{row.provider}:{row.check.model}")),
            Text(words["yes"] if ready else words["no"], style="green" if ready else "yellow"),
            Text(reason),
        )
    console.print(table)
    console.print(_verdict(rows, words), markup=False, highlight=False)


def _verdict(rows: Sequence[SurveyRow], words: Mapping[str, str]) -> str:
    chosen = next((row for row in rows if row.chosen), None)
    if chosen is None:
        return words["none"]
    usable = chosen.check.state in ("ready", "needs_path")
    model = os.environ.get(VARIABLE) or f"{chosen.provider}:{chosen.check.model}"
    return words["chosen" if usable else "unusable"].format(model=one_line(model))
