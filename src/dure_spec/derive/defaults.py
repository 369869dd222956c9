"""Whether a default can be a value of its column, as the column's engine would say."""

import json
import re
from dataclasses import dataclass
from datetime import date
from typing import Literal

from dure_spec.artifacts.erd import Column, Dialect
from dure_spec.derive.sql_functions import known_functions
from dure_spec.derive.type_limits import number_range
from dure_spec.derive.types import Family, SqlType, parse_type

Effect = Literal["refused", "unusable"]

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_UUID = re.compile(r"\{?[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}\}?", re.IGNORECASE)
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)([ T].*)?")
_CLOCK = re.compile(r"([01]?\d|2[0-4]):[0-5]\d(:[0-6]\d(\.\d+)?)?\s*([ap]m|z|[+-]\d\d(:?\d\d)?)?", re.IGNORECASE)
_SHORTEST_DAY = 6
"""Digits of a day without separators: `260115`."""
_MOMENTS = frozenset({"now", "today", "tomorrow", "yesterday", "epoch", "infinity", "-infinity", "allballs"})
_NO_NUMBERS = frozenset({"nan", "infinity", "-infinity"})
_TRUTH = frozenset("true t yes y on 1 false f no n off 0".split())
_TIME_WORDS = frozenset(
    "current_timestamp localtimestamp current_date current_time localtime sysdate systimestamp".split()
)
_TIME_CALLS = frozenset(
    "now current_timestamp localtimestamp getdate clock_timestamp statement_timestamp transaction_timestamp "
    "current_date curdate current_time curtime localtime utc_timestamp utc_date utc_time sysdate systimestamp".split()
)
_UUID_CALLS = frozenset("gen_random_uuid uuid uuid_generate_v4 newid sys_guid uuidv4 uuidv7".split())
_PEOPLE = frozenset("current_user session_user user current_database current_schema version timeofday".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultFault:
    """Why a default is none: the engine refuses the table, or every row that leaves the column out."""

    effect: Effect
    why: Literal["type", "function", "length", "range", "list"]


def default_fault(column: Column, dialect: Dialect) -> DefaultFault | None:
    """What is wrong with a column's default; `None` where nothing is."""
    value = column.default
    parsed = parse_type(column.type)
    if value is None or parsed is None or parsed.array:
        return None
    text = _unquoted(value) if isinstance(value, str) else value
    if isinstance(text, str) and text.lower() == "null":
        return None
    if isinstance(value, str) and text == value.strip() and _is_call(value.strip()):
        return _call_fault(value.strip().lower(), parsed, dialect)
    if not reads_as(text, parsed, dialect):
        return DefaultFault(effect="refused", why="type")
    if column.enum and str(text) not in column.enum:
        return DefaultFault(effect="unusable", why="list")
    return _size_fault(text, parsed, dialect)


def _is_call(text: str) -> bool:
    return text.endswith("()") or text.lower() in _TIME_WORDS


def _call_fault(text: str, parsed: SqlType, dialect: Dialect) -> DefaultFault | None:
    name = text.removesuffix("()").strip()
    calls: tuple[tuple[frozenset[str], tuple[Family, ...]], ...] = (
        (_TIME_CALLS | _TIME_WORDS, ("time", "str")),
        (_UUID_CALLS, ("uuid", "str", "bin")),
        (_PEOPLE, ("str",)),
    )
    for names, families in calls:
        if name in names:
            return None if parsed.family in families else DefaultFault(effect="refused", why="type")
    return None if name in known_functions(dialect) else DefaultFault(effect="refused", why="function")


def reads_as(value: bool | float | str, parsed: SqlType, dialect: Dialect) -> bool:
    """Whether an engine can read the value as one of the type."""
    if isinstance(value, bool):
        return parsed.family in ("bool", "int", "str")
    if isinstance(value, int | float):
        return parsed.family in ("int", "dec", "float", "str") or (parsed.family == "bool" and value in (0, 1))
    match parsed.family:
        case "int":
            return _NUMBER.fullmatch(value) is not None
        case "dec" | "float":
            return _NUMBER.fullmatch(value) is not None or value.lower() in _NO_NUMBERS
        case "bool":
            return value.lower() in _TRUTH
        case "uuid":
            return _UUID.fullmatch(value) is not None
        case "json":
            return _is_json(value)
        case "time":
            return _is_time(value, parsed.name, dialect)
        case _:
            return True


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _is_time(text: str, name: str, dialect: Dialect) -> bool:
    text = text.strip()
    match name:
        case "interval":
            return any(char.isdigit() for char in text)
        case "year":
            return text.isdigit()
        case "time":
            return _CLOCK.fullmatch(text) is not None or text.lower() in _MOMENTS
        case _:
            return text.lower() in _MOMENTS or _is_day(text, dialect)


def _is_day(text: str, dialect: Dialect) -> bool:
    day = _DAY.fullmatch(text)
    if day is None:  # other spellings of a day, which engines read by their own settings
        return any(char.isdigit() for char in text) and not (text.isdigit() and len(text) < _SHORTEST_DAY)
    if dialect == "mysql" and int(day[1]) == 0:
        return True  # its zero day
    try:
        date(int(day[1]), int(day[2]), int(day[3]))
    except ValueError:
        return False
    clock = (day[4] or "").strip(" T")
    return not clock or _CLOCK.match(clock) is not None


def _size_fault(value: bool | float | str, parsed: SqlType, dialect: Dialect) -> DefaultFault | None:
    """MySQL looks at the size at once, the others when a row is written; SQLite never does."""
    if dialect == "sqlite":
        return None
    effect: Effect = "refused" if dialect == "mysql" else "unusable"
    if parsed.length is not None and len(str(value)) > parsed.length:
        return DefaultFault(effect=effect, why="length")
    bounds = number_range(parsed)
    if bounds is None or (isinstance(value, str) and value.lower() in _NO_NUMBERS):
        return None
    if not bounds[0] <= float(value) <= bounds[1]:
        return DefaultFault(effect=effect, why="range")
    return None


def _unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1].replace("''", "'") if len(text) > 1 and text[0] == text[-1] == "'" else text
