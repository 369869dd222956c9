"""Embeddings by an Ollama server, which refuses a text that is too long instead of cutting it."""

from collections.abc import Sequence

import msgspec

from dure.errors import ContextTooLong, MalformedResponse, ModelError
from dure.models.embedding_prefixes import Kind, prefixes_of
from dure.models.embedding_vectors import VectorCheck, batches, meaningful
from dure.models.http_wire import HttpWire, WireTimeouts
from dure.models.ollama_errors import with_next_step
from dure.models.ollama_models import EMBEDDING_MODEL
from dure.models.openai_messages import encode

_LOCAL = "http://127.0.0.1:11434"
_MOST_TEXTS = 32
_MOST_BYTES = 256_000
_CONTEXT = 8_192
"""Tokens of one text; Ollama lowers it to what the model was trained for."""
_IDLE_SECONDS = 600.0


class _Answer(msgspec.Struct):
    embeddings: list[list[float]] | None = None


class OllamaEmbedder:
    """An embedding model that an Ollama server runs."""

    def __init__(
        self,
        model: str = EMBEDDING_MODEL,
        *,
        base_url: str = _LOCAL,
        api_key: str | None = None,
        num_ctx: int = _CONTEXT,
        keep_alive: str | float | None = None,
        timeouts: WireTimeouts = WireTimeouts(idle=_IDLE_SECONDS),  # noqa: B008 frozen
    ) -> None:
        """`num_ctx` is the longest text in tokens."""
        self._model = model
        self._name = f"ollama:{model}"
        self._prefixes = prefixes_of(model)
        self._check = VectorCheck(self._name)
        self._wire = HttpWire(base_url, api_key=api_key, timeouts=timeouts)
        fields = {"model": model, "truncate": False, "options": {"num_ctx": num_ctx}, "keep_alive": keep_alive}
        self._fields = {name: value for name, value in fields.items() if value is not None}

    @property
    def name(self) -> str:
        """`ollama:` and the model."""
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
        for batch in batches(wanted, most=_MOST_TEXTS, most_bytes=_MOST_BYTES):
            found += self._check.unit(await self._ask(batch), count=len(batch))
        return found

    async def close(self) -> None:
        """Close the connections."""
        await self._wire.close()

    async def _ask(self, batch: Sequence[str]) -> list[list[float]]:
        try:
            async with self._wire.post("/api/embed", encode({**self._fields, "input": batch})) as reply:
                data = await reply.read()
            return msgspec.json.decode(data, type=_Answer).embeddings or []
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise MalformedResponse(f"{self._name} sent what is not an answer of `/api/embed`: {error}") from error
        except ContextTooLong as error:
            raise ContextTooLong(f"{error}; split the text into smaller pieces") from error
        except ModelError as error:
            better = with_next_step(error, self._model)
            if better is error:
                raise
            raise better from error
