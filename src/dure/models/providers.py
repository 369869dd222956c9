"""The providers that ship with the framework: how each is opened, and whether it can be used here.

An adapter is imported when it is opened: looking around and `--help` must not load an HTTP client.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from dure.errors import ConfigError, ModelUnavailable, Unauthenticated
from dure.models import weights
from dure.models.base import ChatModel, ModelCapabilities
from dure.models.local_process import runtime_is_installed
from dure.models.ollama_context import fixed_size
from dure.models.ollama_models import present_models
from dure.models.server_probe import served_models
from dure.models.settings import setting
from dure.models.shown_url import shown_url
from dure.models.size_hint import looks_small

Environment = Mapping[str, str]
State = Literal["ready", "no_key", "no_server", "no_model", "no_runtime", "no_weights", "needs_path", "bad_setting"]

_OPENAI = "https://api.openai.com/v1"
_OPENAI_MODEL = "gpt-4.1-mini"
_ANTHROPIC = "https://api.anthropic.com"
_ANTHROPIC_MODEL = "claude-sonnet-5-5"
_LLAMACPP = "http://127.0.0.1:8080/v1"
_OLLAMA_PORT = 11434
_NOT_CHAT = ("embed", "bge-", "e5-", "minilm", "rerank", "whisper")
_LOCAL_NAME = "qwen2.5-coder-1.5b"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Whether a provider can be used here, and with which model."""

    state: State
    model: str = ""
    """Filled in where the name after the colon is left out."""
    detail: str = ""
    """An address, a path or the name of a variable; never a key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """What stands before the colon."""

    name: str
    open: Callable[[str, Environment], ChatModel]
    check: Callable[[Environment], Check]


def openai_check(environ: Environment) -> Check:
    """A key, or a server of the user's own that may need none."""
    if not setting(environ, "OPENAI_API_KEY") and not setting(environ, "OPENAI_BASE_URL"):
        return Check(state="no_key", detail="OPENAI_API_KEY")
    base_url = setting(environ, "OPENAI_BASE_URL") or _OPENAI
    if base_url.rstrip("/") == _OPENAI:
        return Check(state="ready", model=_OPENAI_MODEL, detail=base_url)
    return _served(base_url, setting(environ, "OPENAI_API_KEY"))


def open_openai(model: str, environ: Environment) -> ChatModel:
    """OpenAI itself, or whatever OPENAI_BASE_URL names."""
    from dure.models.openai_compatible import OpenAICompatibleModel

    base_url = setting(environ, "OPENAI_BASE_URL") or _OPENAI
    api_key = setting(environ, "OPENAI_API_KEY") or None
    if api_key is None and base_url.rstrip("/") == _OPENAI:
        raise Unauthenticated("OPENAI_API_KEY is not set; set it, or set OPENAI_BASE_URL to a server without keys")
    model = model or _default_model("openai", openai_check(environ))
    capabilities = ModelCapabilities(small=looks_small(model))
    return OpenAICompatibleModel(model, base_url=base_url, api_key=api_key, capabilities=capabilities)


def anthropic_check(environ: Environment) -> Check:
    """A key, or a server of the user's own that speaks the Messages API and may need none."""
    if not setting(environ, "ANTHROPIC_API_KEY") and not setting(environ, "ANTHROPIC_BASE_URL"):
        return Check(state="no_key", detail="ANTHROPIC_API_KEY")
    base_url = _anthropic_url(environ)
    if base_url == _ANTHROPIC:
        if not setting(environ, "ANTHROPIC_API_KEY"):
            return Check(state="no_key", detail="ANTHROPIC_API_KEY")
        return Check(state="ready", model=_ANTHROPIC_MODEL, detail=base_url)
    return replace(_served(f"{base_url}/v1", setting(environ, "ANTHROPIC_API_KEY")), detail=shown_url(base_url))


def open_anthropic(model: str, environ: Environment) -> ChatModel:
    """Anthropic itself, or whatever ANTHROPIC_BASE_URL names."""
    from dure.models.anthropic import AnthropicModel

    base_url, api_key = _anthropic_url(environ), setting(environ, "ANTHROPIC_API_KEY") or None
    if api_key is None and base_url == _ANTHROPIC:
        raise Unauthenticated(
            "ANTHROPIC_API_KEY is not set; set it, or set ANTHROPIC_BASE_URL to a server without keys"
        )
    model = model or _default_model("anthropic", anthropic_check(environ))
    return AnthropicModel(model, base_url=base_url, api_key=api_key)


def _anthropic_url(environ: Environment) -> str:
    return (setting(environ, "ANTHROPIC_BASE_URL") or _ANTHROPIC).rstrip("/").removesuffix("/v1")


def llamacpp_check(environ: Environment) -> Check:
    """A llama.cpp server of the user's own."""
    return _served(setting(environ, "LLAMACPP_BASE_URL") or _LLAMACPP, setting(environ, "LLAMACPP_API_KEY"))


def open_llamacpp(model: str, environ: Environment) -> ChatModel:
    """A llama.cpp server, which enforces grammars."""
    from dure.models.openai_compatible import OpenAICompatibleModel

    model = model or _default_model("llamacpp", llamacpp_check(environ))
    return OpenAICompatibleModel(
        model,
        base_url=setting(environ, "LLAMACPP_BASE_URL") or _LLAMACPP,
        api_key=setting(environ, "LLAMACPP_API_KEY") or None,
        capabilities=ModelCapabilities(grammar=True, parallel=2, small=looks_small(model)),
        name=f"llamacpp:{model}",
        calls_in_text=True,
    )


def ollama_check(environ: Environment) -> Check:
    """Ollama on its port, with the first model that chats."""
    base_url = ollama_url(environ)
    models = present_models(base_url, api_key=setting(environ, "OLLAMA_API_KEY"))
    if models is None:
        return Check(state="no_server", detail=base_url)
    chatting = next((model.name for model in models if model.chats), "")
    return Check(state="ready" if chatting else "no_model", model=chatting, detail=base_url)


def open_ollama(model: str, environ: Environment) -> ChatModel:
    """Ollama by its own API; DURE_OLLAMA_NUM_CTX fixes the size of its context."""
    from dure.models.ollama import OllamaModel

    num_ctx = fixed_size(environ)
    return OllamaModel(
        model or _default_model("ollama", ollama_check(environ)),
        base_url=ollama_url(environ),
        api_key=setting(environ, "OLLAMA_API_KEY") or None,
        num_ctx=num_ctx,
    )


def ollama_url(environ: Environment) -> str:
    """OLLAMA_HOST as Ollama itself reads it: with or without scheme and port; 0.0.0.0 is this machine."""
    host = setting(environ, "OLLAMA_HOST") or "127.0.0.1"
    parts = urlsplit(host if "://" in host else f"http://{host}")
    try:
        port = parts.port
    except ValueError as error:
        raise ConfigError(f"OLLAMA_HOST {host!r} has a wrong port; write it like 127.0.0.1:11434") from error
    name = parts.hostname or "127.0.0.1"
    name = "127.0.0.1" if name == "0.0.0.0" else name
    name = f"[{name}]" if ":" in name else name
    usual = {"http": 80, "https": 443}.get(parts.scheme) if "://" in host else _OLLAMA_PORT
    return f"{parts.scheme}://{name}:{port or usual}{parts.path.rstrip('/')}"


def local_check(environ: Environment) -> Check:
    """The runtime and the weights of the embedded model."""
    if not runtime_is_installed():
        return Check(state="no_runtime", model=_LOCAL_NAME, detail="pip install 'dure[local]'")
    try:
        path = weights.present(environ=environ)
    except ConfigError:
        return Check(state="no_weights", model=_LOCAL_NAME, detail=environ.get(weights.PATH_VARIABLE, ""))
    if path is None:
        return Check(state="no_weights", model=_LOCAL_NAME, detail=str(weights.models_folder(environ)))
    return Check(state="ready", model=_LOCAL_NAME, detail=str(path))


def open_local(model: str, environ: Environment) -> ChatModel:
    """The embedded model, or a GGUF file whose path stands after the colon."""
    from dure.models.local import LocalModel

    if model and model != _LOCAL_NAME:
        path = Path(model).expanduser()
        if not path.is_file():
            raise ConfigError(f"there is no GGUF file {model!r}; write 'local:' for the embedded model")
        return LocalModel(gguf(path), name=f"local:{path.stem}")
    if not runtime_is_installed():
        raise ModelUnavailable("the embedded model needs its runtime: pip install 'dure[local]'")
    return LocalModel(gguf(weights.verified(environ=environ)), name=f"local:{_LOCAL_NAME}")


def gguf(path: Path) -> Path:
    """The path, if a GGUF file is there.

    Raises:
        ConfigError: it is something else.
    """
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise ConfigError(f"cannot read the weights {str(path)!r}: {error.strerror}") from error
    if magic != b"GGUF":
        raise ConfigError(f"{str(path)!r} is no GGUF file; give one, or remove it and run: dure models pull")
    return path


def scripted_check(environ: Environment) -> Check:
    """Always there, given a file."""
    return Check(state="needs_path", detail="scripted:TURNS.jsonl")


def open_scripted(model: str, environ: Environment) -> ChatModel:
    """A file of turns."""
    from dure.models.scripted import ScriptedModel

    if not model:
        raise ConfigError("'scripted:' needs the path of a file of turns, as in 'scripted:turns.jsonl'")
    return ScriptedModel.from_file(model)


BUILT_IN = (
    Provider(name="openai", open=open_openai, check=openai_check),
    Provider(name="anthropic", open=open_anthropic, check=anthropic_check),
    Provider(name="ollama", open=open_ollama, check=ollama_check),
    Provider(name="local", open=open_local, check=local_check),
    Provider(name="llamacpp", open=open_llamacpp, check=llamacpp_check),
    Provider(name="scripted", open=open_scripted, check=scripted_check),
)
"""The automatic choice goes through the first four, in this order."""


def _served(base_url: str, api_key: str | None) -> Check:
    models, shown = served_models(base_url, api_key=api_key), shown_url(base_url)
    if models is None:
        return Check(state="no_server", detail=shown)
    usable = [model for model in models if not any(mark in model.lower() for mark in _NOT_CHAT)]
    return Check(state="ready", model=usable[0], detail=shown) if usable else Check(state="no_model", detail=shown)


def _default_model(provider: str, check: Check) -> str:
    if check.model:
        return check.model
    what = "serves no chat model" if check.state == "no_model" else "does not answer"
    raise ModelUnavailable(
        f"the server at {check.detail} {what}, so {provider + ':'!r} has no default; start it, "
        f"or name a model as in '{provider}:MODEL'"
    )
