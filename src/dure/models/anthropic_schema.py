"""JSON Schemas as the Messages API enforces them: a part of the language, the rest told in descriptions.

What cannot be enforced without changing its meaning is not enforced at all; the caller then asks in words.
"""

from collections.abc import Mapping
from typing import cast

from dure.messages import Json
from dure.models.openai_messages import encode

_KEPT = frozenset({"type", "enum", "const", "description", "title", "default", "$ref", "required"})
_FORMATS = frozenset({"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"})
_ALTERNATIVES = frozenset({"anyOf", "allOf", "oneOf"})
_PARTS = _ALTERNATIVES | {"$defs", "definitions", "properties", "items"}
_SAYING = _ALTERNATIVES | {"type", "enum", "const", "$ref"}
_IGNORED = frozenset({"$schema", "$id", "$comment", "examples", "additionalProperties"})
_NOT_TO_BE_SAID = frozenset(
    {
        "patternProperties",
        "propertyNames",
        "unevaluatedProperties",
        "prefixItems",
        "not",
        "if",
        "then",
        "else",
        "dependentSchemas",
        "dependentRequired",
        "$dynamicRef",
        "$anchor",
    }
)
MOST_OPTIONAL = 24
MOST_UNIONS = 16
"""Limits of one request, as the vendor gives them."""


class _NotEnforceable(Exception):
    """Enforced, the schema would mean something else."""


def enforceable(schema: Mapping[str, Json]) -> Mapping[str, Json] | None:
    """The schema as it can be enforced, or `None` if it cannot."""
    counts = {"optional": 0, "unions": 0}
    try:
        _refuse_circles(schema)
        fitted = _fitted(schema, counts)
    except _NotEnforceable:
        return None
    return fitted if counts["optional"] <= MOST_OPTIONAL and counts["unions"] <= MOST_UNIONS else None


def _fitted(schema: Json, counts: dict[str, int]) -> dict[str, Json]:
    if not isinstance(schema, Mapping):
        raise _NotEnforceable  # `true` allows everything, `false` nothing
    node = cast("Mapping[str, Json]", schema)
    if not node.keys() & _SAYING or node.keys() & _NOT_TO_BE_SAID:
        raise _NotEnforceable
    fitted: dict[str, Json] = {}
    told: dict[str, Json] = {}
    for key, value in node.items():
        if key in _KEPT or (key == "format" and value in _FORMATS) or (key == "minItems" and value in (0, 1)):
            fitted[key] = value
        elif key in _PARTS:
            fitted["anyOf" if key == "oneOf" else key] = _fitted_parts(key, value, counts)
        elif key not in _IGNORED:
            told[key] = value
    if told:
        fitted["description"] = f"{node.get('description', '')} {encode(told).decode()}".strip()
    counts["unions"] += isinstance(node.get("type"), list) or "anyOf" in fitted
    if node.get("type") == "object" or "properties" in node:
        _close(node, fitted, counts)
    return fitted


def _fitted_parts(key: str, value: Json, counts: dict[str, int]) -> Json:
    if key == "items":
        return _fitted(value, counts)
    if key in _ALTERNATIVES:
        return [_fitted(one, counts) for one in value]
    return {name: _fitted(one, counts) for name, one in value.items()}


def _close(node: Mapping[str, Json], fitted: dict[str, Json], counts: dict[str, int]) -> None:
    # Every object has to be closed: one that is a map of free keys would be empty then.
    if node.get("additionalProperties") not in (None, False) or not node.get("properties"):
        raise _NotEnforceable
    fitted["additionalProperties"] = False
    counts["optional"] += len(set(node["properties"]) - set(node.get("required") or ()))


def _refuse_circles(schema: Mapping[str, Json]) -> None:
    definitions = {
        f"#/{place}/{name}": one
        for place in ("$defs", "definitions")
        for name, one in cast("Mapping[str, Json]", schema.get(place) or {}).items()
    }

    def follow(node: Json, inside: tuple[str, ...]) -> None:
        if isinstance(node, Mapping):
            fields = cast("Mapping[str, Json]", node)
            target = fields.get("$ref")
            if isinstance(target, str):
                if target in inside or target not in definitions:
                    raise _NotEnforceable
                follow(definitions[target], (*inside, target))
            for key, value in fields.items():
                if key not in ("$defs", "definitions"):
                    follow(value, inside)
        elif isinstance(node, list):
            for value in cast("list[Json]", node):
                follow(value, inside)

    follow(schema, ())
