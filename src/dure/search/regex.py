"""Search by pattern: the query's words, escaped, as alternatives; no index to build, no word forms known.

A query is never run as a pattern itself, so no text of a model or a user can make it slow. Time grows with
the texts: fine for hundreds of entries.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest
from operator import itemgetter

from dure.errors import ConfigError
from dure.search.base import Entry, Hit
from dure.search.names import ExactNames, is_blank, ranked_hits
from dure.search.stop_words import is_stop_word
from dure.search.words import PARTICLES, folded, is_syllabic

_SPLIT = re.compile(r"[\s\W_]+")
_DAMPING = 0.1
_LONGEST_PARTICLE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class RegexIndexBuilder:
    """Builds `RegexIndex`es."""

    max_pattern: int = 200
    """Characters; words of the query beyond it are dropped from its end."""

    def __post_init__(self) -> None:
        if self.max_pattern < 1:
            raise ConfigError("a pattern needs at least 1 character")

    async def build(self, entries: Sequence[Entry]) -> "RegexIndex":
        """An index over `entries`."""
        return RegexIndex(entries, self.max_pattern)


class RegexIndex:
    """The texts as they are. A hit in a name counts 2, one in a text 1; earlier ones count a little more."""

    __slots__ = ("_ids", "_max_pattern", "_names", "_texts")

    def __init__(self, entries: Sequence[Entry], max_pattern: int) -> None:
        self._ids = tuple(entry.id for entry in entries)
        self._names = ExactNames(self._ids)
        self._texts = [(_lowered(entry.id), _lowered(f"{entry.text}\n{entry.details}".strip())) for entry in entries]
        self._max_pattern = max_pattern

    async def search(self, query: str, *, limit: int) -> tuple[Hit, ...]:
        """The best `limit` entries in which words of `query` occur, also inside of others."""
        if limit < 1 or is_blank(query):
            return ()
        pattern = re.compile(pattern_of(query, self._max_pattern))
        scored: list[tuple[int, float]] = []
        for number, (name, text) in enumerate(self._texts):
            score = _score(pattern, name, 2.0, 1.0) + _score(pattern, text, 1.0, 0.5)
            if score:
                scored.append((number, score))
        best = nlargest(limit, scored, key=itemgetter(1))
        return ranked_hits(self._ids, self._names.matches(query), best, limit)


def pattern_of(query: str, longest: int) -> str:
    """The words of a query as escaped alternatives, without those that say nothing, a Korean particle cut off.

    Latin words of one letter are dropped too, unless there are no others; the first word always stays,
    if only its beginning.
    """
    words = [word for word in _SPLIT.split(_lowered(query)) if word]
    telling = [word for word in words if not is_stop_word(word) and (len(word) > 1 or is_syllabic(word))]
    pattern = ""
    for word in dict.fromkeys(_without_particle(word) for word in telling or words):
        longer = f"{pattern}|{re.escape(word)}" if pattern else re.escape(word[:longest])
        if pattern and len(longer) > longest:
            break
        pattern = longer
    return pattern


def _lowered(text: str) -> str:
    return folded(text).lower()


def _without_particle(word: str) -> str:
    if is_syllabic(word):
        for size in range(min(_LONGEST_PARTICLE, len(word) - 1), 0, -1):
            if word[-size:] in PARTICLES:
                return word[:-size]
    return word


def _score(pattern: re.Pattern[str], text: str, hit: float, nearness: float) -> float:
    found = pattern.search(text)
    if found is None:
        return 0.0
    hits = sum(1 for _ in pattern.finditer(text))
    return hit * hits + nearness / (1.0 + _DAMPING * found.start())
