"""What a repair did, said in a few words."""

from pathlib import Path

import pytest

from dure_spec.artifacts import Artifacts, Erd
from dure_spec.artifacts.findings import Change, Finding
from dure_spec.autofix.account import fix_of

_ERD = Path(__file__).parents[2] / "data" / "gold_order_mgmt" / "3_erd.json"
GOLD = Artifacts(erd=Erd.model_validate_json(_ERD.read_bytes()))


def on_tables(op: str, path: str, value: object = None) -> Change:
    """A step on the tables."""
    return Change.model_validate({"op": op, "stage": "dba", "path": path, "value": value})


RENAMED = [on_tables("test", "/tables/3/name", "order"), on_tables("replace", "/tables/3/name", "purchase_orders")]
REFERENCES = [on_tables("replace", f"/tables/{number}/columns/1/fk", "purchase_orders.id") for number in (4, 5)]
SAID: list[tuple[list[Change], str]] = [
    (RENAMED, "order → purchase_orders"),
    (RENAMED + REFERENCES, "order → purchase_orders (+2)"),
    ([on_tables("add", "/tables/3/indexes/-", ("customer_id",))], "+ indexes (customer_id)"),
    ([on_tables("add", "/tables/3/columns/-", {"name": "created_at", "type": "timestamptz"})], "+ columns created_at"),
    (
        [
            on_tables("test", "/tables/3/columns/4/enum", ["PLACED"]),
            on_tables("replace", "/tables/3/columns/4/enum", ["PLACED", "PAID"]),
        ],
        "+ enum PAID",
    ),
    (
        [
            on_tables("test", "/tables/3/columns/0/pk", value=False),
            on_tables("replace", "/tables/3/columns/0/pk", value=True),
        ],
        "pk: false → true",
    ),
    ([on_tables("replace", "/tables/3/columns/0/uq", value=True)], "uq = true"),
    ([on_tables("test", "/tables/3/logical", "가"), on_tables("remove", "/tables/3/logical")], "− logical 가"),
    ([on_tables("replace", "/tables/3/logical", "긴" * 90)], f"logical = {'긴' * 59}…"),
    (
        [*RENAMED, Change(op="replace", stage="backend", path="/bos/0/table", value="x")],
        "order → purchase_orders",  # there is no backend yet
    ),
]


@pytest.mark.parametrize(("patch", "said"), SAID, ids=[said for _, said in SAID])
def test_the_account_names_what_was_changed_and_in_how_many_places_more(patch: list[Change], said: str) -> None:
    finding = Finding(
        id="V05-1",
        validator="V05",
        name="ReservedWord",
        severity="major",
        stage="dba",
        path="/tables/3",
        ref="order",
        message="reserved",
        patch=tuple(patch),
    )
    fix = fix_of(finding, GOLD)
    assert fix.done == said
    assert (fix.validator, fix.ref, fix.message) == ("V05", "order", "reserved")
