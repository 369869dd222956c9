"""Where a text may be cut: never inside what a person sees as one character."""

import unicodedata

_FAR = 64
"""Code points of one character that are looked at; a longer one is cut."""
_ZERO_WIDTH_JOINERS = "\u200c\u200d"


def cut_before(text: str, position: int) -> int:
    """The last place to cut at or before `position`."""
    if position >= len(text):
        return len(text)
    for place in range(position, max(position - _FAR, 0), -1):
        if not _one_character(text[place - 1], text[place]):
            return place
    return 0 if position < _FAR else position


def cut_after(text: str, position: int) -> int:
    """The first place to cut at or after `position`."""
    if position <= 0:
        return 0
    for place in range(position, min(position + _FAR, len(text))):
        if not _one_character(text[place - 1], text[place]):
            return place
    return len(text) if position + _FAR >= len(text) else position


def _one_character(before: str, after: str) -> bool:
    """Whether two code points belong together (most of Unicode's grapheme clusters)."""
    if before == "\r" and after == "\n":
        return True
    if after < "\u0300":  # nothing below joins what is before it
        return False
    return (
        unicodedata.category(after)[0] == "M"
        or after in _ZERO_WIDTH_JOINERS
        or before == _ZERO_WIDTH_JOINERS[1]
        or "\u1160" <= after <= "\u11ff"  # vowels and finals of decomposed Hangul
        or "\ud7b0" <= after <= "\ud7ff"
        or "\U0001f3fb" <= after <= "\U0001f3ff"  # skin tones
        or "\U000e0020" <= after <= "\U000e007f"  # flags of regions
        or ("\U0001f1e6" <= after <= "\U0001f1ff" and "\U0001f1e6" <= before <= "\U0001f1ff")
    )
