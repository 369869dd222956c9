"""SQL column types as JSON Schema: type, length, range, enumeration, nullability and default."""

import re
from typing import Any

from dure_spec.artifacts.erd import Column

_TYPE = re.compile(
    r"^\s*([a-z_][a-z_ ]*?)\s*(?:\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\))?\s*(with(?:out)? time zone)?\s*$", re.I
)
_RANGE = re.compile(r"(\w+)\s*(>=|<=|>|<)\s*(-?\d+(?:\.\d+)?)(?![\w.])")
_BETWEEN = re.compile(r"(\w+)\s+between\s+(-?\d+(?:\.\d+)?)\s+and\s+(-?\d+(?:\.\d+)?)", re.I)
_BOUNDS = {">=": "minimum", ">": "exclusiveMinimum", "<=": "maximum", "<": "exclusiveMaximum"}

_PLAIN: dict[str, dict[str, Any]] = {
    "smallint": {"type": "integer", "format": "int32"},
    "int": {"type": "integer", "format": "int32"},
    "integer": {"type": "integer", "format": "int32"},
    "serial": {"type": "integer", "format": "int32"},
    "bigint": {"type": "integer", "format": "int64"},
    "bigserial": {"type": "integer", "format": "int64"},
    "real": {"type": "number", "format": "float"},
    "float": {"type": "number", "format": "double"},
    "double": {"type": "number", "format": "double"},
    "double precision": {"type": "number", "format": "double"},
    "number": {"type": "number"},
    "numeric": {"type": "number"},
    "decimal": {"type": "number"},
    "money": {"type": "number"},
    "boolean": {"type": "boolean"},
    "bool": {"type": "boolean"},
    "date": {"type": "string", "format": "date"},
    "time": {"type": "string", "format": "time"},
    "datetime": {"type": "string", "format": "date-time"},
    "timestamp": {"type": "string", "format": "date-time"},
    "timestamptz": {"type": "string", "format": "date-time"},
    "uuid": {"type": "string", "format": "uuid"},
    "json": {"type": "object"},
    "jsonb": {"type": "object"},
    "object": {"type": "object"},
    "bytea": {"type": "string", "contentEncoding": "base64"},
    "blob": {"type": "string", "contentEncoding": "base64"},
    "file": {"type": "string", "contentEncoding": "base64"},
    "email": {"type": "string", "format": "email"},
    "string": {"type": "string"},
    "text": {"type": "string"},
}
_SIZED = {"varchar", "char", "character", "character varying", "nvarchar", "bpchar"}


def type_schema(sql: str) -> dict[str, Any] | None:
    """The schema of a type name (`varchar(100)`, `timestamptz`, `integer`); `None` where the name says nothing."""
    match = _TYPE.match(sql)
    if match is None:
        return None
    name, first, second = " ".join(match[1].lower().split()), match[2], match[3]
    if name in _SIZED:
        return {"type": "string", "maxLength": int(first)} if first else {"type": "string"}
    schema = _PLAIN.get(name)
    if schema is None:
        return None
    if name in ("numeric", "decimal") and first:
        whole = int(first) - int(second or 0)
        return {**schema, "exclusiveMaximum": 10**whole} if 0 < whole <= 15 else dict(schema)
    return dict(schema)


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
