"""The ERD as lines."""

from typing import Protocol

import pytest

from dure_spec.artifacts import Artifacts, Erd, Prd
from dure_spec.artifacts.erd import Column
from dure_spec.validators.gate import judge
from dure_spec.wire import erd as wire


class Gold(Protocol):
    @property
    def prd(self) -> Prd: ...
    @property
    def erd(self) -> Erd: ...
    @property
    def texts(self) -> dict[str, str]: ...


def _column(erd: Erd, table: str, name: str) -> Column:
    found = next(one for one in erd.tables if one.name == table)
    return next(column for column in found.columns if column.name == name)


def test_the_reference_text_gives_the_reference_erd_but_for_two_derived_things(gold: Gold) -> None:
    """The log's id is labelled by its table, and the reference of `changed_by_id` is a relation as well."""
    parsed = wire.parse(gold.texts["erd"], gold.prd)
    assert parsed.faults == ()
    different = [
        (table.name, column.name)
        for table, other in zip(parsed.artifact.tables, gold.erd.tables, strict=True)
        for column, expected in zip(table.columns, other.columns, strict=True)
        if column != expected
    ]
    assert different == [("order_status_logs", "id")]
    extra = [(r.from_, r.to) for r in parsed.artifact.relations if r not in gold.erd.relations]
    assert extra == [("app_users", "order_status_logs")]
    assert all(relation in parsed.artifact.relations for relation in gold.erd.relations)
    assert judge(Artifacts(prd=gold.prd, erd=parsed.artifact), "dba").score == 10.0


def test_a_written_erd_reads_back_as_itself(gold: Gold) -> None:
    erd = wire.parse(gold.texts["erd"], gold.prd).artifact
    assert wire.parse(wire.write(erd), gold.prd).artifact == erd


def test_columns_say_little_and_mean_much() -> None:
    text = (
        "@shops 가게 entity FR-001\n"
        "@orders 주문 entity FR-001\n"
        "code 코드 VARCHAR ( 10 ) pk\n"
        "shop_id 가게ID >shops CASCADE ?\n"
        "price 단가 numeric(12, 2) =1.5 chk(_ > 0 AND _ < 100)\n"
        "paid 결제 여부 boolean =false\n"
        'memo 긴 메모 text ? ="a b"\n'
        "at 시각 timestamptz =now()\n"
        "qty 수량 integer =3 BR-01\n"
        "uq(shop_id,code)\nix(at)\n"
    )
    erd = wire.parse(text).artifact
    assert _column(erd, "shops", "id").pk is True
    assert (_column(erd, "orders", "code").type, _column(erd, "orders", "code").pk) == ("varchar(10)", True)
    shop = _column(erd, "orders", "shop_id")
    assert (shop.fk, shop.type, shop.on_delete, shop.null) == ("shops.id", "bigint", "CASCADE", True)
    assert _column(erd, "orders", "price").check == "price > 0 AND price < 100"
    assert [_column(erd, "orders", name).default for name in ("price", "paid", "memo", "at", "qty")] == [
        1.5,
        False,
        "a b",
        "now()",
        3,
    ]
    assert (_column(erd, "orders", "paid").logical, _column(erd, "orders", "memo").logical) == ("결제 여부", "긴 메모")
    assert (erd.tables[1].uniques, erd.tables[1].indexes) == ((("shop_id", "code"),), (("at",),))
    assert [(r.from_, r.to, r.card, r.optional) for r in erd.relations] == [("shops", "orders", "1:N", True)]
    assert wire.parse(wire.write(erd)).artifact == erd


def test_references_take_the_type_of_their_target_through_chains() -> None:
    text = (
        "@bases 기본 entity FR-001\ncode 코드 varchar(8) pk\n"
        "@details 상세 entity FR-001\ncode 코드 >bases.code pk\n"
        "@notes 비고 entity FR-001\ndetail_code 코드 >details.code"
    )
    erd = wire.parse(text).artifact
    assert _column(erd, "notes", "detail_code").type == "varchar(8)"
    assert ("bases", "details", "1:1") in [(r.from_, r.to, r.card) for r in erd.relations]


def test_a_junction_carries_its_many_to_many() -> None:
    text = (
        "@books 책 entity FR-001\n@authors 저자 entity FR-001\n"
        "@book_authors 책저자 junction FR-001\nbook_id 책 >books\nauthor_id 저자 >authors\nuq(book_id,author_id)"
    )
    relations = wire.parse(text).artifact.relations
    assert ("books", "authors", "N:M", "book_authors") in [(r.from_, r.to, r.card, r.via) for r in relations]


def test_other_choices_for_the_schema_are_said_on_one_line() -> None:
    text = "meta dialect=sqlite pk=uuid audit=made_at fk_index=explicit\n@notes 메모 entity FR-001\nbody 내용 text"
    erd = wire.parse(text).artifact
    assert (erd.meta.dialect, erd.meta.pk, erd.meta.audit, erd.meta.fk_index) == (
        "sqlite",
        "uuid",
        ("made_at",),
        "explicit",
    )
    assert wire.write(erd) == text
    assert wire.parse("meta dialect=db2\n@notes 메모 entity FR-001\nbody 내용 text").faults[0].line == 1


@pytest.mark.parametrize("line", ["이름만", "qty 수량", "qty 수량 sometype(3)x", "12 수 integer"])
def test_a_line_that_is_no_column_is_a_fault_of_its_own(line: str) -> None:
    parsed = wire.parse(f"@orders 주문 entity FR-001\n{line}\nqty2 수량 integer")
    assert [(fault.line, fault.text) for fault in parsed.faults] == [(2, line)]
    assert [column.name for column in parsed.artifact.tables[0].columns] == ["id", "qty2"]


def test_a_table_without_a_kind_is_a_fault_and_its_columns_go_nowhere() -> None:
    parsed = wire.parse("@orders 주문 something FR-001\nqty 수량 integer\n@shops 가게 entity FR-001\nname 이름 text")
    assert [table.name for table in parsed.artifact.tables] == ["shops"]
    assert [fault.line for fault in parsed.faults] == [1]
    assert wire.parse("설명뿐인 답").faults[0].line == 0


def test_a_patch_replaces_whole_tables_and_keeps_the_rest(gold: Gold) -> None:
    text = wire.items(gold.erd, {"shipments.tracking_no"}).replace("varchar(40)", "varchar(60)")
    assert text.startswith("@shipments")
    parsed = wire.patch(gold.erd, f"{text}\nDEL nowhere", gold.prd)
    assert _column(parsed.artifact, "shipments", "tracking_no").type == "varchar(60)"
    untouched = [table for table in gold.erd.tables if table.name != "shipments"]
    assert [table for table in parsed.artifact.tables if table.name != "shipments"] == untouched
    assert [fault.text for fault in parsed.faults] == ["DEL nowhere"]
    assert all(relation in parsed.artifact.relations for relation in gold.erd.relations)


def test_deleting_a_table_deletes_its_relations(gold: Gold) -> None:
    parsed = wire.patch(gold.erd, "DEL order_status_logs", gold.prd)
    assert "order_status_logs" not in [table.name for table in parsed.artifact.tables]
    assert all("order_status_logs" not in (r.from_, r.to) for r in parsed.artifact.relations)
