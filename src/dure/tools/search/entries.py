"""A tool as something that can be searched for, and the fingerprint of a set of tools."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import cast

from dure.chat import ToolDefinition
from dure.messages import Json
from dure.search.base import Entry

_DEEPEST = 6
_LONGEST = 2000
"""Characters of a tool's parameters, and of its description, that are searched."""
_MOST = 400
_LISTED = ("items", "prefixItems", "anyOf", "oneOf", "allOf")
_NAMED = ("properties", "$defs")


def entry_of(definition: ToolDefinition) -> Entry:
    """The tool's name, its description, and the names and descriptions of its parameters."""
    details = " ".join(islice(_words_of_schema(definition.parameters, _DEEPEST), _MOST))
    return Entry(id=definition.name, text=definition.description[:_LONGEST], details=details[:_LONGEST])


def fingerprint(definitions: Sequence[ToolDefinition]) -> str:
    """The same for the same tools in any order; another as soon as a name, description or parameter changes."""
    digest = hashlib.sha256()
    for one in sorted(definitions, key=lambda definition: definition.name):
        told = [one.name, one.description, one.parameters]
        # A mapping that is no dict (a proxy, a frozen one) is written as what it holds.
        digest.update(json.dumps(told, sort_keys=True, ensure_ascii=True, default=_plain).encode())
        digest.update(b"\n")
    return digest.hexdigest()


def _plain(value: object) -> object:
    return dict(cast(Mapping[object, object], value)) if isinstance(value, Mapping) else repr(value)


def _words_of_schema(schema: Json, depth: int) -> Iterator[str]:
    """Names and descriptions of parameters, and the values of enums, from the outside in."""
    if depth == 0 or not isinstance(schema, Mapping):
        return
    fields = cast(Mapping[str, Json], schema)
    if depth < _DEEPEST:  # the outermost description repeats the tool's
        yield from _texts((fields.get("description"),))
    yield from _texts(fields.get("enum"))
    yield from _texts(fields.get("properties"))
    for key in _LISTED:
        inner = fields.get(key)
        for one in cast(list[Json], inner) if isinstance(inner, list) else (inner,):
            yield from _words_of_schema(one, depth - 1)
    for key in _NAMED:
        inner = fields.get(key)
        for one in cast(Mapping[str, Json], inner).values() if isinstance(inner, Mapping) else ():
            yield from _words_of_schema(one, depth - 1)


def _texts(values: Json) -> Iterator[str]:
    """The strings among the values of a list, or among the keys of a mapping."""
    if isinstance(values, Iterable) and not isinstance(values, str):
        yield from (value for value in cast(Iterable[object], values) if isinstance(value, str))
