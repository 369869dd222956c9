"""Finding words of the catalogue in a sentence: Korean inside compound words, English by whole words."""

import re
import unicodedata
from dataclasses import dataclass

from dure_spec.patterns.model import Triggers

_PARTICLES = frozenset("을 를 이 가 은 는 과 와 도 의 만 에 로 으로 에서 이나 나 랑".split())
_WORD = re.compile(r"[a-z0-9]+")
_HANGUL = re.compile(r"[가-힣]")
_ONES = frozenset("ss us is".split())


def singular(word: str) -> str:
    """An English word without its plural ending."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and word[-2:] not in _ONES:
        return word[:-1]
    return word


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence ready for look-ups: Korean without spaces, English as singular words."""

    squeezed: str
    starts: frozenset[int]
    """Where a word begins in `squeezed`."""
    words: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> "Sentence":
        chunks = re.findall(r"[^\s,.;:!?()\[\]{}\"'“”‘’·/&+]+", unicodedata.normalize("NFC", text).lower())
        starts, at = [0], 0
        for chunk in chunks:
            at += len(chunk)
            starts.append(at)
        words = tuple(singular(word) for word in _WORD.findall(re.sub(r"['’]s\b", "", " ".join(chunks))))
        return cls(squeezed="".join(chunks), starts=frozenset(starts), words=words)

    def without(self, cancelled: tuple[str, ...]) -> "Sentence":
        """The sentence with words blanked out that only look like something else."""
        squeezed, words = self.squeezed, list(self.words)
        for term in sorted(cancelled, key=len, reverse=True):
            plain = term.replace(" ", "").lower()
            if not _HANGUL.search(plain):
                for at in self._english(term):
                    words[at : at + len(term.split())] = ["\0"] * len(term.split())
            elif plain in squeezed:
                squeezed = squeezed.replace(plain, "\0" * len(plain))
                latin = {singular(word) for word in _WORD.findall(plain)}
                words = ["\0" if word in latin else word for word in words]
        return Sentence(squeezed=squeezed, starts=self.starts, words=tuple(words))

    def has(self, term: str) -> bool:
        """Whether the sentence speaks of the term, Korean or English."""
        return self._korean(term.replace(" ", "")) if _HANGUL.search(term) else bool(self._english(term))

    def _korean(self, term: str) -> bool:
        term = term.lower()
        at = self.squeezed.find(term)
        while at >= 0:
            if self._whole(at, term):
                return True
            at = self.squeezed.find(term, at + 1)
        return False

    def _whole(self, at: int, term: str) -> bool:
        """A term may sit inside a compound; one that crosses a space, or of one syllable, must begin a word."""
        if len(term) == 1:
            end = min((start for start in self.starts if start > at), default=len(self.squeezed))
            rest = self.squeezed[at + 1 : end]
            return at in self.starts and (not rest or rest in _PARTICLES)
        crosses = any(at < start < at + len(term) for start in self.starts)
        return at in self.starts or not crosses

    def _english(self, term: str) -> list[int]:
        wanted = [word if word.endswith("*") else singular(word) for word in re.findall(r"[a-z0-9]+\*?", term.lower())]
        if not wanted or (not wanted[0].endswith("*") and wanted[0] not in self.words):
            return []
        last = len(self.words) - len(wanted)
        return [
            at for at in range(last + 1) if all(_same(self.words[at + step], word) for step, word in enumerate(wanted))
        ]


def _same(word: str, wanted: str) -> bool:
    return word.startswith(wanted[:-1]) if wanted.endswith("*") else word == wanted


def strength(sentence: Sentence, triggers: Triggers) -> float:
    """How clearly the triggers speak: 0 for not at all; a pair counts twice, a longer word a little more."""
    fired = [trigger for trigger in (*triggers.ko, *triggers.en) if fires(sentence, trigger)]
    if fired and triggers.not_within:
        rest = sentence.without(triggers.not_within)
        fired = [trigger for trigger in fired if fires(rest, trigger)]
    return sum(1 + trigger.count("+") + 0.02 * len(trigger) for trigger in fired)


def fires(sentence: Sentence, trigger: str) -> bool:
    """Whether the sentence has every part of `a+b|c`: a, and b or c."""
    return all(any(sentence.has(term) for term in part.split("|")) for part in trigger.split("+"))
