"""The commands of `dure`: entry points of the group `dure.commands`, imported only when they run.

A command is a Typer app or a click command. Its line in `dure --help` is the first sentence of its module's
docstring, read from the source, so that showing the help imports no command.
"""

import ast
import difflib
import importlib.metadata
import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

from dure.errors import ConfigError, DureError

GROUP = "dure.commands"


class Command(Protocol):
    """What Typer and click commands have in common."""

    def main(
        self, args: Sequence[str] | None = None, prog_name: str | None = None, *, standalone_mode: bool = True
    ) -> object:
        """Run with these arguments; not standalone, return the exit code and let errors out."""
        ...


class EntryPoint(Protocol):
    """The part of an installed entry point that is needed here."""

    @property
    def name(self) -> str:
        """What the user types."""
        ...

    @property
    def value(self) -> str:
        """`package.module:attribute`."""
        ...

    def load(self) -> object:
        """Import the module and return the attribute."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One line of the help."""

    name: str
    text: str
    available: bool = True


def installed() -> dict[str, EntryPoint]:
    """The commands by name, in alphabetical order; of two with one name the first found stays."""
    found: dict[str, EntryPoint] = {}
    for entry in importlib.metadata.entry_points(group=GROUP):
        found.setdefault(entry.name, entry)
    return dict(sorted(found.items()))


def summarise(entry: EntryPoint) -> Summary:
    """The help line of a command, without importing it; a broken one is shown as unavailable."""
    module = entry.value.partition(":")[0].strip()
    try:
        text = _first_sentence(module)
    except Exception as error:  # anybody's code may be broken in any way; the help must not be
        return Summary(name=entry.name, text=f"(unavailable: {_reason(error)})", available=False)
    return Summary(name=entry.name, text=text)


def find(name: str, commands: Mapping[str, EntryPoint]) -> EntryPoint:
    """The command of this name.

    Raises:
        ConfigError: there is none; the message names the nearest.
    """
    if name in commands:
        return commands[name]
    near = difflib.get_close_matches(name, commands, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(commands) or 'none'}"
    raise ConfigError(f"no command {name!r}; {hint} (dure --help lists them)")


def load(entry: EntryPoint) -> Command:
    """Import a command.

    Raises:
        DureError: its module does not import, or holds no command.
    """
    try:
        command: object = entry.load()
    except Exception as error:
        hint = "install what it needs" if isinstance(error, ImportError) else "report this to whoever made it"
        raise DureError(f"command {entry.name!r} is unavailable: {_reason(error)}; {hint}") from error
    if hasattr(command, "main"):
        return cast(Command, command)
    import typer  # costs a tenth of a second, and `dure --help` has no use for it

    if not isinstance(command, typer.Typer):
        raise DureError(f"command {entry.name!r} is unavailable: {entry.value} is neither a Typer app nor a command")
    return cast(Command, typer.main.get_command(command))


def _first_sentence(module: str) -> str:
    spec = importlib.util.find_spec(module)
    if spec is None:
        raise ModuleNotFoundError(f"no module {module!r}")
    if spec.origin is None or not spec.origin.endswith(".py"):
        return ""
    docstring = ast.get_docstring(ast.parse(Path(spec.origin).read_bytes())) or ""
    paragraph = " ".join(docstring.partition("\n\n")[0].split())
    return paragraph.partition(". ")[0].rstrip(".")


def _reason(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
