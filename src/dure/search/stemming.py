"""A light stem of English words: plurals, -ing, -ed, -ment, -ation, so that `cancellations` meets `cancelled`.

Stems are only ever compared with each other, so they need not be words.
"""

import re

_VOWEL = re.compile(r"[aeiouy]")
_LONG_PLURAL = ("ches", "shes", "xes", "sses", "zes")
_NOT_PLURAL = ("ss", "us", "is")
_SHORTEST = 3


def stem(word: str) -> str:
    """The stem of a casefolded word; other words than ASCII ones stay as they are."""
    if len(word) <= _SHORTEST or not word.isascii() or not word.isalpha():
        return word
    word = _without_ending(_singular(word))
    word = _shorter(_shorter(word, "at", ""), "ific", "if")
    word = _shorter(_shorter(word, "ify", "if"), "y", "")
    return word[:-1] if len(word) > _SHORTEST and word[-1] == word[-2] else word


def _singular(word: str) -> str:
    if not word.endswith("s") or word.endswith(_NOT_PLURAL):
        return word
    if word.endswith("ies") and len(word) > _SHORTEST + 1:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(_LONG_PLURAL) else word[:-1]


def _without_ending(word: str) -> str:
    """The word without one ending, or without a silent `e`; something with a vowel must be left."""
    for ending in ("ment", "ing", "ion", "ed"):
        left = word.removesuffix(ending)
        if left != word and len(left) >= _SHORTEST and _VOWEL.search(left):
            return left
    return _shorter(word, "e", "")


def _shorter(word: str, ending: str, instead: str) -> str:
    left = word.removesuffix(ending)
    return left + instead if left != word and len(left) + len(instead) >= _SHORTEST + (ending != "e") else word
