"""Text that is no SQL, or no whole SQL: it costs itself and nothing else."""

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dure_spec.artifacts.erd import Dialect
from dure_spec.lint.reading import read_source

_DIALECTS: tuple[Dialect, ...] = ("postgresql", "mysql", "sqlite", "oracle")
_FOLDER = Path(__file__).resolve().parents[5] / "shared" / "data" / "ddl"
_FILES = [path.read_text() for path in sorted(_FOLDER.glob("*.sql"))]
_PIECES = st.lists(
    st.sampled_from(
        "CREATE TABLE t ( a int , ) ; ' \" ` [ ] $$ -- /* */ \n PRIMARY KEY REFERENCES x ALTER ADD CONSTRAINT CHECK IN "
        "DEFAULT BEGIN END COPY FROM stdin \\. DELIMITER / REM COMMENT ON IS 'x' INHERITS AS ENUM DOMAIN :: . = NOT "
        "NULL RENAME TO DROP COLUMN MODIFY ATTACH PARTITION OF LIKE UNIQUE INDEX USING ON DELETE SET".split(" ")
    ),
    max_size=60,
).map(" ".join)


def test_a_statement_that_cannot_be_read_costs_only_itself() -> None:
    source = read_source(
        "CREATE TABLE a (id int PRIMARY KEY);\nCREATE TABLE b (id int PRIMARY KEY,\n  name varchar(20) age int);\n"
        "CREATE TABLE c (id int;\nALTER TABLE a FROBNICATE;\nCREATE TABLE d (id int PRIMARY KEY);",
        "postgresql",
    )
    assert [table.name for table in source.erd.tables] == ["a", "b", "c", "d"]
    assert [(fault.line, fault.table) for fault in source.faults] == [(3, "b"), (4, "c"), (5, "a")]
    assert "age" in source.faults[0].message


def test_a_table_that_breaks_off_keeps_its_whole_columns() -> None:
    source = read_source("CREATE TABLE a (id int PRIMARY KEY, name varchar(20) NOT NULL, pho", "postgresql")
    assert [column.name for column in source.erd.tables[0].columns] == ["id", "name"]
    assert [(fault.line, fault.table) for fault in source.faults] == [(1, "a")]


@pytest.mark.parametrize(
    "end",
    [
        "CREATE TABLE",
        "CREATE TABLE b",
        "ALTER TABLE a ADD",
        "ALTER TABLE a",
        "CREATE TABLE b (x text DEFAULT 'abc",
        "INSERT INTO a VALUES (1, 'x",
        "INSERT INTO a VALUES (1,",
        "CREATE",
        "COPY a (id) FROM stdin;\n1\n2",
        "CREATE FUNCTION f() AS $x$ BEGIN",
        "/* not closed",
    ],
)
def test_a_file_that_was_cut_says_so_once(end: str) -> None:
    source = read_source(f"CREATE TABLE a (id int);\n{end}", "postgresql")
    assert source.erd.tables[0].name == "a"
    assert [fault.line for fault in source.faults] == [2]


def test_a_quote_that_is_never_closed_hides_no_later_table() -> None:
    source = read_source("CREATE TABLE a (x text DEFAULT 'oops);\nCREATE TABLE b (id int);\n", "postgresql")
    assert "b" in [table.name for table in source.erd.tables]
    assert [fault.table for fault in source.faults] == ["a"]


def test_what_is_not_about_tables_is_no_fault() -> None:
    source = read_source(
        'GRANT WIBBLE TO ((x;\nCREATE EXTENSION "a";\nCREATE INDEX WITHOUT SENSE;\nSELECT FROM WHERE;\n'
        "CREATE TABLE a (id int);\nVACUUM",
        "postgresql",
    )
    assert (len(source.erd.tables), source.faults) == (1, ())


def test_a_missing_semicolon_is_told_and_both_tables_are_read() -> None:
    source = read_source("CREATE TABLE a (id int)\nCREATE TABLE b (id int);", "postgresql")
    assert [table.name for table in source.erd.tables] == ["a", "b"]
    assert [(fault.line, fault.table) for fault in source.faults] == [(1, "a")]


def test_a_second_table_of_one_name_is_a_fault_unless_it_may_be_there() -> None:
    source = read_source("CREATE TABLE a (x int);\nCREATE TABLE a (y int);\nCREATE TABLE IF NOT EXISTS a (z int);")
    assert [column.name for column in source.erd.tables[0].columns] == ["x"]
    assert [fault.line for fault in source.faults] == [2]


@pytest.mark.parametrize("text", ["", "   \n", "-- nothing\n", "\0\x01\ufeff", "hello world"])
def test_a_text_without_tables_has_none(text: str) -> None:
    source = read_source(text)
    assert (source.erd.tables, source.dialect, source.guessed) == ((), "postgresql", True)
    assert source.line_of("/tables/0/columns/1") == 1


@settings(max_examples=80, deadline=None)
@given(text=st.text(max_size=300) | _PIECES, dialect=st.sampled_from(_DIALECTS))
def test_any_text_can_be_read(text: str, dialect: Dialect) -> None:
    source = read_source(text, dialect)
    assert all(1 <= fault.line <= text.count("\n") + 1 for fault in source.faults)
    assert all(0 <= span.start <= span.end <= len(text) for span in source.spans.values())


@pytest.mark.skipif(not _FILES, reason="the folder with the DDL files is not here")
@settings(max_examples=40, deadline=None)
@given(data=st.data(), dialect=st.sampled_from(_DIALECTS))
def test_any_slice_of_a_file_can_be_read(data: st.DataObject, dialect: Dialect) -> None:
    text = data.draw(st.sampled_from(_FILES))
    start = data.draw(st.integers(0, len(text)))
    read_source(text[start : start + data.draw(st.integers(0, 4_000))], dialect)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 200_000,
        "CREATE TABLE a " + "(" * 200_000,
        "CREATE TABLE a (b int CHECK (" + "(" * 50_000 + "b" + ")" * 50_000 + "));",
        "'" * 200_001,
        "[" * 200_000,
        "/*" * 100_000,
        "COPY a FROM stdin " * 10_000,
        "$a$ $b$ " * 20_000,
        "CREATE TABLE t (a text DEFAULT E" + "'\\'" * 40_000,
        "CREATE TABLE a (\n" * 5_000,
        "CREATE TABLE a (b enum(q'[" * 5_000,
    ],
    ids=lambda text: text[:20],
)
@pytest.mark.parametrize("dialect", _DIALECTS)
def test_no_text_takes_long(text: str, dialect: Dialect) -> None:
    begin = time.process_time()
    read_source(text, dialect)
    assert time.process_time() - begin < 8


def test_a_thousand_tables_are_read_in_seconds() -> None:
    columns = ",\n".join(f"  column_{number} varchar(100) NOT NULL DEFAULT 'x'" for number in range(8))
    text = "\n".join(
        f"CREATE TABLE table_{number} (\n  id bigint PRIMARY KEY,\n{columns},\n"
        f"  parent_id bigint NOT NULL REFERENCES table_{number // 2} (id) ON DELETE CASCADE\n);"
        for number in range(1_000)
    )
    begin = time.process_time()
    source = read_source(text)
    assert time.process_time() - begin < 5
    assert sum(len(table.columns) for table in source.erd.tables) == 10_000
    assert source.faults == ()
