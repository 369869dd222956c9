"""Search by words: languages, weights, names, and the shortcuts that must change nothing."""

import itertools
import random

import pytest

from dure.errors import ConfigError
from dure.search.base import Entry
from dure.search.glossary import NO_GLOSSARY, Glossary
from dure.search.keyword import KeywordIndex, KeywordIndexBuilder


async def found(entries: dict[str, str], query: str, builder: KeywordIndexBuilder | None = None) -> list[str]:
    index = await (builder or KeywordIndexBuilder()).build([Entry(id=one, text=text) for one, text in entries.items()])
    return [hit.id for hit in await index.search(query, limit=5)]


@pytest.mark.parametrize("query", ["재고를 확인", "재고가", "재고조회", "재고 조회해줘", "안전재고"])
async def test_particles_and_missing_spaces_do_not_matter(query: str) -> None:
    entries = {"a": "품목의 재고 수량을 조회합니다.", "b": "회의실을 예약합니다."}
    assert (await found(entries, query))[0] == "a"


@pytest.mark.parametrize("query", ["값", "값을", "값이", "값 알려줘"])
async def test_a_word_of_one_syllable_can_be_found(query: str) -> None:
    entries = {"a": "센서의 값을 읽습니다.", "b": "회의실을 예약합니다.", "c": "환율과 값"}
    builder = KeywordIndexBuilder(glossary=NO_GLOSSARY)
    assert sorted(await found(entries, query, builder)) == ["a", "c"]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("orders", "getOrderStatus"),
        ("http proxy", "HTTPProxySettings"),
        ("cancelled shipments", "shipment_cancellation"),
        ("certificates", "renew-certificate"),
        ("v2", "export.v2"),
        ("APIs", "api_keys"),
        ("café", "Cafe_Menu"),
        ("ＳＫＵ", "sku_lookup"),
        ("Straße", "strasse_finder"),
        ("東京", "東京都_天気"),
    ],
)
async def test_names_are_cut_into_words_of_any_form(query: str, name: str) -> None:
    assert (await found({"other_thing": "Nothing.", name: "It."}, query))[:1] == [name]


async def test_a_word_in_the_name_counts_more_than_one_in_the_text_and_that_more_than_one_in_the_details() -> None:
    entries = [
        Entry(id="c", text="Nothing of it.", details="refund amount"),
        Entry(id="b", text="Gives a refund back."),
        Entry(id="refund", text="Pays money back."),
        *(Entry(id=f"other{number}", text="Does something else.") for number in range(5)),
    ]
    index = await KeywordIndexBuilder(glossary=NO_GLOSSARY).build(entries)
    assert [hit.id for hit in await index.search("refund it please", limit=5)] == ["refund", "b", "c"]


async def test_a_search_in_one_language_finds_what_is_described_in_the_other() -> None:
    entries = {
        "cancel_order": "Cancels an order.",
        "환율조회": "통화의 환율을 조회합니다.",
        "book_room": "Books a room.",
    }
    assert (await found(entries, "주문 취소해줘"))[0] == "cancel_order"
    assert (await found(entries, "exchange rate of a currency"))[0] == "환율조회"
    assert "cancel_order" not in await found(entries, "주문 취소해줘", KeywordIndexBuilder(glossary=NO_GLOSSARY))


async def test_the_same_word_ranks_above_one_that_means_the_same() -> None:
    entries = {"a": "재고를 봅니다.", "b": "Inventory of it.", "c": "Stock of it.", "d": "Rooms.", "e": "Cars."}
    assert (await found(entries, "stock"))[0] == "c"
    assert sorted(await found(entries, "stock")) == ["a", "b", "c"]


async def test_a_glossary_of_ones_own_takes_the_place_of_the_one_that_ships() -> None:
    builder = KeywordIndexBuilder(glossary=Glossary.parse("두레 cooperative"))
    entries = {"a": "Lists the cooperative's members.", "b": "Cancels an order."}
    assert await found(entries, "두레 명단", builder) == ["a"]
    assert await found(entries, "주문 취소", builder) == []


async def test_without_weight_meanings_are_not_searched() -> None:
    assert await found({"a": "Cancels it."}, "취소", KeywordIndexBuilder(concept_weight=0)) == []


async def test_a_word_of_many_meanings_counts_once() -> None:
    glossary = Glossary.parse("\n".join(f"open w{number}" for number in range(9)))
    entries = {"a": "Opens it.", "b": "Ticket of a customer.", "c": "Rooms.", "d": "Cars."}
    builder = KeywordIndexBuilder(glossary=glossary)
    assert (await found(entries, "open customer ticket", builder))[0] == "b"


async def test_a_query_of_small_words_only_is_searched_as_it_is() -> None:
    assert await found({"a": "to be or not", "b": "Cars."}, "to be or not", KeywordIndexBuilder()) == ["a"]


async def test_ids_can_be_left_out_of_what_is_searched() -> None:
    builder = KeywordIndexBuilder(name_weight=0)
    assert await found({"chunk-7": "Rooms.", "x": "chunk of text"}, "chunk here", builder) == ["x"]


def test_negative_weights_are_refused() -> None:
    for build in (
        lambda: KeywordIndexBuilder(name_weight=-0.1),
        lambda: KeywordIndexBuilder(details_weight=-0.1),
        lambda: KeywordIndexBuilder(concept_weight=-0.1),
    ):
        with pytest.raises(ConfigError):
            build()


async def test_a_short_search_finds_the_beginning_of_a_long_one() -> None:
    chance = random.Random(7)
    words = "order stock customer invoice room 주문 재고 고객 회의실 report status list ticket 취소 조회".split()
    entries = [
        Entry(id=f"n{number}", text=" ".join(chance.choices(words, k=chance.randint(1, 9)))) for number in range(900)
    ]
    index = await KeywordIndexBuilder().build(entries)
    for size, _ in itertools.product((1, 2, 4, 6), range(12)):
        query = " ".join(chance.choices(words, k=size))
        everything = [hit.score for hit in await index.search(query, limit=len(entries))]
        for limit in (1, 5, 30):
            few = [hit.score for hit in await index.search(query, limit=limit)]
            assert few == pytest.approx(everything[:limit])


async def test_words_that_thousands_have_rank_what_rarer_words_found() -> None:
    entries = [Entry(id=f"n{number}", text="Shows the report of something.") for number in range(4000)]
    entries[3210] = Entry(id="rare", text="Shows the report of the flamingo.")
    index = await KeywordIndexBuilder(glossary=NO_GLOSSARY).build(entries)
    assert [hit.id for hit in await index.search("show report flamingo", limit=3)] == ["rare", "n0", "n1"]
    assert [hit.id for hit in await index.search("report something", limit=2)] == ["n0", "n1"]


async def test_a_large_index_is_built_beside_the_event_loop_and_is_the_same() -> None:
    entries = [Entry(id=f"tool_{number}", text=f"재고 {number} order") for number in range(300)]
    built = await KeywordIndexBuilder().build(entries)
    at_once = KeywordIndex(entries, KeywordIndexBuilder())
    assert await built.search("재고 17", limit=9) == await at_once.search("재고 17", limit=9)
