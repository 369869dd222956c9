"""A description cut to what a list of tools has room for."""

import re

_END = re.compile(r"(?<=[.!?。])\s|\n")
_LONGEST = 120


def first_sentence(text: str, longest: int = _LONGEST) -> str:
    """The first sentence, cut with an ellipsis at a word where it is longer than `longest` characters."""
    sentence = _END.split(text.strip(), maxsplit=1)[0].strip()
    if len(sentence) <= longest:
        return sentence
    cut = sentence[: longest - 1]
    return f"{cut[: cut.rfind(' ')] if cut.rfind(' ') > longest // 2 else cut}…"
