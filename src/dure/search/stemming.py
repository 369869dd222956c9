"""A light stem of English words: plurals, -ing, -ed, -able, -ment, -ation, so that `cancellations` meets `cancelled`;
and a table of irregular forms.

Stems are only ever compared with each other, so they need not be words.
"""

import re

_IRREGULAR: dict[str, str] = {
    form: word
    for form, _, word in (
        pair.partition(":")
        for pair in (
            "bought:buy sold:sell paid:pay sent:send found:find lost:lose left:leave ran:run flew:fly flown:fly "
            "made:make took:take taken:take wrote:write written:write spoke:speak spoken:speak drew:draw "
            "drawn:draw drove:drive driven:drive held:hold met:meet told:tell forgot:forget forgotten:forget "
            "broke:break broken:break spent:spend lent:lend built:build kept:keep began:begin begun:begin "
            "chose:choose chosen:choose shown:show gave:give given:give got:get gotten:get went:go gone:go "
            "came:come saw:see seen:see knew:know known:know brought:bring caught:catch taught:teach "
            "thought:think felt:feel slept:sleep ate:eat eaten:eat drank:drink rode:ride ridden:ride wore:wear "
            "hid:hide hidden:hide stole:steal stolen:steal withdrew:withdraw withdrawn:withdraw children:child "
            "people:person men:man women:woman feet:foot analyses:analysis taxes:tax"
        ).split()
    )
}
_VOWEL = re.compile(r"[aeiouy]")
_LONG_PLURAL = ("ches", "shes", "xes", "sses", "zes")
_NOT_PLURAL = ("ss", "us", "is")
_SHORTEST = 3


def stem(word: str) -> str:
    """The stem of a casefolded word; other words than ASCII ones stay as they are."""
    if len(word) <= _SHORTEST or not word.isascii() or not word.isalpha():
        return word
    word = _without_ending(_singular(_IRREGULAR.get(word, word)))
    word = _shorter(_shorter(word, "at", ""), "ific", "if")
    word = _shorter(_shorter(_shorter(word, "ify", "if"), "y", ""), "i", "")
    return word[:-1] if len(word) > _SHORTEST and word[-1] == word[-2] else word


def _singular(word: str) -> str:
    if not word.endswith("s") or word.endswith(_NOT_PLURAL):
        return word
    if word.endswith("ies") and len(word) > _SHORTEST + 1:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(_LONG_PLURAL) else word[:-1]


def _without_ending(word: str) -> str:
    """The word without one ending, or without a silent `e`; something with a vowel must be left."""
    for ending in ("ment", "able", "ing", "ion", "ed"):
        left = word.removesuffix(ending)
        if left != word and len(left) >= _SHORTEST and _VOWEL.search(left):
            return left
    return _shorter(word, "e", "")


def _shorter(word: str, ending: str, instead: str) -> str:
    left = word.removesuffix(ending)
    return left + instead if left != word and len(left) + len(instead) >= _SHORTEST + (ending != "e") else word
