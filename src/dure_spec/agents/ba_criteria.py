"""Acceptance criteria and plain sentences that follow from what a requirement does.

The model may write a better sentence; what can be tested is the same for every system of the kind.
"""

import re

from dure_spec.artifacts.prd import Criterion
from dure_spec.artifacts.shared import Language
from dure_spec.derive.words import josa
from dure_spec.patterns import PatternFeature

_Row = tuple[str, str, str]
_VOWEL = re.compile(r"(?!uni|use|usa|eu|one|ut)[aeiou]", re.IGNORECASE)

_KO: dict[str, tuple[_Row, ...]] = {
    "create": (
        ("필수 값을 모두 채운 {e}", "{who} 저장", "{e} 한 건이 저장되고 목록의 맨 위에 보인다"),
        ("필수 값이 하나 빠진 {e}", "{who} 저장", "422 오류와 빠진 항목의 이름이 보이고 아무것도 저장되지 않는다"),
    ),
    "update": (
        ("등록된 {e}", "{who} 값을 바꾸어 저장", "바뀐 값이 다시 조회할 때 그대로 보인다"),
        ("없는 {e}의 번호", "{who} 저장", "404 오류가 보이고 아무것도 바뀌지 않는다"),
    ),
    "delete": (("등록된 {e}", "{who} 삭제를 확인", "{e}가 목록에서 사라지고 다시 조회하면 404 오류가 보인다"),),
    "list": (
        ("{e} 25건", "{who} 조건 없이 조회", "20건과 전체 건수 25가 보인다"),
        ("조건에 맞는 {e}가 없음", "{who} 조회", "빈 목록과 안내 문구가 보인다"),
    ),
    "transition": (
        ("{before} 상태의 {e}", "{who} {title} 실행", "{e}의 상태가 {after}로 바뀌고 바뀐 시각이 남는다"),
        ("이미 {after} 상태인 {e}", "{who} {title} 실행", "409 오류가 보이고 상태는 그대로다"),
    ),
    "action": (("처리할 수 있는 {e}", "{who} {title} 실행", "결과가 저장되고 화면에 처리 시각이 보인다"),),
    "report": (("최근 한 달의 {e}", "{who} 기간을 골라 조회", "기간의 합계와 건수가 원본 목록의 합과 같다"),),
    "login": (
        ("등록된 사용자", "올바른 비밀번호를 제출", "역할에 맞는 첫 화면이 열린다"),
        ("등록된 사용자", "비밀번호를 5회 연속 틀림", "계정이 15분 잠기고 423 오류가 보인다"),
    ),
}
_EN: dict[str, tuple[_Row, ...]] = {
    "create": (
        ("{a_e} with all required values", "{who} saves it", "one {e} is stored and is first in the list"),
        ("{a_e} that lacks a required value", "{who} saves it", "a 422 error names the value and nothing is stored"),
    ),
    "update": (
        ("an existing {e}", "{who} changes a value and saves", "the new value is shown when it is read again"),
        ("the number of {a_e} that does not exist", "{who} saves", "a 404 error is shown and nothing changes"),
    ),
    "delete": (("an existing {e}", "{who} confirms the removal", "it is gone from the list and reading it gives 404"),),
    "list": (
        ("25 entries of {e}", "{who} searches without a filter", "20 entries and the total of 25 are shown"),
        ("no {e} that fits the filter", "{who} searches", "an empty list with a hint is shown"),
    ),
    "transition": (
        ("{a_e} in state {before}", "{who} runs {title}", "its state becomes {after} and the time is kept"),
        ("{a_e} that is {after} already", "{who} runs {title}", "a 409 error is shown and the state stays"),
    ),
    "action": (("{a_e} that can be processed", "{who} runs {title}", "the result is stored with its time"),),
    "report": (("the {e} of the last month", "{who} picks the period", "totals equal the sum of the listed entries"),),
    "login": (
        ("a registered user", "the right password is sent", "the first screen of the user's role opens"),
        ("a registered user", "the password is wrong 5 times in a row", "the account is locked for 15 minutes (423)"),
    ),
}
_SAID_KO = {
    "create": "{who} {aim}{e_obj} 입력해 저장하면 시스템은 {e_obj} 등록하고 목록에 보여 준다.",
    "update": "{who} {aim}{e_obj} 등록하거나 고쳐 저장하면 시스템은 바뀐 내용을 보관하고 보여 준다.",
    "delete": "{who} {aim}{e_obj} 지우면 시스템은 확인을 받은 뒤 목록에서 없앤다.",
    "list": "{who} {aim}조건을 입력하면 시스템은 맞는 {e_obj} 20건씩 나누어 보여 준다.",
    "transition": "{who} {title_obj} 실행하면 시스템은 {e}의 상태를 바꾸고 시각을 남긴다.",
    "action": "{who} {title_obj} 실행하면 시스템은 결과를 저장하고 보여 준다.",
    "report": "{who} {aim}기간을 고르면 시스템은 {e}의 합계와 건수를 보여 준다.",
    "login": "사용자가 이메일과 비밀번호를 제출하면 시스템은 역할에 맞는 첫 화면으로 보낸다.",
}
_SAID_EN = {
    "create": "When {who} enters {a_e}{aim} and saves it, the system shall store it and show it in the list.",
    "update": "When {who} adds or changes {a_e}{aim} and saves it, the system shall keep and show the new values.",
    "delete": "When {who} removes {a_e}{aim}, the system shall ask for confirmation and take it off the list.",
    "list": "When {who} enters a filter{aim}, the system shall show the matching {e} entries 20 at a time.",
    "transition": "When {who} runs {title}, the system shall change the state of the {e} and keep the time.",
    "action": "When {who} runs {title}, the system shall store the result and show it.",
    "report": "When {who} picks a period{aim}, the system shall show totals and counts of the {e} entries.",
    "login": "When a user sends e-mail and password, the system shall open the first screen of the user's role.",
}


def criteria(
    number: int, feature: PatternFeature, *, entity: str, who: str, before: str, after: str, lang: Language
) -> tuple[Criterion, ...]:
    """The criteria of requirement `number`; `before` and `after` are states of a transition."""
    title = feature.ko if lang == "ko" else feature.en.lower()
    values = {
        "e": entity,
        "a_e": _with_article(entity),
        "who": _subject(who, lang),
        "title": title,
        "before": before,
        "after": after,
    }
    rows = (_KO if lang == "ko" else _EN)[_act(feature, bool(before and after))]
    return tuple(
        Criterion(id=f"AC-{number:03d}-{i}", g=g.format(**values), w=w.format(**values), t=t.format(**values))
        for i, (g, w, t) in enumerate(rows, 1)
    )


def plain_sentence(feature: PatternFeature, *, entity: str, who: str, lang: Language, aim: bool = False) -> str:
    """What the requirement says when the model wrote no sentence.

    `aim` adds what it is for: two requirements may do the same thing with the same entity.
    """
    title = feature.ko if lang == "ko" else feature.en.lower()
    purpose = f"{josa(title, '을/를')} 위해 " if lang == "ko" else f" to {title}"
    values = {
        "e": entity,
        "e_obj": josa(entity, "을/를"),
        "a_e": _with_article(entity),
        "who": _subject(who, lang),
        "title": title,
        "title_obj": josa(title, "을/를"),
        "aim": purpose if aim else "",
    }
    return (_SAID_KO if lang == "ko" else _SAID_EN)[_act(feature, True)].format(**values)


def _with_article(word: str) -> str:
    return f"an {word}" if _VOWEL.match(word) else f"a {word}"


def _act(feature: PatternFeature, states_known: bool) -> str:
    if feature.action == "transition" and not states_known:
        return "action"
    return "list" if feature.action == "read" else feature.action


def _subject(who: str, lang: Language) -> str:
    return josa(who, "이/가") if lang == "ko" else f"the {who}"
