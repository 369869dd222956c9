"""Columns that say when a row came or changed, in the words of many houses."""

import re

from dure_spec.derive.words import name_words

_DONE = frozenset(
    "created inserted added registered entered recorded updated modified changed edited revised amended".split()
)
_DOING = frozenset(
    """
    create creation insert register registration regist entry record update updating modify modification change edit
    revise ins add reg rgst rgs crt cre upd updt mod mdfcn chg
    """.split()
)
_TIMES = frozenset("at on date day time datetime timestamp ts dt dtm dttm dtime tm ymd pnttm utc gmt when".split())
_FILLERS = frozenset("last first frst row rec sys system db auto".split())
_VERSIONS = frozenset(["timestamp", "row timestamp", "row version", "rowversion", "ts", "last updated"])
_RUN_TOGETHER = re.compile(
    r"(last)?(creat(ed?|ion)|inserted|insert|registered|reg|updated?|upd|modified|mod|changed?|chg|edited)"
    r"(at|on|date|day|time|datetime|timestamp|ts|dt|dtm|dttm)"
)
_MAY_BE = re.compile(
    r"creat|cre|crt|ins|add|reg|rgs|ent|rec|upd|mod|mdf|cha?n?g|edit|revi|amend|time|ver|ts|last|[가-힣]", re.IGNORECASE
)
_KOREAN = re.compile(
    r"(최초|최종|마지막|데이터|행)?(등록|생성|작성|입력|수정|변경|갱신|업데이트|저장)(일시|일자|일|시각|시간|날짜)"
)


def is_audit(name: str, logical: str = "") -> bool:
    """Whether a column is there to say when its row was made or last changed, not when something happened."""
    if logical and logical != name and _KOREAN.fullmatch("".join(logical.split())):
        return True
    if not _MAY_BE.search(name):
        return False
    if _KOREAN.fullmatch("".join(name.split())):
        return True
    words = name_words(name)
    if " ".join(words) in _VERSIONS or (words and _RUN_TOGETHER.fullmatch(words[-1]) and set(words[:-1]) <= _FILLERS):
        return True
    told = set(words) - _FILLERS
    verbs = told & (_DONE | _DOING)
    return bool(verbs) and told <= verbs | _TIMES and bool(told & _TIMES or verbs & _DONE or "last" in words)
