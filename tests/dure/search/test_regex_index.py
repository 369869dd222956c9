"""Search by pattern: scores that are given, patterns that are safe."""

import re

import pytest

from dure.errors import ConfigError
from dure.search.base import Entry
from dure.search.regex import RegexIndexBuilder, pattern_of


async def scores(query: str, *entries: Entry) -> dict[str, float]:
    index = await RegexIndexBuilder().build(entries)
    return {hit.id: round(hit.score, 3) for hit in await index.search(query, limit=10)}


async def test_hits_in_a_name_count_twice_and_early_ones_a_little_more() -> None:
    assert await scores(
        "weather", Entry(id="weatherTool", text="Forecasts."), Entry(id="other", text="Gets the weather.")
    ) == {"weatherTool": 3.0, "other": 1.263}
    assert await scores("stock price", Entry(id="x", text="Fetches stock price data")) == {"x": 2.278}


@pytest.mark.parametrize(
    ("query", "pattern"),
    [
        ("What is the weather?", "weather"),
        ("Stock Price, stock", "stock|price"),
        ("재고를 조회", "재고|조회"),
        ("값이 c", "값"),
        ("c++ (a+)+$", "c|a"),
        ("the of", "the|of"),
        ("값.글", "값|글"),
    ],
)
def test_a_pattern_is_made_of_the_words_that_say_something(query: str, pattern: str) -> None:
    assert pattern_of(query, 200) == pattern


def test_a_long_pattern_loses_words_from_its_end_and_an_endless_word_its_own() -> None:
    query = " ".join(f"word{number}" for number in range(100))
    pattern = pattern_of(query, 200)
    assert len(pattern) <= 200
    assert query.replace(" ", "|").startswith(pattern)
    assert pattern_of("x" * 999, 200) == "x" * 200


def test_case_is_folded_without_regard_to_a_locale() -> None:
    assert re.search(pattern_of("TITLE", 200), "title")
    assert re.search(pattern_of("İstanbul", 200), "istanbul")


async def test_a_korean_word_is_found_with_another_particle_or_inside_of_another() -> None:
    entries = (Entry(id="a", text="안전재고가 모자라면 알립니다."), Entry(id="b", text="회의실"))
    assert list(await scores("재고를", *entries)) == ["a"]


def test_a_pattern_without_room_is_refused() -> None:
    with pytest.raises(ConfigError):
        RegexIndexBuilder(max_pattern=0)
