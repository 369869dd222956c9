"""List, show, compare, refresh and export the prompts of the design pipeline."""

import asyncio
import sys
from typing import Annotated

import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None, help=__doc__)

# What is printed, read and written is made in modules of their own, imported when a command runs.
_FAILED = 1

Source = Annotated[
    str | None,
    typer.Option(
        "--source",
        metavar="WHERE",
        help="A folder, redis://…, postgresql://… or packaged; without it DURE_PROMPTS or dure.toml decides.",
    ),
]
Lang = Annotated[str | None, typer.Option("--lang", metavar="ko|en", help="One language only.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="A stage, such as ba, or ko/ba.")]


@app.command("list")
def list_prompts(source: Source = None, lang: Lang = None, as_json: Json = False) -> None:
    """Which prompts are in use: stage, language, version, where each comes from, whether it is changed."""
    from dure_spec.commands.prompts_output import print_json, print_list
    from dure_spec.commands.prompts_reading import check_lang, loaded
    from dure_spec.service.answers import prompts_answer

    check_lang(lang)
    answer = prompts_answer(asyncio.run(loaded(source)))
    if lang is not None:
        answer = answer.model_copy(update={"prompts": tuple(row for row in answer.prompts if row.lang == lang)})
    (print_json if as_json else print_list)(answer)


@app.command()
def show(
    name: Name,
    source: Source = None,
    lang: Lang = None,
    version: Annotated[
        str | None, typer.Option("--version", metavar="ID", help="An older version that the source keeps.")
    ] = None,
) -> None:
    """The text of a prompt."""
    from dure_spec.commands.prompts_output import print_text
    from dure_spec.commands.prompts_reading import text_of

    print_text(asyncio.run(text_of(name, lang, source, version)))


@app.command()
def diff(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="A stage; without it all of them.")] = None,
    source: Source = None,
    lang: Lang = None,
    older: Annotated[str | None, typer.Option("--from", metavar="ID", help="Instead of the packaged one.")] = None,
    newer: Annotated[str | None, typer.Option("--to", metavar="ID", help="Instead of the one in use.")] = None,
) -> None:
    """What the prompts in use change against the packaged ones, or one version against another."""
    from dure_spec.commands.prompts_output import print_diff
    from dure_spec.commands.prompts_reading import pairs

    print_diff(asyncio.run(pairs(name, lang, source, older, newer)))


@app.command()
def history(name: Name, source: Source = None, lang: Lang = None, as_json: Json = False) -> None:
    """The versions of a prompt that its source keeps, the newest first."""
    from dure_spec.commands.prompts_output import print_history, print_json
    from dure_spec.commands.prompts_reading import history_of

    answer = asyncio.run(history_of(name, lang, source))
    (print_json if as_json else print_history)(answer)


@app.command()
def refresh(
    source: Source = None,
    url: Annotated[
        str | None,
        typer.Option("--url", metavar="URL", help="Ask a running service; its token is in DURE_ADMIN_TOKEN."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Read and check the prompts of the source now: old and new versions, or what is wrong (exit code 1)."""
    from dure.errors import ConfigError
    from dure_spec.commands.prompts_output import print_json, print_refresh
    from dure_spec.commands.prompts_reading import refreshed

    if url is None:
        answer = asyncio.run(refreshed(source))
    elif source is None:
        from dure_spec.commands.remote_refresh import ask_service

        answer = asyncio.run(ask_service(url))
    else:
        raise ConfigError("--url asks a service, which has a source of its own: leave out --source")
    (print_json if as_json else print_refresh)(answer)
    if not answer.good:
        raise typer.Exit(_FAILED)


@app.command()
def export(
    destination: Annotated[str, typer.Argument(metavar="DEST", help="A folder, redis://… or postgresql://….")],
    source: Source = None,
    force: Annotated[
        bool, typer.Option("--force", help="Also in the place of edited files, or back to an older version.")
    ] = False,
) -> None:
    """Write the prompts in use to a folder, or make them the current version in Redis or PostgreSQL."""
    from dure_spec.commands.prompts_export import exported

    for line in asyncio.run(exported(destination, source, force=force)):
        sys.stdout.write(f"{line}\n")
