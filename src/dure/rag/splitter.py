"""Long texts cut into pieces that can be found and cited: at headings, then paragraphs, sentences, words.

No piece is longer than asked, none is blank, and together they are the whole text but for space at the cuts.
"""

import re
from collections.abc import Iterator
from typing import Literal

from dure.errors import ConfigError
from dure.rag.document import Document

SIZE = 1200
"""Characters of a piece, about 300 tokens of English or 800 of Korean."""

_HEADING = re.compile(r"^(#{1,6})[ \t]+(.*?)[ \t#]*$", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})", re.MULTILINE)
_BREAKS = (
    re.compile(r"\n[ \t]*\n\s*"),
    re.compile(r"\n"),
    re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])"),
    re.compile(r"\s+"),
)


def split_document(
    document: Document, *, size: int = SIZE, overlap: int = 0, kind: Literal["markdown", "text"] = "markdown"
) -> tuple[Document, ...]:
    """Pieces of at most `size` characters, called `id#1`, `id#2`, …; a short document stays as it is.

    A piece of Markdown begins with a heading or follows one, and its `title` has all headings above it.
    `overlap` characters of the piece before, from a word's beginning, are repeated within a section.

    Raises:
        ConfigError: the sizes make no sense.
    """
    if size < 1 or not 0 <= overlap < size:
        raise ConfigError(f"a piece needs a size of at least 1 and an overlap below it, not {size} and {overlap}")
    if kind not in ("markdown", "text"):
        raise ConfigError(f"kind is 'markdown' or 'text', not {kind!r}")
    sections = _sections(document.text) if kind == "markdown" else iter((("", document.text),))
    pieces = [(title, piece) for title, text in sections for piece in _pieces(text, size, overlap)]
    if len(pieces) <= 1:
        return (document,) if pieces else ()
    return tuple(_piece(document, number, *piece) for number, piece in enumerate(pieces, start=1))


def _piece(document: Document, number: int, title: str, text: str) -> Document:
    given = document.metadata.get("title")
    titles = [one for one in (given if isinstance(given, str) else "", title) if one]
    added = {"title": " › ".join(titles)} if titles else {}
    return Document(
        id=f"{document.id}#{number}", text=text, metadata={**document.metadata, **added, "document": document.id}
    )


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """The text from one heading to the next, with the headings it stands under."""
    path: list[tuple[int, str]] = []
    begun = 0
    for heading in _headings(text):
        yield " › ".join(name for _, name in path), text[begun : heading.start()]
        begun, level = heading.start(), len(heading[1])
        path = [*(one for one in path if one[0] < level), (level, heading[2])]
    yield " › ".join(name for _, name in path), text[begun:]


def _headings(text: str) -> Iterator[re.Match[str]]:
    """Headings outside code, where a `#` begins a comment."""
    marks = sorted((*_HEADING.finditer(text), *_FENCE.finditer(text)), key=lambda mark: mark.start())
    fence = ""
    for mark in marks:
        if mark.re is _HEADING:
            if not fence:
                yield mark
        elif not fence:
            fence = mark[1]
        elif mark[1].startswith(fence):
            fence = ""


def _pieces(text: str, size: int, overlap: int) -> Iterator[str]:
    text = text.strip()
    begun = 0
    while len(text) - begun > size:
        cut = _cut(text, begun, begun + size)
        yield text[begun:cut].strip()
        following = len(text) - len(text[cut:].lstrip())
        begun = max(_word_before(text, following, overlap), begun + 1) if overlap else following
    if text[begun:]:
        yield text[begun:]


def _cut(text: str, begin: int, end: int) -> int:
    """The last good place to cut in the second half of a piece, else right at its end."""
    middle = begin + (end - begin) // 2
    for breaking in _BREAKS:
        places = [found.start() for found in breaking.finditer(text, middle, end + 1) if begin < found.start() <= end]
        if places:
            return places[-1]
    return end


def _word_before(text: str, place: int, overlap: int) -> int:
    """Where a word begins at most `overlap` characters before `place`."""
    start = place - overlap
    while start < place and not text[start - 1].isspace():
        start += 1
    return start
