"""The inverted index: for each term the entries that have it, and what it adds to the score of each.

An amount is how often a term occurs, weighed by where. Shares of a score (BM25) are worked out once, when
all lengths are known.
"""

import math
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from dure.search.glossary import Glossary
from dure.search.words import is_syllabic, terms_of, words_of

_SATURATION = 2.0  # k1 of BM25: a word in name and text is worth more than in one of them
_LENGTH = 0.3  # b of BM25: short texts, so length says little
_SEARCHED = 16
"""One look-up by bisection costs about as much as walking over this many postings."""


@dataclass(frozen=True, slots=True)
class Postings:
    """The entries with one term, in their order, what it adds to the score of each, and the largest of that."""

    entries: "array[int]"
    shares: "array[float]"
    best: float


class Clause:
    """One thing a query asks for, and the terms that say it: an entry gets the best of them, not their sum."""

    __slots__ = ("_weighted", "best")

    def __init__(self, weighted: Sequence[tuple[float, Postings]]) -> None:
        self._weighted = weighted
        self.best = max(weight * postings.best for weight, postings in weighted)
        """The most it can add to a score."""

    def add_to(self, scores: dict[int, float]) -> None:
        """Raise the score of every entry that has it."""
        get = scores.get
        if len(self._weighted) == 1:
            weight, postings = self._weighted[0]
            for entry, share in zip(postings.entries, postings.shares, strict=True):
                scores[entry] = get(entry, 0.0) + weight * share
            return
        for entry, share in self._shares().items():
            scores[entry] = get(entry, 0.0) + share

    def add_to_known(self, scores: dict[int, float]) -> None:
        """Raise the scores of those entries that are in `scores` already."""
        longest = max(len(postings.entries) for _, postings in self._weighted)
        if len(scores) * _SEARCHED < longest:
            for entry in scores:
                scores[entry] += max(weight * _share(postings, entry) for weight, postings in self._weighted)
            return
        for entry, share in self._shares().items():
            if entry in scores:
                scores[entry] += share

    def _shares(self) -> dict[int, float]:
        shares: dict[int, float] = {}
        get = shares.get
        for weight, postings in self._weighted:
            for entry, share in zip(postings.entries, postings.shares, strict=True):
                share *= weight
                if share > get(entry, 0.0):
                    shares[entry] = share
        return shares


def _share(postings: Postings, entry: int) -> float:
    place = bisect_left(postings.entries, entry)
    return postings.shares[place] if place < len(postings.entries) and postings.entries[place] == entry else 0.0


class PostingsBuilder:
    """Takes in entries one by one, then gives the postings of all."""

    def __init__(self, glossary: Glossary) -> None:
        self._glossary = glossary
        self._known: dict[str, tuple[str, tuple[str, ...]]] = {}
        self._numbers: defaultdict[str, array[int]] = defaultdict(lambda: array("I"))
        self._amounts: defaultdict[str, array[float]] = defaultdict(lambda: array("f"))
        self._lengths: array[float] = array("f")

    def add(self, *weighted_texts: tuple[float, str]) -> None:
        """The next entry: its texts, each with the weight of a word in it."""
        amounts: dict[str, float] = {}
        number, length = len(self._lengths), 0.0
        for weight, text in weighted_texts:
            if weight:
                length += weight * self._count(text, weight, amounts)
        self._lengths.append(length)
        for term, amount in amounts.items():
            self._numbers[term].append(number)
            self._amounts[term].append(amount)

    def finished(self) -> dict[str, Postings]:
        """The postings of every term and concept."""
        lengths = self._lengths
        average = sum(lengths) / max(1, len(lengths)) or 1.0
        damping = [_SATURATION * (1.0 - _LENGTH + _LENGTH * length / average) for length in lengths]
        return {term: _postings(numbers, self._amounts[term], damping) for term, numbers in self._numbers.items()}

    def _count(self, text: str, weight: float, amounts: dict[str, float]) -> int:
        """Add the terms and concepts of `text` to `amounts`; gives the number of its words."""
        known, get, before, words = self._known, amounts.get, "", words_of(text)
        pair_concepts = self._glossary.concepts_of_pair
        for word in words:
            one = known.get(word)
            if one is None:
                one = known[word] = self._read(word)
            first_term, terms = one
            for term in terms:
                amounts[term] = get(term, 0.0) + weight
            for concept in pair_concepts(before, first_term):
                amounts[concept] = get(concept, 0.0) + weight
            before = first_term
        return len(words)

    def _read(self, word: str) -> tuple[str, tuple[str, ...]]:
        """The word as it counts beside others, and its terms and concepts."""
        terms = terms_of(word)
        shown = word if is_syllabic(word) else terms[0]
        concepts = (concept for part in self._glossary.concepts_of(shown) for concept in part)
        return shown, (*terms, *dict.fromkeys(concepts))


def _postings(entries: "array[int]", amounts: "array[float]", damping: Sequence[float]) -> Postings:
    rarity = math.log(1.0 + (len(damping) - len(entries) + 0.5) / (len(entries) + 0.5))
    scale = rarity * (_SATURATION + 1.0)
    shares = array(
        "f", [scale * amount / (amount + damping[entry]) for entry, amount in zip(entries, amounts, strict=True)]
    )
    return Postings(entries, shares, max(shares))
