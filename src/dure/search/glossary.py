"""Words that mean the same, across languages: a search in one finds what is described in the other.

A glossary is a text of groups, one a line, its words parted by blanks; `#` begins a comment.

    재고 inventory stock            these mean the same; a word may be in several groups
    카드 card credit+card           a word of two parts is joined by a plus
    ~ 조회 get show                 these say little, and count less
    노트북 laptop > 상품 product    who looks for the former is served by the latter, not the other way round
"""

import functools
from collections import defaultdict
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import Self

from dure.errors import ConfigError
from dure.search.stemming import stem
from dure.search.words import PARTICLES, is_syllabic, words_of

Concepts = tuple[str, ...]
_LONGEST = 8
_VAGUE, _SERVED_BY = "~", ">"
_VAGUE_WEIGHT = 0.5


class _Side:
    """The words of all groups as a text has them, or as a query does: concepts by word."""

    def __init__(self) -> None:
        self.words: defaultdict[str, dict[str, None]] = defaultdict(dict)
        """By stem of a Latin word, or by a syllabic word."""
        self.pairs: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)

    def add(self, word: str, concept: str) -> None:
        match [part if is_syllabic(part) else stem(part.casefold()) for part in words_of(word)]:
            case [one]:
                self.words[one][concept] = None
            case [one, two]:
                self.pairs[one, two][concept] = None
            case _:
                raise ConfigError(f"{word!r} is not one word, or two joined by a plus")


class Vocabulary:
    """The concepts of words, on one side of a search: in what is asked, or in the texts. Never changes."""

    __slots__ = ("_pairs", "_words")

    def __init__(self, words: Mapping[str, Iterable[str]], pairs: Mapping[tuple[str, str], Iterable[str]]) -> None:
        self._words = {word: tuple(concepts) for word, concepts in words.items()}
        self._pairs = {pair: tuple(concepts) for pair, concepts in pairs.items()}

    def of_word(self, word: str) -> dict[str, Concepts]:
        """The concepts of every known part of one word, by part; a word that is not syllabic is given as its stem."""
        if is_syllabic(word):
            return self._parts(word)
        concepts = self._words.get(word)
        return {} if concepts is None else {word: concepts}

    def of_pair(self, first: str, second: str) -> Concepts:
        """The concepts of two words (as stems) that stand side by side."""
        return self._pairs.get((first, second), ())

    def _parts(self, word: str) -> dict[str, Concepts]:
        """The longest known words, from the left; a known word of one syllable only with a particle at most."""
        known, found, start, size = self._words, dict[str, Concepts](), 0, len(word)
        while start < size - 1:
            for end in range(min(size, start + _LONGEST), start + 1, -1):
                concepts = known.get(word[start:end])
                if concepts:
                    found[word[start:end]] = concepts
                    start = end
                    break
            else:
                start += 1
        if not found and word[0] in known and (size == 1 or word[1:] in PARTICLES):
            return {word[0]: known[word[0]]}
        return found


class Glossary:
    """Groups of words. A concept is the name of a group."""

    __slots__ = ("_vague", "asked", "told")

    def __init__(self, asked: _Side, told: _Side, vague: Iterable[str]) -> None:
        self.asked = Vocabulary(asked.words, asked.pairs)
        """What words of a query look for."""
        self.told = Vocabulary(told.words, told.pairs)
        """What words of a text serve."""
        concepts = frozenset(vague)
        self._vague = concepts | {word for word, had in told.words.items() if concepts.issuperset(had)}

    @classmethod
    def parse(cls, text: str) -> Self:
        """The glossary written in `text`.

        Raises:
            ConfigError: a group has fewer than two words, or a word has more than two parts; names the line.
        """
        asked, told, vague = _Side(), _Side(), list[str]()
        for number, line in enumerate(text.splitlines(), start=1):
            words = line.partition("#")[0].split()
            try:
                if words:
                    _read(words, f"={number}", asked, told, vague)
            except ConfigError as error:
                raise ConfigError(f"glossary, line {number}: {error}") from error
        return cls(asked, told, vague)

    @classmethod
    def from_file(cls, path: Path | str) -> Self:
        """The glossary in a UTF-8 file.

        Raises:
            ConfigError: the file cannot be read or has a wrong line.
        """
        try:
            return cls.parse(Path(path).read_text(encoding="utf-8-sig"))
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"cannot read the glossary {str(path)!r}: {error}; give a UTF-8 text") from error

    @staticmethod
    def is_concept(term: str) -> bool:
        """Whether a term of an index is the name of a concept."""
        return term.startswith("=")

    def weight_of(self, term: str) -> float:
        """Less than 1 for a word that says little whatever it means, and for a meaning that does."""
        return _VAGUE_WEIGHT if term in self._vague else 1.0


def _read(words: list[str], concept: str, asked: _Side, told: _Side, vague: list[str]) -> None:
    if words[0] == _VAGUE:
        vague.append(concept)
        words = words[1:]
    if _SERVED_BY in words:
        place = words.index(_SERVED_BY)
        asking, telling = words[:place], words[place + 1 :]
        if not asking or not telling:
            raise ConfigError(f"give words on both sides of {_SERVED_BY!r}")
    elif len(words) > 1:
        asking = telling = words
    else:
        raise ConfigError(f"{' '.join(words)!r} stands alone; give words that mean the same")
    for word in asking:
        asked.add(word, concept)
    for word in telling:
        told.add(word, concept)


NO_GLOSSARY = Glossary(_Side(), _Side(), ())
"""Words mean nothing but themselves."""


@functools.cache
def default_glossary() -> Glossary:
    """Korean and English words of business, offices, technology and daily life."""
    return Glossary.parse(resources.files("dure.search").joinpath("data/glossary.txt").read_text(encoding="utf-8"))
