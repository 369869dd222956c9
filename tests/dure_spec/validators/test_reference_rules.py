"""V07 on declared keys: written on a column or on the table, simple or composite, of designs and of others' schemas."""

import pytest
from erd_values import OURS, column, design, findings, key, reference, repaired, said, schema, table

from dure_spec.artifacts.erd import Reference, Table
from dure_spec.validators.near_names import edit_distance, only_near

_ROOMS = table("rooms", key(), column("code", "varchar(9)", uq=True), column("floor", "integer"))
_SEATS = table("seats", key("hall"), key("seat"), column("price", "numeric(9,2)"))


def _beds(*refs: Reference) -> Table:
    columns = (key(), column("chamber", null=True), column("hall_no", null=True), column("seat_no", null=True))
    return table("beds", *columns, refs=refs, indexes=(("chamber",), ("hall_no", "seat_no"), ("seat_no",)))


@pytest.mark.parametrize(
    ("ref", "message"),
    [
        (reference("chmber", "rooms", "id"), "chmber does not exist in beds"),
        (reference("chamber", "halls", "id"), "halls, which does not exist"),
        (reference("chamber", "rooms", "number"), "rooms.number, which does not exist"),
        (reference("chamber", "rooms", "floor"), "is not a key"),
        (reference("hall_no", "seats", "hall"), "part of the composite key (hall, seat)"),
        (reference("hall_no seat_no", "seats", "hall"), "2 columns reference 1"),
        (reference("chamber", "keyless", ""), "keyless is not a key"),
    ],
)
def test_reference_of_the_table_that_leads_nowhere_is_critical(ref: Reference, message: str) -> None:
    tables = (_ROOMS, _SEATS, table("keyless", column("size", "integer")), _beds(ref))
    found = findings(schema(*tables), None, "V07")
    assert [(each.severity, each.path) for each in found] == [("critical", "/tables/3/refs/0")]
    assert message in found[0].message


@pytest.mark.parametrize(
    "ref",
    [
        reference("chamber", "rooms", "id"),
        reference("CHAMBER", "Rooms", "ID"),
        reference("hall_no seat_no", "seats", "hall seat"),
        reference("seat_no hall_no", "seats", "seat hall", on_delete="SET NULL", deferrable=True),
    ],
)
def test_reference_that_arrives_at_a_key_is_sound(ref: Reference) -> None:
    assert said(schema(_ROOMS, _SEATS, _beds(ref)), None, "V07") == []


def test_set_null_needs_every_column_to_take_it() -> None:
    columns = (key(), column("hall_no", null=True), column("seat_no"))
    ref = reference("hall_no seat_no", "seats", "hall seat", on_delete="SET NULL")
    tickets = table("tickets", *columns, refs=(ref,), indexes=(("hall_no", "seat_no"),))
    found = findings(schema(_SEATS, tickets), None, "V07")
    assert [(each.severity, each.ref, each.path) for each in found] == [
        ("critical", "tickets.seat_no", "/tables/1/refs/0/on_delete")
    ]


def test_same_key_declared_twice_is_minor_and_a_second_key_of_a_column_is_not() -> None:
    own = column("room_id", fk="rooms.id")
    beds = table("beds", key(), own, refs=(reference("room_id", "rooms", "id"),), indexes=(("room_id",),))
    assert said(schema(_ROOMS, beds), None, "V07") == [("V07", "minor", "beds(room_id)")]
    shared = table("halls", key())
    both = table("beds", key(), own, refs=(reference("room_id", "halls", "id"),), indexes=(("room_id",),))
    assert said(schema(_ROOMS, shared, both), None, "V07") == []


@pytest.mark.parametrize(
    ("more", "missing"),
    [
        ({}, True),
        ({"indexes": (("room_id",),)}, False),
        ({"indexes": (("ROOM_ID", "size"),)}, False),
        ({"indexes": (("size", "room_id"),)}, True),
        ({"uniques": (("room_id", "size"),)}, False),
    ],
)
def test_index_is_missing_unless_some_key_begins_with_the_columns(
    more: dict[str, tuple[tuple[str, ...], ...]], missing: bool
) -> None:
    beds = table("beds", key(), column("room_id", fk="rooms.id"), column("size", "integer"), **more)
    found = findings(schema(_ROOMS, beds), None, "V07")
    assert [(each.severity, each.ref) for each in found] == ([("minor", "beds(room_id)")] if missing else [])
    if missing:
        assert said(repaired(schema(_ROOMS, beds), found[0]), None, "V07") == []


def test_primary_key_that_begins_with_the_reference_is_its_index() -> None:
    joined = table("room_guests", column("room_id", pk=True, fk="rooms.id"), column("guest_no", pk=True))
    assert said(schema(_ROOMS, joined), None, "V07") == []


def test_engine_or_program_that_makes_indexes_by_itself_needs_none_declared() -> None:
    beds = table("beds", key(), column("room_id", fk="rooms.id"))
    assert said(schema(_ROOMS, beds, dialect="mysql"), None, "V07") == []
    assert said(design(_ROOMS, beds), OURS, "V07") == []


@pytest.mark.parametrize(
    ("fk", "right"),
    [
        ("room.id", "rooms.id"),
        ("romms.id", "rooms.id"),
        ("rooms.idd", "rooms.id"),
        ("chambers.id", None),
        ("rooms.no", None),
    ],
)
def test_slip_of_the_keyboard_is_mended_where_only_one_key_is_near(fk: str, right: str | None) -> None:
    tables = design(_ROOMS, table("beds", key(), column("room_id", fk=fk)))
    finding = findings(tables, OURS, "V07")[0]
    if right is None:
        assert finding.patch == ()
        assert finding.candidates[0] == "rooms.id"
    else:
        erd = repaired(tables, finding).erd
        assert erd is not None
        assert erd.tables[1].columns[1].fk == right


def test_slip_is_not_mended_where_two_are_as_near_or_the_type_differs() -> None:
    twins = design(table("rooma", key()), table("roomb", key()), table("beds", key(), column("x", fk="roomc.id")))
    assert findings(twins, OURS, "V07")[0].patch == ()
    other = design(_ROOMS, table("beds", key(), column("room_id", "varchar(9)", fk="room.id")))
    assert findings(other, OURS, "V07")[0].patch == ()


def test_slip_in_a_reference_of_the_table_is_mended_in_its_place() -> None:
    tables = schema(_ROOMS, _SEATS, _beds(reference("hall_no seat_no", "seat", "hall seat")))
    assert said(repaired(tables, findings(tables, None, "V07")[0]), None, "V07") == []


def test_reference_to_a_table_without_a_key_follows_from_that() -> None:
    halls = table("halls", column("id", null=True))
    beds = table("beds", key(), column("hall_id", fk="halls.id"), indexes=(("hall_id",),))
    found = {each.validator: each for each in findings(schema(halls, beds), None, "V06", "V07")}
    assert found["V07"].caused_by == found["V06"].id


@pytest.mark.parametrize(
    ("first", "second", "apart"), [("a", "a", 0), ("rooms", "room", 1), ("rooms", "romos", 2), ("rooms", "beds", 3)]
)
def test_edits_between_two_names_are_counted_up_to_the_limit(first: str, second: str, apart: int) -> None:
    assert edit_distance(first, second) == edit_distance(second, first) == apart


def test_nearest_name_is_no_answer_where_another_is_as_near() -> None:
    assert only_near("Room", ["rooms", "beds"]) == "rooms"
    assert only_near("room", ["roomy", "rooms"]) == ""
