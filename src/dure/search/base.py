"""The port to ranked search over short texts: tools, documents, skills."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing that can be found."""

    id: str
    """Unique in an index. A query that is exactly this (case and separators aside) finds it first."""
    text: str
    details: str = ""
    """Searched too, with less weight: the parameters of a tool, the footnotes of a text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One thing found."""

    id: str
    score: float
    """Larger is better; comparable only within one answer."""


class TextIndex(Protocol):
    """An index over entries, built once and never changed; many may search at the same time."""

    async def search(self, query: str, *, limit: int) -> tuple[Hit, ...]:
        """The best `limit` entries, best first; entries without any likeness are left out.

        Nothing is found for a query without a letter or digit. Equal scores keep the order of the entries.

        Raises:
            DureError: the search cannot work now (a model of embeddings is away, …).
        """
        ...


class IndexBuilder(Protocol):
    """Builds an index; one for each way of searching (keyword, regex, vector, fused)."""

    async def build(self, entries: Sequence[Entry]) -> TextIndex:
        """An index over `entries`.

        Raises:
            ConfigError: two entries have the same id, or a library is missing.
            DureError: the index cannot be built now.
        """
        ...
