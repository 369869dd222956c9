"""JSON Schema inside an API document: its keywords are well formed, and a default is a value that it allows."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import cast

from dure_spec.validators.document_rules import (
    Fault,
    Rule,
    Where,
    anything,
    as_list,
    as_object,
    count,
    each,
    flag,
    is_number,
    number,
    text,
)

_TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")


def schema(value: object, at: Where) -> Iterator[Fault]:
    """A schema: an object whose known keywords are well formed (others say nothing), or a boolean."""
    keywords = as_object(value)
    if keywords is None:
        if not isinstance(value, bool):
            yield at, f"{value!r} is not of type 'object', 'boolean'"
        return
    sound = True
    for name, item in keywords.items():
        rule = _KEYWORDS.get(name)
        if rule is not None:
            for fault in rule(item, (*at, name)):
                sound = False
                yield fault
    if sound and "default" in keywords and not _allows(keywords, keywords["default"]):
        yield (*at, "default"), f"the default {keywords['default']!r} is no value of the schema"


def _schemas(value: object, at: Where) -> Iterator[Fault]:
    named = as_object(value)
    if named is None:
        yield at, f"{value!r} is not an object"
        return
    for name, item in named.items():
        yield from schema(item, (*at, name))


def _types(value: object, at: Where) -> Iterator[Fault]:
    names = as_list(value)
    if names is not None:
        yield from each(_type_name, least=1, unique=True)(names, at)
    else:
        yield from _type_name(value, at)


def _type_name(value: object, at: Where) -> Iterator[Fault]:
    if value not in _TYPES:
        yield at, f"{value!r} is no type"


def _pattern(value: object, at: Where) -> Iterator[Fault]:
    try:
        re.compile(cast("str", value))
    except (re.error, TypeError, RecursionError):
        yield at, f"{value!r} is no pattern"


def _step(value: object, at: Where) -> Iterator[Fault]:
    if not is_number(value) or cast("float", value) <= 0:
        yield at, f"{value!r} is not a number above 0"


_KEYWORDS: Mapping[str, Rule] = {
    "$ref": text,
    "$comment": text,
    "title": text,
    "description": text,
    "format": text,
    "contentEncoding": text,
    "contentMediaType": text,
    "type": _types,
    "enum": each(anything),
    "required": each(text, unique=True),
    "properties": _schemas,
    "patternProperties": _schemas,
    "additionalProperties": schema,
    "propertyNames": schema,
    "items": schema,
    "not": schema,
    "allOf": each(schema, least=1),
    "anyOf": each(schema, least=1),
    "oneOf": each(schema, least=1),
    "prefixItems": each(schema, least=1),
    "pattern": _pattern,
    "minLength": count,
    "maxLength": count,
    "minItems": count,
    "maxItems": count,
    "minProperties": count,
    "maxProperties": count,
    "minimum": number,
    "maximum": number,
    "exclusiveMinimum": number,
    "exclusiveMaximum": number,
    "multipleOf": _step,
    "uniqueItems": flag,
    "readOnly": flag,
    "writeOnly": flag,
    "deprecated": flag,
}

_IS: Mapping[str, Callable[[object], bool]] = {
    "array": lambda value: as_list(value) is not None,
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: is_number(value) and float(cast("float", value)).is_integer(),
    "null": lambda value: value is None,
    "number": is_number,
    "object": lambda value: as_object(value) is not None,
    "string": lambda value: isinstance(value, str),
}


def _allows(keywords: Mapping[str, object], value: object) -> bool:
    """Whether a schema allows a plain value; keywords about objects, arrays and other schemas are not asked."""
    kinds = keywords.get("type", _TYPES)
    names = [kinds] if isinstance(kinds, str) else [str(kind) for kind in as_list(kinds) or ()]
    if not any(_IS[name](value) for name in names):
        return False
    choices = as_list(keywords["enum"]) if "enum" in keywords else None
    if choices is not None and not any(
        one == value and isinstance(one, bool) == isinstance(value, bool) for one in choices
    ):
        return False
    if isinstance(value, str):
        return _fits_text(keywords, value)
    return not is_number(value) or _fits_number(keywords, cast("float", value))


_FORMATS: Mapping[str, re.Pattern[str]] = {
    "uuid": re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
    "email": re.compile(r"[^@\s]+@[^@\s]+"),
    "date": re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"),
    "date-time": re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[-+]\d\d:\d\d)"),
}


def _fits_text(keywords: Mapping[str, object], value: str) -> bool:
    form = _FORMATS.get(str(keywords.get("format")))
    if form is not None and not form.fullmatch(value):
        return False
    least, most = keywords.get("minLength", 0), keywords.get("maxLength", len(value))
    long_enough = cast("float", least) <= len(value) <= cast("float", most)
    pattern = keywords.get("pattern")
    return long_enough and (not isinstance(pattern, str) or re.search(pattern, value) is not None)


def _fits_number(keywords: Mapping[str, object], value: float) -> bool:
    def bound(name: str, other: float) -> float:
        return cast("float", keywords.get(name, other))

    return (
        bound("minimum", value) <= value <= bound("maximum", value)
        and bound("exclusiveMinimum", value - 1) < value < bound("exclusiveMaximum", value + 1)
        and ("multipleOf" not in keywords or (value / bound("multipleOf", 1)).is_integer())
    )
