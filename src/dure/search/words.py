"""A text cut into words, and a word into the terms it is searched by.

Latin words are cut at changes of case, separators and digits and lightly stemmed; Hangul, Han and Kana
runs become pairs of neighbouring syllables, so that particles and missing spaces matter little.
"""

import re
import unicodedata
from itertools import pairwise

from dure.search.stemming import stem

_ODD = re.compile(r"[^\x00-\x7f가-힣]")
_WORD = re.compile(r"[가-힣]+|[A-Z]{2,}(?=s(?![a-z]))|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z가-힣]+")
_LIGATURES = str.maketrans(
    {"ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D"}
    | {"ð": "d", "Ð": "D", "þ": "th", "Þ": "TH", "ı": "i"}
)
"""Latin letters that Unicode does not take apart."""
_SEPARATORS = re.compile(r"[\W_]+")
_FIRST_IDEOGRAPH = "\u2e80"

PARTICLES = frozenset(
    "은 는 이 가 을 를 의 에 도 만 로 와 과 랑 나 야 요 께 들 에서 에게 으로 까지 부터 한테 이랑 하고 처럼 보다 이나 "
    "에는 에도 으로는 이라도 이야 예요 이에요 입니다 인지 들을 들이 들의 들은 조차 마다 밖에 이든 든지".split()
)
"""What may hang on a Korean noun."""


def folded(text: str) -> str:
    """The text in composed form, wide letters narrow and accents gone; case stays, it parts words."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFC", text)
    if not _ODD.search(text):
        return text
    letters = (letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", "".join(letters)).translate(_LIGATURES)


def words_of(text: str) -> list[str]:
    """The words of a text in order, case kept; `cancelOrder2` is three."""
    return _WORD.findall(folded(text))


def is_syllabic(word: str) -> bool:
    """Whether the word is written in syllables or ideographs, and so searched by pairs of them."""
    return word[0] >= _FIRST_IDEOGRAPH


def name_key(text: str) -> str:
    """The same for names that differ in case, separators or the form of their letters only."""
    return _SEPARATORS.sub("", folded(text)).casefold()


def terms_of(word: str) -> tuple[str, ...]:
    """What an entry with this word can be found by."""
    if not is_syllabic(word):
        return (stem(word.casefold()),)
    if len(word) == 1:
        return (word,)
    return (word[0], *pairs(word))


def query_terms_of(word: str) -> tuple[str, ...]:
    """What a query with this word looks for: of a syllabic word its pairs, or the one syllable it is."""
    if not is_syllabic(word):
        return (stem(word.casefold()),)
    if len(word) == 1:
        return (word,)
    return (word[0], *pairs(word)) if word[1:] in PARTICLES else pairs(word)


def pairs(word: str) -> tuple[str, ...]:
    """All neighbouring pairs of letters."""
    return tuple(map("".join, pairwise(word)))
