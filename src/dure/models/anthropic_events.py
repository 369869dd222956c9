"""The events of a streamed answer of the Messages API, as loosely as servers really send them."""

from typing import Any

import msgspec

from dure.messages import Json
from dure.models.wire_json import read_again


class OutputDetails(msgspec.Struct, gc=False):
    """How the output tokens divide."""

    thinking_tokens: int | None = None


class CacheCreation(msgspec.Struct, gc=False):
    """How the tokens written to the cache divide by the time they are kept."""

    ephemeral_1h_input_tokens: int | None = None


class Counts(msgspec.Struct, gc=False):
    """Usage so far; `input_tokens` leaves the cached ones out."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    cache_creation: CacheCreation | None = None
    output_tokens_details: OutputDetails | None = None

    def by_field(self) -> dict[str, int | None]:
        """The counts under our names."""
        details, written = self.output_tokens_details, self.cache_creation
        return {
            "fresh_input": self.input_tokens,
            "output": self.output_tokens,
            "cache_read": self.cache_read_input_tokens,
            "cache_write": self.cache_creation_input_tokens,
            "cache_write_1h": written.ephemeral_1h_input_tokens if written is not None else None,
            "reasoning": details.thinking_tokens if details is not None else None,
        }


class StopDetails(msgspec.Struct, gc=False):
    """Why an answer was refused."""

    explanation: str | None = None


class Message(msgspec.Struct):
    """The answer as its first event or as a whole."""

    content: list[dict[str, Any]] | None = None
    stop_reason: str | None = None
    stop_details: StopDetails | None = None
    usage: Counts | None = None
    error: Json = None


class Delta(msgspec.Struct, gc=False):
    """What is new in a block or in the message."""

    type: str = ""
    text: str | None = None
    thinking: str | None = None
    signature: str | None = None
    partial_json: str | None = None
    stop_reason: str | None = None
    stop_details: StopDetails | None = None


class StreamEvent(msgspec.Struct):
    """One event of a stream."""

    type: str = ""
    index: int = 0
    message: Message | None = None
    content_block: dict[str, Any] | None = None
    delta: Delta | None = None
    usage: Counts | None = None
    error: Json = None


_events = msgspec.json.Decoder(StreamEvent)
_messages = msgspec.json.Decoder(Message)
_ODD = "sent what is not of the Messages API"


def decode_event(data: bytes, *, server: str) -> StreamEvent:
    """An event from its bytes.

    Raises:
        MalformedResponse: not JSON, or not of this shape.
    """
    try:
        return _events.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return read_again(data, StreamEvent, error, of=f"{server} {_ODD}")


def decode_message(data: bytes, *, server: str) -> Message:
    """A whole answer from its bytes.

    Raises:
        MalformedResponse: not JSON, or not of this shape.
    """
    try:
        return _messages.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return read_again(data, Message, error, of=f"{server} {_ODD}")
