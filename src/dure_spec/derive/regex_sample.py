"""A text that a regular expression finds: enough of the language for phone numbers, codes and addresses."""

import re
from collections.abc import Iterator

from dure.schema.linear_pattern import compiled

_LONGEST = 200
_QUANTITY = re.compile(r"\*|\+|\?|\{(\d+)(,(\d*))?\}")
_CLASSES = {
    "d": "0123456789",
    "w": "abcdefghijklmnopqrstuvwxyz",
    "s": " ",
    "digit": "0123456789",
    "alpha": "abcdefghijklmnopqrstuvwxyz",
    "alnum": "abcdefghijklmnopqrstuvwxyz0123456789",
    "upper": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "lower": "abcdefghijklmnopqrstuvwxyz",
    "space": " ",
    "xdigit": "0123456789abcdef",
}
_ANY = "abcdefghijklmnopqrstuvwxyz"


class _Unknown(Exception):
    """A piece of the pattern that we do not read."""


def matching_text(pattern: str, row: int) -> str | None:
    """A text for the pattern; rows differ where the pattern has room. `None` where it cannot be read."""
    if len(pattern) > _LONGEST:
        return None
    try:
        reader = _Reader(pattern, row)
        text = reader.alternatives()
        if reader.at < len(pattern):
            return None
        matcher = compiled(pattern)
        return text if matcher is not None and matcher.isinstance_python(text) else None
    except (_Unknown, IndexError, RecursionError):
        return None


class _Reader:
    """Writes the text while it reads the pattern."""

    def __init__(self, pattern: str, row: int) -> None:
        self._pattern = pattern
        self._row = row
        self._pick = row
        self.at = 0

    def alternatives(self) -> str:
        """The first alternative, the others read over."""
        first = self._sequence()
        while self._next("|"):
            self._sequence()
        return first

    def _sequence(self) -> str:
        made = ""
        while self.at < len(self._pattern) and self._pattern[self.at] not in "|)":
            if self._pattern[self.at] in "^$":
                self.at += 1
                continue
            begin, made_before = self.at, made
            piece = self._piece()
            least = self._least()
            made = made_before + piece
            end = self.at
            for _ in range(least - 1):
                self.at = begin
                made += self._piece()
                self.at = end
            if least == 0:
                made = made_before
            if len(made) > _LONGEST:
                raise _Unknown
        return made

    def _least(self) -> int:
        match = _QUANTITY.match(self._pattern, self.at)
        if match is None:
            return 1
        self.at = match.end()
        self._next("?")
        if match[1] is not None:
            return int(match[1])
        return {"*": 0, "?": 0}.get(match[0], 1)

    def _piece(self) -> str:
        char = self._pattern[self.at]
        self.at += 1
        match char:
            case "(":
                if self._next("?") and not self._next(":"):
                    raise _Unknown
                made = self.alternatives()
                if not self._next(")"):
                    raise _Unknown
                return made
            case "[":
                return self._one_of(self._members())
            case ".":
                return self._one_of(_ANY)
            case "\\":
                return self._escaped()
            case "*" | "+" | "?":
                raise _Unknown
            case _:
                return char

    def _escaped(self) -> str:
        char = self._pattern[self.at]
        self.at += 1
        if char in _CLASSES:
            return self._one_of(_CLASSES[char])
        if char.isalnum():
            raise _Unknown
        return char

    def _members(self) -> str:
        negated = self._next("^")
        found = "".join(self._ranges())
        if not negated:
            return found
        return "".join(char for char in _ANY + "0123456789" if char not in found)

    def _ranges(self) -> Iterator[str]:
        first = True
        while first or self._pattern[self.at] != "]":
            first = False
            named = re.match(r"\[:(\w+):\]", self._pattern[self.at :])
            if named:
                self.at += named.end()
                yield _CLASSES.get(named[1], "")
                continue
            begin = self._member()
            if len(begin) == 1 and self._pattern[self.at] == "-" and self._pattern[self.at + 1] != "]":
                self.at += 1
                end = self._member()
                if not end or ord(end) - ord(begin) > _LONGEST:
                    yield begin
                    continue
                yield "".join(chr(code) for code in range(ord(begin), ord(end) + 1))
            else:
                yield begin
        self.at += 1

    def _member(self) -> str:
        char = self._pattern[self.at]
        self.at += 1
        if char != "\\":
            return char
        escaped = self._pattern[self.at]
        self.at += 1
        return _CLASSES.get(escaped, escaped)

    def _one_of(self, members: str) -> str:
        if not members:
            raise _Unknown
        self._pick, picked = self._pick // len(members), self._pick % len(members)
        return members[picked]

    def _next(self, char: str) -> bool:
        if self._pattern[self.at : self.at + 1] != char:
            return False
        self.at += 1
        return True
