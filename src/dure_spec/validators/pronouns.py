"""Pronouns for which the reader cannot know what they stand for."""

import re
from collections.abc import Iterator

_LEAD = r"(?:(?:when|whenever|if|after|once|while|before|until|unless|as soon as|and|then|also|however)\s+)*"
_VERB = (
    r"(?:shall|must|should|will|would|can|may|might|is|are|was|were|has|have|had|does|do|did|happens?|occurs?|means"
    r"|includes?|applies|triggers?|causes?|leads?|allows?|needs?|requires?|ensures?|helps?|works?|fails?)\b"
)
_POSSIBLE = (
    r"(?:(?:shall|must|should|will|can|may|is)\s+(?:not\s+)?(?:be\s+)?"
    r"(?:possible|allowed|permitted|forbidden|recommended|desirable|advisable|expected)\b|would\b)"
)
_ANY = re.compile(r"\b(?:it|they|he|she|this|that|these|those)\b", re.IGNORECASE)
_FIRST = re.compile(rf"^\s*{_LEAD}(?P<word>(?:it|they|he|she)\b(?!\s+{_POSSIBLE}))", re.IGNORECASE)
_BARE = re.compile(rf"(?:^|[.!?;]\s+)\s*{_LEAD}(?P<word>this|that|these|those)\s+(?={_VERB})", re.IGNORECASE)
_SUBJECT = re.compile(r"\b(?P<word>it)\s+(?:shall|must|should|will)\b", re.IGNORECASE)
_NOUN = re.compile(r"\b(?:the|an?|each|every|its|their|this|any)\s+([a-z]+)", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?]+")
_ITSELF = frozenset("system application app platform software service same first last next".split())
_TWO = 2


def unclear_pronouns(text: str) -> Iterator[tuple[int, int]]:
    """Spans of pronouns that come before any noun, of bare demonstratives, and of an `it` after two candidates."""
    if not _ANY.search(text):
        return
    first = _FIRST.search(text)
    if first:
        yield first.span("word")
    for match in _BARE.finditer(text):
        yield match.span("word")
    for sentence in _SENTENCE.finditer(text):
        for match in _SUBJECT.finditer(sentence[0]):
            nouns = {noun.lower() for noun in _NOUN.findall(sentence[0][: match.start()])} - _ITSELF
            if len(nouns) >= _TWO:
                yield sentence.start() + match.start("word"), sentence.start() + match.end("word")
