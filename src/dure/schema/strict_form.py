"""A schema as providers with a strict mode want it: objects that are closed and require all they have.

The form may allow more than the schema (what they do not know is left out), never less of what matters:
answers are checked by the schema itself afterwards.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from dure.schema.answer_text import Json
from dure.schema.output_format import WRAPPER
from dure.schema.root_shape import RootShape, resolved

_KEPT = frozenset(
    "$ref const description enum exclusiveMaximum exclusiveMinimum maxItems maximum minItems minimum multipleOf pattern"
    " type".split()
)
_LEFT_OUT = frozenset(
    "$comment $defs $id $schema contentEncoding contentMediaType default deprecated discriminator examples format"
    " maxLength maxProperties minLength minProperties readOnly title uniqueItems writeOnly"
    " properties required additionalProperties".split()
)
"""What they do not know or what is said in another way; the answer is checked for it all the same."""
_FORMATS = frozenset("date-time time date duration email hostname ipv4 ipv6 uuid".split())


class _NotStrict(Exception):
    """The schema says something that strict mode cannot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StrictForm:
    """What to send."""

    schema: Mapping[str, Json]
    strict: bool
    """Whether the provider can be held to it; if not, it can only be asked to try."""


def strict_form(schema: Mapping[str, Json]) -> StrictForm:
    """The schema for a provider with a strict mode, whose answers are always objects.

    Any other root is put into an object with the one property `value`; reading takes it out again. An optional
    property may be null; reading takes that for absent.
    """
    rooted = _with_object_root(schema)
    try:
        narrowed = _narrowed(rooted)
        defs = rooted.get("$defs")
        if isinstance(defs, Mapping):
            named = cast(Mapping[str, Json], defs)
            narrowed["$defs"] = {name: _narrowed(part) for name, part in named.items()}
    except (_NotStrict, RecursionError):
        return StrictForm(schema=rooted, strict=False)
    return StrictForm(schema=narrowed, strict=True)


def _with_object_root(schema: Mapping[str, Json]) -> Mapping[str, Json]:
    reference = schema.get("$ref")
    target = resolved(reference, schema) if isinstance(reference, str) else None
    if target is not None:
        schema = {**target, "$defs": schema.get("$defs", {})}
    if RootShape(schema).is_object and "type" in schema:
        return schema
    inner = {key: value for key, value in schema.items() if key not in ("$defs", "$schema")}
    wrapped: dict[str, Json] = {
        "type": "object",
        "properties": {WRAPPER: inner},
        "required": [WRAPPER],
        "additionalProperties": False,
    }
    return {**wrapped, "$defs": schema["$defs"]} if "$defs" in schema else wrapped


def _narrowed(part: Json) -> dict[str, Json]:
    if not isinstance(part, Mapping):
        raise _NotStrict  # true and false are schemas, but not for them
    schema = cast(Mapping[str, Json], part)
    reference = schema.get("$ref")
    if reference is not None:
        if not str(reference).startswith("#/$defs/"):
            raise _NotStrict  # the place may have moved
        return {"$ref": reference}
    narrow: dict[str, Json] = {}
    for key, value in schema.items():
        narrow |= _narrowed_keyword(key, value)
    if schema.get("type") == "object" or "properties" in schema:
        narrow |= _closed(schema)
    enum = narrow.get("enum")
    if isinstance(enum, list) and None in enum and "null" in _types(schema):
        narrow["enum"] = [one for one in cast(list[Json], enum) if one is not None]
    return narrow


def _narrowed_keyword(key: str, value: Json) -> dict[str, Json]:
    if key in _KEPT or (key == "format" and value in _FORMATS):
        return {key: value}
    if key == "items":
        return {key: _narrowed(value)}
    if key in ("anyOf", "oneOf"):
        return {"anyOf": [_narrowed(one) for one in cast(list[Json], value)]}
    if key in _LEFT_OUT:
        return {}
    raise _NotStrict


def _closed(schema: Mapping[str, Json]) -> dict[str, Json]:
    properties = schema.get("properties")
    if schema.get("additionalProperties", False) is not False or not isinstance(properties, Mapping) or not properties:
        raise _NotStrict  # a mapping with keys of its own
    named, required = cast(Mapping[str, Json], properties), frozenset(schema.get("required", ()))
    if not required <= named.keys():
        raise _NotStrict
    return {
        "type": schema.get("type", "object"),
        "properties": {name: _required(value, given=name in required) for name, value in named.items()},
        "required": list(named),
        "additionalProperties": False,
    }


def _required(value: Json, *, given: bool) -> dict[str, Json]:
    """A property that is always there: with its default named, or null where it could be absent."""
    narrow = _narrowed(value)
    schema = cast(Mapping[str, Any], value)
    if given or _takes_null(narrow):
        return narrow
    if schema.get("default") is not None:
        if "$ref" in narrow:
            return narrow
        told = f"{schema.get('description', '')} (default: {json.dumps(schema['default'], ensure_ascii=False)})"
        return {**narrow, "description": told.strip()}
    return {"anyOf": [narrow, {"type": "null"}]}


def _takes_null(schema: Mapping[str, Json]) -> bool:
    return "null" in _types(schema) or any(_takes_null(one) for one in schema.get("anyOf", ()))


def _types(schema: Mapping[str, Json]) -> tuple[str, ...]:
    named = schema.get("type", ())
    return (named,) if isinstance(named, str) else tuple(named)
