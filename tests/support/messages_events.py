"""Events of the Messages API, written by hand."""

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

from wire_server import Reply, WireServer, serving

from dure.chat import ChatRequest, ChatResponse
from dure.events import Event
from dure.messages import UserMessage
from dure.models.anthropic import AnthropicModel
from dure.run import RunContext

ASK = ChatRequest(messages=(UserMessage(text="?"),))
THOUGHT = {"type": "thinking", "thinking": "음…", "signature": "c2ln"}
HIDDEN = {"type": "redacted_thinking", "data": "3f2a"}


def stream(*events: dict[str, Any]) -> Reply:
    """A stream of exactly these events."""
    lines = [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events]
    return Reply(body="".join(lines).encode())


def begin(**usage: int) -> dict[str, Any]:
    """The first event."""
    return {"type": "message_start", "message": {"content": [], "usage": usage}}


def block(index: int, start: dict[str, Any], *deltas: dict[str, Any]) -> list[dict[str, Any]]:
    """A whole block."""
    return [
        {"type": "content_block_start", "index": index, "content_block": start},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def text(index: int, *pieces: str) -> list[dict[str, Any]]:
    """A block of text."""
    return block(index, {"type": "text", "text": ""}, *({"type": "text_delta", "text": piece} for piece in pieces))


def thinking(index: int, *pieces: str, signature: str = "c2ln") -> list[dict[str, Any]]:
    """A block of thinking with its signature."""
    deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces]
    signed = [{"type": "signature_delta", "signature": signature}] if signature else []
    return block(index, {"type": "thinking", "thinking": "", "signature": ""}, *deltas, *signed)


def use(index: int, call_id: str, name: str, *pieces: str) -> list[dict[str, Any]]:
    """A tool call."""
    deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    return block(index, {"type": "tool_use", "id": call_id, "name": name, "input": {}}, *deltas)


def end(reason: str | None, **usage: int) -> list[dict[str, Any]]:
    """The last two events."""
    return [{"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage}, {"type": "message_stop"}]


@asynccontextmanager
async def opened(
    *replies: Reply,
    model: str = "claude-sonnet-4-5",
    **how: Any,  # noqa: ANN401 passed on
) -> AsyncGenerator[tuple[AnthropicModel, WireServer]]:
    """A model at a server that gives these answers."""
    async with serving(*replies) as server:
        opened = AnthropicModel(model, base_url=server.address, **how)
        try:
            yield opened, server
        finally:
            await opened.close()


async def ask(*replies: Reply, sink: Callable[[Event], None] | None = None, **how: Any) -> ChatResponse:  # noqa: ANN401 passed on
    """One answer."""
    async with opened(*replies, **how) as (model, _):
        return await model.chat(ASK, RunContext() if sink is None else RunContext(sink=sink))


HELLO = stream(begin(input_tokens=5), *text(0, "안", "녕"), *end("end_turn", output_tokens=2))
