"""Ollama's answers as it really sends them: a line of a stream, a whole answer, and what it knows of a model."""

from collections.abc import Mapping

import msgspec

from dure.messages import Json
from dure.models.wire_json import read_again


class Function(msgspec.Struct, gc=False):
    """The function part of a tool call; the arguments come whole."""

    name: str | None = None
    arguments: Json = None
    """An object; text where a proxy speaks like another API."""


class Call(msgspec.Struct, gc=False):
    """A tool call; servers before 0.12.10 give it no id."""

    id: str | None = None
    function: Function | None = None


class Message(msgspec.Struct, gc=False):
    """What is new, or the whole message."""

    content: str | None = None
    thinking: str | None = None
    tool_calls: list[Call] | None = None


class Chunk(msgspec.Struct, gc=False):
    """One line of a stream, or a whole answer."""

    message: Message | None = None
    done: bool = False
    done_reason: str | None = None
    prompt_eval_count: int | None = None
    """Includes what came from the cache."""
    prompt_eval_cached_count: int | None = None
    eval_count: int | None = None
    error: Json = None


class Details(msgspec.Struct):
    """A model's origin."""

    family: str | None = None
    families: list[str] | None = None

    @property
    def names(self) -> frozenset[str]:
        """All families, in small letters."""
        return frozenset(name.lower() for name in (self.family or "", *(self.families or ())) if name)


class Shown(msgspec.Struct):
    """The answer of `/api/show`."""

    model_info: Mapping[str, Json] | None = None
    capabilities: list[str] | None = None
    details: Details | None = None

    @property
    def context_length(self) -> int | None:
        """Tokens the model was trained for; the key begins with the name of its architecture."""
        info = self.model_info or {}
        architecture = info.get("general.architecture")
        keys = [key for key in info if key.endswith(".context_length")]
        length = info.get(f"{architecture}.context_length") or (info[keys[0]] if len(keys) == 1 else None)
        return length if isinstance(length, int) and length > 0 else None

    @property
    def families(self) -> frozenset[str]:
        """All families, in small letters."""
        return frozenset() if self.details is None else self.details.names


_chunks = msgspec.json.Decoder(Chunk)
_shown = msgspec.json.Decoder(Shown)
_ODD = "sent what is not of Ollama's API"


def decode_chunk(data: bytes, *, server: str) -> Chunk:
    """A line from its bytes.

    Raises:
        MalformedResponse: not JSON, or not of this shape.
    """
    try:
        return _chunks.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return read_again(data, Chunk, error, of=f"{server} {_ODD}")


def decode_shown(data: bytes, *, server: str) -> Shown:
    """What `/api/show` answered.

    Raises:
        MalformedResponse: not JSON, or not of this shape.
    """
    try:
        return _shown.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return read_again(data, Shown, error, of=f"{server} {_ODD}")
