"""Which patterns a sentence calls for, the best first."""

from dure_spec.patterns.loader import Library, shipped
from dure_spec.patterns.model import Pattern, Suite
from dure_spec.patterns.words import Sentence, strength

_SPECIFIC = 0.6


def match(sentence: str, limit: int = 3, *, library: Library | None = None) -> tuple[Pattern, ...]:
    """The patterns that fit, best first; empty when nothing fits.

    A suite (ERP and the like) gives the patterns of its modules. A pattern silences the more general ones it beats.
    """
    library = library or shipped()
    text = Sentence.of(sentence)
    ranked = _ranked(text, library)
    if suite := _suite(text, library):
        by_id = {pattern.id: pattern for pattern in library.patterns}
        chosen = [pattern for pattern, _ in ranked] + [by_id[module] for module in suite.modules]
        return tuple(dict.fromkeys(chosen))[:limit]
    return tuple(pattern for pattern, _ in ranked)[:limit]


def suite_of(sentence: str, *, library: Library | None = None) -> Suite | None:
    """The suite that a too broad wish names, if it does."""
    return _suite(Sentence.of(sentence), library or shipped())


def _suite(text: Sentence, library: Library) -> Suite | None:
    best = max(library.suites, key=lambda suite: strength(text, suite.triggers), default=None)
    return best if best and strength(text, best.triggers) > 0 else None


def _ranked(text: Sentence, library: Library) -> list[tuple[Pattern, float]]:
    found = [(pattern, strength(text, pattern.triggers)) for pattern in library.patterns]
    scored = [(pattern, score + _SPECIFIC * pattern.level) for pattern, score in found if score > 0]
    beaten = {general for pattern, _ in scored for general in pattern.beats}
    kept = [(pattern, score) for pattern, score in scored if pattern.id not in beaten]
    for ready in (_full, _topical):
        kept = [row for row in kept if ready(row[0])] or kept
    return sorted(kept, key=lambda row: -row[1])


def _full(pattern: Pattern) -> bool:
    return not pattern.tiny and not pattern.fallback


def _topical(pattern: Pattern) -> bool:
    return not pattern.fallback
