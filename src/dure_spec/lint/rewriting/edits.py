"""Edits of a text: replacements and insertions that never overlap."""

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """`text[start:end]` becomes `new`; an insertion where both are the same."""

    start: int
    end: int
    new: str


@dataclass(slots=True, kw_only=True)
class Edits:
    """Collects edits and what could not be edited."""

    text: str
    edits: list[Edit] = field(default_factory=list[Edit])
    notes: list[str] = field(default_factory=list[str])

    def replace(self, start: int, end: int, new: str) -> None:
        """Put other words in the place of some."""
        if self.text[start:end] != new:
            self.edits.append(Edit(start=start, end=end, new=new))

    def insert(self, place: int, new: str) -> None:
        """Put words between others; what is inserted first at a place stands first."""
        self.edits.append(Edit(start=place, end=place, new=new))

    def note(self, message: str) -> None:
        """Tell what is left as it was."""
        if message not in self.notes:
            self.notes.append(message)


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits; of edits that overlap only the one that begins first is made."""
    pieces: list[str] = []
    place = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start < place:
            continue
        pieces += (text[place : edit.start], edit.new)
        place = edit.end
    return "".join([*pieces, text[place:]])
