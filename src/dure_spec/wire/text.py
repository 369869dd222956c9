"""Model text made plain: thoughts, fences, full-width punctuation and bullets removed; lines keep their numbers."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

_WIDE = str.maketrans("：，；（）［］｛｝＝＞＜｜！？＠＋／　“”‘’–—−", ":,;()[]{}=><|!?@+/ \"\"''---")
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"^\s*(```|~~~)")
_BULLET = re.compile(r"^\s*(?:[-*•·▪‣]|\d{1,2}[.)])\s+")
_SECTION = re.compile(r"^\s*\[(prd|ia|erd|be|backend|fe|frontend|report)\]\s*$", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A line of the answer with its number in the original text."""

    number: int
    text: str
    bullet: bool = False


def lines_of(text: str) -> list[Line]:
    """The lines that carry something, without decoration."""
    found: list[Line] = []
    for number, raw in enumerate(_blank_thoughts(text).splitlines(), start=1):
        if _FENCE.match(raw) or _SECTION.match(raw) or set(raw.strip()) <= set("=-_*#"):
            continue
        plain = raw.translate(_WIDE).replace("**", "").replace("`", "").rstrip()
        bullet = _BULLET.match(plain)
        found.append(Line(number=number, text=plain[bullet.end() if bullet else 0 :].strip(), bullet=bool(bullet)))
    return [line for line in found if line.text]


def _blank_thoughts(text: str) -> str:
    """Thoughts are emptied, not cut, so that line numbers stay true."""
    return _THOUGHT.sub(lambda match: "\n" * match[0].count("\n"), text.replace("\r\n", "\n").lstrip("\ufeff"))


def split_list(text: str) -> list[str]:
    """The parts of `a, b,c`, empty ones left out."""
    return [part.strip() for part in text.split(",") if part.strip()]


def split_outside(text: str, mark: str) -> list[str]:
    """Split at a mark that stands outside brackets, quotes and slashes (patterns)."""
    parts: list[str] = []
    depth = 0
    quoted = ""
    current = ""
    for char in text:
        if quoted:
            quoted = "" if char == quoted else quoted
        elif char in '"/':
            quoted = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth = max(0, depth - 1)
        if char == mark and not quoted and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += char
    return [part.strip() for part in [*parts, current]]


def joined(items: Iterable[str]) -> str:
    return ",".join(items)
