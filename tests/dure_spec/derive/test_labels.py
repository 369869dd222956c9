"""Logical names of columns."""

import pytest

from dure_spec.artifacts.prd import Prd
from dure_spec.derive.label_words import WHOLE, WORDS
from dure_spec.derive.labels import Label, column_label, glossary_words
from dure_spec.wire import prd as prd_wire

_GLOSSARY = {"customer": "고객", "purchase_order": "주문", "order": "주문"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("phone", "전화번호"),
        ("created_at", "등록일시"),
        ("quantity", "수량"),
        ("total_amount", "총액"),
        ("start_date", "시작일"),
        ("customer_id", "고객ID"),
        ("purchase_order_id", "주문ID"),
        ("delivery_address", "배송주소"),
        ("is_active", "사용여부"),
        ("is_verified", "인증여부"),
        ("approved_on", "승인일"),
        ("customer_name", "고객명"),
        ("stock_qty", "재고수량"),
    ],
)
def test_korean_labels_come_from_glossary_and_dictionary(name: str, text: str) -> None:
    assert column_label(name, lang="ko", glossary=_GLOSSARY) == Label(text=text, known=True)


def test_an_unknown_word_stays_english_and_is_reported() -> None:
    assert column_label("flux_level", lang="ko") == Label(text="Flux수준", known=False)
    assert column_label("weight", lang="ko") == Label(text="무게", known=True)
    assert column_label("", lang="ko").known is False


def test_own_columns_carry_the_name_of_their_table() -> None:
    assert column_label("name", lang="ko", own="고객").text == "고객명"
    assert column_label("id", lang="ko", own="고객").text == "고객ID"
    assert column_label("name", lang="en", own="customer").text == "Customer name"


@pytest.mark.parametrize(
    ("name", "text"),
    [("unit_price", "Unit price"), ("customer_id", "Customer ID"), ("is_active", "Active"), ("start_at", "Start time")],
)
def test_english_labels_are_the_words_of_the_name(name: str, text: str) -> None:
    assert column_label(name, lang="en") == Label(text=text, known=True)


def test_the_last_word_of_a_term_names_it_where_it_is_the_only_one() -> None:
    prd: Prd = prd_wire.parse("G 주문=purchase_order: 주문\nG 고객=customer: 고객\nG 반품=return_order: 반품").artifact
    words = glossary_words(prd)
    assert words["purchase_orders"] == words["purchase_order"] == "주문"
    assert "order" not in words
    assert words["customers"] == "고객"


def test_the_dictionary_covers_the_usual_words_of_business_systems() -> None:
    assert len(WHOLE) + len(WORDS) >= 400
    assert all(label and "=" not in label for label in (WHOLE | WORDS).values())
