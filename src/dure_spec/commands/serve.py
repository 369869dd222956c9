"""Serve the design pipeline over HTTP."""

import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None, help=__doc__)


@app.command()
def serve() -> None:
    """Serve the design pipeline over HTTP."""
