"""References inside a JSON Schema: found, and followed only within it. Nothing is ever fetched."""

from collections.abc import Iterator, Mapping
from typing import Any, cast
from urllib.parse import unquote

from dure.messages import Json

_KEYWORDS = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})
_VALUES = frozenset({"default", "const", "enum", "examples"})
"""Keywords that hold values, where nothing is a reference."""


def reference_faults(schema: Mapping[str, Json]) -> tuple[str, ...]:
    """The references that lead out of the schema, or to nothing in it."""
    faults: list[str] = []
    for reference in dict.fromkeys(_references(schema)):
        if not reference.startswith("#"):
            faults.append(f"$ref {reference!r} is outside the schema; nothing is fetched, so write it under $defs")
        elif reference.startswith("#/") and not _leads_somewhere(reference, schema):
            faults.append(f"$ref {reference!r} leads to nothing in the schema")
    return tuple(faults)


def _references(part: Json) -> Iterator[str]:
    if isinstance(part, Mapping):
        for key, value in cast(Mapping[str, Any], part).items():
            if key in _KEYWORDS and isinstance(value, str):
                yield value
            elif key not in _VALUES:
                yield from _references(value)
    elif isinstance(part, list | tuple):
        for value in cast(list[Any], part):
            yield from _references(value)


def _leads_somewhere(pointer: str, schema: Mapping[str, Json]) -> bool:
    place: Json = schema
    for step in pointer[2:].split("/"):
        name = unquote(step).replace("~1", "/").replace("~0", "~")
        if isinstance(place, Mapping) and name in place:
            place = cast(Mapping[str, Json], place)[name]
        elif isinstance(place, list) and name.isdecimal() and int(name) < len(cast(list[Json], place)):
            place = cast(list[Json], place)[int(name)]
        else:
            return False
    return True
