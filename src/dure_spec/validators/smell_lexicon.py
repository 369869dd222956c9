"""The words that leave a requirement open, from the data files of this package, ready to be looked up by their
beginning."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from dure.errors import ConfigError
from dure_spec.artifacts.shared import Language
from dure_spec.validators.measures import Measure

SmellName = Literal["unverifiable", "subjective", "vague", "weak", "tbd", "open_list", "ambiguous_pronoun"]

_HANGUL_START = 2
"""Korean words are looked up by so many first syllables."""
_NEAR = 120
"""How many letters before and behind a word may say how it is meant."""
_LATIN = re.compile(r"[a-z]+")


class _Group(BaseModel):
    model_config = ConfigDict(extra="forbid")

    smell: SmellName
    measure: Measure
    words: str
    after: str = ""
    not_after: str = ""
    before: str = ""
    not_before: str = ""


class _Book(BaseModel):
    model_config = ConfigDict(extra="forbid")

    endings: dict[str, str]
    group: tuple[_Group, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """A word or phrase as the file has it, and where it is meant so; few are ever needed, so none is compiled early."""

    smell: SmellName
    measure: Measure
    word: str
    ending: str
    korean: bool
    after: str
    not_after: str
    before: str
    not_before: str

    def end_at(self, text: str, start: int) -> int:
        """Where it ends when it begins at `start`; -1 where it does not stand there, or is not meant so."""
        # to compile a pattern costs a thousand times as much as to see that its words are not there
        if self.korean and not _stands_at(self.word, text, start):
            return -1
        match = _wording_pattern(self.word, self.ending, self.korean).match(text, start)
        if match is None:
            return -1
        head, tail = text[max(0, start - _NEAR) : start], text[match.end() : match.end() + _NEAR]
        wanted = _fits(self.after, head, empty=True) and _fits(self.before, tail, empty=True)
        spared = _fits(self.not_after, head, empty=False) or _fits(self.not_before, tail, empty=False)
        return match.end() if wanted and not spared else -1


Lexicon = dict[str, tuple[Wording, ...]]
"""Wordings by their first word, a Korean one by its first one or two syllables."""


@cache
def lexicon() -> Lexicon:
    """The shipped wordings of both languages."""
    found: dict[str, list[Wording]] = {}
    for lang in ("ko", "en"):
        book = _read(lang)
        for group in book.group:
            for key, wording in _wordings(group, book.endings, lang):
                found.setdefault(key, []).append(wording)
    return {key: tuple(wordings) for key, wordings in found.items()}


def _read(lang: Language) -> _Book:
    file = files("dure_spec.validators") / "data" / f"smells_{lang}.toml"
    try:
        return _Book.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, ValidationError) as bad:
        raise ConfigError(f"word list 'smells_{lang}.toml' cannot be read: {bad}") from bad


def _wordings(group: _Group, endings: dict[str, str], lang: Language) -> Iterator[tuple[str, Wording]]:
    for written in (part.strip() for part in group.words.replace("\n", " ").split(",")):
        if not written:
            continue
        word, _, ending = written.partition(":")
        wording = Wording(
            smell=group.smell,
            measure=group.measure,
            word=word,
            ending=endings[ending] if ending else "",
            korean=lang == "ko",
            after=group.after,
            not_after=group.not_after,
            before=group.before,
            not_before=group.not_before,
        )
        yield from ((key, wording) for key in _keys(word, lang))


def _keys(word: str, lang: Language) -> tuple[str, ...]:
    first = word.split(maxsplit=1)[0]
    if lang == "ko":
        return (first[:_HANGUL_START],)
    firsts = (match[0] for form in first.split("/") if (match := _LATIN.match(form)))
    return tuple(dict.fromkeys(firsts))


@cache
def _wording_pattern(word: str, ending: str, korean: bool) -> re.Pattern[str]:
    return _compiled(_korean(word, ending) if korean else _english(word))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _stands_at(word: str, text: str, start: int) -> bool:
    """Whether the parts of a Korean wording follow each other, with or without spaces."""
    at = start
    for part in word.split():
        while at > start and text[at : at + 1].isspace():
            at += 1
        if not text.startswith(part, at):
            return False
        at += len(part)
    return True


def _fits(pattern: str, text: str, *, empty: bool) -> bool:
    """Whether the pattern is found; `empty` says what holds where there is none."""
    return _compiled(pattern).search(text) is not None if pattern else empty


def _korean(word: str, ending: str) -> str:
    literal = r"\s*".join(re.escape(part) for part in word.split())
    return f"{literal}{ending}(?![가-힣])"


def _english(word: str) -> str:
    parts = [part.split("/") for part in word.split()]
    literal = r"[\s/-]+".join("(?:" + "|".join(re.escape(form) for form in forms) + ")" for forms in parts)
    # one word joined to another by a hyphen is part of a name: fast-food
    joined = "" if len(parts) > 1 else "(?!-[A-Za-z])"
    return rf"(?i){literal}(?![A-Za-z0-9]){joined}"
