"""Ranked search by words (BM25), with the words of an entry's name above those of its text.

Every posting holds its whole share of a score, worked out when the index is built, and every term the
largest of them: a search may stop taking in entries once no new one can reach the best (MaxScore).
"""

import asyncio
import math
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import pairwise

from dure.errors import ConfigError
from dure.search.base import Entry, Hit
from dure.search.glossary import Glossary, default_glossary
from dure.search.names import ExactNames, is_blank, ranked_hits
from dure.search.stop_words import is_stop_word
from dure.search.words import is_syllabic, query_terms_of, terms_of, words_of

_SATURATION = 1.2  # k1 of BM25
_LENGTH = 0.4  # b of BM25: short texts, so length says little
_MAX_WORDS = 64
_MAX_TERMS = 48
_IN_A_THREAD = 200
_SEARCHED = 16
"""One look-up by bisection costs about as much as walking over this many postings."""


@dataclass(frozen=True, slots=True)
class Postings:
    """The entries with one term, in their order, and what the term adds to the score of each."""

    entries: "array[int]"
    impacts: "array[float]"
    best: float


@dataclass(frozen=True, slots=True, kw_only=True)
class KeywordIndexBuilder:
    """Builds `KeywordIndex`es; 10,000 tools take about half a second, in a thread of their own."""

    glossary: Glossary | None = None
    """Words that mean the same; `None` is the Korean-English one that ships, `NO_GLOSSARY` none."""
    name_weight: float = 3.0
    """Of a word in an entry's id, where one in its text counts 1. 0: ids are no words."""
    details_weight: float = 0.5
    concept_weight: float = 0.6
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

    __slots__ = ("_concept_weight", "_glossary", "_ids", "_names", "_postings")

    def __init__(self, entries: Sequence[Entry], settings: KeywordIndexBuilder) -> None:
        self._ids = tuple(entry.id for entry in entries)
        self._names = ExactNames(entries)
        self._glossary = default_glossary() if settings.glossary is None else settings.glossary
        self._concept_weight = settings.concept_weight
        self._postings = _postings(entries, settings, self._glossary)

    async def search(self, query: str, *, limit: int) -> tuple[Hit, ...]:
        """The best `limit` entries for the words of `query`."""
        if limit < 1 or is_blank(query):
            return ()
        return ranked_hits(self._ids, self._names.matches(query), self._scored(query, limit), limit)

    def _scored(self, query: str, limit: int) -> list[tuple[int, float]]:
        terms = self._terms(query)
        open_score = sum(score for score, _, _ in terms)
        scores: dict[int, float] = {}
        best, closed = 0.0, False
        for score, weight, postings in terms:
            open_score -= score
            if closed:
                _add_to_known(scores, postings, weight)
                continue
            get = scores.get
            for entry, impact in zip(postings.entries, postings.impacts, strict=True):
                scores[entry] = get(entry, 0.0) + weight * impact
            best += score
            if open_score < best and len(scores) > limit:
                enough = nlargest(limit, scores.values())[-1]
                if open_score < enough:
                    closed = True
                    scores = {entry: had for entry, had in scores.items() if had + open_score >= enough}
        return nlargest(limit, sorted(scores.items()), key=lambda one: one[1])

    def _terms(self, query: str) -> list[tuple[float, float, Postings]]:
        """The query's terms with (largest share of a score, weight, postings), the largest share first."""
        weights = dict[str, float]()
        words = words_of(query)[:_MAX_WORDS]
        asked = [word for word in words if not is_stop_word(word)] or words
        for word in asked:
            for term in query_terms_of(word):
                weights[term] = 1.0
        if self._concept_weight:
            for concept in _concepts(words, frozenset(asked), self._glossary):
                weights[concept] = self._concept_weight
        found = [
            (weight * postings.best, weight, postings)
            for term, weight in weights.items()
            if (postings := self._postings.get(term)) is not None
        ]
        found.sort(key=lambda one: -one[0])
        return found[:_MAX_TERMS]


def _add_to_known(scores: dict[int, float], postings: Postings, weight: float) -> None:
    """Raise the scores of entries already taken in, leaving others out."""
    entries, impacts = postings.entries, postings.impacts
    if len(scores) * _SEARCHED < len(entries):
        for entry in scores:
            place = bisect_left(entries, entry)
            if place < len(entries) and entries[place] == entry:
                scores[entry] += weight * impacts[place]
        return
    for entry, impact in zip(entries, impacts, strict=True):
        if entry in scores:
            scores[entry] += weight * impact


def _concepts(words: Sequence[str], asked: frozenset[str], glossary: Glossary) -> Iterator[str]:
    """Those of the words asked for, and of any two words side by side (`turn on`)."""
    stems = [word if is_syllabic(word) else terms_of(word)[0] for word in words]
    for word, term in zip(words, stems, strict=True):
        if word in asked:
            yield from glossary.concepts_of(word, term)
    for first, second in pairwise(stems):
        yield from glossary.concepts_of_pair(first, second)


def _postings(entries: Sequence[Entry], settings: KeywordIndexBuilder, glossary: Glossary) -> dict[str, Postings]:
    """The inverted index: frequencies first, then, with all lengths known, each posting's share of a score."""
    numbers: defaultdict[str, array[int]] = defaultdict(lambda: array("I"))
    amounts: defaultdict[str, array[float]] = defaultdict(lambda: array("f"))
    lengths = array("f")
    counting = _Counting(glossary, with_concepts=settings.concept_weight > 0)
    for number, entry in enumerate(entries):
        counts: dict[str, float] = {}
        length = counting.count(entry.id, settings.name_weight, counts) if settings.name_weight else 0.0
        length += counting.count(entry.text, 1.0, counts)
        if settings.details_weight:
            length += counting.count(entry.details, settings.details_weight, counts)
        lengths.append(length)
        for term, amount in counts.items():
            numbers[term].append(number)
            amounts[term].append(amount)
    average = sum(lengths) / max(1, len(lengths)) or 1.0
    damping = [_SATURATION * (1.0 - _LENGTH + _LENGTH * length / average) for length in lengths]
    return {term: _weighed(numbers[term], amounts[term], damping) for term in numbers}


def _weighed(entries: "array[int]", amounts: "array[float]", damping: Sequence[float]) -> Postings:
    rarity = math.log(1.0 + (len(damping) - len(entries) + 0.5) / (len(entries) + 0.5))
    scale = rarity * (_SATURATION + 1.0)
    impacts = array(
        "f",
        [scale * amount / (amount + damping[entry]) for entry, amount in zip(entries, amounts, strict=True)],
    )
    return Postings(entries, impacts, max(impacts))


class _Counting:
    """Counts terms and concepts of texts; remembers each word, since words come again."""

    __slots__ = ("_glossary", "_known", "_with_concepts")

    def __init__(self, glossary: Glossary, *, with_concepts: bool) -> None:
        self._glossary = glossary
        self._with_concepts = with_concepts
        self._known: dict[str, tuple[str, tuple[str, ...]]] = {}

    def count(self, text: str, weight: float, counts: dict[str, float]) -> float:
        """Add the terms of `text` to `counts`; gives how much was added, concepts aside."""
        known, get, before, words = self._known, counts.get, "", words_of(text)
        for word in words:
            one = known.get(word)
            if one is None:
                one = known[word] = self._read(word)
            stem, terms = one
            for term in terms:
                counts[term] = get(term, 0.0) + weight
            if before and self._with_concepts:
                for concept in self._glossary.concepts_of_pair(before, stem):
                    counts[concept] = get(concept, 0.0) + weight
            before = stem
        return weight * len(words)

    def _read(self, word: str) -> tuple[str, tuple[str, ...]]:
        terms = terms_of(word)
        stem = word if is_syllabic(word) else terms[0]
        return stem, (*terms, *(self._glossary.concepts_of(word, stem) if self._with_concepts else ()))
