"""Vectors without a model: for tests and demonstrations. Ships as a peer of the real ones."""

import unicodedata
import zlib
from collections.abc import Sequence

from dure.errors import ConfigError
from dure.models.embedding_prefixes import Kind
from dure.models.embedding_vectors import VectorCheck, meaningful

_SMALLEST = 16


class ScriptedEmbedder:
    """Counts pairs of letters, so that texts with common words are alike: the same in every process."""

    def __init__(self, *, dimension: int = 512, name: str = "scripted:bigrams") -> None:
        if dimension < _SMALLEST:
            raise ConfigError(f"dimension must be at least {_SMALLEST}, not {dimension}")
        self._dimension = dimension
        self._name = name
        self._check = VectorCheck(name)
        self.requests: list[tuple[tuple[str, ...], Kind]] = []
        """Every call, oldest first."""

    @property
    def name(self) -> str:
        """`scripted:` and what it is."""
        return self._name

    async def embed(self, texts: Sequence[str], *, kind: Kind) -> list[list[float]]:
        """One vector of length 1 for each text (see `Embedder.embed`).

        Raises:
            InvalidRequest: a text is empty.
        """
        self.requests.append((tuple(texts), kind))
        return self._check.unit([self._counted(text) for text in meaningful(texts)], count=len(texts))

    async def close(self) -> None:
        """Nothing to give back."""

    def _counted(self, text: str) -> list[float]:
        counts = [0.0] * self._dimension
        for word in unicodedata.normalize("NFC", text).casefold().split():
            for pair in (word[place : place + 2] for place in range(max(1, len(word) - 1))):
                counts[zlib.crc32(pair.encode()) % self._dimension] += 1.0
        return counts
