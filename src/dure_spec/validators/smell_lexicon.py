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
    """A word or phrase, and where it is meant so; patterns as text, for few of them are ever needed."""

    smell: SmellName
    measure: Measure
    pattern: str
    after: str
    not_after: str
    before: str
    not_before: str

    def end_at(self, text: str, start: int) -> int:
        """Where it ends when it begins at `start`; -1 where it does not stand there, or is not meant so."""
        match = _compiled(self.pattern).match(text, start)
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
    for word in (part.strip() for part in group.words.replace("\n", " ").split(",")):
        if not word:
            continue
        pattern, keys = _korean(word, endings) if lang == "ko" else _english(word)
        wording = Wording(
            smell=group.smell,
            measure=group.measure,
            pattern=pattern,
            after=group.after,
            not_after=group.not_after,
            before=group.before,
            not_before=group.not_before,
        )
        yield from ((key, wording) for key in keys)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _fits(pattern: str, text: str, *, empty: bool) -> bool:
    """Whether the pattern is found; `empty` says what holds where there is none."""
    return _compiled(pattern).search(text) is not None if pattern else empty


def _korean(word: str, endings: dict[str, str]) -> tuple[str, tuple[str, ...]]:
    stem, _, ending = word.partition(":")
    literal = r"\s*".join(re.escape(part) for part in stem.split())
    pattern = f"{literal}{endings[ending] if ending else ''}(?![가-힣])"
    return pattern, (stem.split()[0][:_HANGUL_START],)


def _english(word: str) -> tuple[str, tuple[str, ...]]:
    parts = [part.split("/") for part in word.split()]
    literal = r"[\s/-]+".join("(?:" + "|".join(re.escape(form) for form in forms) + ")" for forms in parts)
    # one word joined to another by a hyphen is part of a name: fast-food
    joined = "" if len(parts) > 1 else "(?!-[A-Za-z])"
    pattern = rf"(?i){literal}(?![A-Za-z0-9]){joined}"
    firsts = (match[0] for form in parts[0] if (match := _LATIN.match(form)))
    return pattern, tuple(dict.fromkeys(firsts))
