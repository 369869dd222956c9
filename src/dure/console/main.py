"""The `dure` command: finds the subcommand, runs it, and turns its errors into one line and an exit code."""

import importlib.metadata
import io
import os
import signal
import sys
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol, TextIO, cast, runtime_checkable

from dure.console.commands import EntryPoint, find, installed, load, summarise
from dure.errors import ConfigError, DureError, ModelError, Signal

USAGE = 2
MODEL = 4
FAILED = 1
INTERRUPTED = 128 + signal.SIGINT


@runtime_checkable
class _WrongUse(Protocol):
    """What Typer and click raise for words that a command does not take."""

    exit_code: int

    def format_message(self) -> str: ...


def main(arguments: Sequence[str] | None = None, commands: Mapping[str, EntryPoint] | None = None) -> int:
    """Run one command line and return its exit code.

    0 done, 1 failed, 2 wrong use, 3 stopped at a gate, 4 no usable model, 130 interrupted.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    _make_writable()
    try:
        return _run(words, installed() if commands is None else commands)
    except SystemExit as leaving:
        return _exit_code(leaving)
    except (Signal, KeyboardInterrupt) as stop:
        _show_traceback()
        _complain(str(stop) or "interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _abandon_stdout()
        return FAILED
    except Exception as error:  # the outermost edge: nobody above could say anything better
        _show_traceback()
        _complain(_line(error))
        return exit_code(error)


def exit_code(error: Exception) -> int:
    """What the shell is told about an error."""
    if isinstance(error, ConfigError):
        return USAGE
    return MODEL if isinstance(error, ModelError) else FAILED


def _run(words: list[str], commands: Mapping[str, EntryPoint]) -> int:
    first = words[0] if words else "--help"
    if first in ("--help", "-h", "help"):
        sys.stdout.write(_help(commands))
        sys.stdout.flush()
        return 0 if words else USAGE
    if first in ("--version", "-V"):
        sys.stdout.write(f"dure {importlib.metadata.version('dure')}\n")
        return 0
    if first.startswith("-"):
        raise ConfigError(f"no option {first!r} before the command; dure --help shows how to call it")
    name = f"dure {first}"
    try:
        outcome = load(find(first, commands)).main(args=words[1:], prog_name=name, standalone_mode=False)
    except Exception as error:
        if not isinstance(error, _WrongUse):
            raise
        _complain(_hint(error.format_message(), name))
        return error.exit_code
    return outcome if isinstance(outcome, int) else 0


def _hint(message: str, name: str) -> str:
    # A group without a subcommand answers with its whole help, which is no line.
    return message if "\n" in message else f"{message.rstrip('.')} ({name} --help shows how to call it)"


def _help(commands: Mapping[str, EntryPoint]) -> str:
    lines = [summarise(entry) for entry in commands.values()]
    width = max((len(line.name) for line in lines), default=0)
    listed = "\n".join(f"  {line.name:<{width}}  {line.text}".rstrip() for line in lines) or "  (none installed)"
    return (
        "Usage: dure COMMAND [ARGUMENTS]…\n\n"
        "Agent systems that a team can run, check and extend.\n\n"
        f"Commands:\n{listed}\n\n"
        "Options:\n"
        "  --version  Show the version and leave.\n"
        "  --help     Show this and leave; after a command, show that command's own help.\n\n"
        "Environment:\n"
        "  DURE_MODEL  provider:model for everything, for example local: or openai:gpt-4.1\n"
        "  DURE_LANG   ko or en; without it the language of the sentence\n"
        "  DURE_DEBUG  1 shows the traceback of an error\n"
    )


def _exit_code(leaving: SystemExit) -> int:
    if leaving.code is None:
        return 0
    if isinstance(leaving.code, int):
        return leaving.code
    _complain(str(leaving.code))
    return FAILED


def _line(error: Exception) -> str:
    said = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, DureError):
        return said
    return f"unexpected {type(error).__name__}: {said}; DURE_DEBUG=1 shows where"


def _complain(message: str) -> None:
    line = f"dure: {message}\n"
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(line.encode(encoding, "backslashreplace").decode(encoding))
    sys.stderr.flush()


def _show_traceback() -> None:
    if os.environ.get("DURE_DEBUG", "") not in ("", "0"):
        traceback.print_exc()


def _make_writable() -> None:
    """Whatever a terminal cannot show is escaped, and what nobody can read goes nowhere; neither ends a run."""
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison] - closed by the shell, as in `>&-`
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - lives as long as the process
    if sys.stderr is None:  # pyright: ignore[reportUnnecessaryComparison] - as above
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - as above
    stdout: TextIO = sys.stdout
    if stdout.errors == "strict" and isinstance(stdout, io.TextIOWrapper):
        cast(io.TextIOWrapper, stdout).reconfigure(errors="backslashreplace")


def _abandon_stdout() -> None:
    # The interpreter flushes stdout once more when it leaves, and would complain about the closed pipe again.
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
    os.close(devnull)
