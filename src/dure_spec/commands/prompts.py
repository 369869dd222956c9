"""List, show, compare, refresh and export the prompts of the design pipeline."""

import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None, help=__doc__)


@app.command()
def prompts() -> None:
    """List, show, compare, refresh and export the prompts of the design pipeline."""
