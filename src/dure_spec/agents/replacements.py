"""What of a repaired artifact is taken: replacements of the failing items, not of items that were right."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from dure_spec.artifacts import Erd, Part
from dure_spec.artifacts.erd import Relation

_KEYS: Mapping[str, str] = {
    "reqs": "id",
    "nfrs": "id",
    "rules": "id",
    "states": "entity",
    "questions": "id",
    "screens": "id",
    "tables": "name",
    "bos": "id",
    "components": "id",
}
"""Lists of items by what names an item in them."""


def names_in(artifact: Part) -> frozenset[str]:
    """The names of all items of an artifact."""
    return frozenset(name for field, key in _KEYS.items() for name in _named(artifact, field, key))


def only_replaced(before: Part, after: Part, allowed: Collection[str]) -> Part:
    """`after`, with items of `before` that were not up for change as they were.

    New items stay, and so do changes of items that spoke of one that is gone now, such as a table that was renamed.
    """
    gone = [f'"{name}' for name in (names_in(before) & set(allowed)) - names_in(after)]
    update: dict[str, Any] = {}
    kept: set[str] = set()
    for field, key in _KEYS.items():
        old, new = _named(before, field, key), _named(after, field, key)
        right = {name for name, item in old.items() if name not in allowed and not _speaks_of(item, gone)}
        kept |= right
        if any(new.get(name) != old[name] for name in right):
            merged = [old[name] if name in right else new[name] for name in old if name in right or name in new]
            update[field] = (*merged, *(item for name, item in new.items() if name not in old))
    if "tables" in update and isinstance(before, Erd) and isinstance(after, Erd):
        update["relations"] = tuple(_relations(before, after, kept))
    return after.model_copy(update=update)


def _relations(before: Erd, after: Erd, kept: Collection[str]) -> list[Relation]:
    """Those between tables that stayed are as they were."""
    same = [each for each in before.relations if {each.from_, each.to} <= set(kept) or each in after.relations]
    return same + [each for each in after.relations if each not in same and not {each.from_, each.to} <= set(kept)]


def _named(artifact: Part, field: str, key: str) -> dict[str, Part]:
    items: Sequence[Part] = getattr(artifact, field, ())
    return {getattr(item, key): item for item in items}


def _speaks_of(item: Part, quoted: Collection[str]) -> bool:
    text = item.model_dump_json() if quoted else ""
    return any(name in text for name in quoted)
