"""SQL literals, defaults and checks as each dialect writes them."""

import re

from dure_spec.artifacts.erd import Column, Dialect, Table
from dure_spec.derive.expressions import quoted_columns, tokens_of
from dure_spec.derive.identifiers import quote
from dure_spec.derive.sqlite_words import runs_in_sqlite
from dure_spec.derive.types import Family, SqlType, parse_type, write_type

SqlValue = bool | int | float | str | None

_NOW = frozenset({"now()", "current_timestamp", "current_timestamp()", "localtimestamp", "getdate()", "sysdate"})
_TODAY = frozenset({"current_date", "current_date()", "curdate()"})
_NEW_UUID = frozenset({"gen_random_uuid()", "uuid()", "uuid_generate_v4()", "newid()"})
_UUID_SQL: dict[Dialect, str] = {
    "postgresql": "gen_random_uuid()",
    "mysql": "(UUID())",
    "oracle": "SYS_GUID()",
    "sqlite": "(lower(hex(randomblob(16))))",
}
_NO_PLAIN_DEFAULT = frozenset({"json", "text", "longtext", "longblob", "point", "polygon", "geometry"})
"""MySQL takes a default of these types as an expression only."""
_TRUTH = {"true": True, "t": True, "yes": True, "1": True, "false": False, "f": False, "no": False, "0": False}
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_CLOCK = re.compile(r"\d\d:\d\d:\d\d")


def literal(value: SqlValue, family: Family | None, dialect: Dialect) -> str:
    """A value as SQL text."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(int(value)) if dialect in ("sqlite", "oracle") or family != "bool" else str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if dialect == "oracle" and family in ("time", "uuid"):
        return _oracle_literal(value.replace("'", ""), family)
    text = value.replace("\0", "").replace("'", "''")
    return f"'{text.replace(chr(92), chr(92) * 2) if dialect == 'mysql' else text}'"


def default_sql(column: Column, dialect: Dialect) -> str | None:
    """The column's default as SQL text, `None` when it has none."""
    value = column.default
    if value is None:
        return None
    parsed = parse_type(column.type)
    family = parsed.family if parsed else None
    if isinstance(value, str):
        return _text_default(value.strip(), parsed, dialect)
    if family == "bool" and value in (0, 1):
        return literal(bool(value), family, dialect)
    if family == "str":
        return literal(str(value), family, dialect)
    return literal(value, family, dialect)


def check_sql(column: Column, table: Table, dialect: Dialect) -> str | None:
    """The column's CHECK expression; `None` without one, or where a plain SQLite cannot evaluate it."""
    text = (column.check or "").strip()
    if not text or (dialect == "sqlite" and not runs_in_sqlite(tokens_of(text))):
        return None
    names = {each.name.lower(): each.name for each in table.columns}
    return quoted_columns(text, column.name, table.name, names, dialect)


def _oracle_literal(text: str, family: Family) -> str:
    """Dates, times and identifiers without trusting a session's formats."""
    if family == "uuid":
        return f"HEXTORAW('{text.replace('-', '')}')"
    if _DAY.fullmatch(text):
        return f"DATE '{text}'"
    if _CLOCK.fullmatch(text):
        return f"INTERVAL '0 {text}' DAY TO SECOND"
    return f"TIMESTAMP '{text}'" if _DAY.match(text) else f"'{text}'"


def enum_sql(column: Column, dialect: Dialect) -> str | None:
    """The CHECK expression that keeps a column to its enumeration."""
    if not column.enum:
        return None
    parsed = parse_type(column.type)
    numeric = parsed is not None and parsed.family in ("int", "dec", "float")
    plain = numeric and all(_NUMBER.fullmatch(value) for value in column.enum)
    values = column.enum if plain else (literal(value, "str", dialect) for value in column.enum)
    return f"{quote(column.name, dialect)} IN ({','.join(values)})"


def _unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1].replace("''", "'") if len(text) > 1 and text[0] == text[-1] == "'" else text


def _text_default(text: str, parsed: SqlType | None, dialect: Dialect) -> str:
    family = parsed.family if parsed else None
    lower = text.lower()
    if lower in _NEW_UUID:
        return _UUID_SQL[dialect]
    if lower in _TODAY or (lower in _NOW and parsed is not None and parsed.name == "date"):
        return "(CURRENT_DATE)" if dialect == "mysql" else "CURRENT_DATE"
    if lower in _NOW:
        return "now()" if dialect == "postgresql" else "CURRENT_TIMESTAMP"
    if lower == "null":
        return "NULL"
    if text.endswith("()"):
        return text if dialect == "postgresql" else f"({text})"
    text = _unquoted(text)
    if dialect == "mysql" and parsed is not None and write_type(parsed, dialect) in _NO_PLAIN_DEFAULT:
        return f"({literal(text, family, dialect)})"
    if family == "bool" and text.lower() in _TRUTH:
        return literal(_TRUTH[text.lower()], family, dialect)
    if family in ("int", "dec", "float") and _NUMBER.fullmatch(text):
        return text
    return literal(text, family, dialect)
