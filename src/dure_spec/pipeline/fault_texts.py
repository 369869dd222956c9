"""What went wrong in the words of the run: faults are written in English where they arise, and told in Korean too."""

import re
from collections.abc import Mapping

from dure_spec.artifacts.shared import Language

_KOREAN: Mapping[str, str] = {
    r"no usable answer after (\d+) attempts: (.+)": "{0}번 물었지만 쓸 수 있는 답이 없습니다: {1}",
    r"cut at the token limit; once more with (\d+) tokens": "답이 토큰 한도에서 잘려 {0}토큰까지 늘려 다시 묻습니다",
    r"expected one JSON object": "JSON 객체 하나로 답해야 합니다",
    r"expected one JSON list": "JSON 목록 하나로 답해야 합니다",
    r"expected one line for each requirement, with one of its options": "요구사항마다 보기 하나를 골라야 합니다",
    r"expected one line for each item, with (.+)": "항목마다 한 줄씩 써야 합니다: {0}",
    r"expected one line for each: (.+)": "하나마다 한 줄씩 써야 합니다: {0}",
    r"expected (\d+) lines, each with its number": "번호를 붙인 {0}줄이 와야 합니다",
    r"expected 2 to 4 numbered titles": "번호를 붙인 제목이 2~4개 와야 합니다",
    r"expected (.+)": "이런 꼴이어야 합니다: {0}",
    r"no data to store was named": "저장할 데이터가 하나도 없습니다",
    r"these tables are missing or cannot be read: (.+)": "빠졌거나 읽을 수 없는 테이블이 있습니다: {0}",
    r"no item was replaced": "고친 항목이 하나도 없습니다",
    r"it is not in the form that was asked for": "묻는 형식이 아닙니다",
    r"the run has made its (\d+) model calls; .+": "이 단계가 모델을 {0}번 불러 한도(max_model_calls)에 닿았습니다",
    r"no artifact": "산출물이 나오지 않았습니다",
    r"stage '(\w+)' ended without an artifact": "단계가 산출물 없이 끝났습니다",
    r"(.+); asking (\S+)": "{0}; {1}에게 묻습니다",
}
_CALL = "모델 호출이 실패했습니다: {0}"
_ANSWER = "쓸 수 없는 답입니다: {0}"
_HANGUL = re.compile("[가-힣]")


def fault_text(lang: Language, fault: str, *, call: bool = False) -> str:
    """The fault for people; what has no words of its own here stays as it is, after a few that frame it.

    `call` says that the model could not be reached or failed, rather than its answer.
    """
    if lang == "en" or not fault:
        return fault
    for pattern, words in _KOREAN.items():
        found = re.fullmatch(pattern, fault, re.DOTALL)
        if found is not None:
            said = list(found.groups())
            if len(said) > 1 and words.endswith("{1}"):
                said[-1] = _inner(said[-1])
            return words.format(*said)
    return fault if _HANGUL.search(fault) else (_CALL if call else _ANSWER).format(fault)


def _inner(fault: str) -> str:
    """A fault inside another needs no frame."""
    told = fault_text("ko", fault)
    return fault if told == _ANSWER.format(fault) else told
