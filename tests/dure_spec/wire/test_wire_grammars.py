"""Grammars list what is asked for once, and repeat nothing without an end."""

import re

import pytest

from dure_spec.wire.grammars import choice_grammar, ddl_grammar, text_literal


def _rules(grammar: str) -> dict[str, str]:
    return dict(line.split(" ::= ", 1) for line in grammar.strip().splitlines())


def test_a_ddl_grammar_holds_each_table_once_in_order() -> None:
    rules = _rules(ddl_grammar(["books", "members", "loans"]))
    assert rules["root"] == 'table0 "\\n" table1 "\\n" table2'
    assert [re.findall(r"CREATE TABLE (\w+)", rules[f"table{n}"]) for n in range(3)] == [
        ["books"],
        ["members"],
        ["loans"],
    ]
    assert rules["reference1"] == '" REFERENCES members(id)"'
    assert "reference0 | reference1 | reference2" in rules["reference"]
    assert "reference0 | reference1 | reference2" in rules["foreign"]


@pytest.mark.parametrize(
    "grammar", [ddl_grammar(["books"]), choice_grammar([("FR-001 ->", ["list", "create"]), ("FR-002 ->", ["list"])])]
)
def test_grammars_are_closed_and_bounded(grammar: str) -> None:
    rules = _rules(grammar)
    for body in rules.values():
        outside = re.sub(r'"(?:\\.|[^"\\])*"|\[[^\]]*\]', " ", body)
        assert not re.search(r"[*+]|\{\d+,\}", outside)
        assert set(re.findall(r"[a-z][a-z0-9]*", outside)) <= set(rules)


def test_a_choice_grammar_asks_each_label_once_with_its_own_options() -> None:
    rules = _rules(choice_grammar([('"따옴표" ->', ["a", "b", "a"]), ("둘 ->", ["c"])]))
    assert rules["root"] == "line0 line1"
    assert rules["line0"] == '"\\"따옴표\\" -> " ("a" | "b") "\\n"'
    assert rules["line1"] == '"둘 -> " ("c")'


def test_literals_are_escaped() -> None:
    assert text_literal('a"b\\c\nd') == '"a\\"b\\\\c\\nd"'


def test_nothing_to_ask_is_an_error_that_names_it() -> None:
    with pytest.raises(ValueError, match="at least one table"):
        ddl_grammar([])
    with pytest.raises(ValueError, match="'drop table'"):
        ddl_grammar(["drop table"])
    with pytest.raises(ValueError, match="at least one line"):
        choice_grammar([])
    with pytest.raises(ValueError, match="'FR-001'"):
        choice_grammar([("FR-001", [])])
