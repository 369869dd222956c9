"""V11: orphans, clones, singular beside plural, and tables without what belongs to every one."""

import pytest
from tests.support.erd_values import column, design, findings, key, repaired, schema, source_policy, table

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.erd import Column, Table
from dure_spec.validators import Policy
from dure_spec.validators.audit_names import is_audit


def _said(artifacts: Artifacts, policy: Policy | None = None) -> list[tuple[str, str]]:
    return [(each.severity, each.ref) for each in findings(artifacts, policy or Policy(lang="en"), "V11")]


def _columns(*names: str) -> tuple[Column, ...]:
    return tuple(column(name, "varchar(20)") for name in names)


_SHOPS = table("shops", key(), *_columns("name", "city"))
_SALES = table("sales", key(), column("shop_id", fk="shops.id"), column("sold_on", "date"))


def test_table_without_any_reference_is_an_orphan() -> None:
    lost = table("warehouses", key(), *_columns("name", "location"))
    assert _said(design(_SHOPS, _SALES, lost)) == [("major", "warehouses")]


@pytest.mark.parametrize("kind", ["code", "config", "log", "history"])
def test_table_that_stands_alone_by_its_nature_is_no_orphan(kind: str) -> None:
    alone = table("things", key(), *_columns("name", "location"), kind=kind)
    assert _said(design(_SHOPS, _SALES, alone)) == []


def test_accounts_are_reached_by_logging_in_and_a_single_table_has_nothing_to_be_connected_with() -> None:
    accounts = table("app_users", key(), *_columns("email", "password_hash"))
    assert _said(design(_SHOPS, _SALES, accounts)) == []
    assert _said(design(table("todos", key(), *_columns("title", "status")))) == []


def test_orphan_that_follows_from_another_mistake_weighs_nothing() -> None:
    undeclared = table("sales", key(), column("shop_id"), column("sold_on", "date"))
    found = findings(design(_SHOPS, undeclared), Policy(lang="en"), "V07", "V11")
    assert [(each.validator, each.weighs) for each in found] == [("V07", True), ("V11", False), ("V11", False)]
    lost = table("sales", key(), column("shop_id", fk="stores.id"), column("sold_on", "date"))
    found = findings(design(_SHOPS, lost), Policy(lang="en"), "V07", "V11")
    assert [(each.validator, each.weighs) for each in found] == [("V07", True), ("V11", False)]


_CUSTOMERS = table("customers", key(), *_columns("name", "business_no", "phone", "address"))
_ORDERS = table("orders", key(), column("customer_id", fk="customers.id"), column("ordered_on", "date"))


def test_table_that_exists_twice_under_another_name_is_one_mistake() -> None:
    clone = table("clients", key(), *_columns("name", "business_no", "phone", "address"))
    found = findings(design(_CUSTOMERS, _ORDERS, clone), Policy(lang="en"), "V11")
    assert [(each.severity, each.ref, each.weighs) for each in found] == [
        ("major", "customers~clients", True),
        ("major", "clients", False),  # its being an orphan
    ]
    assert found[0].expected == "customers"
    assert found[0].path == "/tables/2"
    assert "100 %" in found[0].message


def test_family_of_clones_is_one_finding_and_keeps_the_table_that_others_reference() -> None:
    names = "amount", "customer_name", "method", "rental_no"
    parts = [
        table(f"payment_{month}", key(), column("customer_id", fk="customers.id"), *_columns(*names))
        for month in ("jan", "feb", "mar")
    ]
    refunds = table("refunds", key(), column("payment_id", fk="payment_feb.id"), column("paid_on", "date"))
    (finding,) = findings(design(_CUSTOMERS, *parts, refunds), None, "V11")
    assert finding.ref == "payment_feb~payment_jan~payment_mar"


@pytest.mark.parametrize(
    ("name", "columns", "kind"),
    [
        ("customer_histories", ("name", "business_no", "phone", "address"), "history"),
        ("customers_archive", ("name", "business_no", "phone", "address"), "entity"),
        ("suppliers", ("name", "business_no", "fax", "bank"), "entity"),
        ("partners", ("name", "business_no", "phone"), "entity"),
    ],
)
def test_table_with_less_in_common_or_of_the_past_is_no_clone(name: str, columns: tuple[str, ...], kind: str) -> None:
    other = table(name, key(), column("customer_id", fk="customers.id"), *_columns(*columns), kind=kind)
    assert _said(design(_CUSTOMERS, _ORDERS, other)) == []


def test_tables_that_share_only_what_every_table_has_are_no_clones() -> None:
    names = ("name", "description", "is_active", "sort_order")
    brands, lines = table("brands", key(), *_columns(*names)), table("lines", key(), *_columns(*names))
    goods = table("goods", key(), column("brand_id", fk="brands.id"), column("line_id", fk="lines.id"))
    assert _said(design(brands, lines, goods)) == []


def test_singular_and_plural_of_one_word_are_two_tables_too_many() -> None:
    single = table("shop", key(), column("sale_id", fk="sales.id"), *_columns("floor"))
    assert _said(design(_SHOPS, _SALES, single)) == [("major", "shops~shop")]


def test_single_column_is_mentioned_but_not_of_a_code_table() -> None:
    tags = table("tags", column("name", "varchar(20)", pk=True))
    marks = table("marks", key(), column("tag", "varchar(20)", fk="tags.name"))
    assert _said(design(tags, marks)) == [("minor", "tags")]
    assert _said(design(tags.model_copy(update={"kind": "code"}), marks)) == []


def _audited(*tables: Table) -> Artifacts:
    artifacts = design(*tables)
    assert artifacts.erd is not None
    meta = artifacts.erd.meta.model_copy(update={"audit": ()})
    return artifacts.model_copy(update={"erd": artifacts.erd.model_copy(update={"meta": meta})})


def test_design_without_audit_columns_gets_them_for_all_entities_at_once() -> None:
    artifacts = _audited(_SHOPS, _SALES)
    found = findings(artifacts, Policy(lang="en"), "V11")
    assert [(each.severity, each.ref) for each in found] == [("minor", "shops"), ("minor", "sales")]
    mended = repaired(artifacts, found[0])
    assert mended.erd is not None
    assert mended.erd.meta.audit == ("created_at", "updated_at")
    assert _said(mended) == []


def test_table_of_somebody_else_gets_columns_of_its_own_in_the_names_of_the_house() -> None:
    wide = table("shops", key(), *_columns("name", "city", "phone"))
    small = table("sales", key(), column("shop_id", fk="shops.id"), column("sold_on", "date"))
    policy = source_policy(audit=("reg_dt", "mod_dt"))
    artifacts = schema(wide, small, dialect="mysql")
    (finding,) = findings(artifacts, policy, "V11")
    assert (finding.severity, finding.ref, finding.expected) == ("minor", "shops", "reg_dt, mod_dt")
    mended = repaired(artifacts, finding)
    assert mended.erd is not None
    assert [each.name for each in mended.erd.tables[0].columns[-2:]] == ["reg_dt", "mod_dt"]
    assert _said(mended, policy) == []


@pytest.mark.parametrize(
    "name",
    "created_at last_update modifieddate ModifiedDate reg_dt 등록일시 CREATED_ON date_created upd_dttm insert_ts "
    "row_version updated lastModified frst_regist_pnttm".split(),
)
def test_column_that_says_when_a_row_came_or_changed_is_known(name: str) -> None:
    assert is_audit(name)


@pytest.mark.parametrize(
    "name",
    "hire_date invoice_date paid_at last_login_at last_name created_by is_active update_count changed_by_id date "
    "registration_no record change 주문일시".split(),
)
def test_column_that_says_when_something_happened_is_no_audit_column(name: str) -> None:
    assert not is_audit(name)


def test_table_and_column_without_a_logical_name_get_one_from_the_glossary(gold: Artifacts) -> None:
    assert gold.erd is not None
    customers = gold.erd.tables[1]
    nameless = customers.model_copy(
        update={
            "logical": "",
            "columns": (customers.columns[0].model_copy(update={"logical": " "}), *customers.columns[1:]),
        }
    )
    tables = (gold.erd.tables[0], nameless, *gold.erd.tables[2:])
    artifacts = gold.model_copy(update={"erd": gold.erd.model_copy(update={"tables": tables})})
    found = findings(artifacts, Policy(lang="ko"), "V11")
    assert [(each.severity, each.ref, each.expected) for each in found] == [
        ("minor", "customers", "고객"),
        ("minor", "customers.id", "고객ID"),
    ]
    for finding in found:
        artifacts = repaired(artifacts, finding)
    assert _said(artifacts, Policy(lang="ko")) == []


def test_somebody_elses_schema_needs_no_logical_names() -> None:
    bare = table("shops", key(), column("name", "varchar(9)", logical=""), logical="")
    assert _said(schema(bare), source_policy()) == []
