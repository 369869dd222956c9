"""A short look at the models an Ollama server has, and what each is for."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from dure.models.server_probe import PROBE_SECONDS, fetched

EMBEDDING_MODEL = "bge-m3"
"""The usual one: a hundred languages, texts of 8,192 tokens."""
_EMBEDDING_NAMES = ("embed", "bge-", "e5-", "minilm", "gte-")
_OTHER_NAMES = ("rerank", "whisper")


@dataclass(frozen=True, slots=True, kw_only=True)
class PresentModel:
    """A model that was pulled."""

    name: str
    chats: bool
    embeds: bool


class _Details(msgspec.Struct):
    family: str | None = None
    families: list[str] | None = None


class _Model(msgspec.Struct):
    name: str
    details: _Details | None = None
    capabilities: list[str] | None = None


class _Models(msgspec.Struct):
    models: list[_Model] | None = None


def present_models(
    base_url: str, *, api_key: str | None = None, seconds: float = PROBE_SECONDS
) -> Sequence[PresentModel] | None:
    """What `/api/tags` lists, or `None` when nothing useful answers in time. Blocks that long."""
    body = fetched(f"{base_url}/api/tags", api_key=api_key, seconds=seconds)
    if body is None:
        return None
    try:
        found = msgspec.json.decode(body, type=_Models)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return [_judged(model) for model in found.models or ()]


def _judged(model: _Model) -> PresentModel:
    """By what the server says it can do; where it does not say, by its family and name."""
    if model.capabilities:
        return PresentModel(
            name=model.name, chats="completion" in model.capabilities, embeds="embedding" in model.capabilities
        )
    details = model.details or _Details()
    families = [details.family or "", *(details.families or ())]
    name = model.name.lower()
    embeds = any("bert" in family for family in families) or any(mark in name for mark in _EMBEDDING_NAMES)
    other = any(mark in name for mark in _OTHER_NAMES)
    return PresentModel(name=model.name, chats=not embeds and not other, embeds=embeds and not other)
