"""Ranked search over short texts, by words, patterns or meaning, behind one port."""

from dure.search.base import Entry, Hit, IndexBuilder, TextIndex
from dure.search.glossary import NO_GLOSSARY, Glossary, default_glossary
from dure.search.keyword import KeywordIndex, KeywordIndexBuilder

__all__ = [
    "NO_GLOSSARY",
    "Entry",
    "Glossary",
    "Hit",
    "IndexBuilder",
    "KeywordIndex",
    "KeywordIndexBuilder",
    "TextIndex",
    "default_glossary",
]
