"""Run the same sentences over models and prompt versions, side by side."""

import asyncio
import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from dure.errors import ConfigError
from dure_spec.commands.options import ConfigFile, Json, Models, PromptSources

app = typer.Typer(add_completion=False, rich_markup_mode=None, help=__doc__)


@app.command()
def compare(
    sentences: Annotated[
        list[str] | None, typer.Argument(metavar="SENTENCE…", help="What to design, each quoted.", show_default=False)
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--sentences", help="File of sentences: one a line, or JSON lines.", show_default=False),
    ] = None,
    models: Models = None,
    prompts: PromptSources = None,
    repeat: Annotated[int, typer.Option(help="Runs of each sentence with each variant.")] = 1,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Runs at the same time.")] = 1,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder; the same one again goes on.")] = Path("comparison"),
    config: ConfigFile = None,
    as_json: Json = False,
) -> None:
    """Run the same sentences over models and prompt versions, and show gate rate, score, retries, tokens and cost.

    What ended is kept: Ctrl-C, then the same command, goes on. OUT/comparison.html shows it all.

    Exit codes: 0 all runs came to their report, 1 some did not, 2 wrong use, 130 interrupted.
    """
    asked = tuple(sentences or ())
    if jobs < 1:
        raise ConfigError(f"--jobs is {jobs}; give 1 or more")
    finished = _compared(
        asked, file, models or (), prompts or (), repeat=repeat, jobs=jobs, out=out, config=config, as_json=as_json
    )
    raise typer.Exit(0 if finished else 1)


def _compared(
    sentences: Sequence[str],
    file: Path | None,
    models: Sequence[str],
    prompts: Sequence[str],
    *,
    repeat: int,
    jobs: int,
    out: Path,
    config: Path | None,
    as_json: bool,
) -> bool:
    """Run and show it; whether every run came to its report."""
    from dure.console.wide import wide_console
    from dure_spec.compare import PAGE, Comparison, figures_of, plan, sentences_in, settled
    from dure_spec.compare.progress import Progress
    from dure_spec.compare.table import plain, show
    from dure_spec.config import design_config

    settings = design_config(config)
    cells = plan([*sentences, *(sentences_in(file) if file else ())], models, prompts, repeat)
    comparison = Comparison(out, asyncio.run(settled(cells, settings)), settings)
    kept = len(cells) - len(comparison.open_cells())
    progress = Progress(sys.stderr, total=len(cells), kept=kept, outdated=comparison.outdated())
    try:
        results = asyncio.run(comparison.run(progress.told, jobs=jobs))
    except BaseException:
        with suppress(ConfigError):  # what ended it is what the user has to know
            comparison.write_page()
        raise
    comparison.write_page()
    if as_json:
        figures = [plain(each) for each in figures_of(results)]
        sys.stdout.write(json.dumps(figures, ensure_ascii=False, indent=1) + "\n")
    else:
        show(wide_console(), results, out / PAGE)
    return all(result.finished for result in results)
