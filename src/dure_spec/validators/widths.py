"""Whether two column types hold the same values, as a dialect understands them."""

import re

from dure_spec.artifacts.erd import Dialect
from dure_spec.derive.types import Family, SqlType, parse_type

_DIGITS = re.compile(r"\(\s*(\d+)\s*(?:,\s*(-?\d+)\s*)?\)")
_COUNTER = re.compile(r"\s+(auto_increment|autoincrement|identity)\b", re.IGNORECASE)
_SPELT_BITS = {"tinyint": 8, "mediumint": 24}
_BITS = {"boolean": 8, "smallint": 16, "integer": 32, "bigint": 64}


def family_in(parsed: SqlType, dialect: Dialect) -> Family:
    """The family as the dialect has it: Oracle's whole numbers are NUMBER, MySQL's boolean is TINYINT(1)."""
    if parsed.array:
        return parsed.family
    if parsed.family == "int" and (dialect == "oracle" or parsed.spelling.startswith("number")):
        return "dec"
    if dialect == "mysql" and parsed.name == "boolean" and not parsed.spelling.startswith("bit"):
        return "int"
    return parsed.family


def same_family(own: SqlType, other: SqlType, dialect: Dialect) -> bool:
    """Whether values of one can be values of the other at all."""
    return family_in(own, dialect) == family_in(other, dialect) and own.array == other.array


def same_width(own: str, other: str, dialect: Dialect) -> bool:
    """Whether columns of these types hold exactly the same values, given that their families are equal.

    SQLite stores what it is given, whatever width was declared. CHAR(n) and VARCHAR(n) are equally wide.
    """
    first, second = parse_type(own), parse_type(other)
    if dialect == "sqlite" or first is None or second is None:
        return True
    family = family_in(first, dialect)
    if family == "int":
        return _bits(first) == _bits(second) and _unsigned(first) == _unsigned(second)
    if family == "str":
        return _length(first) == _length(second)
    if family == "dec":
        return _digits(own, first) == _digits(other, second) and _unsigned(first) == _unsigned(second)
    if family == "time":
        return {first.name, second.name} <= {"timestamp", "timestamptz"} or first.name == second.name
    return first.same_width(second)


def same_values(own: str, other: str, dialect: Dialect) -> bool:
    """Whether two columns of these types hold the same values; unknown types only when they are spelt alike."""
    first, second = parse_type(own), parse_type(other)
    if first is None or second is None:
        return " ".join(own.lower().split()) == " ".join(other.lower().split())
    return same_family(first, second, dialect) and same_width(own, other, dialect)


def referencing_type(target: str) -> str:
    """The type of a column that references one of this type: its values without the counter behind them."""
    parsed = parse_type(target)
    counted = parsed is not None and "serial" in parsed.spelling
    return parsed.name if parsed is not None and counted else _COUNTER.sub("", target)


def _bits(parsed: SqlType) -> int:
    return _SPELT_BITS.get(parsed.spelling.split()[0], _BITS.get(parsed.name, 0))


def _unsigned(parsed: SqlType) -> bool:
    return "unsigned" in parsed.spelling or "zerofill" in parsed.spelling


def _length(parsed: SqlType) -> int | None:
    """Characters, `None` for as many as one likes."""
    if parsed.size:
        return parsed.size[0]
    return 1 if parsed.name == "char" else None


def _digits(text: str, parsed: SqlType) -> tuple[int, int] | None:
    """Precision and scale; `None` for a NUMBER of any size."""
    if parsed.family == "int" and not parsed.spelling.startswith("number"):
        return 38, 0  # INTEGER and its sisters in Oracle
    match = _DIGITS.search(text)
    return (int(match[1]), int(match[2] or 0)) if match else None
