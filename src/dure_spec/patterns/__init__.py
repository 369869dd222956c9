"""Generic knowledge of businesses: code proposes what a sentence suggests, the model picks, corrects and adds."""

from dure_spec.patterns.catalogue import match, suite_of
from dure_spec.patterns.loader import Library, faults_of, read_library, shipped
from dure_spec.patterns.model import (
    ColumnHint,
    Pattern,
    PatternEntity,
    PatternFeature,
    PatternRelation,
    PatternRole,
    PatternRule,
    PatternStates,
    Proposal,
    Suite,
    Triggers,
)
from dure_spec.patterns.propose import propose

__all__ = [
    "ColumnHint",
    "Library",
    "Pattern",
    "PatternEntity",
    "PatternFeature",
    "PatternRelation",
    "PatternRole",
    "PatternRule",
    "PatternStates",
    "Proposal",
    "Suite",
    "Triggers",
    "faults_of",
    "match",
    "propose",
    "read_library",
    "shipped",
    "suite_of",
]
