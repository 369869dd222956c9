"""The content blocks of one answer while they arrive: what they say, and what the model wants back unchanged."""

from dataclasses import dataclass, field
from typing import Any

import msgspec

from dure.models.stream_assembly import OpenCall

_SIGNED = ("thinking", "redacted_thinking")


@dataclass(slots=True, kw_only=True)
class OpenBlock:
    """A block whose content still arrives."""

    start: dict[str, Any]
    """As it began."""
    kind: str
    pieces: list[str] = field(default_factory=list[str])
    """Text, thinking, or the JSON text of a block of unknown kind."""
    signature: list[str] = field(default_factory=list[str])
    call: OpenCall | None = None
    is_complete: bool = False

    def kept(self) -> dict[str, Any] | None:
        """The block as it has to go back, or `None` if it must not."""
        if self.call is not None:
            return {"type": "tool_use", "id": self.call.id} if self.call.name else None
        if self.kind == "text":
            return {"type": "text", "text": "".join(self.pieces)}
        if not self.is_complete:
            return None
        if self.kind == "thinking":
            signature = "".join(self.signature)
            thought = {**self.start, "thinking": "".join(self.pieces), "signature": signature}
            return thought if signature else None  # without its signature it would be refused
        return self._with_input()

    def _with_input(self) -> dict[str, Any]:
        text = "".join(self.pieces)
        if not text:
            return self.start
        try:
            return {**self.start, "input": msgspec.json.decode(text.encode("utf-8", "replace"))}
        except msgspec.DecodeError:
            return self.start


def worth_keeping(blocks: list[dict[str, Any]]) -> bool:
    """Whether texts and calls alone would not say it all: there is thinking or something unknown among them."""
    return any(block["type"] not in ("text", "tool_use") for block in blocks)
