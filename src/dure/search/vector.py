"""Search by meaning: texts as vectors of an embedding model, compared by their dot product.

Needs numpy, from the extra `vector`.
"""

import asyncio
import importlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from dure.embedding import Embedder
from dure.errors import ConfigError, MalformedResponse
from dure.search.base import Entry, Hit
from dure.search.names import ExactNames, is_blank, ranked_hits
from dure.search.words import words_of

_BATCH = 64
_LONGEST_QUERY = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorIndexBuilder:
    """Builds `VectorIndex`es: one vector for each entry, of its name and its text."""

    embedder: Embedder
    min_score: float = 0.2
    """Cosine below which an entry is unlike the query; depends on the model, some never go below 0.7."""
    parallel: int = 4
    """Requests to the model at the same time."""

    def __post_init__(self) -> None:
        if self.parallel < 1 or not math.isfinite(self.min_score):
            raise ConfigError("a vector index needs at least 1 request at a time and a min_score that is a number")

    async def build(self, entries: Sequence[Entry]) -> "VectorIndex":
        """An index over `entries`.

        Raises:
            ConfigError: numpy is not installed, or two entries have the same id.
            ModelError: the embedding model failed.
        """
        numpy = _numpy()
        names = ExactNames([entry.id for entry in entries])
        batches = [entries[start : start + _BATCH] for start in range(0, len(entries), _BATCH)]
        found: list[list[list[float]]] = [[] for _ in batches]
        waiting = iter(enumerate(batches))

        async def work() -> None:
            for place, batch in waiting:
                texts = [_embedded_text(entry) for entry in batch]
                found[place] = _checked(await self.embedder.embed(texts, kind="document"), len(batch))

        await _all(work, min(self.parallel, len(batches)))
        vectors = [vector for batch in found for vector in batch]
        if len({len(vector) for vector in vectors}) > 1:
            raise MalformedResponse(f"{self.embedder.name} gave vectors of different lengths")
        matrix = numpy.asarray(vectors, dtype=numpy.float32)
        return VectorIndex(tuple(entry.id for entry in entries), names, matrix, self)


class VectorIndex:
    """Vectors of all entries in one matrix."""

    __slots__ = ("_ids", "_matrix", "_names", "_settings")

    def __init__(self, ids: tuple[str, ...], names: ExactNames, matrix: Any, settings: VectorIndexBuilder) -> None:  # noqa: ANN401  # numpy is not imported here
        self._ids = ids
        self._names = names
        self._matrix = matrix
        self._settings = settings

    async def search(self, query: str, *, limit: int) -> tuple[Hit, ...]:
        """The `limit` entries nearest in meaning, exact names first.

        Raises:
            ModelError: the embedding model failed.
        """
        if limit < 1 or is_blank(query) or not self._ids:
            return ()
        vectors = await self._settings.embedder.embed([query[:_LONGEST_QUERY]], kind="query")
        return ranked_hits(
            self._ids, self._names.matches(query), list(self._nearest(_checked(vectors, 1)[0], limit)), limit
        )

    def _nearest(self, vector: list[float], limit: int) -> Iterator[tuple[int, float]]:
        numpy = _numpy()
        if len(vector) != self._matrix.shape[1]:
            raise MalformedResponse(
                f"{self._settings.embedder.name} gave a vector of {len(vector)} numbers for a query, "
                f"and of {self._matrix.shape[1]} for texts"
            )
        scores = self._matrix @ numpy.asarray(vector, dtype=numpy.float32)
        few = min(limit, len(scores))
        enough = numpy.partition(scores, len(scores) - few)[len(scores) - few]
        best = numpy.flatnonzero(scores >= max(enough, self._settings.min_score))
        for number in best[numpy.argsort(-scores[best], kind="stable")][:limit]:
            yield int(number), float(scores[number])


def _embedded_text(entry: Entry) -> str:
    """A name and what it is, never blank, since models refuse blank texts."""
    return f"{' '.join(words_of(entry.id))}: {entry.text}".strip(": ") or entry.id


def _checked(vectors: list[list[float]], count: int) -> list[list[float]]:
    """The vectors, if there is one for each text and all are numbers."""
    if len(vectors) != count:
        raise MalformedResponse(f"the embedding model gave {len(vectors)} vectors for {count} texts")
    if not all(vector and math.isfinite(sum(vector)) for vector in vectors):
        raise MalformedResponse("the embedding model gave an empty vector, or one that is not of numbers")
    return vectors


async def _all(work: Any, times: int) -> None:  # noqa: ANN401
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(times):
                group.create_task(work())
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None


def _numpy() -> ModuleType:
    try:
        return importlib.import_module("numpy")
    except ImportError as error:
        raise ConfigError("search by vectors needs numpy; install dure[vector]") from error
