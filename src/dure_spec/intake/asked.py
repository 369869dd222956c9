"""The things that a sentence asks for, and whether a text speaks of them.

Not every noun counts: who it is for (`카페 사장님을 위한`), where it is used (`동네 병원`) and what is to be built
(`게시판을 만들어줘`) are no things to keep. What is listed, managed, recorded or searched for is.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from dure.search.stemming import stem
from dure_spec.artifacts.shared import Language
from dure_spec.intake.asked_words import (
    ACTIONS,
    AUDIENCE,
    BUILD,
    ENGLISH_GENERIC,
    ENGLISH_LIST_ENDS,
    ENGLISH_MANAGING,
    ENGLISH_PLACES,
    ENGLISH_SKIPPED,
    ENGLISH_VERBS,
    GENERIC,
    JOINING,
    PLACES,
    VERB_ENDING,
)

_CLAUSES = re.compile(r"[.!?;\n…]+")
_KOREAN_TOKENS = re.compile(r"[가-힣A-Za-z0-9]+|[,·/&+]")
_PARTICLES = tuple("에서는 으로는 에서 으로 이랑 까지 부터 이나 을 를 과 와 랑 도 은 는 이 가 의 에 로 만 나".split())
_OBJECT = frozenset("을 를".split())
_LIST = frozenset("과 와 이랑 랑".split())
_ENGLISH_WORDS = re.compile(r"[a-z][a-z0-9'-]*|[,:&/]")
MANAGING = "관리"
_MOST = 12
_LONGEST_PHRASE = 3


class _Word(NamedTuple):
    base: str
    particle: str
    text: str

    @property
    def is_verb(self) -> bool:
        return VERB_ENDING.search(self.text) is not None


def things(sentence: str, lang: Language) -> tuple[str, ...]:
    """What the sentence asks to keep, in its own words, in order."""
    found = _korean(sentence) if lang == "ko" else _english(sentence)
    return tuple(dict.fromkeys(found))[:_MOST]


def is_named(thing: str, text: str) -> bool:
    """Whether the text speaks of it: a Korean word by two of its syllables, an English one by its stem."""
    hangul = re.sub(r"[^가-힣]", "", thing)
    if len(hangul) >= 2:
        squeezed = _squeezed(text)
        return any(first + second in squeezed for first, second in pairwise(hangul))
    words = re.findall(r"[a-z0-9]+", thing.lower())
    return not words or stem(words[-1]) in _stems(text)


@lru_cache(maxsize=8)
def _squeezed(text: str) -> str:
    return re.sub(r"\s", "", unicodedata.normalize("NFC", text))


@lru_cache(maxsize=8)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in re.findall(r"[a-z0-9]+", text.lower().replace("_", " ")))


def _korean(sentence: str) -> Iterator[str]:
    for clause in _CLAUSES.split(unicodedata.normalize("NFC", sentence)):
        words = [_word(token) for token in _KOREAN_TOKENS.findall(clause)]
        wanted = [False] * len(words)
        for at in range(len(words) - 1, -1, -1):
            wanted[at] = _is_wanted(words, at, wanted)
        for at, word in enumerate(words):
            if wanted[at] and _is_thing(word, managed=words[at + 1].base == MANAGING):
                yield word.base


def _word(token: str) -> _Word:
    if token in JOINING:
        return _Word(token, "", token)
    for particle in _PARTICLES:
        if token.endswith(particle) and len(token) - len(particle) >= 2:
            return _Word(token[: -len(particle)], particle, token)
    return _Word(token, "", token)


def _is_wanted(words: Sequence[_Word], at: int, wanted: Sequence[bool]) -> bool:
    """Whether the word stands where things to keep stand; those after it are decided already."""
    word = words[at]
    if word.text in JOINING or word.is_verb:
        return False
    rest = words[at + 1 :]
    following = rest[0] if rest else None
    if following is None:
        return False
    if word.particle in _OBJECT:
        return _is_kept(rest)
    if word.particle in _LIST or following.text in JOINING:
        return _list_is_wanted(words, at, wanted)
    if word.particle == "도":
        return not BUILD.match(following.text)
    return not word.particle and _is_action(following) and not PLACES.search(word.base)


def _is_kept(rest: Sequence[_Word]) -> bool:
    """Whether what is done with an object keeps it: not building it, and not being for it."""
    for word in rest[:4]:
        if word.text in AUDIENCE or BUILD.match(word.text):
            return False
        if word.is_verb:
            return True
    return True


def _list_is_wanted(words: Sequence[_Word], at: int, wanted: Sequence[bool]) -> bool:
    """A member of a list is what the list's next member is; an action beside others stands for its object."""
    for later in range(at + 1, len(words)):
        if words[later].text in JOINING:
            continue
        following = words[later]
        return wanted[later] or (not following.particle and _is_action(following)) or _is_before_action(words, later)
    return False


def _is_before_action(words: Sequence[_Word], at: int) -> bool:
    return at + 1 < len(words) and not words[at].particle and _is_action(words[at + 1])


def _is_action(word: _Word) -> bool:
    return word.base in ACTIONS or (word.is_verb and any(map(word.text.startswith, ACTIONS)))


def _is_thing(word: _Word, *, managed: bool) -> bool:
    """Whether it names something: an action is a thing only where it is managed, as in `주문 관리`."""
    hangul = re.sub(r"[^가-힣]", "", word.base)
    return len(hangul) >= 2 and word.base not in GENERIC and (managed or word.base not in ACTIONS)


def _english(sentence: str) -> Iterator[str]:
    for clause in _CLAUSES.split(sentence.lower()):
        tokens = [re.sub(r"'s?$", "", token) for token in _ENGLISH_WORDS.findall(clause)]
        for at, token in enumerate(tokens):
            if token in ENGLISH_VERBS or token in ("with", ":"):
                yield from _items(tokens[at + 1 :])
            elif token in ENGLISH_MANAGING and at and _is_english_thing(tokens[at - 1]):
                yield tokens[at - 1]


def _items(tokens: Sequence[str]) -> Iterator[str]:
    """Members of the list that begins here; a member ends at a comma or `and`, the list at a preposition."""
    phrase: list[str] = []
    for token in (*tokens, ","):
        if token in (",", "and", "&", "/", "or"):
            thing = _head(phrase)
            if thing:
                yield thing
            phrase = []
        elif token in ENGLISH_LIST_ENDS:
            thing = _head(phrase)
            if thing:
                yield thing
            return
        elif token not in ENGLISH_SKIPPED:
            phrase.append(token)


def _head(phrase: Sequence[str]) -> str:
    """The noun of a short phrase; of a longer one, which is a sentence, who acts in it."""
    if not phrase:
        return ""
    verb = next((at for at, word in enumerate(phrase) if word in ENGLISH_VERBS), None)
    word = phrase[0] if verb or len(phrase) > _LONGEST_PHRASE else phrase[-1]
    return word if _is_english_thing(word) else ""


def _is_english_thing(word: str) -> bool:
    kept = word not in ENGLISH_GENERIC and word not in ENGLISH_PLACES and word not in ENGLISH_VERBS
    return kept and word.isalpha() and len(word) > 2
