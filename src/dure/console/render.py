"""Text for terminals: made harmless, measured in cells (a Hangul syllable takes two), wrapped and cut."""

import unicodedata
from collections.abc import Iterator

from rich.cells import cell_len, chop_cells, set_cell_size

_KEPT = "\n"
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))


def printable(text: str) -> str:
    """The text without control, format and surrogate characters: what a model wrote must not steer a terminal."""
    text = text.replace("\r\n", "\n").replace("\t", "    ")
    if text.isascii() and text.isprintable():
        return text
    text = unicodedata.normalize("NFC", text)  # terminals disagree about the width of a syllable in pieces
    return "".join(mark for mark in text if mark in _KEPT or unicodedata.category(mark) not in _HIDDEN)


def one_line(text: str) -> str:
    """The text as a single line without leading, trailing and doubled spaces."""
    return " ".join(printable(text).split())


def fit(text: str, width: int) -> str:
    """The text as one line of at most `width` cells; what is cut is marked by an ellipsis."""
    line = one_line(text)
    if cell_len(line) <= width:
        return line
    return set_cell_size(line, max(0, width - 1)).rstrip() + "…" if width > 0 else ""


def tail(text: str, width: int, count: int) -> list[str]:
    """The last `count` lines as a terminal of `width` cells would wrap them; the final line break does not count."""
    if width < 2 or count < 1 or not text.strip():
        return []
    found: list[str] = []
    # A line of the tail takes at most `width` characters, so older text cannot matter.
    recent = printable(text[-(width + 1) * (count + 1) :]).removesuffix("\n")
    for line in reversed(recent.split("\n")):
        found.extend(reversed(list(_wrap(line.rstrip(), width))))
        if len(found) >= count:
            break
    return list(reversed(found[:count]))


def clock(seconds: float) -> str:
    """`0:07`, `12:40` or `1:02:03`."""
    whole = max(0, int(seconds))
    hours, rest = divmod(whole, 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def _wrap(line: str, width: int) -> Iterator[str]:
    yield from chop_cells(line, width) if line else ("",)
