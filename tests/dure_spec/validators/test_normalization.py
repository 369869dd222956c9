"""V10: repeating groups, lists, EAV, polymorphic pairs, copies, and tables that are too wide or too loose."""

import pytest
from tests.support.erd_values import column, design, findings, key, schema, source_policy, table

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.erd import Column, Table
from dure_spec.validators import Policy

_NAME = column("name", "varchar(99)", logical="이름")


def _said(artifacts: Artifacts, policy: Policy | None = None) -> list[tuple[str, str]]:
    return [(each.severity, each.ref) for each in findings(artifacts, policy or Policy(lang="en"), "V10")]


def _of(*columns: Column, **more: object) -> list[tuple[str, str]]:
    return _said(design(table("members", key(), _NAME, *columns, **more)))


@pytest.mark.parametrize(
    "names",
    [
        "phone1 phone2 phone3",
        "attr0 attr1",
        "address_1 address_2",
        "addressLine1 addressLine2",
        "phone phone2 phone3",
        "전화1 전화2",
        "slot_01 slot_02 slot_03",
    ],
)
def test_numbered_columns_are_a_repeating_group(names: str) -> None:
    assert _of(*(column(name, "varchar(20)") for name in names.split())) == [
        ("major", f"members({', '.join(names.split())})")
    ]


def test_group_of_several_columns_is_one_finding() -> None:
    names = "contact1_name contact1_phone contact2_name contact2_phone"
    assert [severity for severity, _ in _of(*(column(name, "varchar(20)") for name in names.split()))] == ["major"]


@pytest.mark.parametrize(
    "names",
    [
        "md5 sha1 sha256",
        "ipv4 ipv6",
        "iso3166_1 iso3166_2",
        "utf8_text",
        "line1",
        "address address2",
        "x1 x2 y1 y2",
        "return_1y return_2y",
        "oauth1_token oauth2_token",
        "co2 pm10",
        "q3 q4",
    ],
)
def test_number_that_belongs_to_the_word_repeats_nothing(names: str) -> None:
    assert _of(*(column(name, "varchar(20)") for name in names.split())) == []


@pytest.mark.parametrize(
    "name", ["product_ids", "memberIds", "tag_list", "items_csv", "tags", "keywords", "guest_names_list"]
)
def test_list_in_a_text_is_found_by_its_name(name: str) -> None:
    assert _of(column(name, "varchar(500)")) == [("major", f"members.{name}")]


def test_list_is_found_by_its_logical_name_by_its_default_and_by_the_table_of_its_things() -> None:
    assert _of(column("product_text", "text", logical="상품목록")) == [("major", "members.product_text")]
    assert _of(column("roles_of", "varchar(99)", default="SALES,ADMIN")) == [("major", "members.roles_of")]
    courses = table("courses", key(), _NAME)
    assert _said(design(courses, table("members", key(), _NAME, column("courses", "text")))) == [
        ("major", "members.courses")
    ]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("address", "varchar(200)"),
        ("status", "varchar(9)"),
        ("terms", "text"),
        ("notes", "text"),
        ("product_ids", "bigint[]"),
        ("price_list", "varchar(20)"),
        ("blacklist", "varchar(20)"),
        ("bids", "varchar(20)"),
        ("class", "varchar(20)"),
        ("points", "integer"),
        ("business", "varchar(20)"),
    ],
)
def test_word_that_only_looks_plural_is_no_list(name: str, kind: str) -> None:
    assert _of(column(name, kind)) == []


def _traits(*columns: Column, name: str = "member_traits", kind: str = "entity") -> list[tuple[str, str]]:
    owner = column("member_id", fk="members.id")
    return _said(design(table("members", key(), _NAME), table(name, key(), owner, *columns, kind=kind)))


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("member_traits", "attribute value"),
        ("member_traits", "attr_name attr_value"),
        ("member_meta", "meta_key meta_value"),
        ("member_properties", "name value"),
        ("member_traits", "property_code text_value"),
    ],
)
def test_table_of_entity_attribute_and_value_is_told(name: str, columns: str) -> None:
    assert _traits(*(column(each, "varchar(99)") for each in columns.split()), name=name) == [("major", name)]


def test_typed_values_beside_an_attribute_are_told_too() -> None:
    values = (column("value_text", "text", null=True), column("value_number", "numeric(9,2)", null=True))
    assert _traits(column("attribute_id"), *values) == [("major", "member_traits")]


@pytest.mark.parametrize(
    ("columns", "kind"),
    [
        (("field_name", "old_value", "new_value"), "entity"),
        (("attribute", "value"), "history"),
        (("setting_key", "setting_value"), "config"),
        (("attribute", "locale", "value"), "entity"),
        (("answer_text", "score_value"), "entity"),
    ],
)
def test_table_that_only_has_a_value_is_no_eav(columns: tuple[str, ...], kind: str) -> None:
    assert _traits(*(column(each, "varchar(99)") for each in columns), kind=kind) == []


def test_measured_number_is_no_eav() -> None:
    assert _traits(column("parameter", "varchar(9)"), column("value", "numeric(9,2)")) == []


@pytest.mark.parametrize("names", ["owner_type owner_id", "commentable_type commentable_id", "targetType targetId"])
def test_reference_to_a_table_that_the_row_names_is_polymorphic(names: str) -> None:
    kind, own = names.split()
    assert _of(column(kind, "varchar(20)"), column(own)) == [("major", f"members.{kind}")]


def test_polymorphic_reference_is_told_which_keys_to_make() -> None:
    kind = column("owner_type", "varchar(9)", enum=("TEAM", "BRANCH"))
    teams, branches = table("teams", key(), _NAME), table("branches", key(), _NAME)
    artifacts = design(teams, branches, table("assets", key(), _NAME, kind, column("owner_id")))
    (finding,) = findings(artifacts, Policy(lang="en"), "V10")
    assert finding.expected == "owner_team_id, owner_branch_id"


def test_pair_of_a_type_and_a_bound_foreign_or_outer_id_is_not_polymorphic() -> None:
    bound = (column("sponsor_type", "varchar(9)"), column("sponsor_id", fk="members.id", null=True))
    assert _of(*bound) == []
    assert _of(column("device_type", "varchar(9)"), column("device_id", "varchar(36)")) == []
    assert _of(column("document_type", "varchar(9)"), column("document_id", "varchar(36)")) == []
    own = table("drugs", column("drug_id", pk=True), column("drug_type", "varchar(9)"), _NAME)
    assert _said(design(own)) == []
    log = table("audit_logs", key(), column("entity_type", "varchar(9)"), column("entity_id"), kind="log")
    assert _said(design(log)) == []


_CUSTOMERS = table(
    "customers",
    key(),
    column("name", "varchar(99)", logical="이름"),
    column("credit_grade", "varchar(9)", logical="신용등급"),
    column("phone", "varchar(20)", logical="전화번호"),
    column("unit_price", "numeric(12,2)", logical="단가"),
    logical="고객",
)


def _order(*columns: Column, **more: object) -> Table:
    return table("orders", key(), column("customer_id", fk="customers.id"), *columns, **more)


def _copied(*columns: Column, **more: object) -> list[tuple[str, str]]:
    return _said(design(_CUSTOMERS, _order(*columns, **more)))


@pytest.mark.parametrize(
    ("name", "logical"),
    [
        ("credit_grade", "신용등급"),
        ("credit_grade", "고객신용등급"),
        ("customer_name", "고객이름"),
        ("customer_phone", "전화번호"),
    ],
)
def test_column_that_repeats_the_referenced_row_is_a_copy(name: str, logical: str) -> None:
    assert _copied(column(name, "varchar(99)", logical=logical)) == [("major", f"orders.{name}")]


def test_copied_price_is_told_unless_a_line_keeps_it_or_its_name_says_so() -> None:
    price = column("unit_price", "numeric(12,2)", logical="단가")
    assert _copied(price) == [("major", "orders.unit_price")]
    assert _copied(price, column("quantity", "integer", logical="수량")) == []
    assert _copied(price.model_copy(update={"logical": "주문시단가"})) == []


@pytest.mark.parametrize(
    ("name", "logical", "more"),
    [
        ("credit_grade", "신용등급", {"derived": "BR-01"}),
        ("credit_grade", "주문 당시 등급", {}),
        ("name", "이름", {}),
        ("phone", "수령인 연락처", {}),
        ("customer_name", "수령인명", {}),
        ("created_at", "등록일시", {}),
    ],
)
def test_column_of_its_own_meaning_is_no_copy(name: str, logical: str, more: dict[str, str]) -> None:
    assert _copied(column(name, "varchar(99)", logical=logical, **more)) == []


def test_history_copies_by_its_nature() -> None:
    assert _copied(column("credit_grade", "varchar(9)", logical="신용등급"), kind="history") == []


def test_copy_in_somebody_elses_schema_is_told_by_its_name_and_a_price_is_not() -> None:
    artists = table(
        "artists", key(), column("stage_name", "varchar(99)", logical=""), column("unit_price", "real", logical="")
    )
    songs = table(
        "songs",
        key(),
        column("artist_id", fk="artists.id"),
        column("stage_name", "varchar(99)", logical=""),
        column("unit_price", "real", logical=""),
    )
    assert _said(schema(artists, songs), source_policy()) == [("major", "songs.stage_name")]


@pytest.mark.parametrize(("count", "severities"), [(25, []), (26, ["minor"]), (40, ["minor"]), (41, ["major"])])
def test_width_is_told_from_twenty_six_columns_on(count: int, severities: list[str]) -> None:
    letters = [f"{one}{other}_text" for one in "abcdefg" for other in "abcdefg"]
    columns = [column(name, "varchar(9)") for name in letters[: count - 2]]
    assert [severity for severity, _ in _of(*columns)] == severities


def test_table_whose_rows_may_be_empty_is_mentioned() -> None:
    loose = table("visits", key(), *(column(name, "varchar(9)", null=True) for name in ("reason", "doctor", "room")))
    assert _said(design(loose)) == [("minor", "visits")]
    two = table("visits", key(), *(column(name, "varchar(9)", null=True) for name in ("reason", "doctor")))
    assert _said(design(two)) == []


def test_nothing_of_it_is_repaired_by_the_program() -> None:
    artifacts = design(table("members", key(), _NAME, column("phone1", "varchar(9)"), column("phone2", "varchar(9)")))
    assert [finding.fixable for finding in findings(artifacts, None, "V10")] == [False]
