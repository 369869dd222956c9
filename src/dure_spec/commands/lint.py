"""Check DDL files and designs for what breaks later."""

import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None, help=__doc__)


@app.command()
def lint() -> None:
    """Check DDL files and designs for what breaks later."""
