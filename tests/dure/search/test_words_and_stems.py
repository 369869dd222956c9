"""How texts are cut, and which forms of a word are the same."""

import unicodedata

import pytest

from dure.search.names import ExactNames
from dure.search.stemming import stem
from dure.search.words import folded, name_key, query_terms_of, terms_of, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cancelOrder2", ["cancel", "Order", "2"]),
        ("HTTPServer_error", ["HTTP", "Server", "error"]),
        ("재고조회API를", ["재고조회", "API", "를"]),
        ("a-b.c/d:e", ["a", "b", "c", "d", "e"]),
        ("known CVEs", ["known", "CVE", "s"]),
        ("Ünïcode Straße Łódź", ["Unicode", "Strasse", "Lodz"]),
        ("Москва 東京", ["Москва", "東京"]),
        ("", []),
    ],
)
def test_a_text_is_cut_at_case_separators_digits_and_scripts(text: str, words: list[str]) -> None:
    assert words_of(text) == words


@pytest.mark.parametrize(
    "forms",
    [
        "order orders ordered ordering",
        "cancel cancels cancelled canceled cancelling cancellation cancellations",
        "invoice invoices invoiced invoicing",
        "ship ships shipped shipping shipment shipments",
        "reserve reserved reservation reservations reserving",
        "notify notified notifies notification",
        "query queries",
        "address addresses",
        "translate translated translation translating",
        "edit edits editable edited",
        "buy bought buying",
        "pay paid payment payments pays payable",
        "update updates updated updating",
        "tax taxes",
        "search searches searching",
    ],
)
def test_forms_of_one_word_have_one_stem(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("status", "stat"), ("string", "str"), ("order", "border"), ("bus", "bu"), ("address", "add"), ("need", "ne")],
)
def test_other_words_keep_other_stems(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@pytest.mark.parametrize("word", ["", "a", "ss", "ing", "ment", "재고", "ümlaut", "x2"])
def test_short_and_foreign_words_stay_as_they_are(word: str) -> None:
    assert stem(word) == word


def test_a_syllabic_word_is_found_by_its_pairs_and_its_first_syllable() -> None:
    assert terms_of("안전재고") == ("안", "안전", "전재", "재고")
    assert query_terms_of("안전재고") == ("안전", "전재", "재고")
    assert query_terms_of("값을") == ("값", "값을")
    assert query_terms_of("값") == ("값",)


def test_decomposed_and_wide_letters_are_the_same_as_usual_ones() -> None:
    assert folded(unicodedata.normalize("NFD", "재고")) == "재고"
    assert folded("ＳＫＵ－７") == "SKU-7"
    assert name_key("Cancel-Order_ITEM") == name_key("cancelOrderItem") == "cancelorderitem"


def test_names_are_found_whole_or_as_a_compound_in_a_sentence() -> None:
    names = ExactNames(["cancel_order", "search", "ops.restart", "고객등급조정", "주문", "—"])
    assert names.matches("Cancel order") == [0]
    assert names.matches("call ops.restart, then `cancelOrder`.") == [2, 0]
    assert names.matches("search") == [1]
    assert names.matches("search for an order") == []
    assert names.matches("고객등급조정 해줘") == [3]
    assert names.matches("주문 취소") == names.matches("order ······") == []
