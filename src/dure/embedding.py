"""The port to models that turn texts into vectors."""

from collections.abc import Sequence
from typing import Literal, Protocol


class Embedder(Protocol):
    """Texts as vectors whose dot product says how alike they are."""

    @property
    def name(self) -> str:
        """`provider:model`."""
        ...

    async def embed(self, texts: Sequence[str], *, kind: Literal["query", "document"]) -> list[list[float]]:
        """One vector of length 1 for each text, all of the same dimension, in order.

        Raises:
            ModelError: of the class that says what to do about it.
        """
        ...

    async def close(self) -> None:
        """Give back connections. May be called twice."""
        ...
