"""Search by meaning, and several ways at once: failures, thresholds, ranks."""

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from typing import Literal

import pytest

from dure.errors import Cancelled, ConfigError, ConnectionFailed, MalformedResponse
from dure.models.embedding_scripted import ScriptedEmbedder
from dure.search.base import Entry, Hit, IndexBuilder, TextIndex
from dure.search.fused import FusedIndexBuilder
from dure.search.keyword import KeywordIndexBuilder
from dure.search.vector import VectorIndexBuilder

ENTRIES = [Entry(id=f"tool_{number}", text=f"Does thing number {number}.") for number in range(200)]


class Fixed:
    """An embedder whose vectors are given; a query gets the last."""

    name = "scripted:fixed"

    def __init__(self, *vectors: list[float], error: Exception | None = None) -> None:
        self.vectors = list(vectors)
        self.error = error

    async def embed(self, texts: Sequence[str], *, kind: Literal["query", "document"]) -> list[list[float]]:
        if self.error is not None:
            raise self.error
        return self.vectors[-1:] if kind == "query" else self.vectors[:-1]

    async def close(self) -> None:
        pass


class Ranked:
    """An index and its builder that answer what they are told."""

    def __init__(
        self, *ids: str, building: BaseException | None = None, searching: BaseException | None = None
    ) -> None:
        self.ids = ids
        self.building = building
        self.searching = searching

    async def build(self, entries: Sequence[Entry]) -> TextIndex:
        if self.building is not None:
            raise self.building
        return self

    async def search(self, query: str, *, limit: int) -> tuple[Hit, ...]:
        if self.searching is not None:
            raise self.searching
        return tuple(Hit(id=one, score=1.0) for one in self.ids[:limit])


async def fused_ids(*builders: IndexBuilder, weights: tuple[float, ...] = ()) -> list[str]:
    entries = [Entry(id=one, text="") for one in ("a", "b", "c", "d")]
    async with asyncio.timeout(10):
        index = await FusedIndexBuilder(builders, weights).build(entries)
        return [hit.id for hit in await index.search("something", limit=3)]


async def test_texts_are_embedded_in_batches_with_their_names_as_documents_and_queries_as_queries() -> None:
    embedder = ScriptedEmbedder()
    index = await VectorIndexBuilder(embedder=embedder).build(ENTRIES)
    assert sorted(len(texts) for texts, _ in embedder.requests) == [8, 64, 64, 64]
    assert {kind for _, kind in embedder.requests} == {"document"}
    assert embedder.requests[0][0][0] == "tool 0: Does thing number 0."
    await index.search("thing number 7.", limit=1)
    assert embedder.requests[-1] == (("thing number 7.",), "query")


async def test_what_is_too_far_from_the_query_is_left_out() -> None:
    embedder = Fixed([1.0, 0.0], [0.6, 0.8], [0.1, 0.99], [1.0, 0.0])
    entries = [Entry(id=one, text="t") for one in ("near", "middle", "far")]
    index = await VectorIndexBuilder(embedder=embedder).build(entries)
    assert [(hit.id, round(hit.score, 2)) for hit in await index.search("q", limit=5)] == [
        ("near", 1.0),
        ("middle", 0.6),
    ]
    strict = await VectorIndexBuilder(embedder=embedder, min_score=0.7).build(entries)
    assert [hit.id for hit in await strict.search("q", limit=5)] == ["near"]


@pytest.mark.parametrize(
    "vectors",
    [
        ([[1.0], [1.0, 0.0]]),
        ([[1.0, float("nan")], [1.0, 0.0]]),
        ([[], []]),
        ([[1.0]]),
    ],
)
async def test_vectors_that_cannot_be_are_refused_when_the_index_is_built(vectors: list[list[float]]) -> None:
    builder = VectorIndexBuilder(embedder=Fixed(*vectors, [1.0, 0.0]))
    with pytest.raises(MalformedResponse):
        await builder.build([Entry(id="a", text="a"), Entry(id="b", text="b")])


async def test_a_query_vector_of_another_length_is_refused() -> None:
    index = await VectorIndexBuilder(embedder=Fixed([1.0, 0.0], [1.0])).build([Entry(id="a", text="a")])
    with pytest.raises(MalformedResponse, match="1 numbers for a query, and of 2"):
        await index.search("q", limit=1)


async def test_a_failing_model_fails_the_index_with_its_own_error() -> None:
    with pytest.raises(ConnectionFailed):
        await VectorIndexBuilder(embedder=Fixed(error=ConnectionFailed("away"))).build(ENTRIES)


def test_vectors_without_numpy_say_what_to_install() -> None:
    program = (
        "import sys, asyncio; sys.modules['numpy'] = None\n"
        "from dure.search import Entry, VectorIndexBuilder\n"
        "from dure.models.embedding_scripted import ScriptedEmbedder\n"
        "from dure.errors import ConfigError\n"
        "try: asyncio.run(VectorIndexBuilder(embedder=ScriptedEmbedder()).build([Entry(id='a', text='b')]))\n"
        "except ConfigError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert "install dure[vector]" in done.stdout


@pytest.mark.parametrize(("parallel", "min_score"), [(0, 0.2), (1, float("nan"))])
def test_settings_that_mean_nothing_are_refused(parallel: int, min_score: float) -> None:
    with pytest.raises(ConfigError):
        VectorIndexBuilder(embedder=ScriptedEmbedder(), parallel=parallel, min_score=min_score)


async def test_ranks_are_added_up_and_the_first_way_wins_where_they_are_equal() -> None:
    assert await fused_ids(Ranked("a", "b"), Ranked("c", "b")) == ["b", "a", "c"]
    assert await fused_ids(Ranked("a"), Ranked("b")) == ["a", "b"]
    assert await fused_ids(Ranked("a"), Ranked("b"), weights=(1.0, 2.0)) == ["b", "a"]


async def test_a_way_that_fails_is_left_out_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    away = ConnectionFailed("the model is away")
    assert await fused_ids(Ranked("a"), Ranked(building=away)) == ["a"]
    assert await fused_ids(Ranked(searching=away), Ranked("b")) == ["b"]
    assert [record.getMessage() for record in caplog.records] == [
        "building by Ranked failed and is left out: the model is away",
        "searching by Ranked failed and is left out: the model is away",
    ]


async def test_when_all_ways_fail_the_first_failure_is_raised() -> None:
    first, second = ConnectionFailed("first"), ConnectionFailed("second")
    with pytest.raises(ConnectionFailed, match="first"):
        await fused_ids(Ranked(building=first), Ranked(building=second))
    with pytest.raises(ConnectionFailed, match="first"):
        await fused_ids(Ranked(searching=first), Ranked(searching=second))


async def test_a_signal_is_never_taken_for_a_failure() -> None:
    with pytest.raises(Cancelled):
        await fused_ids(Ranked("a"), Ranked(building=Cancelled("stop")))
    with pytest.raises(Cancelled):
        await fused_ids(Ranked("a"), Ranked(searching=Cancelled("stop")))


@pytest.mark.parametrize("weights", [(1.0,), (1.0, 0.0), (1.0, -1.0)])
def test_weights_that_do_not_fit_are_refused(weights: tuple[float, ...]) -> None:
    with pytest.raises(ConfigError):
        FusedIndexBuilder((KeywordIndexBuilder(), KeywordIndexBuilder()), weights)


def test_one_way_alone_is_nothing_to_fuse() -> None:
    with pytest.raises(ConfigError):
        FusedIndexBuilder((KeywordIndexBuilder(),))
