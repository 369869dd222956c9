"""Embeddings by OpenAI's API and by the servers that speak like it."""

from collections.abc import Sequence

import msgspec

from dure.errors import ConfigError, MalformedResponse
from dure.messages import Json
from dure.models.embedding_prefixes import Kind, prefixes_of
from dure.models.embedding_vectors import VectorCheck, batches, meaningful
from dure.models.http_errors import from_stream
from dure.models.http_wire import HttpWire, WireTimeouts
from dure.models.openai_messages import encode

DEFAULT_MODEL = "text-embedding-3-small"
MOST_TEXTS = 2_048
"""What the vendor takes in one request."""
_USUAL_TEXTS = 256
"""An answer is some 20 KB of text for each; larger ones would hold up everything else while they are read."""
_MOST_BYTES = 400_000
"""The vendor takes 300,000 tokens in one request; no usual text has more than a token for two bytes."""


class _Item(msgspec.Struct):
    embedding: list[float]
    index: int | None = None


class _Answer(msgspec.Struct):
    data: list[_Item] | None = None
    error: Json = None


class OpenAIEmbedder:
    """An embedding model behind an `/embeddings` endpoint."""

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        *,
        base_url: str = "https://api.openai.com/v1",
        api_key: str | None = None,
        dimensions: int | None = None,
        most_texts: int = _USUAL_TEXTS,
        timeouts: WireTimeouts = WireTimeouts(),  # noqa: B008 frozen
    ) -> None:
        """`dimensions` shortens the vectors, where the model can; `most_texts` go out in one request."""
        if not 1 <= most_texts <= MOST_TEXTS:
            raise ConfigError(f"most_texts must be 1 to {MOST_TEXTS}, not {most_texts}")
        self._name = f"openai:{model}"
        self._most_texts = most_texts
        self._prefixes = prefixes_of(model)
        self._check = VectorCheck(self._name)
        self._wire = HttpWire(base_url, api_key=api_key, timeouts=timeouts)
        self._fields: dict[str, Json] = {"model": model, "encoding_format": "float"}
        if dimensions is not None:
            self._fields["dimensions"] = dimensions

    @property
    def name(self) -> str:
        """`openai:` and the model."""
        return self._name

    async def embed(self, texts: Sequence[str], *, kind: Kind) -> list[list[float]]:
        """One vector of length 1 for each text (see `Embedder.embed`).

        Raises:
            InvalidRequest: a text is empty.
            ContextTooLong: a text is longer than the model reads.
            MalformedResponse: the vectors are not what was asked for.
            ModelError: of the class that says what to do about it.
        """
        wanted = [self._prefixes.put(text, kind) for text in meaningful(texts)]
        found: list[list[float]] = []
        for batch in batches(wanted, most=self._most_texts, most_bytes=_MOST_BYTES):
            found += self._check.unit(await self._ask(batch), count=len(batch))
        return found

    async def close(self) -> None:
        """Close the connections."""
        await self._wire.close()

    async def _ask(self, batch: Sequence[str]) -> list[list[float]]:
        async with self._wire.post("/embeddings", encode({**self._fields, "input": batch})) as reply:
            data = await reply.read()
        try:
            answer = msgspec.json.decode(data, type=_Answer)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise MalformedResponse(f"{self._name} sent what is not an answer of `/embeddings`: {error}") from error
        if answer.error is not None:
            raise from_stream(answer.error, server=self._name)
        return [item.embedding for item in self._in_order(answer.data or [])]

    def _in_order(self, items: list[_Item]) -> list[_Item]:
        places = [item.index for item in items if item.index is not None]
        if not places:
            return items
        if sorted(places) != list(range(len(items))):
            raise MalformedResponse(f"{self._name} numbered its vectors {places[:8]}…, which are not its texts")
        return sorted(items, key=lambda item: item.index or 0)
