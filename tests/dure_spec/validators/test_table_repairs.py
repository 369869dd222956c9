"""Patches of the validators of tables: they reach every place, and one alone never makes anything worse."""

import json

import pytest
from erd_values import TABLE_VALIDATORS, column, findings, key, reference, repaired, said, schema, source_policy, table
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutated_gold import MUTATIONS, PARTS, artifacts_for, mutated

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.erd import Erd, Relation
from dure_spec.autofix.documents import Documents
from dure_spec.autofix.likeness import brought, may_be_hidden
from dure_spec.validators import Policy, judge
from dure_spec.validators.index import build_index
from dure_spec.validators.patches import Patch, Repairs, with_unique
from dure_spec.validators.rewording import renamed_columns, renamed_table

_POLICY = Policy(lang="en")


def _everything() -> Artifacts:
    return artifacts_for("supervisor", PARTS)


def _applied(artifacts: Artifacts, patch: Patch) -> str:
    documents = Documents(artifacts)
    assert documents.apply(patch)
    return json.dumps(documents.artifacts().model_dump(mode="json", by_alias=True), ensure_ascii=False)


def test_new_name_of_a_table_reaches_every_place_of_every_artifact() -> None:
    gold = _everything()
    index = build_index(gold)
    text = _applied(gold, Repairs(index).rename_table(index.tables["purchase_orders"], "sales"))
    assert "purchase_orders" not in text
    assert judge(Artifacts.model_validate_json(text), "backend", _POLICY).findings == ()


def test_new_name_of_a_column_reaches_every_place_and_no_other_column_of_that_name() -> None:
    gold = _everything()
    index = build_index(gold)
    patch = Repairs(index).rename_columns(index.tables["products"], {"unit_price": "list_price", "stock_qty": "stock"})
    text = _applied(gold, patch)
    assert "products.unit_price" not in text
    assert "order_items.unit_price" in text
    assert "stock_qty" not in text
    assert "list_price >= 0" in text


def test_composite_references_uniques_and_indexes_follow_a_renamed_column() -> None:
    seats = table("seats", key("hallNo", "integer"), key("seat", "integer"), indexes=(("seat", "hallNo"),))
    refs = (reference("hall seat", "seats", "hallNo seat"),)
    tickets = table("tickets", key(), column("hall", "integer"), column("seat", "integer"), refs=refs)
    erd = repaired(schema(seats, tickets), findings(schema(seats, tickets), None, "V04")[0]).erd
    assert erd is not None
    assert erd.tables[0].indexes == (("seat", "hall_no"),)
    assert erd.tables[1].refs[0].targets == ("hall_no", "seat")


def test_relations_follow_a_renamed_table() -> None:
    both = schema(
        table("Rooms", key()), table("beds", key(), column("room_id", fk="Rooms.id"), indexes=(("room_id",),))
    )
    assert both.erd is not None
    relation = Relation.model_validate({"from": "Rooms", "to": "beds", "card": "1:N", "via": "rooms"})
    artifacts = Artifacts(erd=both.erd.model_copy(update={"relations": (relation,)}))
    erd = repaired(artifacts, findings(artifacts, None, "V04")[0]).erd
    assert erd is not None
    assert erd.relations[0] == relation.model_copy(update={"from_": "rooms"})
    assert erd.tables[1].columns[1].fk == "rooms.id"


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("unitPrice >= 0", "unit_price >= 0"),
        ("UNITPRICE > 0 AND unitPriceMax > 0", "unit_price > 0 AND unitPriceMax > 0"),
        ("note <> 'unitPrice' AND \"unitPrice\" > 0", "note <> 'unitPrice' AND \"unit_price\" > 0"),
        ("items.unitPrice > other.unitPrice", "items.unit_price > other.unitPrice"),
        ("unitPrice(1) > 0", "unitPrice(1) > 0"),
        ("items.unitPrice", "items.unit_price"),
        ("other.unitPrice", "other.unitPrice"),
    ],
)
def test_column_is_renamed_as_a_whole_word_outside_literals(text: str, after: str) -> None:
    assert renamed_columns(text, "items", {"unitprice": "unit_price"}) == after


def test_name_of_several_words_is_renamed_inside_its_quotes() -> None:
    assert renamed_columns("[Unit Price] > 0 AND x <> 'Unit Price'", "items", {"unit price": "unit_price"}) == (
        "[unit_price] > 0 AND x <> 'Unit Price'"
    )
    assert (
        renamed_columns("Order Details.OrderID", "order details", {"orderid": "order_id"}) == "Order Details.order_id"
    )
    assert renamed_table("Order Details.OrderID", "Order Details", "order_details") == "order_details.OrderID"


def test_table_is_renamed_only_where_it_is_one() -> None:
    assert renamed_table("order > 0 AND Order.total > 1", "order", "orders") == "order > 0 AND orders.total > 1"


def test_name_that_is_taken_is_never_given() -> None:
    tables = schema(
        table("rooms", key(), column("bedCount", "integer"), column("bed_count", "integer")),
        table("Rooms2", key()),
        table("rooms2", key()),
    )
    found = findings(tables, None, "V04")
    assert {each.ref: each.expected for each in found}["rooms.bedCount"] == "room_bed_count"


def test_two_tables_of_one_name_are_not_renamed_together() -> None:
    tables = schema(table("Rooms", key()), table("ROOMS", key()))
    assert [each.patch for each in findings(tables, None, "V04")] == [()]


def test_unique_key_of_one_column_is_its_own_mark() -> None:
    rooms = schema(table("rooms", key(), column("code", "text"), column("floor", "text")))
    place = build_index(rooms).tables["rooms"]
    documents = Documents(rooms)
    assert documents.apply(with_unique(place, ("CODE",)))
    assert documents.apply(with_unique(place, ("code", "floor")))
    erd = documents.artifacts().erd
    assert erd is not None
    assert erd.tables[0].columns[1].uq
    assert erd.tables[0].uniques == (("code", "floor"),)


def _names(erd: Erd | None) -> set[str]:
    tables = erd.tables if erd else ()
    return {each.name for each in tables} | {f"{each.name}.{column.name}" for each in tables for column in each.columns}


def _is_harmless(artifacts: Artifacts, policy: Policy) -> int:
    """Apply each patch of the tables' findings alone; how many there were."""
    before = judge(artifacts, "dba", policy)
    tried = [each for each in before.findings if each.patch and each.validator in TABLE_VALIDATORS]
    for finding in tried:
        documents = Documents(artifacts)
        assert documents.apply(finding.patch), finding
        after = documents.artifacts()
        judgement = judge(after, "dba", policy)
        new = [each for each in brought(before, [finding], judgement) if not may_be_hidden(each)]
        assert new == [], finding
        lost = {name.rpartition(".")[2] for name in _names(artifacts.erd) - _names(after.erd)}
        kept = {name.rpartition(".")[2] for name in _names(after.erd)}
        assert all(name in f"{finding.ref} {finding.message}" for name in lost - kept)
    return len(tried)


_SLIPS = st.tuples(
    st.integers(0, 7),
    st.integers(0, 9),
    st.sampled_from(["camel", "order", "space", "real", "bigint", "varchar(30)", "null", "no pk", "fk", "set null"]),
)


def _slipped(artifacts: Artifacts, slips: list[tuple[int, int, str]]) -> Artifacts:
    erd = artifacts.erd
    assert erd is not None
    tables = list(erd.tables)
    for at, position, slip in slips:
        owner = tables[at % len(tables)]
        columns = list(owner.columns)
        chosen = columns[position % len(columns)]
        head, *tail = chosen.name.split("_")
        changes: dict[str, dict[str, object]] = {
            "camel": {"name": head + "".join(part.capitalize() for part in tail)},
            "order": {"name": "order"},
            "space": {"name": chosen.name.replace("_", " ")},
            "null": {"null": True},
            "no pk": {"pk": False},
            "fk": {"fk": chosen.fk[:-1] if chosen.fk else None},
            "set null": {"on_delete": "SET NULL"} if chosen.fk else {},
        }
        columns[position % len(columns)] = chosen.model_copy(update=changes.get(slip, {"type": slip}))
        tables[at % len(tables)] = owner.model_copy(update={"columns": tuple(columns)})
    return artifacts.model_copy(update={"erd": erd.model_copy(update={"tables": tuple(tables)})})


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(
    chosen=st.lists(st.integers(0, len(MUTATIONS) - 1), max_size=2, unique=True),
    slips=st.lists(_SLIPS, max_size=4),
    source=st.booleans(),
)
def test_one_patch_alone_brings_no_finding_and_changes_no_name_that_nothing_requires(
    chosen: list[int], slips: list[tuple[int, int, str]], source: bool
) -> None:
    artifacts = mutated(chosen, [], "dba")
    if artifacts is None:
        return
    artifacts = _slipped(artifacts, slips)
    if source and artifacts.erd:
        artifacts = Artifacts(erd=artifacts.erd)
    _is_harmless(artifacts, source_policy() if source else _POLICY)


def test_patches_of_a_schema_full_of_slips_leave_nothing_that_a_program_can_do() -> None:
    tables = schema(
        table("User", key("ID"), column("Phone", "bigint"), column("Balance", "real", default=0)),
        table("OrderLine", column("Size", "integer"), column("UserID", "integer", fk="User.ID")),
    )
    assert _is_harmless(tables, source_policy()) >= 6
    left = tables
    for _ in range(12):
        found = [each for each in findings(left) if each.patch]
        left = repaired(left, found[0]) if found else left
    assert said(left) == []
    assert left.erd is not None
    assert [each.name for each in left.erd.tables] == ["users", "order_line"]
