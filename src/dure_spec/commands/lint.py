"""Check DDL files and designs for what breaks later.

The command line of `dure lint`: options in, an exit code out.
What judges is imported when it is needed, so that help stays quick.
"""

from pathlib import Path
from typing import Annotated

import typer

from dure_spec.commands.options import ConfigFile

app = typer.Typer(add_completion=False, rich_markup_mode=None)

_Files = Annotated[
    list[str], typer.Argument(metavar="FILE…", help="DDL, JSON of a design, or a design's folder; - is standard input.")
]
_Dialect = Annotated[
    str | None,
    typer.Option("--dialect", metavar="postgresql|mysql|sqlite|oracle", help="Without it each file's is guessed."),
]
_Form = Annotated[str, typer.Option("--format", metavar="text|json|sarif", help="Form of the report.")]
_Fix = Annotated[bool, typer.Option("--fix", help="Repair what can be, write the file, and tell what is left.")]
_Out = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Where --fix writes.", show_default=False)]
_FailOn = Annotated[
    str | None,
    typer.Option("--fail-on", metavar="minor|major|critical", help="Least severity that fails; major without it."),
]
_Server = Annotated[
    str | None,
    typer.Option("--postgresql", metavar="URL", help="Server to try PostgreSQL schemas on; DURE_POSTGRESQL too."),
]


@app.command()
def lint(
    files: _Files,
    dialect: _Dialect = None,
    form: _Form = "text",
    fix: _Fix = False,
    out: _Out = None,
    fail_on: _FailOn = None,
    postgresql: _Server = None,
    config: ConfigFile = None,
) -> None:
    """Check DDL files and designs for what breaks later.

    Each DDL file is a schema of its own; several artifacts, or a folder of them, are one design.

    [lint] in dure.toml: dialect, fail_on, ignore = ["V11", "V04:legacy_*"], names.{style, table_number,
    forbidden_prefixes, audit}.

    Exit codes: 0 nothing of --fail-on or worse, 1 something minor or major, 2 wrong use or a file that cannot be
    read, 3 something critical.
    """
    from dure_spec.lint.config import lint_options
    from dure_spec.lint.session import run_lint

    options = lint_options(config, dialect=dialect, fail_on=fail_on, postgresql=postgresql)
    raise typer.Exit(run_lint(files, options, form=form, fix=fix, out=out))
