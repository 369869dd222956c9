"""What engines call their column types: canonical names, aliases, and how each dialect writes them."""

from typing import Literal, get_args

from dure_spec.artifacts.erd import Dialect

Family = Literal["int", "dec", "float", "str", "time", "bool", "uuid", "json", "bin"]
FAMILIES: tuple[Family, ...] = get_args(Family)

# canonical name -> (family, other spellings); what is written as text and has no family of its own counts as text
NAMES: dict[str, tuple[Family, tuple[str, ...]]] = {
    "smallint": ("int", ("int2", "smallserial", "serial2", "tinyint")),
    "integer": ("int", ("int", "int4", "serial", "serial4", "mediumint", "pls_integer", "binary_integer", "middleint")),
    "bigint": ("int", ("int8", "bigserial", "serial8", "oid", "xid")),
    "numeric": ("dec", ("decimal", "dec", "number", "money", "fixed", "smallmoney")),
    "real": ("float", ("float4", "binary_float")),
    "double precision": ("float", ("double", "float", "float8", "binary_double")),
    "varchar": (
        "str",
        (
            "character varying",
            "char varying",
            "varchar2",
            "nvarchar",
            "nvarchar2",
            "nchar varying",
            "national character varying",
            "national char varying",
            "national varchar",
            "varcharacter",
            "varying character",
            "string",
        ),
    ),
    "char": ("str", ("character", "bpchar", "nchar", "national character", "national char", "native character")),
    "text": (
        "str",
        (
            "clob",
            "nclob",
            "tinytext",
            "mediumtext",
            "longtext",
            "citext",
            "ntext",
            "name",
            "long",
            "character large object",
        ),
    ),
    "xml": ("str", ("xmltype",)),
    "inet": ("str", ()),
    "cidr": ("str", ()),
    "macaddr": ("str", ("macaddr8",)),
    "tsvector": ("str", ()),
    "tsquery": ("str", ()),
    "ltree": ("str", ()),
    "hstore": ("str", ()),
    "bit varying": ("str", ("varbit",)),
    "point": ("str", ()),
    "line": ("str", ()),
    "lseg": ("str", ()),
    "box": ("str", ()),
    "path": ("str", ()),
    "circle": ("str", ()),
    "polygon": ("str", ()),
    "geometry": ("str", ("linestring", "multipoint", "multipolygon", "multilinestring", "geometrycollection")),
    "geography": ("str", ("sdo_geometry",)),
    "vector": ("str", ("halfvec",)),
    "int4range": ("str", ("int4multirange",)),
    "int8range": ("str", ("int8multirange",)),
    "numrange": ("str", ("nummultirange",)),
    "daterange": ("str", ("datemultirange",)),
    "tsrange": ("str", ("tsmultirange",)),
    "tstzrange": ("str", ("tstzmultirange",)),
    "rowid": ("str", ("urowid",)),
    "date": ("time", ()),
    "time": ("time", ("time without time zone", "time with time zone", "timetz")),
    "timestamp": ("time", ("timestamp without time zone", "datetime", "datetime2", "smalldatetime")),
    "timestamptz": ("time", ("timestamp with time zone", "timestamp with local time zone", "datetimeoffset")),
    "interval": ("time", ("interval day to second", "interval year to month")),
    "year": ("time", ()),
    "boolean": ("bool", ("bool", "bit")),
    "uuid": ("uuid", ("uniqueidentifier",)),
    "json": ("json", ()),
    "jsonb": ("json", ()),
    "bytea": (
        "bin",
        (
            "blob",
            "binary",
            "varbinary",
            "bytes",
            "longblob",
            "mediumblob",
            "tinyblob",
            "image",
            "raw",
            "long raw",
            "bfile",
            "binary large object",
            "binary varying",
        ),
    ),
}
CANONICAL: dict[str, str] = {spelling: name for name, (_, others) in NAMES.items() for spelling in (name, *others)}
SIZED = frozenset({"numeric", "varchar", "char", "bit varying"})
PLAIN_TEXTS = frozenset({"varchar", "char", "text"})
"""Types of family `str` that take any text; the others want a form of their own."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ONLY_POSTGRESQL = _words(
    "oid xid inet cidr macaddr macaddr8 tsvector tsquery ltree hstore varbit line lseg box path circle geography "
    "vector halfvec int4range int8range numrange daterange tsrange tstzrange int4multirange int8multirange "
    "nummultirange datemultirange tsmultirange tstzmultirange smallserial serial2 serial4 bigserial serial8 "
    "bpchar citext timetz timestamptz jsonb bytea name money"
)
_ONLY_ORACLE = _words(
    "number varchar2 nvarchar2 nclob binary_float binary_double pls_integer binary_integer xmltype raw bfile "
    "rowid urowid sdo_geometry"
) | {"long raw", "timestamp with local time zone", "interval day to second", "interval year to month"}
_ONLY_SQL_SERVER = _words("datetime2 smalldatetime datetimeoffset uniqueidentifier ntext image smallmoney")
_LARGE = {"binary large object", "character large object"}

# spellings that the engine itself refuses; SQLite takes any word for a type
NOT_IN: dict[Dialect, frozenset[str]] = {
    "sqlite": frozenset(),
    "oracle": (_ONLY_POSTGRESQL - {"timestamptz"})
    | _ONLY_SQL_SERVER
    | _words(
        "tinyint mediumint middleint bigint int2 int4 int8 serial double string text tinytext mediumtext longtext time "
        "timestamptz datetime year bool bit uuid bytes binary varbinary longblob mediumblob tinyblob nvarchar fixed "
        "float4 float8 geometry point polygon linestring xml interval"
    )
    | {"bit varying", "time with time zone", "time without time zone", "varying character", "native character"},
    "postgresql": _ONLY_SQL_SERVER
    | (_ONLY_ORACLE - {"interval day to second", "interval year to month"})
    | _LARGE
    | _words(
        "tinyint mediumint middleint fixed double nvarchar string clob tinytext mediumtext longtext datetime year blob "
        "binary varbinary bytes longblob mediumblob tinyblob long linestring multipoint multipolygon multilinestring "
        "geometrycollection varcharacter"
    )
    | {"binary varying", "varying character", "native character"},
    "mysql": _ONLY_POSTGRESQL
    | _ONLY_ORACLE
    | _ONLY_SQL_SERVER
    | _LARGE
    | _words("string clob interval uuid bytes xml")
    | {
        "timestamp with time zone",
        "timestamp without time zone",
        "time with time zone",
        "time without time zone",
        "bit varying",
        "binary varying",
        "varying character",
        "native character",
    },
}

_AS_TEXT = (
    "inet cidr macaddr tsvector tsquery ltree hstore xml point line lseg box path circle polygon geometry "
    "geography vector int4range int8range numrange daterange tsrange tstzrange rowid"
).split()

WRITTEN: dict[Dialect, dict[str, str]] = {
    "postgresql": {"year": "smallint", "rowid": "text"},
    "oracle": {
        **dict.fromkeys(_AS_TEXT, "varchar2(4000)"),
        "smallint": "number(5)",
        "integer": "number(10)",
        "bigint": "number(19)",
        "numeric": "number",
        "real": "binary_float",
        "double precision": "binary_double",
        "varchar": "varchar2",
        "text": "clob",
        "xml": "xmltype",
        "rowid": "rowid",
        "bit varying": "varchar2",
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
        **dict.fromkeys(_AS_TEXT, "varchar(255)"),
        "xml": "longtext",
        "point": "point",
        "polygon": "polygon",
        "geometry": "geometry",
        "geography": "geometry",
        "bit varying": "varchar",
        "double precision": "double",
        "timestamp": "datetime",
        "timestamptz": "datetime",
        "interval": "varchar(50)",
        "uuid": "char(36)",
        "jsonb": "json",
        "bytea": "longblob",
        "real": "float",
    },
    "sqlite": {
        **dict.fromkeys(_AS_TEXT, "text"),
        "bit varying": "varchar",
        "double precision": "real",
        "uuid": "char(36)",
        "json": "text",
        "jsonb": "text",
        "bytea": "blob",
    },
}
