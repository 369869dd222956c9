"""Turn one sentence into a checked software design.

The command line of `dure design`: options in, the pipeline run under a view and the signals, an exit code out.
The pipeline and the views are imported when a run begins, so that help stays quick.
"""

import asyncio
import os
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from dure.errors import ConfigError
from dure_spec.commands.options import ConfigFile, Language, Minutes, Model

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def design(
    sentence: Annotated[
        str | None,
        typer.Argument(metavar="SENTENCE", help="What to design: one quoted sentence, Korean or English."),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the design.", show_default=False)] = None,
    resume: Annotated[
        str | None, typer.Option("--resume", metavar="RUN", help="Go on after the last accepted stage of this run.")
    ] = None,
    model: Model = None,
    lang: Language = None,
    config: ConfigFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line for every event.")] = False,
    as_plain: Annotated[bool, typer.Option("--plain", help="Plain lines, also on a terminal.")] = False,
    minutes: Minutes = None,
) -> None:
    """Turn one sentence into a checked software design.

    Exit codes: 0 done, 2 wrong use, 3 stopped at a gate or refused, 4 no usable model, 130 interrupted.
    """
    language = _language(lang, resuming=resume is not None)
    _check_minutes(minutes)
    from dure_spec.config import design_config
    from dure_spec.pipeline.design import Design, DesignOptions
    from dure_spec.running import run_watched
    from dure_spec.views import choose_mode, open_view

    mode = choose_mode(sys.stdout, as_json=as_json, as_plain=as_plain)
    settings = design_config(config)
    options = DesignOptions(sentence=sentence, out=out, resume=resume, model=model, lang=language, config=settings)
    view = open_view(mode, sys.stdout, language=language, sentence=sentence)
    pipeline = Design(options, view.show)
    raise typer.Exit(asyncio.run(run_watched(pipeline.run, view, minutes=minutes)))


def _language(option: str | None, *, resuming: bool) -> Literal["ko", "en"] | None:
    """The language asked for by option or environment; a run that goes on has its own.

    Raises:
        ConfigError: it is none of ours, or a run that goes on shall have another.
    """
    if resuming:
        if option is not None:
            raise ConfigError("--resume goes on in the language that the run was begun in: leave out --lang")
        return None
    value = option if option is not None else os.environ.get("DURE_LANG") or None
    if value is None or value == "ko" or value == "en":
        return value
    source = "--lang" if option is not None else "DURE_LANG"
    raise ConfigError(f"{source} is {value!r}; give ko or en")


def _check_minutes(minutes: float | None) -> None:
    if minutes is not None and not 0 < minutes < float("inf"):
        raise ConfigError(f"--timeout is {minutes}; give minutes above 0")
