"""A schema without the titles that libraries write into it: they say what the names say, and cost tokens."""

from collections.abc import Mapping
from typing import Any, cast

from dure.schema.answer_text import Json
from dure.schema.check import VALUE_KEYWORDS

_NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})


def without_titles(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The same schema without `title`; properties that are called so stay."""
    return {
        key: value if key in VALUE_KEYWORDS else _untitled_part(key, value)
        for key, value in schema.items()
        if not (key == "title" and isinstance(value, str))
    }


def _untitled_part(key: str, value: Json) -> Json:
    if isinstance(value, Mapping):
        part = cast(Mapping[str, Any], value)
        return {name: _untitled_part("", one) for name, one in part.items()} if key in _NAMED else without_titles(part)
    if isinstance(value, list):
        return [_untitled_part("", one) for one in cast(list[Any], value)]
    return value
