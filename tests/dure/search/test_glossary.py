"""Words that mean the same: how they are written down, and what ships."""

from pathlib import Path

import pytest

from dure.errors import ConfigError
from dure.search.glossary import Glossary, default_glossary
from dure.search.stemming import stem

TEXT = """
# goods
재고 inventory stock    # what is there
카드 card credit+card
~ 조회 get show
노트북 laptop > 상품 product
값 price
"""


def concepts(glossary: Glossary, word: str) -> set[str]:
    return {concept for part in glossary.asked.of_word(word).values() for concept in part}


def test_words_of_a_group_share_a_concept_whatever_their_form() -> None:
    glossary = Glossary.parse(TEXT)
    assert concepts(glossary, "재고") == concepts(glossary, stem("stocks")) == concepts(glossary, stem("inventories"))
    assert concepts(glossary, "재고") != concepts(glossary, "card")
    assert concepts(glossary, "unknown") == set()


def test_known_words_are_seen_inside_of_longer_ones() -> None:
    glossary = Glossary.parse(TEXT)
    assert list(glossary.told.of_word("안전재고조회해줘")) == ["재고", "조회"]


def test_a_known_word_of_one_syllable_is_seen_alone_or_with_a_particle_only() -> None:
    glossary = Glossary.parse(TEXT)
    assert list(glossary.asked.of_word("값")) == list(glossary.asked.of_word("값이")) == ["값"]
    assert glossary.asked.of_word("값비싼") == {}


def test_two_words_side_by_side_can_be_one() -> None:
    glossary = Glossary.parse(TEXT)
    assert glossary.told.of_pair("credit", "card") == glossary.told.of_word("card")["card"]
    assert glossary.told.of_pair("card", "credit") == ()


def test_what_is_of_a_kind_is_served_by_the_kind_and_not_the_other_way_round() -> None:
    glossary = Glossary.parse(TEXT)
    assert glossary.asked.of_word("laptop")["laptop"] == glossary.told.of_word("product")["product"]
    assert glossary.told.of_word("laptop") == {}
    assert glossary.asked.of_word("product") == {}


def test_words_that_say_little_count_less_unless_they_say_something_else_too() -> None:
    glossary = Glossary.parse(f"{TEXT}\nshow performance 공연")
    (concept,) = glossary.told.of_word("get")["get"]
    assert glossary.weight_of(concept) == glossary.weight_of("get") < 1
    assert glossary.weight_of("show") == glossary.weight_of("stock") == 1


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("alone", "'alone' stands alone"),
        ("~ alone", "'alone' stands alone"),
        ("~", "stands alone"),
        ("one+two+three 하나", "'one\\+two\\+three' is not one word"),
        ("laptop >", "both sides of '>'"),
        ("> product", "both sides of '>'"),
        ("-- 재고", "'--' is not one word"),
    ],
)
def test_a_line_that_means_nothing_is_refused_by_number(line: str, complaint: str) -> None:
    with pytest.raises(ConfigError, match=f"line 2: .*{complaint}"):
        Glossary.parse(f"재고 stock\n{line}")


def test_a_glossary_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "glossary.txt"
    path.write_text("\ufeff재고 stock", encoding="utf-8")
    assert concepts(Glossary.from_file(path), "재고") == {"=1"}
    for broken in (tmp_path / "missing.txt", tmp_path):
        with pytest.raises(ConfigError, match=f"cannot read the glossary '{broken}'"):
            Glossary.from_file(broken)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="give a UTF-8 text"):
        Glossary.from_file(path)


@pytest.mark.parametrize(
    ("korean", "english"),
    [
        ("주문", "order"),
        ("재고", "stock"),
        ("취소", "cancel"),
        ("환불", "refund"),
        ("휴가", "vacation"),
        ("날씨", "weather"),
    ],
)
def test_the_glossary_that_ships_joins_korean_and_english(korean: str, english: str) -> None:
    glossary = default_glossary()
    assert concepts(glossary, korean) & concepts(glossary, stem(english))
