"""A loopback server that speaks Ollama's own API as far as a test tells it to."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

Line = Mapping[str, Any]
Respond = Callable[[dict[str, Any]], Awaitable[web.StreamResponse] | web.StreamResponse]


def said(text: str = "", **message: Any) -> dict[str, Any]:  # noqa: ANN401 JSON
    """A line of a stream that is not the last."""
    return {"model": "m", "message": {"role": "assistant", "content": text, **message}, "done": False}


def end(
    text: str = "", reason: str | None = "stop", *, tool_calls: Sequence[Line] = (), **counts: int
) -> dict[str, Any]:
    """The last line of a stream."""
    given = {} if reason is None else {"done_reason": reason}
    message = {"tool_calls": tool_calls} if tool_calls else {}
    return {**said(text, **message), "done": True, **given, **counts}


def called(name: str, arguments: Any = None, **more: Any) -> dict[str, Any]:  # noqa: ANN401 JSON
    """A tool call."""
    return {"function": {"name": name, "arguments": arguments, "index": 0}, **more}


def ndjson(*lines: Line) -> bytes:
    """Lines as they are on the wire."""
    return b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines)


def answer(*lines: Line) -> web.Response:
    """A whole streamed answer in one piece."""
    return web.Response(body=ndjson(*lines), content_type="application/x-ndjson")


def refusal(status: int, error: str) -> web.Response:
    """A refusal in Ollama's form."""
    return web.json_response({"error": error}, status=status)


@dataclass(kw_only=True)
class OllamaServer:
    """What it is asked, and what it answers."""

    chat: Respond
    show: Mapping[str, Any] | None = None
    """The answer of `/api/show`; `None` is a 404."""
    bodies: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Of `/api/chat`, oldest first."""
    shows: int = 0

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Every request."""
        body: dict[str, Any] = await request.json()
        if request.path == "/api/show":
            self.shows += 1
            return refusal(404, "model 'm' not found") if self.show is None else web.json_response(dict(self.show))
        assert request.path == "/api/chat", request.path
        self.bodies.append(body)
        response = self.chat(body)
        if isinstance(response, web.StreamResponse):
            return response
        return await response


def trained(tokens: int, *capabilities: str, family: str = "qwen3") -> dict[str, Any]:
    """What `/api/show` tells of a model."""
    return {
        "model_info": {"general.architecture": family, f"{family}.context_length": tokens},
        "capabilities": list(capabilities),
        "details": {"family": family, "families": [family]},
    }


def answering(*lines: Line) -> Respond:
    """The same answer for every request."""
    return lambda _: answer(*lines)


def in_turn(*answers: web.Response) -> Respond:
    """One answer after the other."""
    left = list(answers)
    return lambda _: left.pop(0)
