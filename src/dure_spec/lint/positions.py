"""Places in a text as people and editors count them: lines and columns from 1."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from dure_spec.lint.source import SourceSchema, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A piece of a text; `end_column` is the column behind its last character."""

    line: int
    column: int = 1
    end_line: int
    end_column: int

    @classmethod
    def of_line(cls, line: int) -> "Region":
        """Somewhere in a line."""
        return cls(line=line, end_line=line, end_column=2)


def line_starts(text: str) -> list[int]:
    """The character with which each line begins."""
    starts = [0]
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts


class SourcePlaces:
    """The places of a schema's parts in its text."""

    def __init__(self, source: SourceSchema) -> None:
        self._source = source
        self._starts = line_starts(source.text)

    def region(self, pointer: str) -> Region:
        """The smallest known piece around a pointer into the schema; of a table its name, of nothing the first line."""
        path = pointer
        while path:
            span = self._source.spans.get(path)
            if span is not None:
                whole = path.count("/") == 2
                return self._region((whole and self._source.spans.get(f"{path}/name")) or span)
            path = path.rpartition("/")[0]
        return Region.of_line(1)

    def _region(self, span: Span) -> Region:
        line, column = _place(self._starts, span.start)
        end_line, end_column = _place(self._starts, span.end)
        return Region(line=line, column=column, end_line=end_line, end_column=max(end_column, 2))


def _place(starts: Sequence[int], at: int) -> tuple[int, int]:
    line = bisect_right(starts, at)
    return line, at - starts[line - 1] + 1
