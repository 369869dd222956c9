"""V08: both ends of a reference, columns of one name, and types that fit what a name says."""

import pytest
from erd_values import OURS, column, design, findings, key, reference, repaired, said, schema, source_policy, table

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.erd import Dialect


def _pair(own: str, target: str, dialect: Dialect = "postgresql") -> Artifacts:
    beds = table("beds", key("id", "integer"), column("room_id", own, fk="rooms.id"), indexes=(("room_id",),))
    return schema(table("rooms", key("id", target)), beds, dialect=dialect)


@pytest.mark.parametrize(
    ("own", "target", "dialect", "severity"),
    [
        ("varchar(20)", "bigint", "postgresql", "critical"),
        ("numeric(9,0)", "bigint", "postgresql", "critical"),
        ("uuid", "char(36)", "postgresql", "critical"),
        ("integer", "bigint", "postgresql", "major"),
        ("smallint", "serial", "postgresql", "major"),
        ("varchar(20)", "varchar(40)", "postgresql", "major"),
        ("varchar(20)", "text", "postgresql", "major"),
        ("numeric(8,2)", "numeric(10,2)", "postgresql", "major"),
        ("date", "timestamp", "postgresql", "major"),
        ("NUMBER(6)", "NUMBER(4)", "oracle", "major"),
        ("NUMBER(6)", "NUMBER(8)", "oracle", "major"),
        ("INTEGER", "NUMBER(10)", "oracle", "major"),
        ("int", "int unsigned", "mysql", "major"),
        ("tinyint", "smallint", "mysql", "major"),
        ("mediumint", "int", "mysql", "major"),
        ("text", "integer", "sqlite", "critical"),
    ],
)
def test_ends_of_a_reference_that_hold_other_values_are_found(
    own: str, target: str, dialect: Dialect, severity: str
) -> None:
    assert said(_pair(own, target, dialect), None, "V08") == [("V08", severity, "beds(room_id)")]


@pytest.mark.parametrize(
    ("own", "target", "dialect"),
    [
        ("integer", "serial", "postgresql"),
        ("int4", "integer", "postgresql"),
        ("bigint", "bigserial", "postgresql"),
        ("character varying(9)", "varchar(9)", "postgresql"),
        ("char(9)", "varchar(9)", "postgresql"),
        ("varchar", "text", "postgresql"),
        ("timestamptz", "timestamp", "postgresql"),
        ("NUMBER(6)", "NUMBER(6,0)", "oracle"),
        ("NUMBER", "NUMBER", "oracle"),
        ("INTEGER", "NUMBER(38)", "oracle"),
        ("int(11) unsigned", "int(10) unsigned", "mysql"),
        ("tinyint(1)", "tinyint(4)", "mysql"),
        ("integer", "bigint", "sqlite"),
        ("varchar(5)", "text", "sqlite"),
        ("a_domain", "integer", "postgresql"),
    ],
)
def test_spellings_of_one_type_agree(own: str, target: str, dialect: Dialect) -> None:
    assert said(_pair(own, target, dialect), None, "V08") == []


def test_every_column_of_a_composite_reference_is_compared() -> None:
    seats = table("seats", key("hall", "integer"), key("seat", "integer"))
    columns = (key(), column("hall", "integer"), column("seat", "smallint"))
    tickets = table("tickets", *columns, refs=(reference("hall seat", "seats", "hall seat"),))
    found = findings(schema(seats, tickets), None, "V08")
    assert [(each.severity, each.path) for each in found] == [("major", "/tables/1/columns/2/type")]


def test_type_of_the_target_wins_without_its_counter_and_reaches_what_references_the_column() -> None:
    rooms = table("rooms", key("id", "bigserial"))
    beds = table("beds", column("room_id", "integer", pk=True, fk="rooms.id"))
    keys = table("door_keys", key(), column("bed_id", "integer", fk="beds.room_id"), indexes=(("bed_id",),))
    tables = schema(rooms, beds, keys)
    finding = findings(tables, None, "V08")[0]
    fixed = repaired(tables, finding)
    assert fixed.erd is not None
    assert [each.columns[-1].type for each in fixed.erd.tables] == ["bigserial", "bigint", "bigint"]
    assert said(fixed) == []


def test_type_stays_where_a_rule_of_the_column_may_not_fit_another() -> None:
    rooms = table("rooms", key("id", "varchar(9)"))
    beds = table("beds", key(), column("room_id", "integer", fk="rooms.id", default=0), indexes=(("room_id",),))
    assert findings(schema(rooms, beds), None, "V08")[0].patch == ()


_MISFITS: list[tuple[str, str, str]] = [
    *[(name, "real", "major") for name in ("price", "unit_price", "UnitPrice", "freight", "total_amount", "salary")],
    *[
        (name, "double precision", "major")
        for name in ("price_usd", "cost_per_unit", "tax_amount", "balances", "총금액")
    ],
    *[(name, "bigint", "major") for name in ("phone", "phone_number", "HomePhone", "zip_code", "postal_code", "fax")],
    *[(name, "integer", "major") for name in ("card_number", "mobile_no", "zipcode", "telephone2", "우편번호")],
    *[(name, "varchar(10)", "major") for name in ("due_date", "OrderDate", "created_at", "date_of_birth", "birthday")],
    *[
        (name, "text", "major")
        for name in ("date_joined", "updated_on", "sent_at", "expires_at", "settlement_date_str", "가입일자")
    ],
    *[(name, "char(1)", "minor") for name in ("is_open", "use_yn", "active_flag", "has_children", "사용여부")],
]


@pytest.mark.parametrize(("name", "kind", "severity"), _MISFITS)
def test_type_that_contradicts_the_name_is_found(name: str, kind: str, severity: str) -> None:
    rooms = schema(table("rooms", key(), column(name, kind)))
    assert said(rooms, source_policy(style="any"), "V08") == [("V08", severity, f"rooms.{name}")]


_FITTING: list[tuple[str, str]] = [
    *[(name, "real") for name in ("discount", "tax_rate", "price_change_pct", "total_score", "cost_factor", "weight")],
    *[(name, "numeric(9,2)") for name in ("price", "cost", "amount")],
    *[
        (name, "integer")
        for name in ("phone_count", "phone_id", "card_id", "zip_count", "phone_country_code", "mobile_users")
    ],
    *[(name, "varchar(20)") for name in ("phone", "date_format", "update_reason", "candidate", "price_list", "flag")],
    *[(name, "text") for name in ("format", "located_at", "based_on", "sign_on", "dates_note", "mandate")],
    ("is_mobile", "smallint"),
    ("hp", "integer"),
    ("created_at", "timestamp"),
    ("country_flag", "varchar(255)"),
]


@pytest.mark.parametrize(("name", "kind"), _FITTING)
def test_type_that_fits_the_name_is_not_flagged(name: str, kind: str) -> None:
    assert said(schema(table("rooms", key(), column(name, kind))), None, "V08") == []


def test_logical_name_says_what_the_physical_one_does_not() -> None:
    rows = table("rooms", key(), column("p1", "real", logical="객실단가"), column("p2", "bigint", logical="휴대폰번호"))
    assert said(design(rows), OURS, "V08") == [("V08", "major", "rooms.p1"), ("V08", "major", "rooms.p2")]


def test_amount_of_something_measured_is_no_money() -> None:
    parts = table("ingredients", key(), column("amount", "real"), column("unit", "varchar(10)"))
    assert said(schema(parts), None, "V08") == []


def test_two_words_in_an_enumeration_may_be_a_flag() -> None:
    rooms = table(
        "rooms", key(), column("is_open", "char(1)", enum=("Y", "N")), column("is_kind", "text", enum=("A", "B"))
    )
    assert said(schema(rooms), None, "V08") == [("V08", "minor", "rooms.is_open")]


def test_dialect_decides_what_can_be_said_better() -> None:
    rooms = table("rooms", key(), column("use_yn", "char(1)"), column("built_on", "date"))
    assert said(schema(rooms, dialect="oracle"), None, "V08") == []
    assert said(schema(rooms, dialect="sqlite"), None, "V08") == [
        ("V08", "major", "rooms.built_on"),
        ("V08", "minor", "rooms.use_yn"),
    ]
    stamped = column("created_at", "timestamp", default="CURRENT_TIMESTAMP")
    kept = table("rooms", key(), column("built_on", "date", check="built_on IS date(built_on)"), stamped)
    assert said(schema(kept, dialect="sqlite"), None, "V08") == []


@pytest.mark.parametrize(
    ("name", "kinds", "odd"),
    [
        ("grade", ("integer", "integer", "text"), "c.grade"),
        ("unit_count", ("integer", "text"), "b.unit_count"),
        ("status", ("integer", "text"), None),
        ("code", ("integer", "text"), None),
        ("grade", ("integer", "smallint"), None),
        ("unit_price", ("numeric(9,2)", "real"), None),
        ("phone", ("varchar(20)", "varchar(30)"), None),
    ],
)
def test_columns_of_one_name_are_of_one_family_unless_the_name_says_little(
    name: str, kinds: tuple[str, ...], odd: str | None
) -> None:
    tables = [table(letter, key(), column(name, kind)) for letter, kind in zip("abc", kinds, strict=False)]
    found = [each for each in said(schema(*tables), None, "V08") if each[1] == "minor"]
    assert found == ([("V08", "minor", odd)] if odd else [])


def test_references_of_one_name_to_keys_of_other_kinds_are_sound() -> None:
    users, firms = table("users", key("id", "uuid")), table("firms", key("id", "integer"))
    first = table("cars", key(), column("owner_id", "uuid", fk="users.id"), indexes=(("owner_id",),))
    second = table("vans", key(), column("owner_id", "integer", fk="firms.id"), indexes=(("owner_id",),))
    assert said(schema(users, firms, first, second), None, "V08") == []


@pytest.mark.parametrize(
    ("name", "kind", "dialect", "fixed"),
    [
        ("price", "real", "postgresql", "numeric(14,2)"),
        ("phone", "bigint", "postgresql", "varchar(20)"),
        ("price", "binary_double", "oracle", "number(14,2)"),
        ("due_date", "text", "postgresql", None),
        ("is_open", "char(1)", "postgresql", None),
    ],
)
def test_money_and_digits_are_retyped_by_the_program_and_dates_are_not(
    name: str, kind: str, dialect: Dialect, fixed: str | None
) -> None:
    rooms = schema(table("rooms", key(), column(name, kind)), dialect=dialect)
    finding = findings(rooms, None, "V08")[0]
    if fixed is None:
        assert finding.patch == ()
        return
    erd = repaired(rooms, finding).erd
    assert erd is not None
    assert erd.tables[0].columns[1].type == fixed
