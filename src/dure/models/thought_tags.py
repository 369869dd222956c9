"""Thinking that a server leaves in the text, between `<think>` tags, told apart while the text arrives.

Many templates put the opening tag into the prompt, so that only the closing one comes; whatever was shown before it
was thinking then. After the first closing tag the text is text.
"""

from typing import Literal

Kind = Literal["text", "thought", "restart"]
Piece = tuple[Kind, str]
"""`restart` says that all text so far was thinking."""

_OPEN, _CLOSE = "<think>", "</think>"
_MOST_SPACE = 64
"""Characters; a model that begins with nothing but space for longer is not about to think."""
_QUOTES = ("`", '"', "'")
"""Before a closing tag they show that the text speaks of the tag."""


class ThoughtTags:
    """Takes one answer's text piece by piece. A piece that may be the beginning of a tag is held back."""

    __slots__ = ("_before", "_held", "_state")

    def __init__(self) -> None:
        self._state: Literal["start", "thinking", "text", "after", "done"] = "start"
        self._held = ""
        self._before = ""

    def feed(self, piece: str) -> list[Piece]:
        """What `piece` adds, in order."""
        if not self._held and (self._state == "done" or (self._state == "text" and "<" not in piece)):
            self._before = piece[-1:]
            return [("text", piece)]
        text, self._held = self._held + piece, ""
        match self._state:
            case "start":
                return self._begin(text)
            case "thinking":
                return self._think(text)
            case "text":
                return self._watch(text)
            case _:
                return self._go_on(text)

    def end(self) -> list[Piece]:
        """What was held back and is no tag."""
        held, self._held = self._held, ""
        if not held:
            return []
        return [("thought" if self._state == "thinking" else "text", held)]

    def _begin(self, text: str) -> list[Piece]:
        bare = text.lstrip()
        if len(text) - len(bare) < _MOST_SPACE:
            if bare.startswith(_OPEN):
                self._state = "thinking"
                return self._think(bare.removeprefix(_OPEN))
            if _OPEN.startswith(bare):
                self._held = text
                return []
        self._state = "text"
        return self._watch(text)

    def _think(self, text: str) -> list[Piece]:
        thought, closed, rest = text.partition(_CLOSE)
        if closed:
            return [("thought", thought), *self._go_on(rest)]
        place = _possible_tag(text)
        self._held = text[place:]
        return [("thought", text[:place])] if place else []

    def _watch(self, text: str) -> list[Piece]:
        place = text.find(_CLOSE)
        while place >= 0 and (text[place - 1] if place else self._before) in _QUOTES:
            place = text.find(_CLOSE, place + 1)
        if place >= 0:
            return [("text", text[:place]), ("restart", ""), *self._go_on(text[place + len(_CLOSE) :])]
        place = _possible_tag(text)
        self._held = text[place:]
        if not place:
            return []
        self._before = text[place - 1]
        return [("text", text[:place])]

    def _go_on(self, text: str) -> list[Piece]:
        """The empty lines between thinking and answer are neither."""
        self._state = "after"
        text = text.lstrip()
        if not text:
            return []
        self._state = "done"
        return [("text", text)]


def _possible_tag(text: str) -> int:
    """From where on the text may become a closing tag; its length if it cannot."""
    place = text.rfind("<", -len(_CLOSE))
    return place if place >= 0 and _CLOSE.startswith(text[place:]) else len(text)
