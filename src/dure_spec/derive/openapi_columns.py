"""SQL column types as JSON Schema: type, length, range, enumeration, nullability and default."""

import re
from typing import Any

from dure_spec.artifacts.erd import Column
from dure_spec.derive.types import parse_type

_RANGE = re.compile(r"(\w+)\s*(>=|<=|>|<)\s*(-?\d+(?:\.\d+)?)(?![\w.])")
_BETWEEN = re.compile(r"(\w+)\s+between\s+(-?\d+(?:\.\d+)?)\s+and\s+(-?\d+(?:\.\d+)?)", re.I)
_BOUNDS = {">=": "minimum", ">": "exclusiveMinimum", "<=": "maximum", "<": "exclusiveMaximum"}

_PLAIN: dict[str, dict[str, Any]] = {
    "smallint": {"type": "integer", "format": "int32"},
    "integer": {"type": "integer", "format": "int32"},
    "bigint": {"type": "integer", "format": "int64"},
    "numeric": {"type": "number"},
    "real": {"type": "number", "format": "float"},
    "double precision": {"type": "number", "format": "double"},
    "varchar": {"type": "string"},
    "char": {"type": "string"},
    "text": {"type": "string"},
    "date": {"type": "string", "format": "date"},
    "time": {"type": "string", "format": "time"},
    "timestamp": {"type": "string", "format": "date-time"},
    "timestamptz": {"type": "string", "format": "date-time"},
    "interval": {"type": "string", "format": "duration"},
    "year": {"type": "integer", "format": "int32"},
    "boolean": {"type": "boolean"},
    "uuid": {"type": "string", "format": "uuid"},
    "json": {"type": "object"},
    "jsonb": {"type": "object"},
    "bytea": {"type": "string", "contentEncoding": "base64"},
}
_NOT_SQL: dict[str, dict[str, Any]] = {
    "object": {"type": "object"},
    "email": {"type": "string", "format": "email"},
    "file": {"type": "string", "contentEncoding": "base64"},
}


def type_schema(name: str) -> dict[str, Any] | None:
    """The schema of a type name (`varchar(100)`, `timestamptz`, `email`); `None` where the name says nothing."""
    if name.strip().lower() in _NOT_SQL:
        return dict(_NOT_SQL[name.strip().lower()])
    parsed = parse_type(name)
    if parsed is None:
        return None
    schema = dict(_PLAIN[parsed.name])
    if parsed.array:
        return {"type": "array", "items": schema}
    if parsed.length is not None and parsed.length > 0:
        schema["maxLength"] = parsed.length
    whole = parsed.size[0] - (parsed.size[1] if len(parsed.size) > 1 else 0) if parsed.size else 0
    if parsed.name == "numeric" and 0 < whole <= 15:
        schema["exclusiveMaximum"] = 10**whole
    return schema


def column_schema(column: Column) -> dict[str, Any]:
    """The schema of the values of a column; a type that is not known allows any text."""
    schema = type_schema(column.type) or {"type": "string"}
    if schema["type"] in ("integer", "number"):
        schema.update(_bounds(column))
    if column.enum:
        schema = _enumerated(schema, column.enum)
    default = _default(column, schema)
    if column.null:
        schema["type"] = [schema["type"], "null"]
        if "enum" in schema:
            schema["enum"] = [*schema["enum"], None]
    if default is not None:
        schema["default"] = default
    return schema


def _bounds(column: Column) -> dict[str, float | int]:
    """Ranges of a CHECK that speaks about this column alone; anything cleverer is left to the database."""
    check = column.check or ""
    if re.search(r"\b(or|not|case)\b", check, re.I):
        return {}
    found: dict[str, float | int] = {}
    for name, sign, number in _RANGE.findall(check):
        if name == column.name:
            found[_BOUNDS[sign]] = _number(number)
    for name, low, high in _BETWEEN.findall(check):
        if name == column.name:
            found |= {"minimum": _number(low), "maximum": _number(high)}
    return found


def _enumerated(schema: dict[str, Any], values: tuple[str, ...]) -> dict[str, Any]:
    unique = tuple(dict.fromkeys(values))
    if schema["type"] == "integer" and all(re.fullmatch(r"-?\d+", value) for value in unique):
        return {"type": "integer", "enum": [int(value) for value in unique]}
    return {"type": "string", "enum": list(unique)}


def _default(column: Column, schema: dict[str, Any]) -> bool | int | float | str | None:
    """The default as JSON, only where it is a literal that the schema itself accepts."""
    value, kind = column.default, schema["type"]
    if value is None or ("format" in schema and kind == "string"):
        return None
    if kind == "boolean":
        known = {"true": True, "false": False, "1": True, "0": False}
        return known.get(str(value).strip("'").lower())
    if kind in ("integer", "number"):
        text = str(value).strip("'")
        pattern = r"-?\d+" if kind == "integer" else r"-?\d+(\.\d+)?"
        number = _number(text) if not isinstance(value, bool) and re.fullmatch(pattern, text) else None
        return number if number is not None and _inside(number, schema) else None
    if kind != "string" or not isinstance(value, str) or value.endswith(")") or value.upper().startswith("CURRENT_"):
        return None
    text = value[1:-1] if len(value) > 1 and value[0] == value[-1] == "'" else value
    fits = text in schema["enum"] if "enum" in schema else len(text) <= schema.get("maxLength", len(text))
    return text if fits else None


def _inside(number: float, schema: dict[str, Any]) -> bool:
    if "enum" in schema:
        return number in schema["enum"]
    return (
        schema.get("minimum", number) <= number <= schema.get("maximum", number)
        and number > schema.get("exclusiveMinimum", number - 1)
        and number < schema.get("exclusiveMaximum", number + 1)
    )


def _number(text: str) -> float | int:
    return float(text) if "." in text else int(text)
