"""A schema as its file says it: the tables, and where in the text each piece of them stands."""

from collections.abc import Mapping
from dataclasses import dataclass

from dure_spec.artifacts.erd import Dialect, Erd


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A piece of the text; `start` and `end` count characters from 0, `line` counts from 1."""

    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntaxFault:
    """A statement that no parser of the dialect takes."""

    line: int
    message: str
    table: str = ""
    """Which table it would have made."""
    cut: bool = False
    """Whether the text ends in the middle of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """A token of the text that names a table, or a column of it; numbers count in `Erd.tables` and their columns."""

    start: int
    end: int
    table: int
    column: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """Where a table has its parts and where more can be added."""

    items: tuple[Span, ...]
    """What stands between the parentheses of its CREATE TABLE: columns, then keys as a rule."""
    after: int
    """Behind the last statement that is about the table."""
    schema: str = ""
    """What its name is qualified with."""
    parents: tuple[int, ...] = ()
    """Tables whose columns it inherits, by number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSchema:
    """What was read of one DDL file.

    `spans` is keyed by JSON pointers into `erd`, as findings have them: `/tables/3` (the statement),
    `/tables/3/name`, `/tables/3/columns/4` (the column's definition), `…/name`, `…/type`, `…/fk`, `…/on_delete`,
    `/tables/3/refs/0`, `/tables/3/uniques/0`, `/tables/3/indexes/0`, `/tables/3/lost_key/0` (the key).
    """

    text: str
    dialect: Dialect
    guessed: bool
    """Whether the dialect was guessed."""
    erd: Erd
    spans: Mapping[str, Span]
    faults: tuple[SyntaxFault, ...] = ()
    namings: tuple[Naming, ...] = ()
    """Where statements about tables name them, in the order of the text."""
    outlines: tuple[Outline, ...] = ()
    """One for each table of `erd`."""

    def line_of(self, path: str) -> int:
        """The line of the smallest known piece around a pointer; 1 where nothing is known."""
        while path:
            span = self.spans.get(path)
            if span is not None:
                return span.line
            path = path.rpartition("/")[0]
        return 1
