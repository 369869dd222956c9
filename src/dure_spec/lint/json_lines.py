"""Where in a JSON text each value stands."""

import re
from bisect import bisect_right
from collections.abc import Iterator

from dure_spec.lint.positions import Region, line_starts

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})|\\(.)")
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class JsonLines:
    """Places of a text that is known to be JSON, by JSON pointer."""

    def __init__(self, text: str) -> None:
        self._starts = line_starts(text)
        self._places = dict(_places(text))

    def region(self, pointer: str) -> Region:
        """The first token of the value, of the smallest one around it that there is."""
        while pointer not in self._places and pointer:
            pointer = pointer.rpartition("/")[0]
        start, end = self._places.get(pointer, (0, 1))
        line = bisect_right(self._starts, start)
        column = start - self._starts[line - 1] + 1
        return Region(line=line, column=column, end_line=line, end_column=column + (end - start))


def _places(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Pointers with the character range of the value's first token; of a member, of its name."""
    path: list[str | int] = []
    kinds: list[str] = []
    name: re.Match[str] | None = None
    expects_name = False
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in ("}", "]"):
            kinds.pop()
            path.pop()
            expects_name = False
        elif mark == ",":
            expects_name = kinds[-1] == "{"
            if kinds[-1] == "[":
                last = path[-1]
                path[-1] = last + 1 if isinstance(last, int) else last
        elif mark == ":":
            expects_name = False
        elif expects_name:
            name = token
            path[-1] = _name(mark)
        else:
            place = name if name is not None else token
            yield _pointer(path), place.span()
            name = None
            if mark in ("{", "["):
                kinds.append(mark)
                path.append(0 if mark == "[" else "")
                expects_name = mark == "{"


def _pointer(path: list[str | int]) -> str:
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in path)


def _name(token: str) -> str:
    """The characters of a string token."""
    return _ESCAPED.sub(
        lambda match: chr(int(match[1], 16)) if match[1] else _PLAIN.get(match[2], match[2]), token[1:-1]
    )
