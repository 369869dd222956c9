"""Chat completions as a `Wire` of the conformance suite."""

import json
from itertools import zip_longest
from typing import Any

from wire_port import Call, Feature, Received, Said, Script

from dure.models.base import ChatModel
from dure.models.openai_compatible import OpenAICompatibleModel
from dure.usage import Usage

_FINISH = {"stop": "stop", "length": "length", "tool_calls": "tool_calls", "content_filter": "content_filter"}


class OpenAIWire:
    """What an OpenAI-compatible server says and reads."""

    name = "openai"
    slot = "openai"
    counts = frozenset({"fresh_input", "cache_read", "cache_write", "output", "reasoning"})
    lacks: frozenset[Feature] = frozenset()

    def open(self, address: str, api_key: str | None = None) -> ChatModel:
        """The adapter."""
        return OpenAICompatibleModel("test-model", base_url=address, api_key=api_key)

    def stream(self, script: Script) -> tuple[bytes, ...]:
        """Chunks; the pieces of parallel calls are mixed."""
        chunks = [_chunk({"role": "assistant", "content": ""})]
        chunks += [_chunk({"reasoning_content": piece}) for piece in script.thinking]
        chunks += [_chunk({"content": piece}) for piece in script.text]
        chunks += [_chunk({"tool_calls": [_first(index, call)]}) for index, call in enumerate(script.calls)]
        for row in zip_longest(*(call.pieces for call in script.calls)):
            chunks += [
                _chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
                for index, piece in enumerate(row)
                if piece is not None
            ]
        chunks.append(_chunk({}, finish=_FINISH[script.finish]))
        chunks += [{"choices": [], "usage": _usage(usage)} for usage in script.usage]
        return (*(_event(chunk) for chunk in chunks), b"data: [DONE]\n\n")

    def whole(self, script: Script) -> bytes:
        """One completion."""
        message: dict[str, Any] = {"role": "assistant", "content": "".join(script.text) or None}
        if script.thinking:
            message["reasoning_content"] = "".join(script.thinking)
        if script.calls:
            message["tool_calls"] = [
                _first(index, call, "".join(call.pieces)) for index, call in enumerate(script.calls)
            ]
        choice = {"index": 0, "message": message, "finish_reason": _FINISH[script.finish]}
        return _json({"choices": [choice], "usage": _usage(script.usage[-1])})

    def stream_error(self, message: str) -> bytes:
        """An error object instead of a chunk."""
        return _event({"error": {"message": message, "type": "server_error", "code": None}})

    def error_body(self, message: str) -> bytes:
        """The vendor's error object."""
        return _json({"error": {"message": message, "type": "some_error", "param": None, "code": None}})

    def received(self, body: bytes) -> Received:
        """What a request says."""
        said: dict[str, Any] = json.loads(body)
        messages = said["messages"]
        return Received(
            model=said["model"],
            system="\n\n".join(one["content"] for one in messages if one["role"] == "system"),
            messages=tuple(_said(one) for one in messages if one["role"] != "system"),
            tools={
                tool["function"]["name"]: (tool["function"]["description"], tool["function"]["parameters"])
                for tool in said.get("tools", ())
            },
            options=_options(said),
        )


def _first(index: int, call: Call, arguments: str = "") -> dict[str, Any]:
    function = {"name": call.name, "arguments": arguments}
    return {"index": index, "id": call.id, "type": "function", "function": function}


def _chunk(delta: dict[str, Any], *, finish: str | None = None) -> dict[str, Any]:
    return {"id": "c", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.total,
        "prompt_tokens_details": {"cached_tokens": usage.cache_read, "cache_write_tokens": usage.cache_write},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    }


def _said(message: dict[str, Any]) -> Said:
    calls = tuple(
        (call["id"], call["function"]["name"], json.loads(call["function"]["arguments"]))
        for call in message.get("tool_calls", ())
    )
    return Said(
        role=message["role"],
        text=message["content"] or "",
        calls=calls,
        result_of=message.get("tool_call_id", ""),
    )


def _options(said: dict[str, Any]) -> dict[str, Any]:
    found = {name: said[name] for name in ("temperature", "top_p", "max_tokens", "stop", "tool_choice") if name in said}
    if "response_format" in said:
        found["json_schema"] = said["response_format"]["json_schema"]["schema"]
    return found


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _event(value: object) -> bytes:
    return b"data: " + _json(value) + b"\n\n"
