"""Change the artifact of a stopped design by hand."""

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from dure.errors import ConfigError
from dure_spec.commands.options import ConfigFile, Run
from dure_spec.commands.waive import named

GATE = 3
"""The exit code of a gate that stays shut."""

app = typer.Typer(add_completion=False, rich_markup_mode=None, help=__doc__)


@app.command()
def edit(
    run: Run,
    stage: Annotated[str, typer.Argument(metavar="STAGE", help="ba, planner, dba, backend or frontend.")],
    file: Annotated[
        str | None,
        typer.Option("--file", "-f", metavar="F", help="The edited artifact, - for stdin; without it an editor."),
    ] = None,
    by: Annotated[
        str | None, typer.Option("--by", metavar="NAME", help="Who edits; without it the user of this machine.")
    ] = None,
    config: ConfigFile = None,
) -> None:
    """Change the artifact of a stopped stage by hand: in $VISUAL or $EDITOR, from a file, or from stdin.

    The gate judges it at once: from 8.0 on it is accepted and marked as edited, below it is kept with its findings.

    Exit codes: 0 accepted, 2 wrong use or no artifact, 3 the gate is still shut.
    """
    if not _accepted(run, stage, file, named(by), config):
        raise typer.Exit(GATE)


def _accepted(run: str, stage: str, file: str | None, by: str, config: Path | None) -> bool:
    """Take the edited artifact in; whether the gate opened."""
    from dure_spec.config import design_config
    from dure_spec.pipeline.decisions import FormFault, WaitingRun
    from dure_spec.pipeline.stopped_files import artifact_file
    from dure_spec.views.decisions import edit_lines

    waiting = WaitingRun.open(run, config=design_config(config))
    try:
        record = waiting.stopped(stage)
        text = _edited(artifact_file(waiting.journal.out, record.stage), file)
        decided = waiting.edit(record, text, by=by)
        for line in edit_lines(waiting.journal.header, decided):
            typer.echo(line)
    except FormFault as fault:
        for line in fault.faults:
            typer.echo(line, err=True)
        raise
    finally:
        waiting.close()
    return decided.record.verdict != "failed"


def _edited(path: Path, file: str | None) -> str:
    """The text that a person made of the artifact at `path`.

    Raises:
        ConfigError: it cannot be read, or no editor is known.
    """
    try:
        if file == "-" or (file is None and not (sys.stdin and sys.stdin.isatty())):
            return sys.stdin.buffer.read().decode("utf-8") if sys.stdin else ""
        if file is None:
            _open_editor(path)
        return (path if file is None else Path(file)).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(f"the artifact is not written in UTF-8: {error.reason} at byte {error.start}") from error
    except OSError as error:
        raise ConfigError(f"cannot read {error.filename or file}: {error.strerror or error}") from error


def _open_editor(path: Path) -> None:
    """Let the person write until the editor is closed.

    Raises:
        ConfigError: there is no editor, or it failed.
    """
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        raise ConfigError(f"no editor is known: set EDITOR, or change {path} and give it with --file {path}")
    try:
        done = subprocess.run([*shlex.split(editor), str(path)], check=False)  # as long as the person writes
    except (OSError, ValueError) as error:
        raise ConfigError(f"the editor {editor!r} does not start: {error}") from error
    if done.returncode:
        raise ConfigError(f"the editor {editor!r} ended with {done.returncode}; nothing was taken")
