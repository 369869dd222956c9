"""Several ways of searching as one: reciprocal rank fusion, which needs no scores that can be compared.

An index that cannot be built, or fails in a search, is left out with a warning as long as another works.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from dure.errors import ConfigError, Signal
from dure.search.base import Entry, Hit, IndexBuilder, TextIndex
from dure.search.names import ExactNames, is_blank, ranked_hits

logger = logging.getLogger(__name__)

_SMOOTHING = 60.0
"""k of the formula: how little the first ranks differ (Cormack, Clarke and Büttcher, 2009)."""
_DEEPEST = 50
_OF_LIMIT = 4


@dataclass(frozen=True, slots=True)
class FusedIndexBuilder:
    """Builds all the indexes of `builders` over the same entries; earlier ones win where ranks are equal."""

    builders: tuple[IndexBuilder, ...]
    weights: tuple[float, ...] = ()
    """How much each counts; equal without."""

    def __post_init__(self) -> None:
        if len(self.builders) < 2:
            raise ConfigError("a fused index needs at least two ways of searching")
        if self.weights and (len(self.weights) != len(self.builders) or min(self.weights) <= 0):
            raise ConfigError("a fused index needs one weight above 0 for each way of searching")

    async def build(self, entries: Sequence[Entry]) -> "FusedIndex":
        """An index over `entries`.

        Raises:
            DureError: none of the indexes can be built; that of the first.
        """
        names = ExactNames([entry.id for entry in entries])
        made = await asyncio.gather(*(one.build(entries) for one in self.builders), return_exceptions=True)
        weights = self.weights or (1.0,) * len(made)
        indexes: list[tuple[float, TextIndex]] = []
        for builder, weight, one in zip(self.builders, weights, made, strict=True):
            if isinstance(one, BaseException):
                _left_out(one, "building", type(builder).__name__)
            else:
                indexes.append((weight, one))
        if not indexes:
            raise next(one for one in made if isinstance(one, BaseException))
        return FusedIndex([entry.id for entry in entries], names, indexes)


class FusedIndex:
    """Indexes over the same entries, searched at the same time."""

    __slots__ = ("_ids", "_indexes", "_names", "_numbers")

    def __init__(self, ids: Sequence[str], names: ExactNames, indexes: Sequence[tuple[float, TextIndex]]) -> None:
        self._ids = ids
        self._names = names
        self._indexes = indexes
        self._numbers = {id: number for number, id in enumerate(ids)}

    async def search(self, query: str, *, limit: int) -> tuple[Hit, ...]:
        """The best `limit` entries of all the rankings together, exact names first.

        Raises:
            DureError: all of the indexes failed.
        """
        if limit < 1 or is_blank(query):
            return ()
        depth = max(_DEEPEST, _OF_LIMIT * limit)
        answers = await asyncio.gather(
            *(index.search(query, limit=depth) for _, index in self._indexes), return_exceptions=True
        )
        scores: defaultdict[int, float] = defaultdict(float)
        for (weight, index), hits in zip(self._indexes, answers, strict=True):
            if isinstance(hits, BaseException):
                _left_out(hits, "searching", type(index).__name__)
                continue
            for rank, hit in enumerate(hits, start=1):
                scores[self._numbers[hit.id]] += weight / (_SMOOTHING + rank)
        if all(isinstance(hits, BaseException) for hits in answers):
            raise next(hits for hits in answers if isinstance(hits, BaseException))
        ranked = sorted(scores.items(), key=lambda one: -one[1])
        return ranked_hits(self._ids, self._names.matches(query), ranked, limit)


def _left_out(error: BaseException, doing: str, name: str) -> None:
    """Warn of a failure that another index makes up for.

    Raises:
        BaseException: the error, if it is no failure but a cancellation, a signal or a key press.
    """
    if isinstance(error, Signal) or not isinstance(error, Exception):
        raise error
    logger.warning("%s by %s failed and is left out: %s", doing, name, str(error) or type(error).__name__)
