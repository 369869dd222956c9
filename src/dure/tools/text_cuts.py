"""Where a text may be cut: never inside what a person sees as one character."""

import unicodedata

_FAR = 64
"""Code points of one character that are looked at; a longer one is cut."""
_FLAGS = 4096
"""Letters of flags that are counted back; more in a row are no sentence."""
_ZERO_WIDTH_JOINERS = "\u200c\u200d"


def cut_before(text: str, position: int) -> int:
    """The last place to cut at or before `position`."""
    if position >= len(text):
        return len(text)
    for place in range(position, max(position - _FAR, 0), -1):
        if not _inside(text, place):
            return place
    return 0 if position < _FAR else position


def cut_after(text: str, position: int) -> int:
    """The first place to cut at or after `position`."""
    if position <= 0:
        return 0
    for place in range(position, min(position + _FAR, len(text))):
        if not _inside(text, place):
            return place
    return len(text) if position + _FAR >= len(text) else position


def _inside(text: str, place: int) -> bool:
    """Whether the code points round a place belong together (most of Unicode's grapheme clusters)."""
    before, after = text[place - 1], text[place]
    if before == "\r" and after == "\n":
        return True
    if after < "\u0300":  # nothing below joins what is before it
        return False
    if _is_regional(after):
        return _is_regional(before) and _regionals_before(text, place) % 2 == 1
    return (
        unicodedata.category(after)[0] == "M"
        or after in _ZERO_WIDTH_JOINERS
        or before == _ZERO_WIDTH_JOINERS[1]
        or "\u1160" <= after <= "\u11ff"  # vowels and finals of decomposed Hangul
        or "\ud7b0" <= after <= "\ud7ff"
        or "\U0001f3fb" <= after <= "\U0001f3ff"  # skin tones
        or "\U000e0020" <= after <= "\U000e007f"  # flags of regions
    )


def _is_regional(character: str) -> bool:
    """Letters of which two make a flag."""
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _regionals_before(text: str, place: int) -> int:
    start = place
    while start and place - start < _FLAGS and _is_regional(text[start - 1]):
        start -= 1
    return place - start
