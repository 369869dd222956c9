"""Long texts in pieces: bounded, whole, cut at good places, with their headings."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dure.errors import ConfigError
from dure.rag import Document, split_document

GUIDE = """Intro.

# Stock
Counted daily.

## Depot
Seven pieces.

```bash
# not a heading
ls
```

## Office ##
Two pieces.

# 휴가
15일입니다."""


def test_markdown_is_split_at_its_headings_and_keeps_them_as_titles() -> None:
    pieces = split_document(Document(id="g", text=GUIDE, metadata={"title": "Guide", "lang": "en"}))
    assert [(piece.id, piece.metadata["title"]) for piece in pieces] == [
        ("g#1", "Guide"),
        ("g#2", "Guide › Stock"),
        ("g#3", "Guide › Stock › Depot"),
        ("g#4", "Guide › Stock › Office"),
        ("g#5", "Guide › 휴가"),
    ]
    assert pieces[2].text == "## Depot\nSeven pieces.\n\n```bash\n# not a heading\nls\n```"
    assert all(piece.metadata["lang"] == "en" and piece.metadata["document"] == "g" for piece in pieces)


def test_a_fence_ends_only_at_marks_of_its_own_kind() -> None:
    text = "~~~~\n# a\n```\n# b\n~~~\n# c\n~~~~\n# Real\nx"
    pieces = split_document(Document(id="a", text=text))
    assert [piece.metadata.get("title") for piece in pieces] == [None, "Real"]


def test_a_short_document_stays_as_it_is_and_a_blank_one_is_none() -> None:
    document = Document(id="a", text="# One\nshort")
    assert split_document(document) == (document,)
    assert split_document(Document(id="a", text=" \n ")) == ()


def test_plain_text_is_cut_at_paragraphs_then_sentences_then_words() -> None:
    def cut(text: str, size: int) -> list[str]:
        return [piece.text for piece in split_document(Document(id="a", text=text), size=size, kind="text")]

    assert cut("# one two\n\nthree four", 14) == ["# one two", "three four"]
    assert cut("One is. Two is. Three.", 16) == ["One is. Two is.", "Three."]
    assert cut("하나입니다.둘입니다。셋입니다。", 12) == ["하나입니다.둘입니다。", "셋입니다。"]
    assert cut("aaaa bbbb cccc", 10) == ["aaaa bbbb", "cccc"]
    assert cut("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]


def test_pieces_may_repeat_the_end_of_the_one_before() -> None:
    text = "aaaa bbbb cccc dddd eeee"
    pieces = split_document(Document(id="a", text=text), size=14, overlap=5, kind="text")
    assert [piece.text for piece in pieces] == ["aaaa bbbb cccc", "cccc dddd eeee"]


@given(st.text(st.sampled_from("ab가 .\n#`。"), max_size=300), st.integers(1, 40), st.integers(0, 39))
def test_pieces_are_never_too_long_nor_blank_and_lose_nothing(text: str, size: int, overlap: int) -> None:
    document = Document(id="a", text=text)
    for kind in ("markdown", "text"):
        pieces = split_document(document, size=size, kind=kind)
        assert "".join("".join(piece.text.split()) for piece in pieces) == "".join(text.split())
        if len(pieces) > 1:
            assert all(piece.text.strip() and len(piece.text) <= size for piece in pieces)
    if overlap < size:
        overlapping = split_document(document, size=size, overlap=overlap)
        assert len({piece.id for piece in overlapping}) == len(overlapping)
        found = "".join(re.sub(r"\s", "", piece.text) for piece in overlapping)
        assert set(found) == set(re.sub(r"\s", "", text))


@pytest.mark.parametrize(("size", "overlap", "kind"), [(0, 0, "text"), (5, 5, "text"), (5, -1, "text"), (5, 0, "html")])
def test_sizes_that_make_no_sense_are_refused(size: int, overlap: int, kind: str) -> None:
    with pytest.raises(ConfigError):
        split_document(Document(id="a", text="x"), size=size, overlap=overlap, kind=kind)  # pyright: ignore[reportArgumentType]
