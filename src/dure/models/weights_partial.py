"""A weights file that is not complete yet, and the note beside it that lets the next pull go on."""

import os
from pathlib import Path
from typing import BinaryIO

import msgspec


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """How far a source has come."""

    source: str
    parts: int = 0
    bytes: int = 0
    """Of the parts that are complete."""


class Partial:
    """`FILE.partial` and `FILE.partial.json`."""

    def __init__(self, target: Path) -> None:
        self.path = target.with_name(target.name + ".partial")
        self._note = target.with_name(target.name + ".partial.json")

    @property
    def size(self) -> int:
        """Bytes on disk, 0 without a file."""
        return self.path.stat().st_size if self.path.exists() else 0

    def note_of(self, source: str) -> Note | None:
        """What this source left, if it was this source and its bytes are there."""
        try:
            note = msgspec.json.decode(self._note.read_bytes(), type=Note)
        except (OSError, msgspec.DecodeError):
            return None
        return note if note.source == source and self.size >= note.bytes else None

    def open_at(self, note: Note, place: int) -> BinaryIO:
        """The file for writing at `place`, with what lies behind it cut off and `note` kept."""
        self.keep(note)
        file = self.path.open("r+b" if self.path.exists() else "w+b")
        file.truncate(place)
        file.seek(place)
        return file

    def keep(self, note: Note) -> None:
        """Write the note, whole or not at all."""
        draft = self._note.with_name(self._note.name + ".draft")
        draft.write_bytes(msgspec.json.encode(note))
        draft.replace(self._note)

    def finish(self, target: Path) -> None:
        """Become the target in one step."""
        with self.path.open("rb+") as file:
            os.fsync(file.fileno())
        self.path.replace(target)
        self._note.unlink(missing_ok=True)

    def discard(self) -> None:
        """Leave nothing behind."""
        self.path.unlink(missing_ok=True)
        self._note.unlink(missing_ok=True)
