import unicodedata

import pytest

from dure.errors import ConfigError
from dure_spec.intake import MAX_CHARACTERS, screen


@pytest.mark.parametrize("sentence", ["", "   ", "\n\t \n"])
def test_an_empty_sentence_is_an_error(sentence: str) -> None:
    with pytest.raises(ConfigError, match="empty"):
        screen(sentence)


@pytest.mark.parametrize("length", [MAX_CHARACTERS + 1, 50_000, 5_000_000])
def test_a_long_sentence_is_refused_with_the_limit_in_one_line(length: int) -> None:
    with pytest.raises(ConfigError, match="at most 2,000") as caught:
        screen("가" * length)
    assert f"{length:,}" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_sentence_of_exactly_the_limit_is_read() -> None:
    assert len(screen("주문 " + "가" * (MAX_CHARACTERS - 3)).sentence) == MAX_CHARACTERS


def test_decomposed_hangul_counts_as_what_people_see() -> None:
    typed = unicodedata.normalize("NFD", "주문 관리 시스템을 만들어줘. " * 100).strip()
    assert len(typed) > MAX_CHARACTERS
    assert screen(typed).sentence == unicodedata.normalize("NFC", typed)


@pytest.mark.parametrize("char", ["\x00", "\x07", "\x1b", "\x7f", "\x85"])
def test_a_control_character_is_named(char: str) -> None:
    with pytest.raises(ConfigError, match=f"U\\+{ord(char):04X}"):
        screen(f"주문{char} 관리")


def test_newlines_and_tabs_are_text_and_line_ends_are_one_kind() -> None:
    assert screen(" 주문 관리\r\n\t상품 관리 \n").sentence == "주문 관리\n\t상품 관리"


@pytest.mark.parametrize("sentence", ["???", "123", "ㅋㅋㅋㅋ", "🎉🎉", "- - -"])
def test_a_sentence_without_words_is_an_error(sentence: str) -> None:
    with pytest.raises(ConfigError, match="no words"):
        screen(sentence)


def test_a_lone_surrogate_is_a_broken_encoding() -> None:
    with pytest.raises(ConfigError, match="encoding"):
        screen("주문 \udcff 관리")


@pytest.mark.parametrize(
    ("sentence", "lang"),
    [
        ("주문 관리 시스템을 만들어줘.", "ko"),
        ("CRM 만들어줘", "ko"),
        ("React와 PostgreSQL로 재고 관리 시스템", "ko"),
        ("A blog website.", "en"),
        ("Build an order system for our shop called 가게", "en"),
    ],
)
def test_the_language_follows_the_share_of_hangul(sentence: str, lang: str) -> None:
    assert screen(sentence).lang == lang


@pytest.mark.parametrize("char", ["\u00ad", "\u200b", "\u202e", "\u2066", "\u2060", "\ufeff"])
def test_invisible_characters_of_web_pages_are_taken_out(char: str) -> None:
    assert screen(f"{char}게시{char}판을 만들어{char}줘").sentence == "게시판을 만들어줘"


def test_a_harmful_word_is_not_hidden_by_an_invisible_character() -> None:
    plain = "사람들 몰래 위치추적하는 앱"
    assert screen(plain).verdict == "refused"
    assert screen(plain.replace("위치추적", "위치\u200b추적").replace("몰래", "몰\u200b래")).verdict == "refused"


def test_joiners_of_emoji_and_of_other_scripts_stay() -> None:
    family = "\U0001f468\u200d\U0001f467"
    assert screen(f"가족 앱 {family}").sentence == f"가족 앱 {family}"
