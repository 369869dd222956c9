"""What kinds of value a schema takes at its root: decides whether plain text or a wrapped value may be read."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from dure.schema.answer_text import Json

_SAYS_NOTHING = frozenset({"type", "title", "description", "default", "examples"})
_ALTERNATIVES = ("anyOf", "oneOf")


class RootShape:
    """Computed once for a schema."""

    __slots__ = ("any_text", "is_object", "is_text", "takes_text")

    def __init__(self, schema: Mapping[str, Json]) -> None:
        leaves = [_kinds(leaf) for leaf in _leaves(schema, schema, set())]
        kinds = frozenset[str]().union(*leaves)
        self.takes_text = "string" in kinds
        """A text may be the value."""
        self.is_text = kinds <= frozenset(("string", "null")) and self.takes_text
        """Nothing but a text (or null) may be the value."""
        self.any_text = schema.get("type") == "string" and schema.keys() <= _SAYS_NOTHING
        """Whatever the text is, it is the value."""
        self.is_object = kinds == frozenset(("object",))
        """Nothing but an object may be the value."""


def resolved(reference: str, root: Mapping[str, Json]) -> Mapping[str, Json] | None:
    """What a reference inside `root` points at, or `None` if it is nothing or no mapping."""
    if not reference.startswith("#"):
        return None
    part: Json = root
    for step in reference[1:].split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if not isinstance(part, Mapping) or name not in part:
            return None
        part = cast(Mapping[str, Json], part)[name]
    return cast(Mapping[str, Json], part) if isinstance(part, Mapping) else None


def _leaves(part: Json, root: Mapping[str, Json], seen: set[str]) -> Iterator[Mapping[str, Json]]:
    """The alternatives at the root, references followed once."""
    if not isinstance(part, Mapping):
        return
    schema = cast(Mapping[str, Json], part)
    reference = schema.get("$ref")
    if isinstance(reference, str):
        if reference not in seen:
            seen.add(reference)
            yield from _leaves(resolved(reference, root), root, seen)
        return
    branches = [branch for key in _ALTERNATIVES for branch in schema.get(key, ())]
    if not branches:
        yield schema
    for branch in branches:
        yield from _leaves(branch, root, seen)


def _kinds(leaf: Mapping[str, Any]) -> frozenset[str]:
    """The JSON types a schema names, or those of the values it lists."""
    named = leaf.get("type")
    if isinstance(named, str):
        return frozenset((named,))
    if isinstance(named, list):
        return frozenset(cast(list[str], named))
    listed = [leaf["const"]] if "const" in leaf else leaf.get("enum", ())
    return frozenset("string" if isinstance(value, str) else "other" for value in listed) or frozenset(("any",))
