"""Column types in the spellings of many engines."""

from typing import get_args

import pytest

from dure_spec.artifacts.erd import Dialect
from dure_spec.derive.type_limits import number_range, size_fault
from dure_spec.derive.type_names import NAMES
from dure_spec.derive.types import Family, exists_in, is_valid_identifier, parse_type, write_type


@pytest.mark.parametrize(
    ("text", "name", "family", "size"),
    [
        ("int4", "integer", "int", ()),
        ("serial", "integer", "int", ()),
        ("BIGINT unsigned", "bigint", "int", ()),
        ("character varying (20)", "varchar", "str", (20,)),
        ("DECIMAL(12, 2)", "numeric", "dec", (12, 2)),
        ("timestamp(3) with time zone", "timestamptz", "time", ()),
        ("datetime", "timestamp", "time", ()),
        ("float8", "double precision", "float", ()),
        ("tinyint(1)", "boolean", "bool", ()),
        ("jsonb", "jsonb", "json", ()),
        ("uniqueidentifier", "uuid", "uuid", ()),
        ("longblob", "bytea", "bin", ()),
        ("NUMBER(4)", "smallint", "int", ()),
        ("NUMBER(10)", "integer", "int", ()),
        ("NUMBER(19,0)", "bigint", "int", ()),
        ("NUMBER(38)", "numeric", "dec", (38,)),
        ("NUMBER(8,2)", "numeric", "dec", (8, 2)),
        ("numeric(10,-2)", "numeric", "dec", (10, -2)),
        ("int(11) unsigned zerofill", "integer", "int", ()),
        ("TIMESTAMP(6)", "timestamp", "time", ()),
        ("TIMESTAMP(6) WITH LOCAL TIME ZONE", "timestamptz", "time", ()),
        ("interval day(2) to second(6)", "interval", "time", ()),
        ("CHAR(10 BYTE)", "char", "str", (10,)),
        ("VARCHAR2(10 CHAR)", "varchar", "str", (10,)),
        ("nvarchar(max)", "text", "str", ()),
        ("varchar(20) character set utf8mb4", "varchar", "str", (20,)),
        ("tsvector", "tsvector", "str", ()),
        ("inet", "inet", "str", ()),
        ("xml", "xml", "str", ()),
        ("point", "point", "str", ()),
        ("bit", "boolean", "bool", ()),
        ("bit(8)", "bit varying", "str", (8,)),
        ("pg_catalog.int4", "integer", "int", ()),
        ("long raw", "bytea", "bin", ()),
    ],
)
def test_alias_is_read_as_its_canonical_type(text: str, name: str, family: Family, size: tuple[int, ...]) -> None:
    parsed = parse_type(text)
    assert parsed is not None
    assert (parsed.name, parsed.family, parsed.size) == (name, family, size)


@pytest.mark.parametrize(
    "text", ["", "strng", "int); DROP TABLE a", "enum('a')", "varchar(a)", "한글", "b igint", "own.type"]
)
def test_what_no_engine_knows_is_no_type(text: str) -> None:
    assert parse_type(text) is None


@pytest.mark.parametrize(
    ("text", "dialect", "exists", "written"),
    [
        ("datetime", "postgresql", False, "timestamp"),
        ("timestamptz", "postgresql", True, "timestamptz"),
        ("timestamptz", "mysql", False, "datetime"),
        ("uuid", "mysql", False, "char(36)"),
        ("datetime", "sqlite", True, "timestamp"),
        ("text[]", "postgresql", True, "text[]"),
        ("text[]", "mysql", False, "json"),
        ("bigint unsigned", "postgresql", False, "bigint"),
        ("varchar", "mysql", True, "varchar(255)"),
        ("varchar(9)", "sqlite", True, "varchar(9)"),
        ("bigint", "oracle", False, "number(19)"),
        ("varchar(9)", "oracle", True, "varchar2(9 char)"),
        ("varchar(9000)", "oracle", True, "clob"),
        ("VARCHAR2(10 CHAR)", "postgresql", False, "varchar(10)"),
        ("varchar(10 char)", "postgresql", False, "varchar(10)"),
        ("varchar(max)", "mysql", False, "text"),
        ("text[]", "oracle", False, "clob"),
        ("inet", "mysql", False, "varchar(255)"),
        ("inet", "sqlite", True, "text"),
        ("number(10)", "postgresql", False, "integer"),
    ],
)
def test_type_is_written_in_the_words_of_the_dialect(text: str, dialect: Dialect, exists: bool, written: str) -> None:
    parsed = parse_type(text)
    assert parsed is not None
    assert exists_in(parsed, dialect) is exists
    assert write_type(parsed, dialect) == written


@pytest.mark.parametrize(
    ("name", "valid"),
    [
        ("order_items", True),
        ("이름", True),
        ("a" * 63, True),
        ("가" * 22, False),
        ("1a", False),
        ("a-b", False),
        ("", False),
        ("a b", False),
    ],
)
def test_identifier_is_letters_digits_and_underscores_up_to_63_bytes(name: str, valid: bool) -> None:
    assert is_valid_identifier(name) is valid


# what an engine has no type of its own for is kept as something else
_STORED_AS: dict[tuple[Dialect, str], Family] = {
    ("postgresql", "year"): "int",
    ("mysql", "interval"): "str",
    ("mysql", "uuid"): "str",
    ("sqlite", "uuid"): "str",
    ("sqlite", "json"): "str",
    ("sqlite", "jsonb"): "str",
    ("oracle", "boolean"): "int",
    ("oracle", "json"): "str",
    ("oracle", "jsonb"): "str",
    ("oracle", "numeric"): "dec",
    ("oracle", "uuid"): "bin",
    ("oracle", "year"): "int",
}


@pytest.mark.parametrize("dialect", get_args(Dialect))
@pytest.mark.parametrize("name", NAMES)
def test_what_a_dialect_writes_is_of_its_own_and_reads_back_in_the_same_family(name: str, dialect: Dialect) -> None:
    parsed = parse_type(name)
    assert parsed is not None
    written = parse_type(write_type(parsed, dialect))
    assert written is not None
    assert exists_in(written, dialect)
    assert written.family == _STORED_AS.get((dialect, name), parsed.family)


@pytest.mark.parametrize(
    ("text", "dialect", "fault"),
    [
        ("varchar(0)", "sqlite", "0 < 1"),
        ("char(256)", "mysql", "length 256 > 255"),
        ("varchar(16384)", "mysql", "length 16384 > 16383"),
        ("varchar(16384)", "postgresql", ""),
        ("numeric(66,2)", "mysql", "precision 66 > 65"),
        ("numeric(39,2)", "oracle", "precision 39 > 38"),
        ("numeric(2,5)", "oracle", ""),
        ("numeric(2,5)", "mysql", "scale 5 > precision 2"),
        ("numeric", "mysql", ""),
    ],
)
def test_size_is_held_to_the_limits_of_the_dialect(text: str, dialect: Dialect, fault: str) -> None:
    parsed = parse_type(text)
    assert parsed is not None
    assert size_fault(parsed, dialect) == fault


@pytest.mark.parametrize(
    ("text", "bounds"),
    [("smallint", (-32768, 32767)), ("numeric(3,2)", (-9.99, 9.99)), ("numeric", None), ("text", None)],
)
def test_range_of_a_number_is_that_of_its_type(text: str, bounds: tuple[float, float] | None) -> None:
    parsed = parse_type(text)
    assert parsed is not None
    found = number_range(parsed)
    assert found == (pytest.approx(bounds) if bounds else None)
