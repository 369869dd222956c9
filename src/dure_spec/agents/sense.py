"""Cheap checks of whether a sentence of a model speaks of what it was asked about."""

import re
from collections.abc import Iterable, Sequence

_WORD = re.compile(r"[가-힣]{2,}|[a-z]{3,}")
_BROKEN = re.compile(r"다[, (]|시스템은|[()]")
"""A Korean condition that had ended before it was made one."""
_THEN = re.compile(r"면 시스템은|, the system shall")
_EVERYWHERE = frozenset(
    "시스템 관리 등록 조회 처리 사용자 system management manage the and with when for screens operations user".split()
)


def borrowed(text: str, examples: Iterable[str], own: str) -> bool:
    """Whether `text` uses a word that stands in the worked examples but nowhere in its own task."""
    known = own.lower()
    foreign = {word for example in examples for word in _stems(example) if word not in known}
    return any(word in text.lower() for word in foreign - _EVERYWHERE)


def strays(sentences: Sequence[str], titles: Sequence[str]) -> set[int]:
    """Places of sentences that say more of another title than of their own, begin as another did, or end twice."""
    found: set[int] = set()
    conditions: set[str] = set()
    for place, sentence in enumerate(sentences):
        shares = [_share(title, sentence) for title in titles]
        condition = _THEN.split(sentence)[0]
        broken = _BROKEN.search(condition) or "한다음" in sentence
        if sentence and (max(shares) > shares[place] or condition in conditions or broken):
            found.add(place)
        conditions.add(condition)
    return found


def _share(title: str, sentence: str) -> float:
    """The part of the title's words that the sentence speaks of, by the beginnings of words."""
    words = [word[:4] for word in _stems(title)]
    said = sentence.lower()
    return sum(word[: max(2, len(word) - 1)] in said for word in words) / len(words) if words else 0.0


def _stems(text: str) -> list[str]:
    return _WORD.findall(text.lower())
