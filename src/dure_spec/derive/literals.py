"""SQL literals, defaults and checks as each dialect writes them."""

import re

from dure_spec.artifacts.erd import Column, Dialect
from dure_spec.derive.identifiers import quote
from dure_spec.derive.types import Family, SqlType, parse_type

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
_TRUTH = {"true": True, "t": True, "yes": True, "1": True, "false": False, "f": False, "no": False, "0": False}
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
_OWN_COLUMN = re.compile(r"'(?:[^']|'')*'|(?<![\w.])_(?![\w.])")
# what a CHECK of PostgreSQL or MySQL may hold and one of SQLite may not
_NOT_SQLITE = re.compile(
    r"~|::|\b(?:now|regexp|regexp_like|similar|current_date|current_timestamp|char_length|extract|interval|ilike|any|"
    r"array|position|date_part|btrim|cardinality)\b",
    re.IGNORECASE,
)
_STRING = re.compile(r"'(?:[^']|'')*'")


def literal(value: SqlValue, family: Family | None, dialect: Dialect) -> str:
    """A value as SQL text."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(int(value)) if dialect == "sqlite" or family != "bool" else str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
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


def default_fits(column: Column) -> bool:
    """Whether the default can be a value of the column at all; SQLite would store anything."""
    value = column.default
    family = (parse_type(column.type) or _TEXT).family
    if isinstance(value, str):
        text = _unquoted(value)
        if text.endswith("()") or text.lower() in _NOW | _TODAY or text.lower() == "null":
            return True
        if family in ("int", "dec", "float"):
            return _NUMBER.fullmatch(text) is not None
        return text.lower() in _TRUTH if family == "bool" else True
    if isinstance(value, bool):
        return family in ("bool", "int")
    return value is None or family in ("int", "dec", "float", "str") or (family == "bool" and value in (0, 1))


def check_sql(column: Column, dialect: Dialect) -> str | None:
    """The column's CHECK expression; `None` without one, or where SQLite cannot evaluate it."""
    if not column.check or not column.check.strip():
        return None
    if dialect == "sqlite" and _NOT_SQLITE.search(_STRING.sub("''", column.check)):
        return None
    name = quote(column.name, dialect)
    return _OWN_COLUMN.sub(lambda match: name if match.group() == "_" else match.group(), column.check.strip())


def enum_sql(column: Column, dialect: Dialect) -> str | None:
    """The CHECK expression that keeps a column to its enumeration."""
    if not column.enum:
        return None
    parsed = parse_type(column.type)
    numeric = parsed is not None and parsed.family in ("int", "dec", "float")
    plain = numeric and all(_NUMBER.fullmatch(value) for value in column.enum)
    values = column.enum if plain else (literal(value, "str", dialect) for value in column.enum)
    return f"{quote(column.name, dialect)} IN ({','.join(values)})"


_TEXT = SqlType(name="text", family="str", spelling="text")


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
    if dialect == "mysql" and parsed is not None and parsed.name in ("json", "jsonb", "text"):
        return f"({literal(text, family, dialect)})"
    if family == "bool" and text.lower() in _TRUTH:
        return literal(_TRUTH[text.lower()], family, dialect)
    if family in ("int", "dec", "float") and _NUMBER.fullmatch(text):
        return text
    return literal(text, family, dialect)
