"""Wording that leaves a requirement open: what can be read in two ways, or be built and never be tested."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dure_spec.validators.measures import is_measured, quoted
from dure_spec.validators.pronouns import unclear_pronouns
from dure_spec.validators.smell_lexicon import Lexicon, SmellName, lexicon

_TOKEN = re.compile(r"[가-힣]+|[A-Za-z]+")
_WORD_CHARACTER = re.compile(r"[가-힣A-Za-z0-9]")
_PLACEHOLDER = re.compile(
    r"\?{2,}|\b[xX]{3,}\b|[○◯]{2,}|_{3,}|\bTO\s?DO\b|\bFIX\s?ME\b|\[(?:NEEDS|TBD|확인|미정|작성|입력|추후)[^\]]*\]"
)
_ABOUT = re.compile(
    r"\d[\d.,]*\s?[가-힣%]{0,3}?\s?((?:정도|가량|쯤|내외|안팎)(?:의|로|에|이다|마다)?)(?![가-힣])"
    r"|(?<![가-힣])(약|대략)\s?(?=\d)|\b(about|around|approximately|approx\.?|roughly|circa|nearly|almost)\s(?=\d|an?\s|one\s)",
    re.IGNORECASE,
)
_ELLIPSIS = re.compile(r"(?<=[\w,])\s?(?:\.{3}|…)")
_JOINED_LIST = re.compile(
    r"(?<![가-힣A-Za-z])[가-힣A-Za-z]{2,}?(등)(?:을|를|의|이|은|에|과|으로|도|에서|에게)?(?![가-힣])"
)
_LAMPS = re.compile(
    r"(?:가로|신호|형광|비상|경고|조명|방향|전조|평|균|동|고|초|중|일|이|삼|차|열|우|대|소|점|백열|전|후미|감)등"
)
_SHAPED = re.compile(
    r"[?○◯_\[…]|[xX]{3}|\.{3}|TO\s?DO|FIX\s?ME|등|약|정도|가량|쯤|내외|안팎|대략|\b[aAcCrRnN][a-z]+\.?\s[\dao]"
)
"""Something of these is in every text that has such a shape."""
_NEAR = 120
_BEFORE_IN_LIST = re.compile(r"(?:[,·/]|[와과]\s|\s및\s)[^.,·/]*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Smell:
    """One word or phrase, and what is wrong with it."""

    name: SmellName
    word: str
    start: int
    end: int


def find_smells(text: str, names: Iterable[str] = (), *, pronouns: bool = True) -> tuple[Smell, ...]:
    """Smells of a text in order; what is quoted, measured, or part of one of the `names` is none."""
    candidates = sorted(_candidates(text, pronouns=pronouns), key=lambda each: (each.start, -each.end))
    if not candidates:
        return ()
    spared = (*quoted(text), *_named(text, names))
    found: list[Smell] = []
    for smell in candidates:
        apart = not found or smell.start >= found[-1].end
        if apart and not any(_covers(span, smell, text) for span in spared):
            found.append(smell)
    return tuple(found)


def _candidates(text: str, *, pronouns: bool) -> Iterator[Smell]:
    known = lexicon()
    for token in _TOKEN.finditer(text):
        smell = _at(text, token, known)
        if smell and (pronouns or smell.name != "ambiguous_pronoun"):
            yield smell
    yield from _shapes(text)
    for start, end in unclear_pronouns(text) if pronouns else ():
        yield Smell(name="ambiguous_pronoun", word=text[start:end], start=start, end=end)


def _shapes(text: str) -> Iterator[Smell]:
    """What is told by its shape and not by a word of the lists."""
    if _SHAPED.search(text) is None:
        return
    for match in _PLACEHOLDER.finditer(text):
        yield Smell(name="tbd", word=match[0], start=match.start(), end=match.end())
    for match in _ABOUT.finditer(text):
        word = match.lastindex or 0
        yield Smell(name="vague", word=match[word], start=match.start(word), end=match.end(word))
    for match in _ELLIPSIS.finditer(text):
        yield Smell(name="open_list", word=match[0].strip(), start=match.start(), end=match.end())
    for match in _JOINED_LIST.finditer(text):
        if not _LAMPS.search(match[0]) and _BEFORE_IN_LIST.search(text[max(0, match.start() - _NEAR) : match.start()]):
            yield Smell(name="open_list", word="등", start=match.start(1), end=match.end())


def _at(text: str, token: re.Match[str], known: Lexicon) -> Smell | None:
    """The longest wording that begins with the token."""
    word, start = token[0], token.start()
    korean = word[0] >= "가"
    # a Korean word that a figure or a Latin letter stands before is only the ending of one
    if start and (not korean or text[start - 1].isascii()) and _WORD_CHARACTER.match(text[start - 1]):
        return None
    keys = (word[:2], word[:1]) if korean else (word.lower(),)
    best: Smell | None = None
    for key in dict.fromkeys(keys):
        for wording in known.get(key, ()):
            end = wording.end_at(text, start)
            if end > (best.end if best else start) and not is_measured(text, start, wording.measure):
                best = Smell(name=wording.smell, word=text[start:end], start=start, end=end)
    return best if best and not _proper(text, best) else None


def _proper(text: str, smell: Smell) -> bool:
    """Whether it is part of a name written with capitals in the middle of a sentence: the Fast Track plan."""
    first = smell.word[0]
    if not ("A" <= first <= "Z") or smell.word.isupper() or not text[: smell.start].strip():
        return False
    if text[: smell.start].rstrip().endswith((".", "!", "?", ":")):
        return False
    return (
        re.match(r"\s[A-Z]", text[smell.end :]) is not None
        or re.search(r"[A-Z]\w*\s$", text[: smell.start]) is not None
    )


def _named(text: str, names: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Where one of the names stands."""
    low = text.lower()
    for name in {name.lower() for name in names if name}:
        at = low.find(name)
        while at >= 0:
            yield at, at + len(name)
            at = low.find(name, at + len(name))


def _covers(span: tuple[int, int], smell: Smell, text: str) -> bool:
    """Whether the span holds the smell, or ends with the first word of it."""
    start, end = span
    whole = end == len(text) or not _WORD_CHARACTER.match(text[end])
    return start <= smell.start < end and (smell.end <= end or whole)
