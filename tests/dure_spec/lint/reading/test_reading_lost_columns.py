"""Keys that name columns their table does not have: each is found once, at its line, with what may be meant."""

import pytest

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.erd import Dialect
from dure_spec.artifacts.findings import Finding
from dure_spec.lint.reading import read_source
from dure_spec.validators.gate import judge
from dure_spec.validators.policy import Policy

_DIALECTS: tuple[Dialect, ...] = ("postgresql", "mysql", "sqlite", "oracle")
_TEXT: dict[Dialect, str] = {"postgresql": "text", "mysql": "varchar(40)", "sqlite": "TEXT", "oracle": "VARCHAR2(40)"}
_ROOMS = "CREATE TABLE rooms (\nroom_no INT PRIMARY KEY,\nfloor INT NOT NULL\n);\n"


def _found(text: str, dialect: Dialect) -> list[tuple[str, int, Finding]]:
    """Criticals with validator and line."""
    source = read_source(text, dialect)
    assert source.faults == ()
    policy = Policy(origin="source", dialect=dialect, lang="en")
    found = judge(Artifacts(erd=source.erd), "dba", policy).findings
    return [(each.validator, source.line_of(each.path), each) for each in found if each.severity == "critical"]


@pytest.mark.parametrize("dialect", _DIALECTS)
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("CREATE TABLE rooms (\nroom_no INT NOT NULL,\nfloor INT NOT NULL,\nPRIMARY KEY (roomno)\n);", 4),
        ("CREATE TABLE rooms (\nroom_no INT NOT NULL,\nfloor INT NOT NULL,\nPRIMARY KEY (floor, roomno)\n);", 4),
        ("CREATE TABLE rooms (\nroom_no INT NOT NULL, floor INT);\nALTER TABLE rooms\nADD PRIMARY KEY (roomno);", 4),
        ("CREATE TABLE rooms (room_no INT);\n\nALTER TABLE rooms ADD CONSTRAINT pk PRIMARY KEY (roomno);", 3),
    ],
)
def test_primary_key_over_a_missing_column_is_one_fault_of_the_key(text: str, line: int, dialect: Dialect) -> None:
    ((validator, at, finding),) = _found(text, dialect)
    assert (validator, finding.candidates[0], "roomno" in finding.message) == ("V06", "room_no", True)
    assert at == line


@pytest.mark.parametrize("dialect", _DIALECTS)
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("CREATE TABLE beds (id INT PRIMARY KEY,\nroom_nr INT,\nFOREIGN KEY (roomnr) REFERENCES rooms (room_no));", 7),
        (
            "CREATE TABLE beds (id INT PRIMARY KEY, room_nr INT);\n"
            "ALTER TABLE beds ADD CONSTRAINT fk FOREIGN KEY (roomnr) REFERENCES rooms (room_no);",
            6,
        ),
    ],
)
def test_foreign_key_over_a_missing_column_is_one_fault_of_the_reference(
    text: str, line: int, dialect: Dialect
) -> None:
    ((validator, at, finding),) = _found(_ROOMS + text, dialect)
    assert (validator, finding.candidates, finding.ref) == ("V07", ("room_nr",), "beds(roomnr)")
    assert at == line


@pytest.mark.parametrize("dialect", _DIALECTS)
@pytest.mark.parametrize(
    "text",
    [
        "CREATE TABLE beds (id INT PRIMARY KEY, size_cm INT,\nUNIQUE (sizecm));",
        "CREATE TABLE beds (id INT PRIMARY KEY, size_cm INT,\nCONSTRAINT u UNIQUE (id, sizecm));",
        "CREATE TABLE beds (id INT PRIMARY KEY, size_cm INT);\nALTER TABLE beds ADD CONSTRAINT u UNIQUE (sizecm);",
        "CREATE TABLE beds (id INT PRIMARY KEY, size_cm INT);\nCREATE UNIQUE INDEX u ON beds (sizecm);",
        "CREATE TABLE beds (id INT PRIMARY KEY, size_cm INT);\nCREATE INDEX i ON beds (sizecm);",
    ],
)
def test_unique_key_or_index_over_a_missing_column_is_refused(text: str, dialect: Dialect) -> None:
    ((validator, line, finding),) = _found(text, dialect)
    assert (validator, line, finding.candidates) == ("V12", 2, ("size_cm",))


@pytest.mark.parametrize("dialect", _DIALECTS)
@pytest.mark.parametrize(
    "text",
    [
        "CREATE TABLE beds (id INT PRIMARY KEY, size_cm INT CHECK (sizecm > 0));",
        "CREATE TABLE beds (id INT PRIMARY KEY, size_cm INT,\nCONSTRAINT c CHECK (sizecm > 0));",
        "CREATE TABLE beds (id INT PRIMARY KEY, size_cm INT);\nALTER TABLE beds ADD CONSTRAINT c CHECK (sizecm > 0);",
    ],
)
def test_check_of_a_missing_column_is_refused(text: str, dialect: Dialect) -> None:
    ((validator, _, finding),) = _found(text, dialect)
    assert (validator, finding.candidates) == ("V12", ("size_cm",))


@pytest.mark.parametrize("dialect", _DIALECTS)
def test_reference_to_a_table_whose_key_is_lost_follows_from_the_key(dialect: Dialect) -> None:
    found = _found(
        "CREATE TABLE rooms (room_no INT NOT NULL, floor INT, PRIMARY KEY (roomno));\n"
        "CREATE TABLE beds (id INT PRIMARY KEY, room INT, FOREIGN KEY (room) REFERENCES rooms (room_no));\n"
        "CREATE TABLE keys (id INT PRIMARY KEY, room INT, FOREIGN KEY (room) REFERENCES rooms (roomno));",
        dialect,
    )
    assert [(validator, each.caused_by) for validator, _, each in found] == [
        ("V06", None),
        ("V07", "V06-1"),
        ("V07", "V06-1"),
    ]


def test_key_and_reference_over_one_missing_column_are_one_mistake() -> None:
    found = _found(
        _ROOMS + "CREATE TABLE beds (nr INT, PRIMARY KEY (nr, room), FOREIGN KEY (room) REFERENCES rooms (room_no));",
        "mysql",
    )
    assert [(validator, each.caused_by) for validator, _, each in found] == [("V06", None), ("V07", "V06-1")]


@pytest.mark.parametrize(
    "text",
    [
        "CREATE TABLE a (x int, y int, PRIMARY KEY (x), UNIQUE (y), CHECK (y > 0));"
        "ALTER TABLE a RENAME COLUMN x TO id; ALTER TABLE a RENAME COLUMN y TO z;",
        "CREATE TABLE a (id int PRIMARY KEY, y int, UNIQUE (y), CHECK (y > 0)); ALTER TABLE a DROP COLUMN y;",
        "CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (p int REFERENCES a(id), n int PRIMARY KEY);"
        "CREATE INDEX i ON b (p); ALTER TABLE a RENAME id TO no; ALTER TABLE b DROP COLUMN p;",
        "CREATE TABLE a (LIKE elsewhere, n int PRIMARY KEY, UNIQUE (code), CHECK (code <> ''));",
        "CREATE TABLE a (n int PRIMARY KEY, UNIQUE (code)) INHERITS (elsewhere);",
        "CREATE TABLE p (id int PRIMARY KEY, code text UNIQUE); CREATE TABLE a (LIKE p INCLUDING ALL);",
        "CREATE TABLE a (id int PRIMARY KEY, low text); CREATE UNIQUE INDEX i ON a (lower(low), id);",
    ],
)
def test_renamed_dropped_inherited_and_computed_columns_are_not_missing(text: str) -> None:
    assert _found(text, "postgresql") == []


def test_check_reads_with_the_new_name_of_its_column() -> None:
    text = "CREATE TABLE a (id int PRIMARY KEY, y int, CHECK (y > 0 AND y < id)); ALTER TABLE a RENAME y TO amount;"
    assert read_source(text, "postgresql").erd.tables[0].columns[1].check == "amount > 0 AND amount < id"


def test_columns_behind_a_syntax_fault_are_not_called_missing() -> None:
    source = read_source("CREATE TABLE a (id int PRIMARY KEY, b varchar(20) c int, UNIQUE (c));", "postgresql")
    assert len(source.faults) == 1
    assert source.erd.tables[0].uniques == ()
