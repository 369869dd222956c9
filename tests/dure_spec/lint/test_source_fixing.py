"""Repairs of DDL: what is written, what is left out, and what never gets worse."""

import pytest

from dure_spec.artifacts import Artifacts
from dure_spec.lint.config import LintOptions
from dure_spec.lint.ignoring import Ignore
from dure_spec.lint.reading import read_source
from dure_spec.lint.source_fixing import FixedSource, fixed_source
from dure_spec.lint.source_judging import findings_of
from dure_spec.validators import judge

_OPTIONS = LintOptions(lang="en")
_ROWS = "CREATE TABLE marks (label varchar(9), weight_g int, shade varchar(9), note varchar(9));\n"


def _fixed(text: str, options: LintOptions = _OPTIONS) -> FixedSource:
    return fixed_source(read_source(text, options.dialect), options)


def test_second_repair_finds_nothing_to_do() -> None:
    once = _fixed("CREATE TABLE Shops (id bigint PRIMARY KEY, unitPrice real, order int, floorNo int);").source.text
    again = _fixed(once)
    assert (again.source.text, again.fixes) == (once, ())


def test_ignored_finding_is_not_repaired() -> None:
    text = "CREATE TABLE shops (id bigint PRIMARY KEY, unit_price real, floor int, roof int);"
    fixed = _fixed(text, LintOptions(lang="en", ignore=Ignore(("V11",))))
    assert "created_at" not in fixed.source.text
    assert "unit_price numeric" in fixed.source.text


@pytest.mark.parametrize(
    ("dialect", "rows", "key", "audit"),
    [
        ("mysql", "INSERT INTO marks VALUES ('a', 1, 'b', 'c');", False, False),
        ("mysql", "INSERT INTO marks (label, weight_g, shade, note) VALUES ('a', 1, 'b', 'c');", True, True),
        ("postgresql", "INSERT INTO public.marks VALUES ('a', 1, 'b', 'c');", False, True),
        ("postgresql", "COPY marks FROM stdin;\na\t1\tb\tc\n\\.", False, False),
        ("sqlite", 'REPLACE INTO "marks" SELECT 1, 2, 3, 4;', False, False),
    ],
)
def test_column_is_only_added_where_rows_still_fit(dialect: str, rows: str, key: bool, audit: bool) -> None:
    options = LintOptions(lang="en", dialect=dialect)  # type: ignore[arg-type]  # one of the four
    text = _fixed(_ROWS + rows + "\n", options).source.text
    assert ("PRIMARY KEY" in text) is key
    assert ("created_at" in text) is audit


def test_missing_table_of_a_broken_statement_is_no_mistake_of_its_own() -> None:
    text = (
        "CREATE TABLE shops id bigint PRIMARY KEY);\n"
        "CREATE TABLE sales (id bigint PRIMARY KEY, shop_id bigint REFERENCES shops (id));"
    )
    found = findings_of(read_source(text, "postgresql"), _OPTIONS).findings
    assert [(each.validator, each.weighs) for each in found if each.severity == "critical"] == [
        ("V07", False),
        ("V12", True),
    ]


def test_sqlite_text_is_tried_on_sqlite() -> None:
    text = (
        "CREATE TABLE shops (id INTEGER PRIMARY KEY AUTOINCREMENT, note text, floor int);\n"
        "CREATE VIEW v AS SELECT nope( FROM shops;"
    )
    found = findings_of(read_source(text, "sqlite"), _OPTIONS)
    (refused,) = [each for each in found.findings if each.validator == "V12"]
    assert found.lines[refused.id] == 2


_CASES = [
    "CREATE TABLE tblOrder (OrderId int PRIMARY KEY, CustNo int, Total float, Phone int);",
    "CREATE TABLE user (id int, email varchar(20) PRIMARY KEY); CREATE TABLE post (id int primary key, user_id int);",
    "CREATE TABLE a (id int PRIMARY KEY, b_id int NOT NULL REFERENCES b (id)); "
    "CREATE TABLE b (id int PRIMARY KEY, a_id int NOT NULL REFERENCES a (id));",
    "CREATE TABLE x (a int, b int, c int, d int); CREATE TABLE y (a int, b int, c int, d int);",
]


@pytest.mark.parametrize("text", _CASES)
@pytest.mark.parametrize("dialect", ["postgresql", "mysql", "sqlite", "oracle"])
def test_no_repair_brings_a_finding_that_was_not_there(text: str, dialect: str) -> None:
    options = LintOptions(lang="en", dialect=dialect)  # type: ignore[arg-type]  # one of the four
    source = read_source(text, options.dialect)
    fixed = fixed_source(source, options)
    policy = options.policy(sourced=True, dialect=source.dialect)
    before = judge(Artifacts(erd=source.erd), "dba", policy)
    after = judge(Artifacts(erd=fixed.source.erd), "dba", policy)
    assert after.score >= before.score
    assert len(after.findings) <= len(before.findings)
    assert len(fixed.source.faults) <= len(source.faults)
