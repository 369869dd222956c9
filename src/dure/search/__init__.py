"""Ranked search over short texts, by words, patterns or meaning, behind one port."""

from dure.search.base import Entry, Hit, IndexBuilder, TextIndex
from dure.search.fused import FusedIndex, FusedIndexBuilder
from dure.search.glossary import NO_GLOSSARY, Glossary, default_glossary
from dure.search.keyword import KeywordIndex, KeywordIndexBuilder
from dure.search.regex import RegexIndex, RegexIndexBuilder
from dure.search.vector import VectorIndex, VectorIndexBuilder

__all__ = [
    "NO_GLOSSARY",
    "Entry",
    "FusedIndex",
    "FusedIndexBuilder",
    "Glossary",
    "Hit",
    "IndexBuilder",
    "KeywordIndex",
    "KeywordIndexBuilder",
    "RegexIndex",
    "RegexIndexBuilder",
    "TextIndex",
    "VectorIndex",
    "VectorIndexBuilder",
    "default_glossary",
]
