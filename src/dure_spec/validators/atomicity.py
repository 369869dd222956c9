"""How many things one requirement asks for: the verbs of its main clauses, and where to part them."""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from dure_spec.derive.words import singular

MOST_VERBS = 2
"""A requirement with more is several."""

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_HANGUL = re.compile(r"[가-힣]")

# Korean: what happens first is joined to what follows by -고, -며, or "-한 뒤"; a condition ends in -면, 때 or 경우
_CONDITION = re.compile(r"^.*(?:[가-힣](?:면|때|때에|때마다|경우|경우에|경우에는|동안|까지는))[,\s]+", re.DOTALL)
_JOINED = re.compile(
    r"(?<![가-힣])(?:(?P<word>[가-힣]+(?:고|며))(?=[\s,]|$)|(?P<after>[가-힣]+[한은]\s?(?:뒤|후|다음)(?:에)?)(?=[\s,]|$))"
)
# "주문을 등록, 상품을 수정"; what "주문을 기간, 상태로 검색" lists are no verbs
_LISTED = re.compile(
    r"[가-힣A-Za-z][을를]\s+[가-힣]{2,4}\s?,(?!(?:\s*[가-힣]{1,12}\s?,){0,8}\s*[가-힣]{1,12}?\s?(?:등)?(?:으로|로)\s)"
)
_NO_VERB = re.compile(
    r"(?:재|창|사|광|보|신|로|최|참|출|입|권|경|공|원|예|비|회|잔|금|중|상|선|통|투|기|냉장)고$"
    r"|^(?:그리|또|이|아니|하)(?:고|며)$|(?:이|있|없|않|같|크|작|길|짧|높|낮|말|다|라|자|냐|싶|많|적|좋|나쁘|다르)고$"
    r"|(?:이|있으|없으|않으|같으|크|작으|길|짧으|높으|낮으|많으|적으|좋으|나쁘|다르|쉬우)며$"
    r"|(?:빠르|쉽|느리|예쁘|(?:편|편리|간단|간편|단순|정확|안전|신속|깔끔|유일|동일|가능|필요|명확|유연|안정적이|직관적이)하?)(?:고|며)$"
)
_CAN = re.compile(r"수\s?있(?:고|으며)[\s,]")
_ASIDE = re.compile(r"\s*(?:있|싶|나서)")
_FIGURE = re.compile(r"\s*,?\s*\d")

# English
_WHEN = re.compile(
    r"^(?:and\s+)?(?:when|whenever|if|while|after|once|where|before|upon|on|as soon as|unless|during|for|in case)\b"
    r"[^,]*(?:,[^,]*?)*?,\s+"
    r"(?=(?:then\s+)?(?:the|an?|it|they|each|every|all|any|users?|customers?)\b)",
    re.IGNORECASE,
)
_MODAL = re.compile(
    r"\b(?:shall|must|should|will|can|may)\s+(?:(?:not|also|be able to|automatically|then)\s+)*"
    r"|\b(?:is|are)\s+able\s+to\s+|\bwants?\s+to\s+|\bto\s+be\s+able\s+to\s+",
    re.IGNORECASE,
)
_PART = re.compile(r"\s*[,;]\s+(?:(?:and|then|and then|or)\s+)?|\s+and\s+(?:then\s+)?", re.IGNORECASE)
_FILLER = re.compile(
    r"^(?:(?:it|they|he|she|(?:the|a)\s+\w+)\s+)?(?:(?:shall|must|should|will|can|may)\s+)?"
    r"(?:(?:also|then|finally|automatically|immediately|be able to|not)\s+)*",
    re.IGNORECASE,
)
_DETERMINED = re.compile(
    r"^(?:the|an?|its|their|his|her|this|that|these|those|all|each|every|any|it|them|him|no|one|two|both|\d|\"|“)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z]+")
_BARE = 1


def split_points(text: str) -> tuple[str, ...]:
    """The pieces of a text, one for each thing that it asks for."""
    pieces: list[str] = []
    for sentence in _SENTENCE.split(text.strip()):
        found = _korean(sentence) if _HANGUL.search(sentence) else _english(sentence)
        pieces += [piece for piece in found if piece]
    return tuple(pieces)


def _korean(sentence: str) -> Iterator[str]:
    main = sentence[match.end() :] if (match := _CONDITION.match(sentence)) else sentence
    begin = 0
    for end in sorted(set(_korean_ends(main))):
        yield main[begin:end].strip(" ,.")
        begin = end
    yield main[begin:].strip(" ,.")


def _korean_ends(main: str) -> Iterator[int]:
    for match in _JOINED.finditer(main):
        tail = main[match.end() :]
        if match["after"]:
            if not _FIGURE.match(tail) and not match["after"].endswith(("없은", "있은")):
                yield match.end()
        elif not _NO_VERB.search(match["word"]) and not _ASIDE.match(tail):
            yield match.end()
    for match in _LISTED.finditer(main):
        yield match.end()
    for match in _CAN.finditer(main):
        yield match.end()


def _english(sentence: str) -> Iterator[str]:
    main = _WHEN.sub("", sentence.strip(), count=1)
    modal = _MODAL.search(main)
    verbs, nouns_too = _verbs()
    rest = main[modal.end() :] if modal else re.sub(r"^(?:the\s+\w+|it|they|users?)\s+", "", main, flags=re.IGNORECASE)
    lead = main[: len(main) - len(rest)]
    piece = last = ""
    for number, part in enumerate(_parts(rest)):
        bare = _FILLER.sub("", part, count=1)
        words = _WORD.findall(bare)
        starts = bool(words) and (number == 0 or _is_verb(bare, words, verbs, nouns_too, inflected=modal is None))
        # a verb without an object shares that of the next one: create, edit and delete products
        if starts and piece and len(_WORD.findall(last)) > _BARE:
            yield f"{lead}{piece}".strip(" ,.")
            piece = ""
            lead = ""
        piece, last = (f"{piece}, {part}" if piece else part), bare
    if piece:
        yield f"{lead}{piece}".strip(" ,.")


def _parts(text: str) -> list[str]:
    return [part for part in _PART.split(text) if part and part.strip(" .")]


def _is_verb(part: str, words: list[str], verbs: frozenset[str], nouns_too: frozenset[str], *, inflected: bool) -> bool:
    first = words[0].lower()
    base = _base(first) if inflected else first
    if base in verbs:
        return not inflected or first != base or len(words) > _BARE
    if base not in nouns_too:
        return False
    return len(words) > _BARE and _DETERMINED.match(part[len(words[0]) :].strip()) is not None


def _base(word: str) -> str:
    """A third-person form without its ending."""
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    return singular(word)


@cache
def _verbs() -> tuple[frozenset[str], frozenset[str]]:
    text = (files("dure_spec.validators") / "data" / "verbs_en.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    sure = (word for line in lines if not line.startswith("~") for word in line.split())
    unsure = (word for line in lines if line.startswith("~") for word in line[1:].split())
    return frozenset(sure), frozenset(unsure)
