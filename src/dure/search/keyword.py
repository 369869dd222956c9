"""Ranked search by words (BM25), with the words of an entry's name above those of its text.

A search stops taking in entries once no new one can reach the best (MaxScore), and drops those that cannot
any more; what it finds is the same as if it had looked at all.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import pairwise
from operator import attrgetter, itemgetter

from dure.errors import ConfigError
from dure.search.base import Entry, Hit
from dure.search.glossary import NO_GLOSSARY, Glossary, default_glossary
from dure.search.names import ExactNames, is_blank, ranked_hits
from dure.search.postings import Clause, PostingsBuilder
from dure.search.stop_words import is_stop_word
from dure.search.words import is_syllabic, query_terms_of, terms_of, words_of

_MAX_WORDS = 64
_MAX_CLAUSES = 32
_IN_A_THREAD = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class KeywordIndexBuilder:
    """Builds `KeywordIndex`es; a large one in a thread, so that other runs go on."""

    glossary: Glossary | None = None
    """Words that mean the same; `None` is the Korean-English one that ships, `NO_GLOSSARY` none."""
    name_weight: float = 2.0
    """Of a word in an entry's id, where one in its text counts 1. 0: ids are no words."""
    details_weight: float = 0.5
    concept_weight: float = 0.9
    """Of a word with the same meaning, where the same word counts 1."""

    def __post_init__(self) -> None:
        if min(self.name_weight, self.details_weight, self.concept_weight) < 0:
            raise ConfigError("the weights of a keyword index must not be negative")

    async def build(self, entries: Sequence[Entry]) -> "KeywordIndex":
        """An index over `entries`."""
        if len(entries) < _IN_A_THREAD:
            return KeywordIndex(entries, self)
        return await asyncio.to_thread(KeywordIndex, entries, self)


class KeywordIndex:
    """An inverted index held in memory."""

    __slots__ = ("_glossary", "_ids", "_names", "_postings")

    def __init__(self, entries: Sequence[Entry], settings: KeywordIndexBuilder) -> None:
        self._ids = tuple(entry.id for entry in entries)
        self._names = ExactNames(self._ids)
        glossary = settings.glossary if settings.concept_weight else NO_GLOSSARY
        self._glossary = default_glossary() if glossary is None else glossary
        building = PostingsBuilder(self._glossary, settings.concept_weight)
        for entry in entries:
            building.add((settings.name_weight, entry.id), (1.0, entry.text), (settings.details_weight, entry.details))
        self._postings = building.finished()

    async def search(self, query: str, *, limit: int) -> tuple[Hit, ...]:
        """The best `limit` entries for the words of `query`."""
        if limit < 1 or is_blank(query):
            return ()
        return ranked_hits(self._ids, self._names.matches(query), self._scored(query, limit), limit)

    def _scored(self, query: str, limit: int) -> list[tuple[int, float]]:
        clauses = self._clauses(query)
        to_come = sum(clause.best for clause in clauses)
        scores: dict[int, float] = {}
        enough = 0.0  # what the last of the best `limit` has already
        for clause in clauses:
            to_come -= clause.best
            floor = max(enough, clause.share_at(limit - 1)) - to_come
            clause.add_to(scores, floor=floor, at_least=limit)
            if len(scores) > limit:
                enough = nlargest(limit, scores.values())[-1]
                if enough > to_come:
                    scores = {entry: score for entry, score in scores.items() if score + to_come >= enough}
        return nlargest(limit, sorted(scores.items()), key=itemgetter(1))

    def _clauses(self, query: str) -> list[Clause]:
        """What is asked for, the clause that can add most first."""
        words = words_of(query)[:_MAX_WORDS]
        telling = [word for word in words if not is_stop_word(word)] or words
        wanted: dict[tuple[str, ...], None] = {}
        for word in dict.fromkeys(telling):
            terms = dict.fromkeys(query_terms_of(word))
            for part, concepts in self._glossary.asked.of_word(
                word if is_syllabic(word) else next(iter(terms))
            ).items():
                if part in terms:
                    del terms[part]
                    wanted[part, *concepts] = None
                else:
                    wanted[concepts] = None
            wanted.update(dict.fromkeys((term,) for term in terms))
        for first, second in pairwise(word if is_syllabic(word) else terms_of(word)[0] for word in words):
            if concepts := self._glossary.asked.of_pair(first, second):
                wanted[concepts] = None
        known = self._postings
        held = ([known[term] for term in terms if term in known] for terms in wanted)
        clauses = [Clause(postings) for postings in held if postings]
        clauses.sort(key=attrgetter("best"), reverse=True)
        return clauses[:_MAX_CLAUSES]
