"""V07 on names that promise a reference: in every style, behind prefixes and roles, and never on anything else."""

import pytest
from erd_values import OURS, column, design, findings, key, reference, said, schema, source_policy, table

from dure_spec.artifacts.erd import Table
from dure_spec.validators.shared_words import shared_prefix

_ANY = source_policy(style="any")


def _implied(*tables: Table) -> list[tuple[str, str]]:
    found = findings(schema(*tables), _ANY, "V07")
    return [(each.ref, each.expected) for each in found if each.severity == "major"]


_PROMISES: dict[str, tuple[tuple[Table, ...], tuple[str, str]]] = {
    "x_id and the table of x": (
        (table("rooms", key()), table("beds", key(), column("room_id"))),
        ("beds.room_id", "fk rooms.id"),
    ),
    "x_no and x_code where the key is of that kind": (
        (table("rooms", key("no", "integer")), table("beds", key(), column("room_no", "integer"))),
        ("beds.room_no", "fk rooms.no"),
    ),
    "another case style": (
        (table("OrderDetails", key("DetailID")), table("Taxes", key("TaxID"), column("orderDetailId"))),
        ("Taxes.orderDetailId", "fk OrderDetails.DetailID"),
    ),
    "all letters small": (
        (table("customer", key("customerid")), table("visit", key("visitid"), column("customerid"))),
        ("visit.customerid", "fk customer.customerid"),
    ),
    "a key of another name": (
        (table("users", key("uid")), table("user_sessions", column("user_id"), column("at", "timestamp"))),
        ("user_sessions.user_id", "fk users.uid"),
    ),
    "prefixes of schema and table": (
        (
            table(
                "sbCustomer", key("sbCustId", "varchar(20)"), column("sbCustName", "text"), column("sbCustCity", "text")
            ),
            table(
                "sbTicker",
                key("sbTickerId", "varchar(20)"),
                column("sbTickerName", "text"),
                column("sbTickerSym", "text"),
            ),
            table(
                "sbTransaction",
                key("sbTxId", "varchar(50)"),
                column("sbTxCustId", "varchar(20)"),
                column("sbTxDay", "date"),
            ),
        ),
        ("sbTransaction.sbTxCustId", "fk sbCustomer.sbCustId"),
    ),
    "a role in front": (
        (table("addresses", key()), table("visits", key(), column("billing_address_id"))),
        ("visits.billing_address_id", "fk addresses.id"),
    ),
    "a parent of its own kind": (
        (table("comments", key(), column("parent_comment_id")),),
        ("comments.parent_comment_id", "fk comments.id"),
    ),
    "a part of a composite key": (
        (table("users", key()), table("snapshots", key("user_id"), key("day", "date"))),
        ("snapshots.user_id", "fk users.id"),
    ),
    "a table without any key": (
        (table("business", column("business_id", "text")), table("tips", key(), column("business_id", "text"))),
        ("tips.business_id", "fk business.business_id"),
    ),
    "the name of a key whose table is called otherwise": (
        (table("people", key("person_uid_id")), table("visits", key(), column("person_uid_id"))),
        ("visits.person_uid_id", "fk people.person_uid_id"),
    ),
    "Korean names": (
        (table("고객", key("고객번호")), table("주문", key("주문번호"), column("고객번호"))),
        ("주문.고객번호", "fk 고객.고객번호"),
    ),
}


@pytest.mark.parametrize("promise", _PROMISES)
def test_name_that_promises_a_reference_is_found(promise: str) -> None:
    tables, found = _PROMISES[promise]
    assert _implied(*tables) == [found]


_OTHER_THINGS: dict[str, tuple[Table, ...]] = {
    "its own key": (table("rooms", key("room_id"), column("room_no", "integer")),),
    "a key shared with another table": (table("users", key()), table("profiles", key("user_id"))),
    "a declared reference": (
        table("rooms", key()),
        table("beds", key(), column("room_id", fk="rooms.id"), indexes=(("room_id",),)),
    ),
    "a reference declared on the table": (
        table("rooms", key()),
        table("beds", key(), column("ROOM_ID"), refs=(reference("room_id", "rooms", "id"),), indexes=(("room_id",),)),
    ),
    "no table of that name": (table("rooms", key(), column("tax_id"), column("device_id")),),
    "the number in another system": (
        table("customers", key()),
        table("visits", key(), column("stripe_customer_id"), column("external_customer_id")),
    ),
    "another kind of value": (table("customers", key()), table("visits", key(), column("customer_id", "text"))),
    "a copied number of a row that is referenced": (
        table("orders", key(), column("order_no", "varchar(20)", uq=True)),
        table(
            "parcels",
            key(),
            column("order_id", fk="orders.id"),
            column("order_no", "varchar(20)"),
            indexes=(("order_id",),),
        ),
    ),
    "the key in a partition or an old copy": (
        table("payment", key("payment_id")),
        table("payment_p2007_01", column("payment_id"), key("at", "timestamp")),
        table("payment_archive", key("no"), column("payment_id")),
    ),
    "a number that several tables have as their key": (
        table("journals", key("cid")),
        table("coupons", key("cid")),
        table("lines", key(), column("cid")),
    ),
    "words that only end so": (
        table("val", key()),
        table("rooms", key(), column("valid"), column("paid"), column("postcode")),
    ),
}


@pytest.mark.parametrize("thing", _OTHER_THINGS)
def test_name_of_another_thing_is_not_flagged(thing: str) -> None:
    assert _implied(*_OTHER_THINGS[thing]) == []


def test_name_in_our_own_design_counts_even_where_the_type_is_wrong() -> None:
    tables = design(table("customers", key()), table("visits", key(), column("customer_id", "varchar(9)")))
    assert said(tables, OURS, "V07") == [("V07", "major", "visits.customer_id")]


def test_words_that_all_names_share_are_a_prefix_only_where_something_is_left() -> None:
    assert shared_prefix([["wp", "posts"], ["wp", "post", "meta"], ["wp", "users"]]) == ["wp"]
    assert shared_prefix([["room"], ["room", "bed"], ["room", "key"]]) == []
    assert shared_prefix([["wp", "posts"], ["wp", "users"]]) == []
