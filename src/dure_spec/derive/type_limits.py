"""What a type's own numbers may be in each dialect, and which values it then holds."""

from dure_spec.artifacts.erd import Dialect
from dure_spec.derive.types import SqlType

_LENGTHS: dict[Dialect, dict[str, int]] = {
    "postgresql": {"varchar": 10_485_760, "char": 10_485_760},
    "mysql": {"varchar": 16_383, "char": 255},
    "oracle": {"varchar": 32_767, "char": 2_000},
    "sqlite": {"varchar": 1_000_000_000, "char": 1_000_000_000},
}
_PRECISIONS: dict[Dialect, int] = {"postgresql": 1000, "mysql": 65, "oracle": 38, "sqlite": 1000}
_MOST_DIGITS = 300
"""Digits before the point that a float still counts."""
_BITS = {"smallint": 16, "integer": 32, "bigint": 64}


def size_fault(sql_type: SqlType, dialect: Dialect) -> str:
    """What is wrong with the numbers of a type, in English words of SQL; empty where nothing is.

    The limits are those of the engines' manuals (PostgreSQL 18, MySQL 8.4 with utf8mb4, Oracle 23).
    """
    if not sql_type.size:
        return ""
    first, *rest = sql_type.size
    if first < 1:
        return f"{first} < 1"
    if sql_type.name == "numeric":
        most = _PRECISIONS[dialect]
        if first > most:
            return f"precision {first} > {most}"
        if rest and rest[0] > first and dialect != "oracle":
            return f"scale {rest[0]} > precision {first}"
        return ""
    most = _LENGTHS[dialect].get(sql_type.name)
    return f"length {first} > {most}" if most is not None and first > most else ""


def number_range(sql_type: SqlType) -> tuple[float, float] | None:
    """Least and greatest value of a number's type, `None` where it has no bounds worth knowing."""
    bits = _BITS.get(sql_type.name)
    if bits is not None:
        return -(2.0 ** (bits - 1)), 2.0 ** (bits - 1) - 1
    if sql_type.name == "numeric" and sql_type.size:
        precision, scale = (*sql_type.size, 0)[:2]
        if precision - scale > _MOST_DIGITS:
            return None
        most = 10.0 ** (precision - scale)
        step = 10.0**-scale
        return -(most - step), most - step
    return None
