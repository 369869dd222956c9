"""Events for programs: one JSON object a line, raw UTF-8, the names of the event's own fields."""

import json
from dataclasses import asdict, fields, is_dataclass
from decimal import Decimal
from typing import TextIO

from msgspec import Struct, structs
from pydantic import BaseModel

from dure_spec.pipeline.events import PipelineEvent


class JsonLinesView:
    """Writes `{"event": "AttemptJudged", "stage": "dba", …}` for every event, and flushes it at once."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._ascii_only = not (stream.encoding or "utf-8").lower().replace("-", "").startswith("utf")

    def show(self, event: PipelineEvent) -> None:
        """Write the event as one line."""
        self._stream.write(encode(event, ascii_only=self._ascii_only) + "\n")
        self._stream.flush()

    def tick(self) -> None:
        """Time alone is no event."""

    def stopping(self) -> None:
        """The run itself tells how it ended."""

    def close(self) -> None:
        """Every line is already out."""


def encode(event: PipelineEvent, *, ascii_only: bool = False) -> str:
    """The event as a JSON object on one line; lone surrogates, which UTF-8 cannot hold, become question marks.

    `ascii_only` escapes what a stream of another encoding could not hold either.
    """
    named = {field.name: getattr(event, field.name) for field in fields(event)}
    line = json.dumps({"event": type(event).__name__, **named}, ensure_ascii=ascii_only, default=_plain)
    return line.encode("utf-8", "replace").decode()


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True)
    if isinstance(value, Struct):
        return structs.asdict(value)
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, Decimal):  # as text, so that no cent is lost
        return str(value)
    raise TypeError(f"an event holds a {type(value).__name__}, which JSON has no form for")
