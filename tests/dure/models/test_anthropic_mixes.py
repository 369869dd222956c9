import itertools
import json
from typing import Any

import pytest

from dure.chat import ChatOptions, ChatRequest, ToolDefinition
from dure.messages import AssistantMessage, SystemMessage, ToolCall, ToolMessage, ToolResult, UserMessage
from dure.models.anthropic_body import MessageComposer
from dure.models.anthropic_traits import traits_of


def test_a_mark_of_the_caller_s_own_takes_the_place_of_ours() -> None:
    composer = MessageComposer("claude-sonnet-4-6", name="a", traits=traits_of("claude-sonnet-4-6"))
    extra = {"cache_control": {"type": "ephemeral"}}
    messages = (SystemMessage(text="a"), UserMessage(text="b"), AssistantMessage(text="c"), UserMessage(text="d"))
    for given, marks in (({}, 3), (extra, 1)):
        options = ChatOptions(prompt_cache="1h", extra=given)
        body, _ = composer.compose(ChatRequest(messages=messages, options=options))
        assert body.count(b'"cache_control"') == marks


@pytest.mark.parametrize(
    "model", ["claude-3-haiku-20240307", "claude-sonnet-4-5", "claude-opus-5", "claude-opus-5-1", "x"]
)
def test_no_mix_of_options_and_tools_makes_a_body_the_api_refuses(model: str) -> None:
    composer = MessageComposer(model, name=model, traits=traits_of(model))
    tools = tuple(ToolDefinition(name=f"t{n}", description="d", parameters={"type": "object"}) for n in range(12))
    call = AssistantMessage(tool_calls=(ToolCall(id="c", name="t0", arguments="{}"),))
    result = ToolMessage(results=(ToolResult(call_id="c", name="t0", text="x"),))
    talk = (
        SystemMessage(text="a"),
        UserMessage(text="b"),
        call,
        result,
        AssistantMessage(text="c"),
        UserMessage(text="d"),
    )
    choices = itertools.product(
        (None, "auto", "none", "required"),
        (None, "off", "low", "high"),
        (None, "5m", "1h"),
        (None, 500, 5_000),
        ((), tools[:1], tools),
        (talk, talk[:2], talk[2:], talk[3:]),
    )
    for choice, reasoning, cache, limit, offered, messages in choices:
        options = ChatOptions(
            tool_choice=choice, reasoning=reasoning, prompt_cache=cache, max_tokens=limit, temperature=0.5
        )
        body, _ = composer.compose(ChatRequest(messages=messages, tools=offered, options=options))
        said = json.loads(body, object_pairs_hook=_once)
        thinks = said.get("thinking", {}).get("type") in ("enabled", "adaptive")
        assert body.count(b'"cache_control"') <= 4
        assert [turn["role"] for turn in said["messages"]] == (["user", "assistant"] * 9)[: len(said["messages"])]
        assert "tool_choice" not in said or "tools" in said
        assert not (thinks and (said.get("tool_choice", {}).get("type") == "any" or "temperature" in said))
        assert said.get("thinking", {}).get("budget_tokens", 0) < said["max_tokens"]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len({name for name, _ in pairs}) == len(pairs), "a field comes twice"
    return dict(pairs)
