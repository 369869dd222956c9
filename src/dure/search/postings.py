"""The inverted index: for each term the entries that have it, and what it adds to the score of each.

An amount is how often a term occurs, weighed by where. Shares of a score (BM25) are worked out once, when
all lengths are known.
"""

import math
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from dure.search.glossary import Glossary
from dure.search.words import is_syllabic, terms_of, words_of

_SATURATION = 2.5  # k1 of BM25: a word in name and text is worth more than in one of them
_LENGTH = 0.3  # b of BM25: short texts, so length says little
_SEARCHED = 8
"""One look-up by bisection costs about as much as walking over this many postings."""
_LONG = 128
"""Longer lists of postings know which of them add most."""
_COMMON = 1500
_BEST_OF_COMMON = 200


@dataclass(frozen=True, slots=True)
class Postings:
    """The entries with one term, in their order, what it adds to the score of each, and the largest of that."""

    entries: "array[int]"
    shares: "array[float]"
    best: float
    descending: "array[int] | None"
    """Places of a long list, the largest share first."""

    def share_of(self, entry: int) -> float:
        """What it adds to the score of an entry."""
        place = bisect_left(self.entries, entry)
        return self.shares[place] if place < len(self.entries) and self.entries[place] == entry else 0.0

    def share_at(self, rank: int) -> float:
        """The share of that rank, the largest being rank 0; 0 where a list is not long."""
        if self.descending is None or rank >= len(self.shares):
            return 0.0
        return self.shares[self.descending[rank]]


class Clause:
    """One thing a query asks for, and the terms that say it: an entry gets the share of the most telling it has."""

    __slots__ = ("_common", "_postings", "_size", "best")

    def __init__(self, postings: Sequence[Postings]) -> None:
        self._postings = sorted(postings, key=attrgetter("best"))
        sizes = [len(one.entries) for one in postings]
        self._size = sum(sizes)
        self._common = max(sizes) > _COMMON
        self.best = self._postings[-1].best
        """The most it can add to a score."""

    def share_at(self, rank: int) -> float:
        """At least so much it adds to the scores of `rank + 1` entries."""
        return self._postings[-1].share_at(rank)

    def add_to(self, scores: dict[int, float], *, floor: float, at_least: int) -> None:
        """Raise the scores of entries in `scores`, and take in others to which it adds more than `floor`.

        It takes in the best `at_least` of each term in any case, since the floor may be theirs, and of a term
        that thousands have not many more: such a word ranks what rarer words found.
        """
        get = scores.get
        if floor <= 0.0 and not self._common:
            for entry, share in self._shares():
                scores[entry] = get(entry, 0.0) + share
            return
        taken = self._above(floor, at_least)
        taken.update(scores)
        if len(taken) * len(self._postings) * _SEARCHED < self._size:
            for entry in taken:
                scores[entry] = get(entry, 0.0) + self._share_of(entry)
            return
        for entry, share in self._shares():
            if entry in taken:
                scores[entry] = get(entry, 0.0) + share

    def _above(self, floor: float, at_least: int) -> set[int]:
        taken: set[int] = set()
        for postings in self._postings:
            entries, shares, places = postings.entries, postings.shares, postings.descending
            if places is None:
                taken.update(entries)
                continue
            at_most = at_least + _BEST_OF_COMMON if len(entries) > _COMMON else len(entries)
            taken.update(map(entries.__getitem__, places[:at_least]))
            for place in places[at_least:at_most]:
                if shares[place] <= floor:
                    break
                taken.add(entries[place])
        return taken

    def _share_of(self, entry: int) -> float:
        for postings in reversed(self._postings):
            share = postings.share_of(entry)
            if share:
                return share
        return 0.0

    def _shares(self) -> Iterable[tuple[int, float]]:
        """The share of every entry; a later, more telling term takes the place of an earlier one."""
        first, *others = self._postings
        pairs = zip(first.entries, first.shares, strict=True)
        if not others:
            return pairs
        shares = dict(pairs)
        for postings in others:
            shares.update(zip(postings.entries, postings.shares, strict=True))
        return shares.items()


class PostingsBuilder:
    """Takes in entries one by one, then gives the postings of all."""

    def __init__(self, glossary: Glossary, concept_weight: float) -> None:
        self._glossary = glossary
        self._concept_weight = concept_weight
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
        return {
            term: _postings(numbers, self._amounts[term], damping, self._weight(term))
            for term, numbers in self._numbers.items()
        }

    def _weight(self, term: str) -> float:
        return self._glossary.weight_of(term) * (self._concept_weight if Glossary.is_concept(term) else 1.0)

    def _count(self, text: str, weight: float, amounts: dict[str, float]) -> int:
        """Add the terms and concepts of `text` to `amounts`; gives the number of its words."""
        known, get, before, words = self._known, amounts.get, "", words_of(text)
        pair_concepts = self._glossary.told.of_pair
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
        concepts = (concept for part in self._glossary.told.of_word(shown).values() for concept in part)
        return shown, (*terms, *dict.fromkeys(concepts))


def _postings(entries: "array[int]", amounts: "array[float]", damping: Sequence[float], weight: float) -> Postings:
    rarity = math.log(1.0 + (len(damping) - len(entries) + 0.5) / (len(entries) + 0.5))
    scale = weight * rarity * (_SATURATION + 1.0)
    shares = array(
        "f", [scale * amount / (amount + damping[entry]) for entry, amount in zip(entries, amounts, strict=True)]
    )
    descending = None
    if len(shares) > _LONG:
        descending = array("I", sorted(range(len(shares)), key=shares.__getitem__, reverse=True))
    return Postings(entries, shares, max(shares), descending)
