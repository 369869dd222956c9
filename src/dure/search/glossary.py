"""Words that mean the same, across languages: a search in one finds what is described in the other.

A glossary is a text of groups, one a line, its words parted by blanks: `재고 inventory stock`. Words of two
parts are joined by a plus: `credit+card`. `#` begins a comment. A word may stand in several groups.
"""

import functools
from collections import defaultdict
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Self

from dure.errors import ConfigError
from dure.search.stemming import stem
from dure.search.words import PARTICLES, is_syllabic, words_of

Concepts = tuple[str, ...]
_LONGEST = 8


class Glossary:
    """Tells the concepts of a text: names of the groups its words belong to. Never changes once built."""

    __slots__ = ("_phrases", "_syllabic", "_words")

    def __init__(self, groups: Sequence[Sequence[str]]) -> None:
        words: defaultdict[str, list[str]] = defaultdict(list)
        phrases: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        syllabic: defaultdict[str, list[str]] = defaultdict(list)
        for number, group in enumerate(groups):
            for word in group:
                match [part if is_syllabic(part) else stem(part.casefold()) for part in words_of(word)]:
                    case [one] if is_syllabic(one):
                        syllabic[one].append(f"={number}")
                    case [one]:
                        words[one].append(f"={number}")
                    case [one, two]:
                        phrases[one, two].append(f"={number}")
                    case _:
                        raise ConfigError(f"glossary: {word!r} is not one word, or two joined by a plus")
        self._words = {word: tuple(concepts) for word, concepts in words.items()}
        self._phrases = {words: tuple(concepts) for words, concepts in phrases.items()}
        self._syllabic = {word: tuple(concepts) for word, concepts in syllabic.items()}

    @classmethod
    def parse(cls, text: str) -> Self:
        """The glossary written in `text`.

        Raises:
            ConfigError: a group has fewer than two words, or a word has more than two parts; names the line.
        """
        groups: list[list[str]] = []
        for number, line in enumerate(text.splitlines(), start=1):
            words = line.partition("#")[0].split()
            if len(words) == 1:
                raise ConfigError(f"glossary, line {number}: {words[0]!r} stands alone; give words that mean the same")
            if words:
                groups.append(words)
        return cls(groups)

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

    def concepts_of(self, word: str) -> dict[str, Concepts]:
        """The concepts of every known part of one word, by part; a word that is not syllabic is given as its stem."""
        if is_syllabic(word):
            return self._parts(word)
        concepts = self._words.get(word)
        return {} if concepts is None else {word: concepts}

    def concepts_of_pair(self, first: str, second: str) -> Concepts:
        """The concepts of two words (as stems) that stand side by side."""
        return self._phrases.get((first, second), ())

    def _parts(self, word: str) -> dict[str, Concepts]:
        """The longest known words, from the left; a known word of one syllable only with a particle at most."""
        known, found, start, size = self._syllabic, dict[str, Concepts](), 0, len(word)
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


NO_GLOSSARY = Glossary(())
"""Words mean nothing but themselves."""


@functools.cache
def default_glossary() -> Glossary:
    """Korean and English words of business, offices, technology and daily life."""
    return Glossary.parse(resources.files("dure.search").joinpath("data/glossary.txt").read_text(encoding="utf-8"))
