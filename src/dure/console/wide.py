"""A console for tables that people see on a terminal and programs read from a pipe."""

from rich.console import Console

_NOBODY_LOOKS = 10_000
"""Columns."""


def wide_console() -> Console:
    """A console that wraps nothing where nobody looks, in a pipe or a file: a line there is a line."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=_NOBODY_LOOKS)
