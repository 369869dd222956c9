"""V05: words that a dialect keeps for itself, and what to call the thing instead."""

import pytest
from erd_values import OURS, column, design, findings, key, repaired, said, schema, source_policy, table

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.erd import Dialect
from dure_spec.validators import Policy, judge


@pytest.mark.parametrize(
    ("word", "dialects"),
    [
        ("order", ("postgresql", "mysql", "sqlite", "oracle")),
        ("user", ("postgresql", "oracle")),
        ("groups", ("mysql",)),
        ("rank", ("mysql",)),
        ("level", ("oracle",)),
        ("comment", ("oracle",)),
        ("transaction", ("sqlite",)),
        ("window", ("postgresql", "mysql")),
        ("name", ()),
        ("type", ()),
        ("status", ()),
    ],
)
def test_word_matters_only_where_the_dialect_keeps_it(word: str, dialects: tuple[Dialect, ...]) -> None:
    everywhere: tuple[Dialect, ...] = ("postgresql", "mysql", "sqlite", "oracle")
    found = tuple(each for each in everywhere if said(schema(table(word, key()), dialect=each), None, "V05"))
    assert found == dialects


def test_table_weighs_more_than_a_column_and_case_does_not_matter() -> None:
    tables = schema(table("Order", key(), column("LIMIT", "integer")))
    assert said(tables, source_policy(style="any"), "V05") == [
        ("V05", "major", "Order"),
        ("V05", "minor", "Order.LIMIT"),
    ]


def test_suggestion_is_free_legal_and_not_reserved_itself() -> None:
    taken = schema(table("user", key()), table("users", key()), table("app_user", key()))
    finding = findings(taken, None, "V05")[0]
    assert finding.expected == "app_users"
    assert "postgresql" in finding.message
    columns = schema(table("rooms", key(), column("order", "integer"), column("sort_order", "integer")))
    assert findings(columns, None, "V05")[0].expected == "room_order"


def test_suggestion_keeps_the_number_of_the_schema() -> None:
    finding = findings(design(*(table(name, key()) for name in ("room", "bed", "user"))), OURS, "V05")[0]
    assert finding.expected == "app_user"


def _without_references(gold: Artifacts) -> Artifacts:
    assert gold.erd is not None
    tables = list(gold.erd.tables)
    tables[3] = tables[3].model_copy(update={"name": "order"})
    return Artifacts(prd=gold.prd, erd=gold.erd.model_copy(update={"tables": tuple(tables)}))


def test_glossary_names_the_table_and_the_message_says_so(gold: Artifacts) -> None:
    off = _without_references(gold)
    finding = next(each for each in judge(off, "dba", OURS).findings if each.validator == "V05")
    assert finding.expected == "purchase_orders"
    assert "주문=purchase_order" in finding.message


def test_renaming_back_heals_every_reference_that_still_had_the_right_name(gold: Artifacts) -> None:
    off = _without_references(gold)
    finding = next(each for each in judge(off, "dba", OURS).findings if each.validator == "V05")
    assert repaired(off, finding) == Artifacts(prd=gold.prd, erd=gold.erd)


def test_lost_references_to_one_table_are_one_mistake_beside_the_name(gold: Artifacts) -> None:
    judgement = judge(_without_references(gold), "dba", OURS)
    lost = [each for each in judgement.findings if each.validator == "V07"]
    assert len(lost) == 4
    assert [each.caused_by for each in lost] == [None, *[lost[0].id] * 3]


def test_lost_references_follow_from_a_name_that_weighs_as_much(gold: Artifacts) -> None:
    off = _without_references(gold)
    assert off.erd is not None
    tables = list(off.erd.tables)
    tables[3] = tables[3].model_copy(update={"name": "purchase orders"})
    illegal = off.model_copy(update={"erd": off.erd.model_copy(update={"tables": tuple(tables)})})
    judgement = judge(illegal, "dba", OURS)
    name = next(each for each in judgement.findings if each.validator == "V04")
    lost = [each for each in judgement.findings if each.validator == "V07"]
    assert {each.caused_by for each in lost} == {name.id}


def test_house_list_replaces_that_of_the_dialect() -> None:
    rooms = schema(table("rooms", key()), table("order", key()))
    policy = Policy(lang="en", origin="source", reserved=frozenset({"rooms"}))
    assert said(rooms, policy, "V05") == [("V05", "major", "rooms")]
