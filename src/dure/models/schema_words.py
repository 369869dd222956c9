"""What a JSON Schema word asks for, said in words: for models whose server enforces or shows only some of them."""

from collections.abc import Callable, Mapping
from typing import cast

import msgspec

from dure.messages import Json

KEPT = frozenset({"type", "enum", "const", "properties", "required", "items", "prefixItems", "additionalProperties"})
"""Words that every grammar and every tool template understands."""
SILENT = frozenset(
    {
        "$ref",
        "$defs",
        "definitions",
        "$schema",
        "$id",
        "$comment",
        "$anchor",
        "title",
        "description",
        "anyOf",
        "oneOf",
        "allOf",
        "readOnly",
        "writeOnly",
        "deprecated",
        "discriminator",
    }
)
"""Words that ask nothing of a value, or that are translated elsewhere."""

_PHRASES: Mapping[str, str] = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "minProperties": "at least {} fields",
    "maxProperties": "at most {} fields",
    "format": "format {}",
    "pattern": "matches the regular expression {}",
    "default": "default {}",
}
_LONGEST_VALUE = 400


def words_of(node: Mapping[str, Json]) -> list[str]:
    """One phrase for each word of `node` that is neither kept nor silent, in the order they are written."""
    return [_phrase(word, value) for word, value in node.items() if word not in KEPT and word not in SILENT]


def shown(value: Json) -> str:
    """JSON text, cut where it would bury the rest."""
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= _LONGEST_VALUE else text[:_LONGEST_VALUE] + "…"


def _phrase(word: str, value: Json) -> str:
    if word in _SPECIAL:
        return _SPECIAL[word](value)
    text = value if isinstance(value, str) and word in ("format", "pattern") else shown(value)
    return _PHRASES[word].format(text) if word in _PHRASES else f"{word} {text}"


def _examples(value: Json) -> str:
    values = cast("list[Json]", value) if isinstance(value, list) else [value]
    return f"for example {', '.join(map(shown, values))}"


_SPECIAL: Mapping[str, Callable[[Json], str]] = {
    "uniqueItems": lambda value: "no item twice" if value else "items may repeat",
    "examples": _examples,
}
