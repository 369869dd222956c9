"""Column types in the spellings of many engines."""

import pytest

from dure_spec.artifacts.erd import Dialect
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
    ],
)
def test_alias_is_read_as_its_canonical_type(text: str, name: str, family: Family, size: tuple[int, ...]) -> None:
    parsed = parse_type(text)
    assert parsed is not None
    assert (parsed.name, parsed.family, parsed.size) == (name, family, size)


@pytest.mark.parametrize("text", ["", "strng", "int); DROP TABLE a", "enum('a')", "varchar(a)", "한글", "b igint"])
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
