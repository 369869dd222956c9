import logging
from typing import Any

import pytest

from dure.chat import ChatOptions, ChatRequest, ToolDefinition
from dure.messages import UserMessage
from dure.models.anthropic_body import MessageComposer
from dure.models.anthropic_options import BINDING, CALL_NOTE, SCHEMA_NOTE, plan
from dure.models.anthropic_traits import traits_of

NOW = ToolDefinition(name="now", description="tells the time", parameters={"type": "object", "properties": {}})
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}


def fields(model: str, options: ChatOptions, *, tools: bool = False, began: bool = True) -> dict[str, Any]:
    planned = plan(options, traits_of(model), tools=tools, thinking_began=began)
    return {name: value for name, value in planned.fields.items() if name not in ("max_tokens", "stream")}


def losses(model: str, options: ChatOptions, *, tools: bool = False, began: bool = True) -> str:
    return " / ".join(plan(options, traits_of(model), tools=tools, thinking_began=began).losses)


@pytest.mark.parametrize(
    ("model", "limit"),
    [("claude-3-haiku", 4_096), ("claude-opus-4-1", 32_000), ("claude-sonnet-5-5", 64_000), ("kimi-k3", 32_000)],
)
def test_a_limit_is_always_sent_and_leaves_room(model: str, limit: int) -> None:
    assert plan(ChatOptions(), traits_of(model), tools=False, thinking_began=True).fields["max_tokens"] == limit
    asked = plan(ChatOptions(max_tokens=77), traits_of(model), tools=False, thinking_began=True)
    assert asked.fields["max_tokens"] == 77


@pytest.mark.parametrize(("level", "budget"), [("low", 2_048), ("medium", 8_192), ("high", 16_000)])
def test_older_models_are_told_how_many_tokens_to_think(level: Any, budget: int) -> None:  # noqa: ANN401 a literal
    found = fields("claude-sonnet-4-5", ChatOptions(reasoning=level))
    assert found == {"thinking": {"type": "enabled", "budget_tokens": budget}}


def test_thinking_leaves_half_of_the_limit_to_the_answer() -> None:
    found = fields("claude-sonnet-4-5", ChatOptions(reasoning="high", max_tokens=4_000))
    assert found["thinking"]["budget_tokens"] == 2_000
    assert "thinking" not in fields("claude-sonnet-4-5", ChatOptions(reasoning="high", max_tokens=2_000))
    assert "max_tokens of at least 2,048" in losses("claude-sonnet-4-5", ChatOptions(reasoning="low", max_tokens=9))


@pytest.mark.parametrize("model", ["claude-opus-4-6", "claude-opus-4-8", "claude-sonnet-5"])
def test_newer_models_are_told_an_effort(model: str) -> None:
    assert fields(model, ChatOptions(reasoning="medium")) == {
        "thinking": {"type": "adaptive", "display": "summarized"},
        "output_config": {"effort": "medium"},
    }


def test_models_that_bind_their_thinking_are_asked_to_drop_what_no_longer_fits() -> None:
    assert fields("claude-opus-5-5", ChatOptions()) == {"thinking": {"type": "adaptive", "block_binding": BINDING}}
    assert fields("claude-fable-5-2", ChatOptions(reasoning="high")) == {
        "thinking": {"type": "adaptive", "display": "summarized", "block_binding": BINDING},
        "output_config": {"effort": "high"},
    }


@pytest.mark.parametrize("model", ["claude-3-5-haiku", "claude-sonnet-4-5", "claude-opus-4-8", "claude-opus-5"])
def test_without_a_wish_thinking_is_the_model_s_own_affair(model: str) -> None:
    assert fields(model, ChatOptions()) == {}


@pytest.mark.parametrize(
    ("model", "sent"),
    [
        ("claude-sonnet-4-5", {}),
        ("claude-opus-4-8", {}),
        ("claude-opus-5", {"thinking": {"type": "disabled"}}),
        ("claude-haiku-5-5", {"thinking": {"type": "disabled"}}),
        ("claude-sonnet-5-5", {"thinking": {"type": "between_tools"}}),
    ],
)
def test_thinking_is_turned_off_in_the_model_s_own_way(model: str, sent: dict[str, Any]) -> None:
    assert fields(model, ChatOptions(reasoning="off")) == sent
    assert losses(model, ChatOptions(reasoning="off")) == ""


def test_a_model_that_always_thinks_thinks_as_little_as_it_can() -> None:
    assert fields("claude-opus-5-5", ChatOptions(reasoning="off")) == {
        "thinking": {"type": "adaptive", "block_binding": BINDING},
        "output_config": {"effort": "low"},
    }
    assert "always thinks" in losses("claude-opus-5-5", ChatOptions(reasoning="off"))


def test_a_model_that_cannot_think_is_not_asked_to() -> None:
    assert fields("claude-3-5-haiku", ChatOptions(reasoning="high")) == {}
    assert "does not think" in losses("claude-3-5-haiku", ChatOptions(reasoning="high"))


def test_no_temperature_goes_with_thinking() -> None:
    options = ChatOptions(reasoning="low", temperature=0.0, top_p=0.99)
    found = fields("claude-sonnet-4-5", options)
    assert ("temperature" in found, found["top_p"]) == (False, 0.99)
    assert "while the model thinks" in losses("claude-sonnet-4-5", options)
    assert "top_p" not in fields("claude-sonnet-4-5", ChatOptions(reasoning="low", top_p=0.5))


@pytest.mark.parametrize("model", ["claude-opus-4-7", "claude-haiku-5-5"])
def test_a_model_that_refuses_temperature_does_not_get_one(model: str) -> None:
    found = fields(model, ChatOptions(temperature=0.0, top_p=0.5))
    assert not {"temperature", "top_p"} & found.keys()
    assert "refuses them" in losses(model, ChatOptions(temperature=0.0))


def test_of_temperature_and_top_p_only_one_is_sent() -> None:
    assert fields("claude-sonnet-4-5", ChatOptions(temperature=0.2, top_p=0.9)) == {"temperature": 0.2}
    assert "takes it or temperature" in losses("claude-sonnet-4-5", ChatOptions(temperature=0.2, top_p=0.9))


def test_a_seed_is_left_out_and_told() -> None:
    assert fields("claude-sonnet-4-5", ChatOptions(seed=1)) == {}
    assert "seed is left out" in losses("claude-sonnet-4-5", ChatOptions(seed=1))


@pytest.mark.parametrize("model", ["claude-sonnet-4-5", "claude-opus-4-8"])
def test_a_call_that_must_be_made_is_made_without_thinking(model: str) -> None:
    options = ChatOptions(reasoning="high", tool_choice="required")
    assert fields(model, options, tools=True) == {"tool_choice": {"type": "any"}}
    assert "takes one of the two" in losses(model, options, tools=True)
    assert "thinking" in fields(model, options)


def test_a_call_that_must_be_made_turns_off_what_thinks_unasked() -> None:
    assert fields("claude-opus-5", ChatOptions(tool_choice="required"), tools=True) == {
        "tool_choice": {"type": "any"},
        "thinking": {"type": "disabled"},
    }


@pytest.mark.parametrize("model", ["claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5"])
def test_a_model_that_cannot_be_forced_is_asked_in_words(model: str) -> None:
    planned = plan(ChatOptions(tool_choice="required"), traits_of(model), tools=True, thinking_began=True)
    assert planned.fields["tool_choice"] == {"type": "auto"}
    assert planned.words == CALL_NOTE
    assert "asked for in words" in planned.losses[0]


def test_thinking_does_not_begin_in_the_middle_of_a_turn() -> None:
    options = ChatOptions(reasoning="low")
    assert fields("claude-sonnet-4-5", options, began=False) == {}
    assert "until the next user turn" in losses("claude-sonnet-4-5", options, began=False)
    assert "thinking" in fields("claude-opus-4-6", options, began=False)


def test_a_schema_and_an_effort_share_one_field() -> None:
    found = fields("claude-opus-5", ChatOptions(json_schema=SCHEMA, reasoning="low"))
    assert found["output_config"] == {"effort": "low", "format": {"type": "json_schema", "schema": SCHEMA}}


def test_a_schema_that_cannot_be_enforced_is_asked_for_in_words() -> None:
    free = {"type": "object", "additionalProperties": {"type": "integer"}}
    planned = plan(ChatOptions(json_schema=free), traits_of("claude-opus-5"), tools=False, thinking_began=True)
    assert "output_config" not in planned.fields
    assert planned.words == SCHEMA_NOTE + '{"type":"object","additionalProperties":{"type":"integer"}}'


def test_what_is_given_as_extra_goes_before_everything() -> None:
    options = ChatOptions(reasoning="low", extra={"thinking": {"type": "disabled"}, "output_config": None})
    assert fields("claude-opus-5", options) == {"thinking": {"type": "disabled"}}


def test_a_loss_is_told_to_the_log_once(caplog: pytest.LogCaptureFixture) -> None:
    composer = MessageComposer("claude-opus-5-5", name="anthropic:x", traits=traits_of("claude-opus-5-5"))
    request = ChatRequest(messages=(UserMessage(text="?"),), tools=(NOW,))
    with caplog.at_level(logging.WARNING):
        for temperature in (0.1, 0.1, 0.2):
            composer.compose(request.with_options(ChatOptions(temperature=temperature)))
    assert caplog.messages == ["anthropic:x: temperature and top_p are left out, since the model refuses them"]
