"""What every way of searching must do: one suite for all builders."""

import asyncio
import unicodedata

import pytest

from dure.errors import ConfigError
from dure.models.embedding_scripted import ScriptedEmbedder
from dure.search import (
    NO_GLOSSARY,
    Entry,
    FusedIndexBuilder,
    IndexBuilder,
    KeywordIndexBuilder,
    RegexIndexBuilder,
    TextIndex,
    VectorIndexBuilder,
)

ENTRIES = (
    Entry(id="cancel_order", text="Cancels an order that was not shipped yet.", details="order_id Order number"),
    Entry(id="check_stock", text="품목의 재고 수량을 창고별로 조회합니다.", details="sku 품목 코드"),
    Entry(id="sendEmail", text="Sends a message with a subject and attachments."),
    Entry(id="재고조정", text="실사 결과에 맞게 장부를 고칩니다."),
    Entry(id="search", text="Searches products by keyword and price."),
    Entry(id="ops.restart-service", text="Restarts a running service."),
)

BUILDERS: dict[str, IndexBuilder] = {
    "keyword": KeywordIndexBuilder(),
    "keyword without a glossary": KeywordIndexBuilder(glossary=NO_GLOSSARY),
    "keyword by texts only": KeywordIndexBuilder(name_weight=0, details_weight=0),
    "regex": RegexIndexBuilder(),
    "vector": VectorIndexBuilder(embedder=ScriptedEmbedder()),
    "fused": FusedIndexBuilder((KeywordIndexBuilder(), VectorIndexBuilder(embedder=ScriptedEmbedder()))),
}


@pytest.fixture(params=BUILDERS.values(), ids=list(BUILDERS))
def builder(request: pytest.FixtureRequest) -> IndexBuilder:
    return request.param


@pytest.fixture
async def index(builder: IndexBuilder) -> TextIndex:
    return await builder.build(ENTRIES)


async def ids(index: TextIndex, query: str, limit: int = 5) -> list[str]:
    async with asyncio.timeout(10):
        return [hit.id for hit in await index.search(query, limit=limit)]


@pytest.mark.parametrize("query", ["", "  \n", "?! … ·", "\u200b"])
async def test_a_query_that_says_nothing_finds_nothing(index: TextIndex, query: str) -> None:
    assert await ids(index, query) == []


@pytest.mark.parametrize("limit", [0, -1])
async def test_a_limit_below_one_finds_nothing(index: TextIndex, limit: int) -> None:
    assert await ids(index, "cancel_order", limit) == []


async def test_an_index_over_nothing_finds_nothing(builder: IndexBuilder) -> None:
    assert await ids(await builder.build(()), "cancel_order") == []


async def test_words_of_a_text_find_it_in_both_languages(index: TextIndex) -> None:
    assert (await ids(index, "shipped order"))[0] == "cancel_order"
    assert "check_stock" in await ids(index, "창고 재고")


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("cancel_order", "cancel_order"),
        ("Cancel Order", "cancel_order"),
        ("cancelOrder", "cancel_order"),
        ("CANCEL-ORDER", "cancel_order"),
        ("send_email", "sendEmail"),
        ("search", "search"),
        ("ops.restart-service", "ops.restart-service"),
        ("ops restart service", "ops.restart-service"),
        ("재고조정", "재고조정"),
        ("재고 조정", "재고조정"),
        (unicodedata.normalize("NFD", "재고조정"), "재고조정"),
        ("select:check_stock", "check_stock"),
        ("please call `sendEmail` to send the order that was cancelled", "sendEmail"),
    ],
)
async def test_an_exact_name_comes_first_however_it_is_written(index: TextIndex, query: str, name: str) -> None:
    assert (await ids(index, query))[0] == name
    assert (await ids(index, query, 1)) == [name]


async def test_a_plain_word_of_a_sentence_is_no_exact_name(index: TextIndex) -> None:
    assert (await ids(index, "cancel the order that was not shipped after a search"))[0] == "cancel_order"


async def test_no_more_than_the_limit_is_found_best_first_and_nothing_twice(index: TextIndex) -> None:
    hits = await index.search("order stock message service 재고 cancel_order", limit=3)
    assert 1 <= len(hits) <= 3
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert len({hit.id for hit in hits}) == len(hits)


async def test_what_is_alike_keeps_the_order_of_the_entries(builder: IndexBuilder) -> None:
    entries = [Entry(id=f"t{number}", text="Restarts the same service.") for number in range(9)]
    assert await ids(await builder.build(entries), "restarts service", 4) == ["t0", "t1", "t2", "t3"]


async def test_the_same_query_finds_the_same_again_and_at_the_same_time(index: TextIndex) -> None:
    queries = ["cancel order", "재고 조회", "cancel order", "subject"]
    async with asyncio.timeout(10):
        answers = await asyncio.gather(*(index.search(query, limit=5) for query in queries))
    assert answers[0] == answers[2]
    assert list(answers) == [await index.search(query, limit=5) for query in queries]


async def test_names_that_differ_in_case_only_find_themselves_first(builder: IndexBuilder) -> None:
    index = await builder.build([Entry(id=name, text="Stops it.") for name in ("stop_it", "stopIt", "STOP_IT")])
    for name in ("stopIt", "STOP_IT", "stop_it"):
        assert (await ids(index, name))[0] == name


async def test_two_entries_with_one_id_are_refused_by_name(builder: IndexBuilder) -> None:
    with pytest.raises(ConfigError, match="'twice'"):
        await builder.build([Entry(id="twice", text="one"), Entry(id="once", text="x"), Entry(id="twice", text="two")])


@pytest.mark.parametrize(
    "query", ["(a+)+$ " * 200, "." * 5000, "\\", "[", "주" * 5000, "a " * 5000, "\ud800", "order\x00stock"]
)
async def test_an_odd_or_endless_query_is_answered_all_the_same(index: TextIndex, query: str) -> None:
    assert isinstance(await ids(index, query), list)


@pytest.mark.parametrize("text", ["", "\ud800", "()[]{}", "가"])
async def test_an_odd_text_can_be_indexed_and_found_by_its_name(builder: IndexBuilder, text: str) -> None:
    index = await builder.build([Entry(id="odd_one", text=text), Entry(id="even", text="Nothing of that kind.")])
    assert (await ids(index, "odd_one"))[0] == "odd_one"
