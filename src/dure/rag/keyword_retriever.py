"""Documents held in memory, found by words (or whatever way an index builder has)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Self

from dure.chat import NOTHING
from dure.errors import ConfigError
from dure.messages import Json
from dure.rag.document import Document, Found, fits
from dure.search.base import Entry, IndexBuilder, TextIndex
from dure.search.keyword import KeywordIndexBuilder

_WORDS = KeywordIndexBuilder(name_weight=0.0)
"""Ids of documents are no words that a question would have."""


class KeywordRetriever:
    """A retriever over a fixed set of documents. Make it with `build`."""

    __slots__ = ("_documents", "_index")

    def __init__(self, documents: Mapping[str, Document], index: TextIndex) -> None:
        self._documents = documents
        self._index = index

    @classmethod
    async def build(cls, documents: Iterable[Document], *, builder: IndexBuilder = _WORDS) -> Self:
        """Index documents; long ones should be split first (`dure.rag.split_document`).

        Raises:
            ConfigError: an id is there twice, or something is no document.
        """
        given = tuple(documents)
        for document in given:
            if not isinstance(document, Document):  # pyright: ignore[reportUnnecessaryIsInstance] - from outside
                raise ConfigError(f"not a document: {document!r}")
        repeated = [name for name, times in Counter(one.id for one in given).items() if times > 1]
        if repeated:
            raise ConfigError(f"ids of documents must be unique, these are not: {', '.join(map(repr, repeated))}")
        entries = [Entry(id=one.id, text=_searched(one)) for one in given]
        return cls({one.id: one for one in given}, await builder.build(entries))

    async def retrieve(self, query: str, *, limit: int, where: Mapping[str, Json] = NOTHING) -> tuple[Found, ...]:
        """The best `limit` documents that fit `where`, best first."""
        hits = await self._index.search(query, limit=len(self._documents) if where else limit)
        found = (Found(document=self._documents[hit.id], score=hit.score) for hit in hits)
        return tuple(one for one in found if fits(one.document, where))[:limit]


def _searched(document: Document) -> str:
    title = document.metadata.get("title")
    return f"{title}\n{document.text}" if isinstance(title, str) else document.text
