import asyncio
import json
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp import web

from dure.embedding import Embedder
from dure.errors import (
    ConfigError,
    ConnectionFailed,
    ContextTooLong,
    InvalidRequest,
    MalformedResponse,
    ModelNotFound,
    RateLimited,
    ServerFailed,
)
from dure.models.embedding_ollama import OllamaEmbedder
from dure.models.embedding_openai import OpenAIEmbedder

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Serve = Callable[[Handler], Awaitable[str]]
Vectors = Callable[[list[str]], list[list[float]]]

OPENERS: dict[str, Callable[[str], Embedder]] = {
    "ollama": lambda address: OllamaEmbedder(base_url=address),
    "openai": lambda address: OpenAIEmbedder(base_url=address, api_key="k"),
}


def by_length(texts: list[str]) -> list[list[float]]:
    return [[3.0, 4.0, float(len(text))] for text in texts]


@dataclass(kw_only=True)
class EmbeddingServer:
    """Speaks both APIs, and keeps what it was asked."""

    vectors: Vectors = by_length
    status: int = 200
    error: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    async def handle(self, request: web.Request) -> web.StreamResponse:
        body: dict[str, Any] = json.loads(await request.text())
        self.bodies.append(body)
        if self.status != 200:
            return web.json_response({"error": self.error}, status=self.status)
        found = self.vectors(body["input"])
        if request.path == "/api/embed":
            return web.Response(text=json.dumps({"model": body["model"], "embeddings": found}))
        assert request.path == "/embeddings", request.path
        data = [{"object": "embedding", "index": place, "embedding": one} for place, one in enumerate(found)]
        return web.Response(text=json.dumps({"object": "list", "data": data[::-1]}))


@pytest.fixture(params=sorted(OPENERS))
def provider(request: pytest.FixtureRequest) -> str:
    """One of the two."""
    return request.param


async def embed(embedder: Embedder, *texts: str, kind: Any = "document") -> list[list[float]]:  # noqa: ANN401 a literal
    try:
        async with asyncio.timeout(10):
            return await embedder.embed(texts, kind=kind)
    finally:
        await embedder.close()


async def test_each_text_gets_a_vector_of_length_one_in_order(serve: Serve, provider: str) -> None:
    server = EmbeddingServer()
    texts = [f"{'글' * place} {place}" for place in range(300)]
    vectors = await embed(OPENERS[provider](await serve(server.handle)), *texts)
    assert all(math.isclose(math.hypot(*vector), 1, abs_tol=1e-9) for vector in vectors)
    assert [round(vector[2] / vector[0] * 3) for vector in vectors] == [len(text) for text in texts]
    assert [text for body in server.bodies for text in body["input"]] == texts
    assert len(server.bodies) > 1


async def test_a_vector_that_is_one_long_is_left_as_it_is(serve: Serve, provider: str) -> None:
    server = EmbeddingServer(vectors=lambda texts: [[0.6, 0.8] for _ in texts])
    assert await embed(OPENERS[provider](await serve(server.handle)), "a") == [[0.6, 0.8]]


async def test_no_texts_are_no_request(serve: Serve, provider: str) -> None:
    server = EmbeddingServer()
    assert await embed(OPENERS[provider](await serve(server.handle))) == []
    assert server.bodies == []


async def test_a_text_of_nothing_is_refused_before_anything_is_sent(serve: Serve, provider: str) -> None:
    server = EmbeddingServer()
    with pytest.raises(InvalidRequest, match="text 1 of 2 is empty"):
        await embed(OPENERS[provider](await serve(server.handle)), "a", " \n")
    assert server.bodies == []


async def test_half_a_letter_does_not_stop_a_request(serve: Serve, provider: str) -> None:
    server = EmbeddingServer()
    await embed(OPENERS[provider](await serve(server.handle)), "a\ud83d\0b")
    assert server.bodies[0]["input"] == ["a? b"]


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ("[]", "gave 0 vectors for 2 texts"),
        ("[[1],[1],[1]]", "gave 3 vectors for 2 texts"),
        ("[[1,0],[1]]", "a vector of 1 numbers where others have 2"),
        ("[[0,0],[1,0]]", "a vector of zeros"),
        ("[[],[]]", "a vector of zeros"),
        ("[[1.7e308,1.7e308],[1,0]]", "not finite"),
        ("[[1e999,1],[1,0]]", "not an answer|not finite"),
        ("[[1,NaN],[1,0]]", "not an answer"),
        ("[[1,null],[1,0]]", "not an answer"),
        ('[["a"],[1]]', "not an answer"),
    ],
)
async def test_vectors_that_are_none_are_named(serve: Serve, provider: str, sent: str, said: str) -> None:
    async def handle(request: web.Request) -> web.Response:
        if request.path == "/api/embed":
            return web.Response(text=f'{{"embeddings":{sent}}}')
        items = sent[1:-1].replace("[", '{"embedding":[').replace("]", "]}")
        return web.Response(text=f'{{"data":[{items}]}}')

    with pytest.raises(MalformedResponse, match=said):
        await embed(OPENERS[provider](await serve(handle)), "a", "b")


async def test_a_dimension_that_changes_between_calls_is_named(serve: Serve, provider: str) -> None:
    server = EmbeddingServer(vectors=lambda texts: [[1.0] * len(texts[0])])
    embedder = OPENERS[provider](await serve(server.handle))
    async with asyncio.timeout(10):
        await embedder.embed(["ab"], kind="query")
        with pytest.raises(MalformedResponse, match="3 numbers where others have 2"):
            await embedder.embed(["abc"], kind="query")
    await embedder.close()


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (400, "the input length exceeds the context length", ContextTooLong),
        (404, "model 'x' not found", ModelNotFound),
        (429, "slow down", RateLimited),
        (500, "failed to encode response: json: unsupported value: NaN", ServerFailed),
    ],
)
async def test_a_refusal_is_of_the_class_that_says_what_to_do(
    serve: Serve, provider: str, status: int, error: str, kind: type[Exception]
) -> None:
    with pytest.raises(kind) as caught:
        await embed(OPENERS[provider](await serve(EmbeddingServer(status=status, error=error).handle)), "a")
    assert type(caught.value) is kind


async def test_a_page_is_no_answer(serve: Serve, provider: str) -> None:
    async def page(_: web.Request) -> web.Response:
        return web.Response(body=b"<html>\xff")

    with pytest.raises(MalformedResponse, match="not an answer"):
        await embed(OPENERS[provider](await serve(page)), "a")


async def test_many_callers_get_their_own_vectors(serve: Serve, provider: str) -> None:
    embedder = OPENERS[provider](await serve(EmbeddingServer().handle))
    async with asyncio.timeout(10):
        found = await asyncio.gather(*[embedder.embed(["x" * size], kind="query") for size in range(1, 30)])
    await embedder.close()
    await embedder.close()
    assert [round(vector[2] / vector[0] * 3) for (vector,) in found] == list(range(1, 30))


async def test_ollama_is_asked_to_refuse_what_is_too_long(serve: Serve) -> None:
    server = EmbeddingServer()
    await embed(OllamaEmbedder(base_url=await serve(server.handle), keep_alive="1h"), "재고")
    assert server.bodies == [
        {"model": "bge-m3", "truncate": False, "options": {"num_ctx": 8_192}, "keep_alive": "1h", "input": ["재고"]}
    ]
    too_long = EmbeddingServer(status=400, error="the input length exceeds the context length")
    with pytest.raises(ContextTooLong, match="split the text into smaller pieces"):
        await embed(OllamaEmbedder(base_url=await serve(too_long.handle)), "재고")


async def test_ollama_says_how_to_get_a_model_and_how_to_start() -> None:
    with pytest.raises(ConnectionFailed, match="ollama serve"):
        await embed(OllamaEmbedder(base_url="http://127.0.0.1:9"), "a")


async def test_a_model_that_was_not_pulled_says_how_to_fetch_it(serve: Serve) -> None:
    server = EmbeddingServer(status=404, error="model 'bge-m3' not found")
    with pytest.raises(ModelNotFound, match="ollama pull bge-m3"):
        await embed(OllamaEmbedder(base_url=await serve(server.handle)), "a")


async def test_openai_is_sent_what_was_wanted_in_parts_it_takes(serve: Serve) -> None:
    server = EmbeddingServer()
    embedder = OpenAIEmbedder(base_url=await serve(server.handle), dimensions=256, most_texts=2)
    await embed(embedder, "a", "b", "가" * 150_000, "c")
    assert [len(body["input"]) for body in server.bodies] == [2, 1, 1]
    assert server.bodies[0] == {
        "model": "text-embedding-3-small",
        "encoding_format": "float",
        "dimensions": 256,
        "input": ["a", "b"],
    }
    for most in (0, 2_049):
        with pytest.raises(ConfigError, match="most_texts must be 1 to 2048"):
            OpenAIEmbedder(most_texts=most)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([{"index": 0, "embedding": [1.0]}, {"index": 0, "embedding": [1.0]}], "numbered its vectors"),
        ([{"index": 1, "embedding": [1.0]}, {"index": 2, "embedding": [1.0]}], "numbered its vectors"),
        ([{"index": 0, "embedding": [1.0]}, {"embedding": [1.0]}], "numbered its vectors"),
    ],
)
async def test_vectors_of_no_text_are_named(serve: Serve, data: list[dict[str, Any]], said: str) -> None:
    async def handle(_: web.Request) -> web.Response:
        return web.json_response({"data": data})

    with pytest.raises(MalformedResponse, match=said):
        await embed(OpenAIEmbedder(base_url=await serve(handle)), "a", "b")


async def test_a_server_that_numbers_nothing_is_taken_in_its_order(serve: Serve) -> None:
    async def handle(_: web.Request) -> web.Response:
        return web.json_response({"data": [{"embedding": [1, 0]}, {"embedding": [0, 1]}]})

    assert await embed(OpenAIEmbedder(base_url=await serve(handle)), "a", "b") == [[1.0, 0.0], [0.0, 1.0]]


async def test_an_error_inside_a_good_answer_is_an_error(serve: Serve) -> None:
    async def handle(_: web.Request) -> web.Response:
        return web.json_response({"error": {"message": "배가 아프다", "code": 500}})

    with pytest.raises(ServerFailed, match="배가 아프다"):
        await embed(OpenAIEmbedder(base_url=await serve(handle)), "a")


@pytest.mark.parametrize(
    ("model", "query", "document"),
    [
        ("bge-m3", "재고", "재고"),
        ("nomic-embed-text:v1.5", "search_query: 재고", "search_document: 재고"),
        ("jeffh/intfloat-multilingual-e5-large", "query: 재고", "passage: 재고"),
        ("mxbai-embed-large", "Represent this sentence for searching relevant passages: 재고", "재고"),
        ("embeddinggemma", "task: search result | query: 재고", "title: none | text: 재고"),
        ("snowflake-arctic-embed2", "query: 재고", "재고"),
        ("text-embedding-3-small", "재고", "재고"),
    ],
)
async def test_a_question_and_a_text_are_told_apart_as_the_model_wants_it(
    serve: Serve, model: str, query: str, document: str
) -> None:
    server = EmbeddingServer()
    embedder = OllamaEmbedder(model, base_url=await serve(server.handle))
    await embed(embedder, "재고", kind="query")
    await embed(embedder, "재고", kind="document")
    assert [body["input"] for body in server.bodies] == [[query], [document]]
