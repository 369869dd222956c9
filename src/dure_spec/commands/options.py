"""Options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", help="Configuration; without it the nearest dure.toml.", show_default=False),
]
Json = Annotated[bool, typer.Option("--json", help="JSON for programs.")]
Language = Annotated[
    str | None, typer.Option("--lang", metavar="ko|en", help="Language of the design; without it the sentence's.")
]
Minutes = Annotated[
    float | None,
    typer.Option("--timeout", "--deadline", metavar="MINUTES", help="Stop after so long, as Ctrl-C does."),
]
Model = Annotated[
    str | None, typer.Option("--model", "-m", metavar="SPEC", help="provider:model; without it DURE_MODEL decides.")
]
Models = Annotated[
    list[str] | None,
    typer.Option("--model", "-m", metavar="SPEC", help="provider:model; again for each.", show_default=False),
]
Run = Annotated[str, typer.Argument(metavar="RUN", help="Id of the run, or its folder.")]
PromptSources = Annotated[
    list[str] | None,
    typer.Option(
        "--prompts",
        metavar="SOURCE",
        help="Folder or address of prompts, or packaged; again for each.",
        show_default=False,
    ),
]
