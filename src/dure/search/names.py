"""Entries by name: an exact name is found first, however it is spelt."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from dure.errors import ConfigError
from dure.search.base import Hit
from dure.search.words import name_key

_PIECE = re.compile(r"[^\s,;\"'`()\[\]{}<>]+")
_COMPOUND = re.compile(r"\w[-_.:/]\w|[a-z0-9][A-Z]|[^\x00-\x7f]{4}")


class ExactNames:
    """Names of entries, comparable without case, separators and composed or decomposed letters."""

    __slots__ = ("_by_key", "_numbers")

    def __init__(self, names: Sequence[str]) -> None:
        self._numbers = {name: number for number, name in enumerate(names)}
        if len(self._numbers) < len(names):
            twice = sorted(repr(name) for name, times in Counter(names).items() if times > 1)
            raise ConfigError(f"entries of an index must have different ids; more than once here: {', '.join(twice)}")
        self._by_key: defaultdict[str, list[int]] = defaultdict(list)
        for name, number in self._numbers.items():
            self._by_key[name_key(name)].append(number)

    def matches(self, query: str) -> list[int]:
        """Numbers of the entries that the query names: the whole of it first, then compound names in it.

        A plain word of a sentence is no name: a tool called `search` is not meant by every `search`.
        """
        found: dict[int, None] = {}
        self._find(query.strip(), found)
        for piece in _PIECE.findall(query):
            if _COMPOUND.search(piece):
                self._find(piece.strip(".:"), found)
        return list(found)

    def _find(self, text: str, found: dict[int, None]) -> None:
        exact = self._numbers.get(text)
        if exact is not None:
            found[exact] = None
        key = name_key(text)
        if key:
            found.update(dict.fromkeys(self._by_key.get(key, ())))


def is_blank(query: str) -> bool:
    """Whether there is nothing in the query to search for."""
    return not name_key(query)


def ranked_hits(
    ids: Sequence[str], named: Iterable[int], scored: Sequence[tuple[int, float]], limit: int
) -> tuple[Hit, ...]:
    """Those named first, above every other score, then the scored ones, best first, at most `limit`."""
    first = list(named)
    above = (scored[0][1] if scored else 0.0) + 1.0
    hits = [Hit(id=ids[number], score=above + 1.0 / (rank + 1)) for rank, number in enumerate(first)]
    named_ones = frozenset(first)
    hits += [Hit(id=ids[number], score=score) for number, score in scored if number not in named_ones]
    return tuple(hits[: max(0, limit)])
