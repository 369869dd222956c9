"""What is looked up, and the port to whoever looks it up."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from dure.chat import NOTHING, nothing
from dure.errors import ConfigError
from dure.messages import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A piece of text with where it comes from."""

    id: str
    """What it is cited by."""
    text: str
    metadata: Mapping[str, Json] = field(default_factory=nothing)
    """`title` and `source`, where they are texts, are shown to the model too; all of it can be filtered by."""

    def __post_init__(self) -> None:
        if not isinstance(self.id, str) or not self.id.strip():  # pyright: ignore[reportUnnecessaryIsInstance] - from outside
            raise ConfigError(f"a document needs an id to be cited by, not {self.id!r}")
        if not isinstance(self.text, str):  # pyright: ignore[reportUnnecessaryIsInstance] - from outside
            raise ConfigError(f"the text of document {self.id!r} is not a text: {self.text!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A document and how well it fits the question."""

    document: Document
    score: float
    """Larger is better; comparable only within one answer of one retriever."""


class Retriever(Protocol):
    """Looks documents up."""

    async def retrieve(self, query: str, *, limit: int, where: Mapping[str, Json] = NOTHING) -> tuple[Found, ...]:
        """The best `limit` documents, best first; none is an answer too.

        `where` holds values that the metadata must have; a list of values is any of them.
        """
        ...


def fits(document: Document, where: Mapping[str, Json]) -> bool:
    """Whether a document's metadata has what `where` asks for."""
    for name, wanted in where.items():
        if name not in document.metadata:
            return False
        has = document.metadata[name]
        if not (has in wanted if isinstance(wanted, list | tuple) else has == wanted):
            return False
    return True
