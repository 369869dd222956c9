import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from dure.errors import ConfigError, ModelUnavailable
from dure.models.ollama import OllamaModel
from dure.models.ollama_models import present_models
from dure.models.registry import open_model, survey

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Serve = Callable[[Handler], Awaitable[str]]


def listing(*models: dict[str, Any], status: int = 200) -> Handler:
    async def handle(request: web.Request) -> web.Response:
        assert request.path == "/api/tags"
        return web.json_response({"models": models}, status=status)

    return handle


async def judged(address: str) -> list[tuple[str, bool, bool]] | None:
    found = await asyncio.wait_for(asyncio.to_thread(present_models, address, api_key="k"), 10)
    return None if found is None else [(model.name, model.chats, model.embeds) for model in found]


async def test_each_model_is_judged_by_what_the_server_says_or_by_its_family_and_name(serve: Serve) -> None:
    address = await serve(
        listing(
            {"name": "a:1b", "capabilities": ["completion", "tools"]},
            {"name": "bge-chat", "capabilities": ["completion"]},
            {"name": "plain", "capabilities": ["embedding"]},
            {"name": "mine", "details": {"family": "nomic-bert", "families": ["nomic-bert"]}},
            {"name": "BGE-M3:latest", "details": {"family": "x"}},
            {"name": "qwen3-embedding:4b"},
            {"name": "bge-reranker"},
            {"name": "llama3:8b", "details": {"family": "llama", "families": None}},
        )
    )
    assert await judged(address) == [
        ("a:1b", True, False),
        ("bge-chat", True, False),
        ("plain", False, True),
        ("mine", False, True),
        ("BGE-M3:latest", False, True),
        ("qwen3-embedding:4b", False, True),
        ("bge-reranker", False, False),
        ("llama3:8b", True, False),
    ]


async def test_what_is_no_ollama_is_nothing(serve: Serve) -> None:
    async def words(_: web.Request) -> web.Response:
        return web.Response(body=b"\xff hello")

    assert await judged(await serve(words)) is None
    assert await judged(await serve(listing(status=500))) is None
    assert await judged("http://127.0.0.1:9") is None
    assert await judged(await serve(listing())) == []


async def test_the_first_model_that_chats_is_the_default_and_the_survey_names_it(serve: Serve, tmp_path: Path) -> None:
    address = await serve(listing({"name": "bge-m3"}, {"name": "qwen3:4b"}))
    environ = {"OLLAMA_HOST": address, "DURE_CACHE_DIR": str(tmp_path), "LLAMACPP_BASE_URL": "http://127.0.0.1:9"}
    model = await asyncio.wait_for(asyncio.to_thread(open_model, environ=environ), 10)
    assert (type(model), model.name) == (OllamaModel, "ollama:qwen3:4b")
    rows = await asyncio.wait_for(asyncio.to_thread(survey, environ=environ), 10)
    (row,) = [row for row in rows if row.provider == "ollama"]
    assert (row.chosen, row.check.state, row.check.model, row.check.detail) == (True, "ready", "qwen3:4b", address)


async def test_a_server_without_a_chat_model_has_no_default(serve: Serve) -> None:
    environ = {"OLLAMA_HOST": await serve(listing({"name": "bge-m3"}))}
    with pytest.raises(ModelUnavailable, match="serves no chat model"):
        await asyncio.wait_for(asyncio.to_thread(open_model, "ollama:", environ=environ), 10)


def test_the_context_size_is_taken_from_the_environment() -> None:
    environ = {"DURE_OLLAMA_NUM_CTX": "12000"}
    assert open_model("ollama:m", environ=environ).capabilities.context_window == 12_000
    with pytest.raises(ConfigError, match="DURE_OLLAMA_NUM_CTX is 'big'"):
        open_model("ollama:m", environ={"DURE_OLLAMA_NUM_CTX": "big"})
