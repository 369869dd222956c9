"""Let a finding of a stopped design stay, with a name and a reason."""

import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None, help=__doc__)


@app.command()
def waive() -> None:
    """Let a finding of a stopped design stay, with a name and a reason."""
