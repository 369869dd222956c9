"""What is looked up, and the port to whoever looks it up."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from dure.chat import nothing
from dure.messages import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A piece of text with where it comes from."""

    id: str
    text: str
    metadata: Mapping[str, Json] = field(default_factory=nothing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A document and how well it fits the question."""

    document: Document
    score: float


class Retriever(Protocol):
    """Looks documents up."""

    async def retrieve(self, query: str, *, limit: int) -> tuple[Found, ...]:
        """The best `limit` documents, best first; none is an answer too."""
        ...
