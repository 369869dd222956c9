"""Run the same sentences over models and prompt versions, side by side."""

import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None, help=__doc__)


@app.command()
def compare() -> None:
    """Run the same sentences over models and prompt versions, side by side."""
