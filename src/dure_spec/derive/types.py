"""SQL column types as data: families, aliases, widths, and how each dialect writes them."""

import re
from dataclasses import dataclass
from typing import Literal, get_args

from dure_spec.artifacts.erd import Dialect

Family = Literal["int", "dec", "float", "str", "time", "bool", "uuid", "json", "bin"]
FAMILIES: tuple[Family, ...] = get_args(Family)

MAX_IDENTIFIER_BYTES = 63

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_TYPE = re.compile(r"\s*([A-Za-z][A-Za-z0-9_ ]*)(?:\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)([A-Za-z ]*))?((?:\[\d*\])*)\s*")

# canonical name -> (family, other spellings)
_NAMES: dict[str, tuple[Family, tuple[str, ...]]] = {
    "smallint": ("int", ("int2", "smallserial", "serial2", "tinyint")),
    "integer": ("int", ("int", "int4", "serial", "serial4", "mediumint")),
    "bigint": ("int", ("int8", "bigserial", "serial8")),
    "numeric": ("dec", ("decimal", "dec", "number", "money", "fixed")),
    "real": ("float", ("float4",)),
    "double precision": ("float", ("double", "float", "float8")),
    "varchar": ("str", ("character varying", "char varying", "varchar2", "nvarchar", "nvarchar2", "string")),
    "char": ("str", ("character", "bpchar", "nchar")),
    "text": ("str", ("clob", "tinytext", "mediumtext", "longtext", "citext", "ntext")),
    "date": ("time", ()),
    "time": ("time", ("time without time zone", "time with time zone", "timetz")),
    "timestamp": ("time", ("timestamp without time zone", "datetime", "datetime2", "smalldatetime")),
    "timestamptz": ("time", ("timestamp with time zone",)),
    "interval": ("time", ()),
    "year": ("time", ()),
    "boolean": ("bool", ("bool", "bit")),
    "uuid": ("uuid", ("uniqueidentifier",)),
    "json": ("json", ()),
    "jsonb": ("json", ()),
    "bytea": ("bin", ("blob", "binary", "varbinary", "bytes", "longblob", "mediumblob", "tinyblob", "image")),
}
_CANONICAL: dict[str, str] = {spelling: name for name, (_, others) in _NAMES.items() for spelling in (name, *others)}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# spellings that the engine itself refuses; SQLite takes any word for a type
_NOT_IN: dict[Dialect, frozenset[str]] = {
    "sqlite": frozenset(),
    "oracle": _words(
        "tinyint mediumint bigint int2 int4 int8 serial bigserial smallserial money double string text citext tinytext "
        "mediumtext longtext ntext time timetz timestamptz datetime datetime2 smalldatetime year bool uuid "
        "uniqueidentifier jsonb bytea bytes binary varbinary longblob mediumblob tinyblob image"
    ),
    "postgresql": _words(
        "tinyint mediumint number fixed double varchar2 nvarchar nvarchar2 string clob tinytext mediumtext longtext "
        "ntext datetime datetime2 smalldatetime year uniqueidentifier blob binary varbinary bytes longblob mediumblob "
        "tinyblob image"
    ),
    "mysql": _words(
        "smallserial serial2 serial4 bigserial serial8 number money bpchar varchar2 nvarchar2 string clob citext ntext "
        "timestamptz timetz datetime2 smalldatetime interval uuid uniqueidentifier jsonb bytea bytes image"
    )
    | {"timestamp with time zone", "timestamp without time zone", "time with time zone", "time without time zone"},
}

_WRITTEN: dict[Dialect, dict[str, str]] = {
    "postgresql": {"year": "smallint"},
    "oracle": {
        "smallint": "number(5)",
        "integer": "number(10)",
        "bigint": "number(19)",
        "numeric": "number",
        "real": "binary_float",
        "double precision": "binary_double",
        "varchar": "varchar2",
        "text": "clob",
        "time": "interval day to second",
        "timestamptz": "timestamp with time zone",
        "interval": "interval day to second",
        "year": "number(4)",
        "boolean": "number(1)",
        "uuid": "raw(16)",
        "json": "clob",
        "jsonb": "clob",
        "bytea": "blob",
    },
    "mysql": {
        "double precision": "double",
        "timestamp": "datetime",
        "timestamptz": "datetime",
        "interval": "varchar(50)",
        "uuid": "char(36)",
        "jsonb": "json",
        "bytea": "longblob",
        "real": "float",
    },
    "sqlite": {"double precision": "real", "uuid": "char(36)", "json": "text", "jsonb": "text", "bytea": "blob"},
}
_SIZED = frozenset({"numeric", "varchar", "char"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlType:
    """A parsed column type; `name` is canonical, `spelling` what the design said."""

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

    def same_width(self, other: "SqlType") -> bool:
        """Whether both hold exactly the same values, given that their families are equal."""
        if self.family == "time":
            return {self.name, other.name} <= {"timestamp", "timestamptz"} or self.name == other.name
        return (self.name, self.size, self.array) == (other.name, other.size, other.array)


def parse_type(text: str) -> SqlType | None:
    """Read a column type in any dialect's spelling; `None` when no engine knows it."""
    match = _TYPE.fullmatch(text)
    if match is None:
        return None
    head, first, second, tail, brackets = match.groups()
    words = " ".join(f"{head} {tail or ''}".lower().split())
    bare = words.removesuffix(" unsigned").removesuffix(" auto_increment").removesuffix(" identity")
    name = "boolean" if (bare, first) == ("tinyint", "1") else _CANONICAL.get(bare)
    if name is None:
        return None
    size = tuple(int(part) for part in (first, second) if part is not None)
    if name not in _SIZED:
        size = ()
    return SqlType(name=name, family=_NAMES[name][0], size=size, array=bool(brackets), spelling=words)


def family_of(text: str) -> Family | None:
    """The family of a column type, `None` when the type is unknown."""
    parsed = parse_type(text)
    return parsed.family if parsed else None


def exists_in(sql_type: SqlType, dialect: Dialect) -> bool:
    """Whether the dialect's engine knows the type as it is spelt."""
    if sql_type.array and dialect == "mysql":
        return False
    decorated = sql_type.spelling.endswith((" unsigned", " auto_increment", " identity"))
    return sql_type.spelling not in _NOT_IN[dialect] and not (decorated and dialect == "postgresql")


def write_type(sql_type: SqlType, dialect: Dialect) -> str:
    """The type as the dialect spells it."""
    if sql_type.array and dialect != "postgresql":
        return "json" if dialect == "mysql" else "text"
    name = _WRITTEN[dialect].get(sql_type.name, sql_type.name)
    if name == "varchar" and not sql_type.size:
        name = "varchar(255)" if dialect == "mysql" else name
    size = f"({','.join(str(part) for part in sql_type.size)})" if sql_type.size and "(" not in name else ""
    return f"{name}{size}{'[]' if sql_type.array else ''}"


def is_valid_identifier(name: str) -> bool:
    """Whether every engine takes the name without quotes, reserved words aside."""
    return _IDENTIFIER.fullmatch(name) is not None and len(name.encode()) <= MAX_IDENTIFIER_BYTES
