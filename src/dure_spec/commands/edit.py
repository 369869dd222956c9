"""Change the artifact of a stopped design by hand."""

import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None, help=__doc__)


@app.command()
def edit() -> None:
    """Change the artifact of a stopped design by hand."""
