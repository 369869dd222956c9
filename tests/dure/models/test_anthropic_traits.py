import pytest

from dure.models.anthropic_traits import Traits, traits_of


@pytest.mark.parametrize(
    ("model", "thinking", "off", "sampling", "forced", "schema", "output", "context"),
    [
        ("claude-3-haiku-20240307", "none", None, True, True, False, 4_096, 200_000),
        ("claude-3-5-sonnet-latest", "none", None, True, True, False, 8_192, 200_000),
        ("claude-3-7-sonnet-20250219", "budget", None, True, True, False, 64_000, 200_000),
        ("claude-opus-4-20250514", "budget", None, True, True, False, 32_000, 200_000),
        ("claude-opus-4-1", "budget", None, True, True, False, 32_000, 200_000),
        ("claude-sonnet-4@20250514", "budget", None, True, True, False, 64_000, 200_000),
        ("claude-haiku-4-5-20251001", "budget", None, True, True, True, 64_000, 200_000),
        ("claude-opus-4-5", "budget", None, True, True, True, 64_000, 200_000),
        ("claude-sonnet-4-6", "adaptive", None, True, True, True, 64_000, 1_000_000),
        ("claude-opus-4-6", "adaptive", None, True, True, True, 128_000, 1_000_000),
        ("claude-opus-4-8", "adaptive", None, False, True, True, 128_000, 1_000_000),
        ("claude-opus-5", "adaptive", "disabled", False, True, True, 128_000, 1_000_000),
        ("claude-sonnet-5", "adaptive", "disabled", False, True, True, 128_000, 1_000_000),
        ("claude-fable-5-1", "adaptive", None, False, False, True, 128_000, 1_000_000),
        ("claude-opus-5-5", "adaptive", None, False, False, True, 128_000, 1_000_000),
        ("claude-sonnet-5-5", "adaptive", "between_tools", False, False, True, 128_000, 1_000_000),
        ("claude-haiku-5-5", "adaptive", "disabled", False, False, True, 128_000, 1_000_000),
        ("claude-mythos-preview", "adaptive", None, False, False, True, 128_000, 1_000_000),
        ("claude-sonnet-7", "adaptive", None, False, False, True, 128_000, 1_000_000),
        ("claude-next", "adaptive", None, False, False, True, 128_000, 1_000_000),
        ("minimax-m3", "budget", None, True, True, False, 32_000, None),
    ],
)
def test_a_name_tells_what_the_model_takes(
    model: str,
    thinking: str,
    off: str | None,
    sampling: bool,
    forced: bool,
    schema: bool,
    output: int,
    context: int | None,
) -> None:
    traits = traits_of(model)
    assert (traits.thinking, traits.without_thinking) == (thinking, off)
    assert (traits.sampling, traits.forced_calls, traits.enforces_schema) == (sampling, forced, schema)
    assert (traits.max_output, traits.context) == (output, context)
    assert traits.capabilities.json_schema is schema
    assert traits.capabilities.context_window == context


@pytest.mark.parametrize(
    "model",
    [
        "claude-sonnet-4-5",
        "claude-sonnet-4.5",
        "claude-sonnet-4-5-20250929",
        "claude-4.5-sonnet",
        "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "anthropic/claude-sonnet-4.5",
        "Claude-Sonnet-4-5@20250929",
    ],
)
def test_a_model_is_known_in_every_spelling(model: str) -> None:
    assert traits_of(model) == traits_of("claude-sonnet-4-5-latest")


@pytest.mark.parametrize("model", ["claude-fable-5-1", "claude-fable-5-2", "claude-opus-5-5", "claude-haiku-5-5"])
def test_models_since_5_1_bind_their_thinking(model: str) -> None:
    assert traits_of(model).binds_thinking


@pytest.mark.parametrize("model", ["claude-opus-5", "claude-sonnet-5", "claude-opus-4-8", "claude-next", "glm-5"])
def test_other_models_do_not_know_of_binding(model: str) -> None:
    assert not traits_of(model).binds_thinking


def test_an_answer_without_a_limit_has_room() -> None:
    assert Traits(max_output=4_096).usual_output == 4_096
    assert Traits(max_output=32_000).usual_output == 32_000
    assert Traits(max_output=64_000).usual_output == 32_000
    assert Traits(max_output=128_000).usual_output == 64_000
