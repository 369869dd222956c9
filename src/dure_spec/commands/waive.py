"""Let findings of a stopped design stay, with a name and a reason."""

import getpass
from typing import Annotated

import typer

from dure.console.render import one_line
from dure.errors import ConfigError
from dure_spec.commands.options import ConfigFile, Run

app = typer.Typer(add_completion=False, rich_markup_mode=None, help=__doc__)


@app.command()
def waive(
    run: Run,
    findings: Annotated[
        list[str], typer.Argument(metavar="FINDING…", help="Ids such as V07-1; dba:V07-1 where two stages wait.")
    ],
    reason: Annotated[str, typer.Option("--reason", help="Why they may stay.")],
    by: Annotated[
        str | None, typer.Option("--by", metavar="NAME", help="Who says so; without it the user of this machine.")
    ] = None,
    config: ConfigFile = None,
) -> None:
    """Let findings of a stopped design stay, with a name and a reason; the report lists them.

    The run goes on from there with `dure design --resume RUN`.

    Exit codes: 0 the gate opens, 2 wrong use, 3 the gate is still shut.
    """
    from dure_spec.config import design_config
    from dure_spec.pipeline.decisions import WaitingRun
    from dure_spec.pipeline.stops import GATE
    from dure_spec.views.decisions import waive_lines

    waiting = WaitingRun.open(run, config=design_config(config))
    try:
        decided = waiting.waive(tuple(findings), reason=reason, by=named(by))
        for each in decided:
            for line in waive_lines(waiting.journal.header, each):
                typer.echo(line)
    finally:
        waiting.close()
    if any(each.record.verdict == "failed" for each in decided):
        raise typer.Exit(GATE)


def named(by: str | None) -> str:
    """Who decides.

    Raises:
        ConfigError: the name is empty, or this machine knows none.
    """
    try:
        name = one_line(getpass.getuser() if by is None else by)
    except (KeyError, OSError):  # OSError from Python 3.13 on
        name = ""
    if not name:
        raise ConfigError("a decision needs a name: give --by NAME")
    return name
