"""Requirements that say the same in other words."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from dure_spec.artifacts.prd import Requirement
from dure_spec.derive.words import singular

ALIKE = 0.75
"""Share of common words (Jaccard) from which on two requirements are the same; measured on the catalogue's own."""

_TOKEN = re.compile(r"[가-힣]+|[a-z]+|\d[\d.,]*")
_JOSA = re.compile(
    r"(?<=[가-힣]{2})(?:으로써|으로서|에게서|으로|에서|에게|까지|부터|마다|처럼|이나|와의|과의|을|를|이|가|은|는|의|에|로|와|과|도|만)$"
)
_ENDING = re.compile(
    r"(?<=[가-힣])(?:해야|하여야|할|하고|하며|하여|해서|한다|하는|한|하게|하도록|합니다|하면|했다|된다|되는|되면|되고|시킨다|하기)$"
)
_STOP = frozenset(
    """
    시스템 시스템은 수 있다 있어야 있도록 한다 해야 준다 주어야 주고 보여 제공 제공한다 대한 대해 위한 위해 통해
    때 경우 및 또는 그 이 각 해당 내역 목록 정보 기능 데이터 화면 관리 처리
    the a an of to in on for with by at from and or shall must should will can may be is are able system it its
    their that this which when then list information data detail entry record management function feature
    """.split()
)
_SAME = {
    word: words.split()[0]
    for words in (
        "조회 검색 열람 확인",
        "등록 생성 추가 작성 입력",
        "수정 변경 갱신 편집 고쳐",
        "삭제 제거 지우",
        "나누 나누어 페이지",
        "view search find list browse see show display look read",
        "create register add enter insert make new",
        "update edit change modify",
        "delete remove erase",
        "send notify inform",
        "allow let enable permit provide",
    )
    for word in words.split()
}


@dataclass(frozen=True, slots=True)
class _Words:
    number: int
    text: frozenset[str]
    title: frozenset[str]
    thing: str
    """What it deals with above all, where its text says so."""


def near_duplicates(requirements: Sequence[Requirement]) -> Iterator[tuple[int, int]]:
    """Pairs (earlier, later) of positions; each later one once.

    Only pairs that share one of their rarest words are compared, so the work grows with what is alike and not with
    the square of the number.
    """
    rows = [_words(number, requirement) for number, requirement in enumerate(requirements)]
    counts = Counter(word for row in rows for word in row.text)
    seen: dict[str, list[_Words]] = {}
    for row in rows:
        ordered = sorted(row.text, key=lambda word: (counts[word], word))
        rare = ordered[: len(ordered) - ceil(ALIKE * len(ordered)) + 1]
        others = {other.number: other for word in rare for other in seen.get(word, ())}
        twin = next((other for _, other in sorted(others.items()) if _alike(other, row)), None)
        if twin is not None:
            yield twin.number, row.number
        for word in rare:
            seen.setdefault(word, []).append(row)


def _alike(one: _Words, other: _Words) -> bool:
    common = len(one.text & other.text)
    if common < ALIKE * (len(one.text) + len(other.text) - common):
        return False
    if one.thing and other.thing and one.thing != other.thing:
        return False
    mine, yours = one.text - other.text, other.text - one.text
    # a word of the title that the other one never says tells them apart
    if (mine & one.title) - other.title or (yours & other.title) - one.title:
        return False
    return not any(word[0].isdigit() for word in mine | yours)


def _words(number: int, requirement: Requirement) -> _Words:
    thing = requirement.entities[0].strip() if requirement.entities else ""
    said = thing if thing.lower() in requirement.text.lower() else ""
    return _Words(number, _tokens(requirement.text), _tokens(requirement.title), said)


def _tokens(text: str) -> frozenset[str]:
    found = (_stem(token) for token in _TOKEN.findall(text.lower()))
    return frozenset(_SAME.get(word, word) for word in found if word not in _STOP)


def _stem(token: str) -> str:
    if "가" <= token[0] <= "힣":
        return _ENDING.sub("", _JOSA.sub("", token))
    return singular(token) if token[0].isalpha() else token
