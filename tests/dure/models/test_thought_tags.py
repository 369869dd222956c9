import pytest

from dure.models.thought_tags import ThoughtTags


def told(*pieces: str) -> tuple[str, str]:
    """Thinking and text in the end, and a check that nothing is told that is not there."""
    tags = ThoughtTags()
    thought, text = "", ""
    for kind, said in [one for piece in pieces for one in tags.feed(piece)] + tags.end():
        if kind == "restart":
            thought, text = thought + text, ""
        elif kind == "thought":
            thought += said
        else:
            text += said
    return thought, text


CASES = [
    ("<think>음…</think>열둘", ("음…", "열둘")),
    ("\n <think>\n음…\n</think>\n\n열둘\n", ("\n음…\n", "열둘\n")),
    ("고객은 재고를 묻는다.</think>\n\n열둘", ("고객은 재고를 묻는다.", "열둘")),
    ("</think>열둘", ("", "열둘")),
    ("<think>음…", ("음…", "")),
    ("<think>음</thi", ("음</thi", "")),
    ("<think></think>", ("", "")),
    ("열둘", ("", "열둘")),
    (" \n열둘", ("", " \n열둘")),
    ("<thin", ("", "<thin")),
    ("<thinking>음</thinking>", ("", "<thinking>음</thinking>")),
    ("a < b </thin> c <", ("", "a < b </thin> c <")),
    ("`</think>` ends it", ("", "`</think>` ends it")),
    ("'</think>' or \"</think>\"", ("", "'</think>' or \"</think>\"")),
    ("`</think>` is a tag.\n</think>\n네", ("`</think>` is a tag.\n", "네")),
    ("음</think>네 <think>아니</think>", ("음", "네 <think>아니</think>")),
    ("네 <think> 말", ("", "네 <think> 말")),
    (" " * 99 + "<think>네", ("", " " * 99 + "<think>네")),
    ("", ("", "")),
]


@pytest.mark.parametrize(("text", "right"), CASES)
def test_thinking_is_told_apart_whatever_the_pieces(text: str, right: tuple[str, str]) -> None:
    for size in range(1, len(text) + 1):
        assert told(*(text[start : start + size] for start in range(0, len(text), size))) == right, size


def test_plain_text_is_handed_on_at_once() -> None:
    tags = ThoughtTags()
    assert [tags.feed(piece) for piece in ("안", "녕 ", "하세요")] == [
        [("text", "안")],
        [("text", "녕 ")],
        [("text", "하세요")],
    ]
    assert tags.end() == []


def test_only_what_may_be_a_tag_is_held_back() -> None:
    tags = ThoughtTags()
    assert tags.feed("표: <") == [("text", "표: ")]
    assert tags.feed("td>") == [("text", "<td>")]
    assert tags.feed("끝</thi") == [("text", "끝")]
    assert tags.feed("nk>답") == [("text", ""), ("restart", ""), ("text", "답")]
