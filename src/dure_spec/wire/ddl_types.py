"""Types and defaults of a model's SQL brought to the types that our designs use."""

import re

from dure_spec.derive.types import parse_type
from dure_spec.wire.erd_column import typed_default

_MONEY = re.compile(r"(^|_)(amount|price|fee|cost|total|balance|salary|wage|deposit|tuition)($|_)")
_DIGITS = re.compile(r"(^|_)(phone|mobile|tel|fax|zip|postal|card_number|account_number)($|_)")
_PERSONAL = re.compile(r"(^|_)(phone|mobile|tel|address|birth|birthday|resident|ssn|passport|card_number)($|_)")
_WRITTEN = {"timestamp": "timestamptz", "json": "jsonb", "char": "varchar", "real": "double precision"}


def canonical_type(sql_type: str, name: str) -> str:
    """The type as our designs spell it; an unknown one is guessed from the column's name."""
    parsed = parse_type(re.sub(r"\bfloat\(\d+\)", "float", sql_type))
    if parsed is None or parsed.array:
        return _guessed(name)
    if _DIGITS.search(name) and parsed.family in ("int", "dec", "float"):
        return "varchar(20)"
    if _MONEY.search(name) and parsed.family == "float":
        return "numeric(12,2)"
    if parsed.family == "str" and name.endswith("_at"):
        return "timestamptz"
    if "serial" in parsed.spelling:
        return "bigint"
    written = _WRITTEN.get(parsed.name, parsed.name)
    size = parsed.size or {"varchar": (255,), "numeric": (12, 2)}.get(written, ())
    return f"{written}({','.join(str(part) for part in size)})" if size else written


def _guessed(name: str) -> str:
    if name.endswith("_at"):
        return "timestamptz"
    if name.endswith(("_on", "_date")):
        return "date"
    if name.startswith(("is_", "has_")):
        return "boolean"
    return "bigint" if name.endswith("_id") else "varchar(255)"


def canonical_default(
    text: str | None, sql_type: str, enum: tuple[str, ...] | None
) -> tuple[bool | int | float | str | None, bool]:
    """The default as a value, and whether it fits its column; one that does not is dropped."""
    if text is None:
        return None, True
    value = typed_default(text, sql_type)
    parsed = parse_type(sql_type)
    family = parsed.family if parsed else "str"
    if text.endswith("()"):
        fits = family == "time"
    elif enum:
        fits = text in enum
    elif isinstance(value, str):
        fits = family == "str" and len(text) <= ((parsed.length if parsed else None) or 10_000)
    else:
        fits = family in ("bool", "int", "dec", "float")
    return (value if fits else None), fits


def wide_enough(sql_type: str, enum: tuple[str, ...]) -> str:
    """The type, widened where the longest value of the list would not fit."""
    parsed = parse_type(sql_type)
    longest = max((len(value) for value in enum), default=0)
    if parsed is None or parsed.family != "str" or parsed.name == "text":
        return f"varchar({max(10, longest)})"
    return sql_type if (parsed.length or 10_000) >= longest else f"varchar({longest})"


def is_personal(name: str) -> bool:
    """Whether a column by this name holds personal data."""
    return bool(_PERSONAL.search(name))
