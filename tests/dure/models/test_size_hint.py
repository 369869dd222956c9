import pytest

from dure.models.size_hint import billions, looks_small


@pytest.mark.parametrize(
    ("model", "size"),
    [
        ("qwen2.5-coder:1.5b", 1.5),
        ("Llama-3.2-3B-Instruct", 3),
        ("gemma3n:e4b", 4),
        ("qwen2.5-coder-1.5b-instruct-q4_k_m", 1.5),
        ("llama3.1:8b", 8),
        ("qwen3-30b-a3b", 30),
        ("mixtral-8x7b", None),
        ("gpt-4.1-mini", None),
        ("bge-m3", None),
    ],
)
def test_the_name_shows_the_size(model: str, size: float | None) -> None:
    assert billions(model) == size
    assert looks_small(model) == (size is not None and size <= 4)
