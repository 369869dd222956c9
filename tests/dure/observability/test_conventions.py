"""Names: one provider and one model from `provider:model`, and no name written anywhere else."""

import re
from pathlib import Path

import pytest

import dure
from dure.observability import conventions


@pytest.mark.parametrize(
    ("name", "provider", "model"),
    [
        ("openai:gpt-4.1", "openai", "gpt-4.1"),
        ("ollama:qwen3:8b", "ollama", "qwen3:8b"),
        ("gemini:gemini-2.5-pro", "gcp.gemini", "gemini-2.5-pro"),
        ("xai:grok-4", "x_ai", "grok-4"),
        ("my-gateway:m", "my-gateway", "m"),
        ("m", "_OTHER", "m"),
        ("", "_OTHER", ""),
    ],
)
def test_provider_and_model_are_told_apart_at_the_first_colon(name: str, provider: str, model: str) -> None:
    assert conventions.provider_and_model(name) == (provider, model)


def test_names_of_the_conventions_are_written_in_one_file_only() -> None:
    source = Path(dure.__file__).parent
    own = Path(conventions.__file__)
    others = [path for path in source.rglob("*.py") if path != own]
    assert len(others) > 100
    named = re.compile(r"[\"']gen_ai\.[a-z_.]+[\"']")
    assert [path.name for path in others if named.search(path.read_text(encoding="utf-8"))] == []
