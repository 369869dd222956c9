"""The answers of chat completions as the many servers really send them: one shape for chunk and whole answer."""

import msgspec

from dure.messages import Json
from dure.models.wire_json import read_again


class Function(msgspec.Struct, gc=False):
    """The function part of a tool-call piece."""

    name: str | None = None
    arguments: str | dict[str, Json] | None = None
    """Some servers send the object instead of its text."""


class CallPiece(msgspec.Struct, gc=False):
    """A tool call or a piece of one."""

    index: int | None = None
    id: str | None = None
    function: Function | None = None


class Part(msgspec.Struct, gc=False):
    """One part of a content that comes as a list."""

    text: str | None = None


class Delta(msgspec.Struct, gc=False):
    """What is new, or the whole message."""

    content: str | list[Part] | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    refusal: str | None = None
    tool_calls: list[CallPiece] | None = None

    @property
    def text(self) -> str:
        """The content as text."""
        content = self.content
        if isinstance(content, list):
            return "".join(part.text or "" for part in content)
        return content or self.refusal or ""


class Choice(msgspec.Struct, gc=False):
    """One of the answers; we ask for one."""

    delta: Delta | None = None
    message: Delta | None = None
    finish_reason: str | None = None


class PromptDetails(msgspec.Struct, gc=False):
    """How the prompt tokens divide."""

    cached_tokens: int | None = None
    cache_write_tokens: int | None = None


class CompletionDetails(msgspec.Struct, gc=False):
    """How the completion tokens divide."""

    reasoning_tokens: int | None = None


class Counts(msgspec.Struct, gc=False):
    """Usage; `prompt_tokens` includes the cached ones."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: PromptDetails | None = None
    completion_tokens_details: CompletionDetails | None = None
    prompt_cache_hit_tokens: int | None = None

    def by_field(self) -> dict[str, int | None]:
        """The counts under our names; `input` still includes the cached tokens."""
        prompt = self.prompt_tokens_details
        completion = self.completion_tokens_details
        cached = prompt.cached_tokens if prompt is not None else None
        return {
            "input": self.prompt_tokens,
            "output": self.completion_tokens,
            "cache_read": cached if cached is not None else self.prompt_cache_hit_tokens,
            "cache_write": prompt.cache_write_tokens if prompt is not None else None,
            "reasoning": completion.reasoning_tokens if completion is not None else None,
        }


class Timings(msgspec.Struct, gc=False):
    """llama.cpp's own account of a call."""

    cache_n: int | None = None


class Chunk(msgspec.Struct, gc=False):
    """One event of a stream, or a whole answer."""

    choices: list[Choice] | None = None
    usage: Counts | None = None
    timings: Timings | None = None
    error: Json = None


_decoder = msgspec.json.Decoder(Chunk)


def decode(data: bytes, *, server: str) -> Chunk:
    """A chunk from its bytes.

    Raises:
        MalformedResponse: not JSON, or not of this shape.
    """
    try:
        return _decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return read_again(data, Chunk, error, of=f"{server} sent what is not a chat completion")
