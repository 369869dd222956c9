"""Words of a question that say nothing about what is looked for."""

from dure.search.words import PARTICLES, is_syllabic

_ENGLISH = frozenset(
    "a an and any are as at be been but by can could did do does for from had has have he her him his how i if in "
    "into is it its just let like me my need no not now of on one or our out please she should so some that the their "
    "them then there these they this those to too up us want was we were what which why will with would you your "
    "come give go going keep make put s t take tool tools function use using".split()
)
_KOREAN = frozenset(
    "줘 좀 해 해줘 해줘요 해주세요 주세요 줄래 해줄래 하고 하는 하기 할 한 그 이 저 것 거 건 수 내 나 제 우리 "
    "및 또는 그리고 싶어 싶어요 싶은데 하고싶어 있어 있나 있어요 있는 있는지 있을까 없어 어떻게 어때 뭐 뭐야 뭔가 무엇 "
    "무슨 어떤 왜 지금 좋은 위한 위해 대한 대해 관련 관한 툴 도구 기능 부탁 부탁해 부탁드려요 합니다 됩니다 해야 "
    "하려고 하면 같이 다시 바로".split()
)


def is_stop_word(word: str) -> bool:
    """Whether the word can be left out of a query that has others."""
    if is_syllabic(word):
        return word in _KOREAN or (len(word) == 1 and word in PARTICLES)
    return word.casefold() in _ENGLISH
