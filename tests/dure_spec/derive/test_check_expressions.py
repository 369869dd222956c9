"""Checks taken apart: which columns and functions they name, how they are written, and whether they can be true."""

import time

import pytest

from dure_spec.artifacts.erd import Column, Table
from dure_spec.derive.check_bench import CheckBench, bench_sql
from dure_spec.derive.contradictions import never_true
from dure_spec.derive.expression_forms import dialect_fault, form_fault
from dure_spec.derive.expressions import called_functions, named_columns, quoted_columns, tokens_of
from dure_spec.derive.regex_sample import matching_text
from dure_spec.derive.sqlite_words import runs_in_sqlite

_NAMES = {"qty": "qty", "name": "name", "unitprice": "unitPrice", "order": "order", "day": "day", "end": "end"}


def _table(kind: str, check: str, enum: tuple[str, ...] | None = None) -> Table:
    column = Column(name="qty", logical="qty", type=kind, check=check, enum=enum)
    return Table(name="t", logical="t", kind="code", reqs=(), columns=(column,))


@pytest.mark.parametrize(
    ("text", "columns", "functions"),
    [
        ("qty > 0 AND stock > 0", ["qty", "stock"], []),
        ("qty::character varying(20) = 'x'", ["qty"], []),
        ("CAST(qty AS double precision) > stock", ["qty", "stock"], []),
        ("extract(year from day) > 2000", ["day"], []),
        ("day >= date '2020-01-01'", ["day"], []),
        ("t.qty > 0 AND s.qty > 1", ["qty"], []),
        ("name = ANY (ARRAY['a'::text, 'b'::public.mood]::text[])", ["name"], []),
        ('lower(name) = name COLLATE "C"', ["name", "name"], ["lower"]),
        ("interval '1' day < qty", ["qty"], []),
        ("day at time zone 'utc' > current_timestamp", ["day"], []),
        ("'stock' <> name -- stock", ["name"], []),
    ],
)
def test_columns_and_functions_are_found_among_words_types_and_texts(
    text: str, columns: list[str], functions: list[str]
) -> None:
    tokens = tokens_of(text)
    assert [token.text for token in named_columns(tokens, "t", _NAMES)] == columns
    assert [token.text for token in called_functions(tokens)] == functions


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("_ > 0", "qty > 0"),
        ("UNITPRICE > 0", '"unitPrice" > 0'),
        ("order > 0 AND t.order < 9", '"order" > 0 AND t."order" < 9'),
        ("name <> 'order' /* order */", "name <> 'order'  "),
        ("CASE WHEN qty > 0 THEN true end", "CASE WHEN qty > 0 THEN true end"),
        ("stock > 0", "stock > 0"),
    ],
)
def test_columns_are_quoted_as_the_dialect_wants_them(text: str, written: str) -> None:
    assert quoted_columns(text, "qty", "t", _NAMES, "postgresql") == written


@pytest.mark.parametrize(
    ("text", "near"),
    [("", "()"), ("(a", "("), ("a)", ")"), ("a[1)", ")"), ("a = 'b", "'"), ("a; b", ";"), ("a = 1", "")],
)
def test_what_no_parser_takes_is_told_by_the_piece_at_which_it_stops(text: str, near: str) -> None:
    assert form_fault(tokens_of(text)) == near


@pytest.mark.parametrize(
    ("text", "takers"),
    [
        ("a ~ 'x'", ["postgresql"]),
        ("a REGEXP 'x'", ["mysql"]),
        ("a = ~b", ["postgresql", "mysql", "sqlite"]),
        ("a ILIKE 'x'", ["postgresql"]),
        ("a = = b", ["sqlite"]),
        ("0 < a < 5", ["mysql", "sqlite"]),
        ("(a < 5) = b", ["postgresql", "mysql", "oracle", "sqlite"]),
        ("a BETWEEN 1 AND 5 AND b > 1", ["postgresql", "mysql", "oracle", "sqlite"]),
    ],
)
def test_operator_of_another_engine_is_told(text: str, takers: list[str]) -> None:
    tokens = tokens_of(text)
    assert [each for each in ("postgresql", "mysql", "oracle", "sqlite") if not dialect_fault(tokens, each)] == takers


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("qty > 0 AND length(name) > 3", True),
        ("name COLLATE NOCASE = 'a'", True),
        ("name COLLATE \"C\" = 'a'", False),
        ("day <= CURRENT_DATE", False),
        ("qty::text <> ''", False),
        ("left(name, 1) = 'A'", False),
        ("name = E'a'", False),
        ("day > DATE '2020-01-01'", False),
    ],
)
def test_plain_sqlite_gets_only_what_it_can_evaluate(text: str, runs: bool) -> None:
    assert runs_in_sqlite(tokens_of(text)) is runs


@pytest.mark.parametrize(
    ("kind", "check", "enum", "never"),
    [
        ("integer", "_ > 10 AND _ < 5", None, True),
        ("integer", "_ > 10 AND _ < 11", None, True),
        ("integer", "_ > 10 AND _ < 12", None, False),
        ("numeric(5,2)", "_ > 10 AND _ < 11", None, False),
        ("numeric", "_ > 1 AND _ < 1.5", None, False),
        ("numeric(3,2)", "_ >= 100", None, True),
        ("smallint", "_ > 40000", None, True),
        ("integer", "_ BETWEEN 10 AND 1", None, True),
        ("integer", "_ = '3'", None, False),
        ("integer", "_ >= -5 AND _ <= -1", None, False),
        ("varchar(3)", "length(_) > 10", None, True),
        ("varchar(20)", "length(_) = 10 OR _ = 'x'", None, False),
        ("varchar(3)", "_ = 'a' AND _ = 'b'", None, True),
        ("varchar(3)", "_ <> 'a'", None, False),
        ("varchar(3)", "_ IN ('x', 'y')", ("A", "B"), True),
        ("varchar(3)", "_ IN ('A', 'y')", ("A", "B"), False),
        ("boolean", "_ = true AND _ = false", None, True),
        ("boolean", "_ = 'yes'", None, False),
        ("integer", "_ % 2 = 3", None, False),  # not of a kind that can be decided
        ("varchar(9)", "_ LIKE 'x%'", None, False),
        ("integer", "_ > stock", None, False),
    ],
)
def test_check_is_called_impossible_only_where_every_kind_of_value_was_tried(
    kind: str, check: str, enum: tuple[str, ...] | None, never: bool
) -> None:
    table = _table(kind, check, enum)
    with CheckBench() as bench:
        assert never_true(table.columns[0], table, bench) is never


@pytest.mark.parametrize("check", ["_ ~ '^(a+)+$'", "_ ~ '(x*)*y'", "_ ~ '(a|aa)+$'"])
def test_pattern_that_could_take_for_ever_does_not(check: str) -> None:
    table = _table("varchar(200)", check)
    expression = bench_sql(table.columns[0], table)
    assert expression is not None
    before = time.monotonic()
    with CheckBench() as bench:
        bench.holds(expression, {"qty": "a" * 60 + "!"})
    assert time.monotonic() - before < 2


@pytest.mark.parametrize(
    "pattern",
    [
        r"^01[016789]-\d{3,4}-\d{4}$",
        r"^[A-Z]{2,3}-[0-9]+$",
        r"^[^@\s]+@[^@\s]+\.[a-z]{2,}$",
        r"^[[:alpha:]]+_?$",
        r"^(\+82|0)[1-9][0-9]{7,9}$",
        r"^(?:A|B)\w{3}$",
        r"^\d{3}-\d{2}-\d{5}$",
    ],
)
def test_text_is_made_for_a_pattern_and_differs_from_row_to_row(pattern: str) -> None:
    texts = [matching_text(pattern, row) for row in range(3)]
    assert None not in texts
    assert len(set(texts)) == 3


@pytest.mark.parametrize("pattern", ["a(?=b)", "[", "(", r"a\1", "*", "x" * 300, "a{1000}b{1000}"])
def test_pattern_that_is_not_understood_gives_no_text(pattern: str) -> None:
    assert matching_text(pattern, 0) is None
