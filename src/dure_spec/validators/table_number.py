"""Singular or plural: which of both the tables of a schema mostly have, and which tables stand out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dure_spec.derive.words import name_words, plural, singular
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.policy import Policy

Number = Literal["plural", "singular"]

# of these there is no other number, or both are usual
_MASS = frozenset(
    ["history", "info", "meta", "config", "audit", "taxonomy", "log", "access", "usage", "inventory", "stock"]
)
_HOW_OFTEN = frozenset(["hourly", "daily", "weekly", "monthly", "quarterly", "yearly", "annual"])
_COUNTED_KINDS = frozenset(["entity", "code", "junction"])
_SHARE = 1 / 3
"""Beyond this share, the other number in somebody else's schema is a habit and no slip."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableNumbers:
    """What a schema does, and where it does otherwise; `usual` is `None` where nobody can tell."""

    usual: Number | None
    others: tuple[TablePlace, ...]
    count: int
    """Tables whose name has a number at all."""


def pair_topic(name: str) -> str:
    """Names the mistake that the singular and the plural of this table's name are both tables."""
    return f"pair:{singular('_'.join(name_words(name)))}"


def number_of(name: str) -> Number | None:
    """The number of a name's last word; `None` where both look the same."""
    words = [word for word in name_words(name) if not word.isdigit() and word not in _HOW_OFTEN]
    last = words[-1] if words else ""
    if not last.isascii() or last in _MASS or last.endswith(("meta", "data", "info")):
        return None
    if singular(last) != last:
        return "plural"
    return "singular" if plural(last) != last and not last.endswith("s") else None


def table_numbers(index: Index, policy: Policy) -> TableNumbers:
    """Count the tables; ties are plural, as the glossary's names are."""
    pairs = [(place, number_of(place.table.name)) for place in index.tables.values() if _counts(index, place)]
    plurals = [place for place, number in pairs if number == "plural"]
    singulars = [place for place, number in pairs if number == "singular"]
    total = len(plurals) + len(singulars)
    wanted = policy.names.table_number
    if wanted == "any" or not total:
        return TableNumbers(usual=None, others=(), count=total)
    if wanted == "consistent":
        wanted = "plural" if len(plurals) >= len(singulars) else "singular"
    others = singulars if wanted == "plural" else plurals
    return TableNumbers(usual=wanted, others=tuple(others), count=total)


def is_habit(numbers: TableNumbers) -> bool:
    """Whether both numbers are used often enough to speak of two habits in one schema."""
    return len(numbers.others) > 1 and len(numbers.others) > _SHARE * numbers.count


def in_number(name: str, number: Number | None) -> str:
    """A snake_case name in the number."""
    if number is None or not name:
        return name
    return plural(singular(name)) if number == "plural" else singular(name)


def _counts(index: Index, place: TablePlace) -> bool:
    return place.table.kind in _COUNTED_KINDS and not _is_pair(index, place)


def _is_pair(index: Index, place: TablePlace) -> bool:
    """Whether it is a junction that is called after the tables it joins (`film_actor`)."""
    if place.table.kind != "junction":
        return False
    ends = {_stem(key.target) for key in place.keys if key.target.lower() in index.tables}
    name = _stem(place.table.name)
    return any(name.startswith(end) or name.endswith(end) for end in ends) and len(ends) > 1


def _stem(name: str) -> str:
    words: Sequence[str] = name_words(name)
    return "".join(singular(word) for word in words)
