"""Documents found by words, filtered by what their metadata says."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from dure.chat import NOTHING
from dure.errors import ConfigError
from dure.messages import Json
from dure.rag import Document, KeywordRetriever, fits, split_document
from dure.search.base import Entry, Hit

DOCUMENTS = (
    Document(id="leave", text="연차 휴가는 15일입니다. 미리 신청하세요.", metadata={"title": "휴가", "team": "hr"}),
    Document(id="depot", text="The depot holds 7 pieces of A-17.", metadata={"team": "ops", "year": 2024}),
    Document(id="order", text="구매 발주는 팀장의 승인이 필요합니다.", metadata={"title": "발주", "team": "ops"}),
    Document(id="menu", text="오늘의 점심은 비빔밥입니다.", metadata={"team": "hr"}),
)


async def ids(query: str, *, limit: int = 5, where: Mapping[str, Json] = NOTHING) -> list[str]:
    retriever = await KeywordRetriever.build(DOCUMENTS)
    return [found.document.id for found in await retriever.retrieve(query, limit=limit, where=where)]


async def test_documents_are_found_by_the_words_of_a_question_best_first() -> None:
    assert (await ids("휴가는 며칠이야?"))[0] == "leave"
    assert (await ids("how many pieces in the depot?"))[0] == "depot"
    assert (await ids("발주 승인은 누가?"))[0] == "order"
    assert await ids("오늘의 점심", limit=1) == ["menu"]
    assert await ids("zebra") == []


async def test_a_title_counts_as_part_of_the_text() -> None:
    documents = (Document(id="1", text="열다섯 날", metadata={"title": "연차"}), Document(id="2", text="다른 것"))
    retriever = await KeywordRetriever.build(documents)
    assert [one.document.id for one in await retriever.retrieve("연차", limit=5)] == ["1"]


async def test_only_documents_that_fit_the_filter_are_found_however_well_others_score() -> None:
    assert await ids("휴가 발주", where={"team": "ops"}, limit=1) == ["order"]
    assert set(await ids("휴가 발주 점심", where={"team": ["hr", "sales"]})) == {"leave", "menu"}
    assert await ids("휴가", where={"team": "ops", "year": 2024}) == []


def test_a_document_fits_by_every_name_and_any_of_the_values() -> None:
    document = Document(id="1", text="x", metadata={"a": 1, "b": None})
    assert fits(document, {})
    assert fits(document, {"a": (2, 1), "b": None})
    assert not fits(document, {"a": 2})
    assert not fits(document, {"c": None})


async def test_any_builder_of_an_index_will_do() -> None:
    class Backwards:
        async def build(self, entries: Sequence[Entry]) -> "Backwards":
            self.ids = [entry.id for entry in entries]
            return self

        async def search(self, query: str, *, limit: int) -> tuple[Hit, ...]:
            return tuple(Hit(id=one, score=1.0) for one in reversed(self.ids))[:limit]

    retriever = await KeywordRetriever.build(DOCUMENTS, builder=Backwards())
    assert [one.document.id for one in await retriever.retrieve("x", limit=2)] == ["menu", "order"]


async def test_pieces_of_a_document_are_found_and_name_it() -> None:
    guide = Document(id="guide", text="# Leave\n15 days.\n\n# Depot\n7 pieces.")
    retriever = await KeywordRetriever.build(split_document(guide, size=20))
    (found,) = await retriever.retrieve("pieces", limit=1)
    assert (found.document.id, found.document.metadata["document"]) == ("guide#2", "guide")


@pytest.mark.parametrize("documents", [(DOCUMENTS[0], DOCUMENTS[0]), ("text",), ({"id": "1"},)])
async def test_what_are_no_documents_with_ids_of_their_own_is_refused(documents: Any) -> None:  # noqa: ANN401
    with pytest.raises(ConfigError):
        await KeywordRetriever.build(documents)


@pytest.mark.parametrize(("name", "text"), [("", "x"), (" ", "x"), (5, "x"), ("1", None)])
def test_a_document_without_an_id_or_a_text_is_refused(name: Any, text: Any) -> None:  # noqa: ANN401
    with pytest.raises(ConfigError):
        Document(id=name, text=text)
