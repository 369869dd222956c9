"""Where a new line of a table goes and how far it is indented."""

from collections.abc import Sequence
from dataclasses import dataclass

from dure_spec.artifacts.erd import Dialect
from dure_spec.lint.reading.tokens import tokens_of
from dure_spec.lint.rewriting.edits import Edits
from dure_spec.lint.source import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The items of one table, as lines of the text."""

    text: str
    dialect: Dialect
    items: tuple[Span, ...]

    @property
    def newline(self) -> str:
        """How lines of the file end."""
        return "\r\n" if "\r\n" in self.text else "\n"

    @property
    def prefix(self) -> str | None:
        """What stands before an item on its line: blanks, or blanks and a comma; `None` where items share lines."""
        found = [prefix for item in self.items if (prefix := self._before(item)).strip() in ("", ",")]
        commas = [prefix for prefix in found if prefix.strip()]
        return next(iter(commas or found), None)

    def _before(self, item: Span) -> str:
        return self.text[self.text.rfind("\n", 0, item.start) + 1 : item.start]

    def add(self, lines: Sequence[str], *, behind: int | None, edits: Edits) -> None:
        """Put items behind the one with a number, before all where it is `None`."""
        if not lines:
            return
        prefix = self.prefix
        if behind is None:
            joint = ", " if prefix is None else self.newline + prefix if "," in prefix else f",{self.newline}{prefix}"
            edits.insert(self.items[0].start, "".join(f"{line}{joint}" for line in lines))
            return
        item = self.items[behind]
        rest = self._rest(item)
        if prefix is None or rest is None:
            edits.insert(item.end, "".join(f", {line}" for line in lines))
            return
        comma, line_end = rest
        if "," in prefix:
            edits.insert(line_end, "".join(f"{self.newline}{prefix}{line}" for line in lines))
        elif comma:
            edits.insert(line_end, "".join(f"{self.newline}{prefix}{line}," for line in lines))
        else:
            edits.insert(item.end, ",")
            edits.insert(line_end, f",{self.newline}{prefix}".join(["", *lines])[1:])

    def _rest(self, item: Span) -> tuple[bool, int] | None:
        """Whether a comma follows on the item's line, and where that line ends; `None` where more follows."""
        end = self.text.find("\n", item.end)
        end = len(self.text) if end < 0 else end
        end -= self.text[item.end : end].endswith("\r")
        words = [token.word for token in tokens_of(self.text, item.end, end, self.dialect)]
        return (words == [","], end) if words in ([], [","]) else None
