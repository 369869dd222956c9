import asyncio
import json
from collections.abc import Awaitable, Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from aiohttp import web

from dure.errors import ConfigError, ModelUnavailable, Unauthenticated
from dure.models import registry
from dure.models.base import ChatModel
from dure.models.local import LocalModel
from dure.models.providers import ollama_url
from dure.models.registry import open_model, survey
from dure.models.scripted import ScriptedModel
from dure.models.server_probe import served_models

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Serve = Callable[[Handler], Awaitable[str]]

NOWHERE = "http://127.0.0.1:9"


def bare(folder: Path, **more: str) -> dict[str, str]:
    """An environment in which nothing is usable."""
    return {
        "DURE_CACHE_DIR": str(folder),
        "OLLAMA_HOST": NOWHERE,
        "LLAMACPP_BASE_URL": NOWHERE,
        **more,
    }


def weights(folder: Path) -> str:
    path = folder / "own-1.5b.gguf"
    path.write_bytes(b"GGUF")
    return str(path)


def serving(*models: str, status: int = 200) -> Handler:
    async def handle(_: web.Request) -> web.Response:
        body = json.dumps({"object": "list", "data": [{"id": model} for model in models]})
        return web.Response(status=status, text=body, content_type="application/json")

    return handle


def pulled(*models: str) -> Handler:
    async def handle(_: web.Request) -> web.Response:
        return web.json_response({"models": [{"name": model, "details": {"family": "x"}} for model in models]})

    return handle


async def opened(spec: str | None, environ: dict[str, str]) -> ChatModel:
    return await asyncio.wait_for(asyncio.to_thread(open_model, spec, environ=environ), 10)


@pytest.fixture(autouse=True)
def runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dure.models.providers.runtime_is_installed", lambda: True)


def test_a_name_is_split_at_the_first_colon_only(tmp_path: Path) -> None:
    model = open_model("ollama:qwen2.5-coder:1.5b", environ=bare(tmp_path))
    assert model.name == "ollama:qwen2.5-coder:1.5b"
    assert model.capabilities.small


def test_the_variable_switches_everything_and_an_argument_beats_it(tmp_path: Path) -> None:
    environ = bare(tmp_path, DURE_MODEL="llamacpp:a", OPENAI_API_KEY="k")
    assert open_model(environ=environ).name == "llamacpp:a"
    assert open_model(environ=environ).capabilities.grammar
    assert open_model("openai:b", environ=environ).name == "openai:b"


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (
            "gpt-4o",
            r"write provider:model, for instance 'openai:gpt-4o' \(providers: anthropic, llamacpp, local, oll",
        ),
        ("opnai:x", "did you mean 'openai:x'"),
        ("local", "did you mean 'local:'"),
        ("zzz:1", "'zzz:1' names no model; write provider:model"),
        (":", "write provider:model"),
    ],
)
def test_a_wrong_name_is_told_with_the_nearest_right_one(tmp_path: Path, spec: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        open_model(spec, environ=bare(tmp_path))


def test_a_key_comes_first(tmp_path: Path) -> None:
    environ = bare(tmp_path, OPENAI_API_KEY="k", DURE_MODEL_PATH=weights(tmp_path))
    assert open_model(environ=environ).name == "openai:gpt-4.1-mini"


async def test_a_server_of_ones_own_needs_no_key_and_names_its_model(tmp_path: Path, serve: Serve) -> None:
    address = await serve(serving("bge-m3", "qwen2.5-3b-instruct"))
    model = await opened(None, bare(tmp_path, OPENAI_BASE_URL=address))
    assert model.name == "openai:qwen2.5-3b-instruct"
    assert model.capabilities.small


def test_the_keys_of_two_vendors_have_an_order(tmp_path: Path) -> None:
    environ = bare(tmp_path, ANTHROPIC_API_KEY="k", DURE_MODEL_PATH=weights(tmp_path))
    assert open_model(environ=environ).name == "anthropic:claude-sonnet-5-5"
    assert open_model(environ={**environ, "OPENAI_API_KEY": "k"}).name == "openai:gpt-4.1-mini"
    assert open_model("anthropic:claude-haiku-4-5", environ=environ).capabilities.context_window == 200_000


async def test_a_server_of_ones_own_may_speak_the_messages_api(tmp_path: Path, serve: Serve) -> None:
    address = await serve(serving("bge-m3", "claude-opus-5"))
    environ = bare(tmp_path, ANTHROPIC_BASE_URL=f"{address}/v1/")
    assert (await opened(None, environ)).name == "anthropic:claude-opus-5"
    (row,) = [row for row in await asyncio.to_thread(survey, environ=environ) if row.provider == "anthropic"]
    assert (row.check.state, row.check.detail, row.chosen) == ("ready", address, True)
    away = bare(tmp_path, ANTHROPIC_BASE_URL=NOWHERE)
    assert (await opened("anthropic:deepseek-v4", away)).name == "anthropic:deepseek-v4"
    with pytest.raises(ModelUnavailable, match="so 'anthropic:' has no default"):
        await opened("anthropic:", away)


async def test_ollama_comes_before_the_embedded_model(tmp_path: Path, serve: Serve) -> None:
    environ = bare(tmp_path, OLLAMA_HOST=await serve(pulled("nomic-embed-text", "llama3:8b")))
    assert (await opened(None, {**environ, "DURE_MODEL_PATH": weights(tmp_path)})).name == "ollama:llama3:8b"


async def test_an_ollama_without_a_chat_model_is_passed_over(tmp_path: Path, serve: Serve) -> None:
    environ = bare(tmp_path, OLLAMA_HOST=await serve(pulled("bge-m3")), DURE_MODEL_PATH=weights(tmp_path))
    assert (await opened(None, environ)).name == "local:qwen2.5-coder-1.5b"
    with pytest.raises(ModelUnavailable, match="serves no chat model, so 'ollama:' has no default"):
        await opened("ollama:", environ)


async def test_a_llama_cpp_server_names_its_model(tmp_path: Path, serve: Serve) -> None:
    environ = bare(tmp_path, LLAMACPP_BASE_URL=await serve(serving("qwen")), LLAMACPP_API_KEY="k")
    assert (await opened("llamacpp:", environ)).name == "llamacpp:qwen"


def test_nothing_usable_lists_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"dure models pull.*OPENAI_API_KEY.*Ollama.*DURE_MODEL"):
        open_model(environ=bare(tmp_path))


def test_each_provider_says_what_it_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environ = bare(tmp_path)
    with pytest.raises(Unauthenticated, match="OPENAI_API_KEY is not set"):
        open_model("openai:x", environ=environ)
    for own in ({}, {"ANTHROPIC_BASE_URL": "https://api.anthropic.com/v1"}):
        with pytest.raises(Unauthenticated, match="ANTHROPIC_API_KEY is not set"):
            open_model("anthropic:x", environ={**environ, **own})
        assert states({**environ, **own})["anthropic"] == ("no_key", False)
    with pytest.raises(ModelUnavailable, match="does not answer, so 'llamacpp:' has no default"):
        open_model("llamacpp:", environ=environ)
    with pytest.raises(ModelUnavailable, match="dure models pull"):
        open_model("local:", environ=environ)
    with pytest.raises(ConfigError, match="there is no GGUF file"):
        open_model("local:/none.gguf", environ=environ)
    (tmp_path / "text.gguf").write_bytes(b"no weights")
    with pytest.raises(ConfigError, match="is no GGUF file"):
        open_model(f"local:{tmp_path / 'text.gguf'}", environ=environ)
    with pytest.raises(ConfigError, match="needs the path"):
        open_model("scripted:", environ=environ)
    monkeypatch.setattr("dure.models.providers.runtime_is_installed", lambda: False)
    with pytest.raises(ModelUnavailable, match=r"pip install 'dure\[local\]'"):
        open_model("local:", environ=environ)


def test_a_gguf_file_and_a_script_are_opened_by_path(tmp_path: Path) -> None:
    local = open_model(f"local:{weights(tmp_path)}", environ=bare(tmp_path))
    assert isinstance(local, LocalModel)
    assert local.name == "local:own-1.5b"
    script = tmp_path / "turns.jsonl"
    script.write_text('{"text": "a"}', encoding="utf-8")
    assert isinstance(open_model(f"scripted:{script}", environ=bare(tmp_path)), ScriptedModel)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("", "http://127.0.0.1:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("box:1234", "http://box:1234"),
        (":1234", "http://127.0.0.1:1234"),
        ("http://box", "http://box:80"),
        ("https://box/", "https://box:443"),
        ("[::1]:5", "http://[::1]:5"),
    ],
)
def test_the_ollama_host_is_read_as_ollama_reads_it(host: str, url: str) -> None:
    assert ollama_url({"OLLAMA_HOST": host}) == url


def states(environ: dict[str, str]) -> dict[str, tuple[str, bool]]:
    return {row.provider: (row.check.state, row.chosen) for row in survey(environ=environ)}


def test_the_survey_says_why_each_is_not_usable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert states(bare(tmp_path)) == {
        "openai": ("no_key", False),
        "anthropic": ("no_key", False),
        "ollama": ("no_server", False),
        "local": ("no_weights", False),
        "llamacpp": ("no_server", False),
        "scripted": ("needs_path", False),
    }
    wrong = bare(tmp_path, OLLAMA_HOST="box:port", DURE_MODEL_PATH="/none")
    assert (states(wrong)["ollama"][0], states(wrong)["local"][0]) == ("bad_setting", "no_weights")
    monkeypatch.setattr("dure.models.providers.runtime_is_installed", lambda: False)
    assert states(bare(tmp_path))["local"][0] == "no_runtime"


def test_the_survey_marks_what_would_be_opened(tmp_path: Path) -> None:
    environ = bare(tmp_path, DURE_MODEL_PATH=weights(tmp_path))
    assert states(environ)["local"] == ("ready", True)
    named = {row.provider: row for row in survey(environ={**environ, "DURE_MODEL": "ollama:x"})}
    assert (named["ollama"].chosen, named["ollama"].check.model, named["local"].chosen) == (True, "x", False)
    assert states({**environ, "DURE_MODEL": "local:"})["local"] == ("ready", True)
    with pytest.raises(ConfigError):
        survey(environ={**environ, "DURE_MODEL": "nope"})


def plugins(*values: tuple[str, str]) -> Callable[..., tuple[EntryPoint, ...]]:
    def found(*, group: str, name: str | None = None) -> tuple[EntryPoint, ...]:
        every = [EntryPoint(name=given, value=value, group=group) for given, value in values]
        return tuple(entry for entry in every if name in (None, entry.name))

    return found


def test_another_package_may_add_a_provider_but_not_replace_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    added = plugins(
        ("mine", "dure.models.scripted:ScriptedModel"), ("openai", "none:none"), ("gone", "no_such_module:x")
    )
    monkeypatch.setattr(registry, "entry_points", added)
    environ = bare(tmp_path)
    assert isinstance(open_model("mine:a", environ=environ), ScriptedModel)
    assert states(environ)["mine"] == ("ready", False)
    assert states(environ)["openai"] == ("no_key", False)
    with pytest.raises(ConfigError, match=r"provider 'gone' .*cannot be loaded"):
        open_model("gone:a", environ=environ)


async def test_a_probe_tells_models_or_nothing(serve: Serve) -> None:
    async def probe(url: str) -> list[str] | None:
        found = await asyncio.wait_for(asyncio.to_thread(served_models, url, api_key="k"), 10)
        return None if found is None else list(found)

    async def words(_: web.Request) -> web.Response:
        return web.Response(text="hello")

    assert await probe(await serve(serving("a", "b"))) == ["a", "b"]
    assert await probe(await serve(serving("a", status=401))) is None
    assert await probe(await serve(words)) is None
    assert await probe(NOWHERE) is None
    assert await probe("http://127.0.0.1:port") is None
    assert await probe("https://127.0.0.1:9") is None
