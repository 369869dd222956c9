"""What of a repair is taken."""

from pathlib import Path

from dure_spec.agents.replacements import names_in, only_replaced
from dure_spec.artifacts import Erd
from dure_spec.artifacts.erd import Table

_ERD = Path(__file__).parents[2] / "data" / "gold_order_mgmt" / "3_erd.json"
GOLD = Erd.model_validate_json(_ERD.read_bytes())


def changed(erd: Erd, name: str, **update: object) -> Erd:
    """The tables with one of them changed."""
    tables = tuple(table.model_copy(update=update) if table.name == name else table for table in erd.tables)
    return erd.model_copy(update={"tables": tables})


def without(erd: Erd, name: str) -> Erd:
    """The tables without one of them."""
    return erd.model_copy(update={"tables": tuple(table for table in erd.tables if table.name != name)})


def test_a_replacement_of_a_failing_item_is_taken() -> None:
    after = changed(GOLD, "payments", logical="수납")
    assert only_replaced(GOLD, after, {"payments"}) == after


def test_what_was_right_stays_as_and_where_it_was() -> None:
    after = without(changed(changed(GOLD, "payments", logical="수납"), "customers", columns=()), "products")
    assert only_replaced(GOLD, after, {"payments"}) == changed(GOLD, "payments", logical="수납")


def test_relations_of_what_was_right_stay_too() -> None:
    after = changed(GOLD, "customers", columns=()).model_copy(update={"relations": ()})
    taken = only_replaced(GOLD, after, {"payments"})
    assert isinstance(taken, Erd)
    untouched = {table.name for table in GOLD.tables} - {"payments"}
    assert list(taken.relations) == [each for each in GOLD.relations if {each.from_, each.to} <= untouched]


def test_a_failing_item_may_be_removed_and_new_ones_may_come() -> None:
    new = Table(name="coupons", logical="쿠폰", kind="entity", reqs=(), columns=())
    after = without(GOLD, "order_status_logs")
    after = after.model_copy(update={"tables": (*after.tables, new)})
    assert only_replaced(GOLD, after, {"order_status_logs"}) == after


def test_what_spoke_of_a_removed_item_may_change_with_it() -> None:
    after = without(changed(GOLD, "shipments", columns=()), "purchase_orders")
    taken = only_replaced(GOLD, after, {"purchase_orders"})
    assert isinstance(taken, Erd)
    assert next(table for table in taken.tables if table.name == "shipments").columns == ()


def test_names_are_those_of_all_items() -> None:
    assert names_in(GOLD) == {table.name for table in GOLD.tables}
