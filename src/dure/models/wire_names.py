"""Tool names as providers accept them: `[a-zA-Z0-9_-]{1,64}`, unique, stable and reversible.

A name that already fits goes out as it is. Any other becomes a readable stem (Hangul romanised) and a
short hash of the original, so the same tool has the same wire name in every request and every run.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable

_FITS = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_OTHER = re.compile(r"[^a-zA-Z0-9-]+")
_LONGEST = 64
_HASH = 8
_LONG_HASH = 24

_FIRST_SYLLABLE, _SYLLABLES = 0xAC00, 11_172
# Revised romanisation, in the order of Unicode's syllable blocks; `-` is a silent part.
_INITIALS = "g kk n d tt r m b pp s ss - j jj ch k t p h"
_VOWELS = "a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i"
_FINALS = "- k k k n n n t l k m l l l p l m p p t t ng t t k t p t"


class WireNames:
    """The two-way map of one request's tools."""

    def __init__(self, names: Iterable[str]) -> None:
        originals = list(dict.fromkeys(names))
        taken = {name for name in originals if _FITS.fullmatch(name)}
        self._to_wire = {name: name for name in taken}
        longer: list[str] = []
        for name in originals:
            if name in taken:
                continue
            wire = wire_name(name)
            if wire in taken:
                wire = _hashed(name, _LONG_HASH)
                longer.append(name)
            self._to_wire[name] = wire
            taken.add(wire)
        self._to_name = {wire: name for name, wire in self._to_wire.items()}
        self.cache_key = "".join(f"\0{name}" for name in longer)
        """Empty, unless a tool's wire name depends on the other tools; then encoded messages differ too."""

    def to_wire(self, name: str) -> str:
        """The name on the wire, also of a tool that is only in the history."""
        return self._to_wire.get(name) or wire_name(name)

    def to_name(self, wire: str) -> str:
        """The tool's own name; a name that was never sent stays as the model wrote it."""
        return self._to_name.get(wire, wire)


def wire_name(name: str) -> str:
    """The wire name of a tool, whatever else is in the request."""
    return name if _FITS.fullmatch(name) else _hashed(name, _HASH)


def _hashed(name: str, length: int) -> str:
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:length]
    stem = _OTHER.sub("_", _romanised(name)).strip("_")[: _LONGEST - length - 1].rstrip("_") or "tool"
    return f"{stem}_{digest}"


def _romanised(name: str) -> str:
    return "".join(_letters(character) for character in unicodedata.normalize("NFC", name))


def _letters(character: str) -> str:
    place = ord(character) - _FIRST_SYLLABLE
    if not 0 <= place < _SYLLABLES:
        return character
    initial, rest = divmod(place, 588)
    vowel, final = divmod(rest, 28)
    parts = (_INITIALS.split()[initial], _VOWELS.split()[vowel], _FINALS.split()[final])
    return "".join(parts).replace("-", "")
