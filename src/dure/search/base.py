"""The port to ranked search over short texts: tools, documents, skills."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing that can be found."""

    id: str
    """Unique in an index. A query that is exactly this finds it first."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One thing found."""

    id: str
    score: float
    """Larger is better; comparable only within one answer."""


class TextIndex(Protocol):
    """An index over entries, built once and never changed; many may search at the same time."""

    async def search(self, query: str, *, limit: int) -> tuple[Hit, ...]:
        """The best `limit` entries, best first; entries without any likeness are left out."""
        ...


class IndexBuilder(Protocol):
    """Builds an index; one for each way of searching (keyword, regex, vector, fused)."""

    async def build(self, entries: Sequence[Entry]) -> TextIndex:
        """An index over `entries`."""
        ...
