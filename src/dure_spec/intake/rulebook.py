"""The words that screening goes by, from the data files of this package."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal, TypeVar

from pydantic import BaseModel, ValidationError

from dure.errors import ConfigError
from dure_spec.artifacts.shared import Language
from dure_spec.intake.model import IntakePart

_Book = TypeVar("_Book", bound=BaseModel)
_File = Literal["harm", "substitutions", "sizes"]


class Local(IntakePart):
    """A text in both languages."""

    ko: str
    en: str

    def in_(self, lang: Language) -> str:
        return self.ko if lang == "ko" else self.en


class LocalList(IntakePart):
    """A list of texts in both languages."""

    ko: tuple[str, ...]
    en: tuple[str, ...]

    def in_(self, lang: Language) -> tuple[str, ...]:
        return self.ko if lang == "ko" else self.en


class HarmRule(IntakePart):
    """A purpose that is refused."""

    id: str
    ko: str
    en: str
    triggers: tuple[str, ...]
    not_within: tuple[str, ...] = ()


class HarmBook(IntakePart):
    """All refused purposes, what shows the defence against them, and what shows the opposite again."""

    defence: tuple[str, ...]
    evasion: tuple[str, ...]
    rule: tuple[HarmRule, ...]


class SubstitutionRule(IntakePart):
    """An unsafe wish; it says nothing where a rule of `yields_to` already speaks."""

    id: str
    triggers: tuple[str, ...]
    unless: tuple[str, ...] = ()
    yields_to: tuple[str, ...] = ()
    asked: Local
    instead: Local
    question: Local
    options: LocalList


class SubstitutionBook(IntakePart):
    """All unsafe wishes."""

    rule: tuple[SubstitutionRule, ...]


class SizeBook(IntakePart):
    """Words for how much there is to design."""

    no_tables: tuple[str, ...]
    keeps_data: tuple[str, ...]
    personal: tuple[str, ...]
    many_modules: int
    question: Local
    later: Local


@cache
def harm_book() -> HarmBook:
    """The shipped rules of refusal."""
    return _read("harm", HarmBook)


@cache
def substitution_book() -> SubstitutionBook:
    """The shipped rules of safe ways."""
    return _read("substitutions", SubstitutionBook)


@cache
def size_book() -> SizeBook:
    """The shipped words of size."""
    return _read("sizes", SizeBook)


def _read(name: _File, book: type[_Book]) -> _Book:
    file = files("dure_spec.intake") / "data" / f"{name}.toml"
    try:
        return book.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, ValidationError) as bad:
        raise ConfigError(f"intake file '{name}.toml' cannot be read: {bad}") from bad
