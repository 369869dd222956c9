"""DBML source and data dictionary of an ERD."""

from pathlib import Path

from dure_spec.artifacts import Artifacts, Erd, Prd
from dure_spec.artifacts.erd import Column, Meta, Table
from dure_spec.derive.data_dictionary import data_dictionary
from dure_spec.derive.dbml import dbml_source

GOLD = Path(__file__).parents[2] / "data" / "gold_order_mgmt"


def gold() -> Artifacts:
    return Artifacts(
        prd=Prd.model_validate_json((GOLD / "1_prd.json").read_text(encoding="utf-8")),
        erd=Erd.model_validate_json((GOLD / "3_erd.json").read_text(encoding="utf-8")),
    )


def one_table(*columns: Column, dialect: str = "sqlite") -> Artifacts:
    table = Table(name="things", logical="물건", kind="code", reqs=("FR-001",), columns=columns)
    meta = Meta.model_validate({"dialect": dialect, "pk": "uuid", "audit": ()})
    return Artifacts(erd=Erd(meta=meta, tables=(table,), relations=()))


def test_dbml_has_project_enums_tables_indexes_and_references() -> None:
    source = dbml_source(gold())
    assert source.startswith("Project \"주문 관리 시스템\" {\n  database_type: 'PostgreSQL'")
    assert 'Enum "purchase_orders_status" {\n  "PLACED"\n' in source
    assert '"status" "purchase_orders_status" [not null, default: \'PLACED\'' in source
    assert "  \"id\" bigint [pk, increment, note: '주문ID']" in source
    assert '    ("purchase_order_id", "product_id") [unique]' in source
    assert '    ("status", "ordered_at")\n' in source
    assert 'Ref: "order_items"."purchase_order_id" > "purchase_orders"."id" [delete: cascade]' in source
    assert 'Ref: "shipments"."purchase_order_id" - "purchase_orders"."id" [delete: restrict]' in source
    assert "[not null, default: `now()`, note: '등록일시']" in source


def test_dbml_without_erd_is_a_project_alone() -> None:
    assert dbml_source(Artifacts()) == 'Project "design" {\n}\n'


def test_dbml_text_stays_inside_its_quotes() -> None:
    source = dbml_source(one_table(Column(name='a"b', logical="it's\nC:\\x", type='we"ird type', default="o'k")))
    assert """  "a'b" "we'ird type" [not null, default: 'o\\'k', note: 'it\\'s C:\\\\x']""" in source


def test_composite_key_is_an_index_of_its_own() -> None:
    left = Column(name="a", logical="가", type="int", pk=True)
    source = dbml_source(one_table(left, left.model_copy(update={"name": "b"})))
    assert '("a", "b") [pk]' in source
    assert '"a" int [not null, note' in source


def test_dictionary_has_a_row_for_every_column_with_keys_defaults_and_rules() -> None:
    rows = {(row.table, row.column): row for row in data_dictionary(gold())}
    assert rows["purchase_orders", "customer_id"].key == "FK → customers.id"
    assert rows["order_items", "product_id"].key == "FK → products.id, UQ(purchase_order_id, product_id)"
    assert rows["customers", "is_active"].default == "true"
    assert rows["products", "stock_qty"].rule == "BR-02 재고 수량은 0 이상이다 · stock_qty >= 0"
    assert rows["purchase_orders", "status"].enum == ("PLACED", "SHIPPED", "DELIVERED", "CANCELLED")
    assert rows["customers", "phone"].pii
    assert rows["customers", "updated_at"].logical == "수정일시"
    assert rows["customers", "created_at"].number == 7
    assert ("order_status_logs", "created_at") not in rows


def test_dictionary_without_erd_is_empty() -> None:
    assert data_dictionary(Artifacts()) == ()
