"""JSON of servers that write a number as text: read once more, less strictly, before an answer is given up."""

from functools import lru_cache
from typing import TypeVar

import msgspec

from dure.errors import MalformedResponse

T = TypeVar("T")
_SHOWN = 120


@lru_cache(maxsize=64)
def _loose(shape: type[T]) -> "msgspec.json.Decoder[T]":
    return msgspec.json.Decoder(shape, strict=False)


def read_again(data: bytes, shape: type[T], failed: Exception, *, of: str) -> T:
    """What a strict decoder has just `failed` to read; `of` says what is not an answer of what.

    Raises:
        MalformedResponse: it is not JSON, or not of this shape either way.
    """
    if isinstance(failed, msgspec.ValidationError):
        try:
            return _loose(shape).decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError):
            pass
    shown = data[:_SHOWN].decode("utf-8", "replace")
    raise MalformedResponse(f"{of} ({failed}): {shown!r}") from failed
