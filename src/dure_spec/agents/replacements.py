"""What of a repaired artifact is taken: replacements of what was up for change, not of what was right."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from dure_spec.artifacts import Backend, Erd, Part, Prd
from dure_spec.artifacts.backend import Bo
from dure_spec.artifacts.erd import Relation
from dure_spec.artifacts.frontend import Component
from dure_spec.artifacts.ia import Flow, Menu
from dure_spec.artifacts.prd import Requirement

_KEYS: Mapping[str, str] = {
    "actors": "id",
    "glossary": "term",
    "reqs": "id",
    "nfrs": "id",
    "rules": "id",
    "states": "entity",
    "questions": "id",
    "menu": "label",
    "screens": "id",
    "flows": "name",
    "tables": "name",
    "bos": "id",
    "components": "id",
    "services": "id",
}
"""Lists of items by what names an item in them; numbers of menu entries and flows change with their places."""


def items_in(artifact: Part) -> frozenset[str]:
    """What names each item of an artifact."""
    return frozenset(name for field, key in _KEYS.items() for name in _named(artifact, field, key))


def names_in(artifact: Part) -> frozenset[str]:
    """Everything that an item of an artifact is called, or that stands in one."""
    fields = (_named(artifact, field, key).items() for field, key in _KEYS.items())
    return frozenset(name for items in fields for own, item in items for name in (own, *_inside(item)))


def emptied(artifact: Part) -> Part:
    """The artifact without its items."""
    update: dict[str, Any] = {field: () for field in _KEYS if hasattr(artifact, field)}
    return artifact.model_copy(update=update | ({"relations": ()} if isinstance(artifact, Erd) else {}))


def only_replaced(before: Part, after: Part, allowed: Collection[str]) -> Part:
    """`after`, with items of `before` that were not up for change as they were.

    New items stay, and so do changes of items that spoke of one that is gone now, such as a table that was renamed.
    `allowed` has names of items, of what stands in them, and of fields of the artifact itself.
    """
    gone = _said((names_in(before) & set(allowed)) - names_in(after))
    update = _fields(before, after, allowed)
    kept: set[str] = set()
    for field, key in _KEYS.items():
        old, new = _named(before, field, key), _named(after, field, key)
        right = {
            name
            for name, item in old.items()
            if name not in allowed and not any(each in allowed for each in _inside(item)) and not _speaks(item, gone)
        }
        kept |= right
        if any(new.get(name) != old[name] for name in right):
            merged = [old[name] if name in right else new[name] for name in old if name in right or name in new]
            update[field] = (*merged, *(item for name, item in new.items() if name not in old))
    if "tables" in update and isinstance(before, Erd) and isinstance(after, Erd):
        update["relations"] = tuple(_relations(before, after, kept))
    return after.model_copy(update=update)


def _fields(before: Part, after: Part, allowed: Collection[str]) -> dict[str, Any]:
    """What is no list of items: as it was, where no finding speaks of it; lists of names only grow."""
    update: dict[str, Any] = {}
    if isinstance(before, Erd) and "meta" not in allowed:
        update["meta"] = before.meta
    if isinstance(before, Prd) and isinstance(after, Prd):
        if "project" not in allowed:
            update["project"] = before.project
        if "out_of_scope" not in allowed:
            update["out_of_scope"] = tuple(dict.fromkeys((*before.out_of_scope, *after.out_of_scope)))
    if isinstance(before, Backend) and isinstance(after, Backend) and "infra_tables" not in allowed:
        used = {bo.table for bo in after.bos}
        names = dict.fromkeys((*before.infra_tables, *after.infra_tables))
        update["infra_tables"] = tuple(name for name in names if name not in used)
    return update


def _relations(before: Erd, after: Erd, kept: Collection[str]) -> list[Relation]:
    """Those between tables that stayed are as they were."""
    same = [each for each in before.relations if {each.from_, each.to} <= set(kept) or each in after.relations]
    return same + [each for each in after.relations if each not in same and not {each.from_, each.to} <= set(kept)]


def _named(artifact: Part, field: str, key: str) -> dict[str, Part]:
    items: Sequence[Part] = getattr(artifact, field, ())
    return {getattr(item, key): item for item in items}


def _inside(item: Part) -> Iterator[str]:
    """Other names under which an item is shown and spoken of."""
    match item:
        case Requirement():
            yield from (criterion.id for criterion in item.ac)
        case Menu():
            yield from (item.id, item.screen)
        case Flow():
            yield item.id
        case Bo():
            yield from (item.table, *(op.id for op in item.ops))
        case Component():
            yield item.screen
        case _:
            return


def _said(names: Collection[str]) -> re.Pattern[str] | None:
    """Any of these names in a text."""
    if not names:
        return None
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(names)))})(?![\w-])")


def _speaks(item: Part, said: re.Pattern[str] | None) -> bool:
    return said is not None and said.search(item.model_dump_json()) is not None
