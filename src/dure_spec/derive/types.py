"""SQL column types as data: read in any engine's spelling, compared, and written in a dialect's words."""

import re
from dataclasses import dataclass
from functools import lru_cache

from dure_spec.artifacts.erd import Dialect
from dure_spec.derive.type_names import CANONICAL, FAMILIES, NAMES, NOT_IN, PLAIN_TEXTS, SIZED, WRITTEN, Family

__all__ = [
    "FAMILIES",
    "MAX_IDENTIFIER_BYTES",
    "Family",
    "SqlType",
    "exists_in",
    "family_of",
    "is_valid_identifier",
    "parse_type",
    "write_type",
]

MAX_IDENTIFIER_BYTES = 63

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_SIZE = r"\(\s*(?P<first>\d+|max)\s*(?P<unit>byte|char)?\s*(?:,\s*(?P<second>-?\d+)\s*)?\)"
_TYPE = re.compile(
    rf"\s*(?:pg_catalog\s*\.\s*)?(?P<head>[A-Za-z][A-Za-z0-9_ ]*)(?:{_SIZE}(?P<tail>[A-Za-z_ ]*)(?:\(\s*\d+\s*\))?)?"
    r"(?P<array>(?:\s*\[\d*\])*|\s+array)\s*",
    re.IGNORECASE,
)
_DECORATIONS = (" unsigned", " signed", " zerofill", " auto_increment", " identity")
_MARKED: dict[str, tuple[Dialect, ...]] = {"max)": ("sqlite",), "unit)": ("oracle", "sqlite")}
_CHARSET = re.compile(r"\s(?:character set|charset|collate)\s+\w+")
# digits that a NUMBER(p) holds and still is the integer that our own DDL writes so
_INTEGER_DIGITS = (("smallint", 5), ("integer", 10), ("bigint", 19))


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlType:
    """A parsed column type; `name` is canonical, `spelling` what was written, with `(max)` or `(unit)` behind it."""

    name: str
    family: Family
    size: tuple[int, ...] = ()
    array: bool = False
    spelling: str

    @property
    def length(self) -> int | None:
        """Greatest number of characters, where the type has one."""
        if self.family != "str" or self.array:
            return None
        if self.size:
            return self.size[0]
        return 1 if self.name == "char" else None

    @property
    def free_text(self) -> bool:
        """Whether it takes any text; a network address or a range wants a form of its own."""
        return self.name in PLAIN_TEXTS and not self.array

    def same_width(self, other: "SqlType") -> bool:
        """Whether both hold exactly the same values, given that their families are equal."""
        if self.family == "time":
            return {self.name, other.name} <= {"timestamp", "timestamptz"} or self.name == other.name
        return (self.name, self.size, self.array) == (other.name, other.size, other.array)


@lru_cache(maxsize=4096)
def parse_type(text: str) -> SqlType | None:
    """Read a column type in any dialect's spelling; `None` when no engine knows it."""
    match = _TYPE.fullmatch(_CHARSET.sub("", text))
    if match is None:
        return None
    words = " ".join(f"{match['head']} {match['tail'] or ''}".lower().split())
    array = bool(match["array"])
    if words.endswith(" array"):
        words, array = words.removesuffix(" array"), True
    first, second = (match["first"] or "").lower(), match["second"]
    name = _canonical(_bare(words), first, second)
    if name is None:
        return None
    size = tuple(int(part) for part in (first, second) if part and part != "max") if name in SIZED else ()
    mark = "(max)" if first == "max" else "(unit)" if match["unit"] else ""
    return SqlType(name=name, family=NAMES[name][0], size=size, array=array, spelling=words + mark)


def _bare(words: str) -> str:
    while words.endswith(_DECORATIONS):
        words = words.rpartition(" ")[0]
    return words


def _canonical(bare: str, first: str, second: str | None) -> str | None:
    if (bare, first) == ("tinyint", "1"):
        return "boolean"
    if bare == "bit" and first not in ("", "1"):
        return "bit varying"
    if bare == "number" and first.isdigit() and second in (None, "0"):
        return next((name for name, digits in _INTEGER_DIGITS if int(first) <= digits), "numeric")
    name = CANONICAL.get(bare)
    return "text" if first == "max" and name in ("varchar", "char") else name


def family_of(text: str) -> Family | None:
    """The family of a column type, `None` when the type is unknown."""
    parsed = parse_type(text)
    return parsed.family if parsed else None


def exists_in(sql_type: SqlType, dialect: Dialect) -> bool:
    """Whether the dialect's engine knows the type as it is spelt."""
    if sql_type.array and dialect in ("mysql", "oracle"):
        return False
    words, _, mark = sql_type.spelling.partition("(")
    if mark and dialect not in _MARKED[mark]:
        return False
    decorated = words.endswith(_DECORATIONS)
    return _bare(words) not in NOT_IN[dialect] and not (decorated and dialect in ("postgresql", "oracle"))


def write_type(sql_type: SqlType, dialect: Dialect) -> str:
    """The type as the dialect spells it."""
    if sql_type.array and dialect != "postgresql":
        return {"mysql": "json", "oracle": "clob", "sqlite": "text"}[dialect]
    name = WRITTEN[dialect].get(sql_type.name, sql_type.name)
    if not sql_type.size:
        unsized: dict[tuple[Dialect, str], str] = {
            ("mysql", "varchar"): "varchar(255)",
            ("oracle", "varchar2"): "varchar2(4000)",
        }
        name = unsized.get((dialect, name), name)
    if name == "varchar2" and sql_type.size:
        return f"varchar2({sql_type.size[0]} char)" if sql_type.size[0] <= _ORACLE_TEXT else "clob"
    size = f"({','.join(str(part) for part in sql_type.size)})" if sql_type.size and "(" not in name else ""
    return f"{name}{size}{'[]' if sql_type.array else ''}"


_ORACLE_TEXT = 4000
"""Greatest length of a VARCHAR2 with the engine's usual settings."""


def is_valid_identifier(name: str) -> bool:
    """Whether every engine takes the name without quotes, reserved words aside."""
    return _IDENTIFIER.fullmatch(name) is not None and len(name.encode()) <= MAX_IDENTIFIER_BYTES
