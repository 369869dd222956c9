"""The Messages API as a `Wire` of the conformance suite."""

import json
from typing import Any

from wire_port import Call, Feature, Received, Said, Script

from dure.models.anthropic import AnthropicModel
from dure.models.base import ChatModel
from dure.usage import Usage

_FINISH = {"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use", "content_filter": "refusal"}
_CHOICES = {"auto": "auto", "none": "none", "any": "required"}


class AnthropicWire:
    """What Anthropic's API says and reads."""

    name = "anthropic"
    slot = "anthropic"
    counts = frozenset({"fresh_input", "cache_read", "cache_write", "cache_write_1h", "output", "reasoning"})
    lacks: frozenset[Feature] = frozenset()

    def open(self, address: str, api_key: str | None = None) -> ChatModel:
        """The adapter, with the last model that takes sampling, a forced call and a schema."""
        return AnthropicModel("claude-sonnet-4-6", base_url=address, api_key=api_key)

    def stream(self, script: Script) -> tuple[bytes, ...]:
        """Events of every kind, with a ping and kinds that nobody knows yet."""
        first, *later = script.usage
        events: list[dict[str, Any]] = [
            {"type": "message_start", "message": {**_MESSAGE, "content": [], "usage": _usage(first)}},
            {"type": "ping"},
        ]
        for index, (block, deltas) in enumerate(_blocks(script)):
            events.append({"type": "content_block_start", "index": index, "content_block": block})
            events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
            events.append({"type": "content_block_stop", "index": index})
        events.append({"type": "something_new", "index": 0})
        for usage in later[:-1]:
            events.append({"type": "message_delta", "delta": {}, "usage": _usage(usage)})
        delta = {"stop_reason": _FINISH[script.finish], "stop_sequence": None}
        events.append({"type": "message_delta", "delta": delta, "usage": _usage(script.usage[-1])})
        events.append({"type": "message_stop"})
        return tuple(_event(event) for event in events)

    def whole(self, script: Script) -> bytes:
        """One message."""
        content = [_whole_block(block, deltas) for block, deltas in _blocks(script)]
        usage = _usage(script.usage[-1])
        return _json({**_MESSAGE, "content": content, "stop_reason": _FINISH[script.finish], "usage": usage})

    def stream_error(self, message: str) -> bytes:
        """The error event."""
        return _event({"type": "error", "error": {"type": "overloaded_error", "message": message}})

    def error_body(self, message: str) -> bytes:
        """The vendor's error object."""
        return _json({"type": "error", "error": {"type": "some_error", "message": message}, "request_id": "req_1"})

    def received(self, body: bytes) -> Received:
        """What a request says."""
        said: dict[str, Any] = json.loads(body)
        return Received(
            model=said["model"],
            system="\n\n".join(block["text"] for block in said.get("system", ())),
            messages=tuple(part for turn in said["messages"] for part in _said(turn)),
            tools={tool["name"]: (tool["description"], tool["input_schema"]) for tool in said.get("tools", ())},
            options=_options(said),
        )


_MESSAGE = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude", "stop_reason": None}

Block = tuple[dict[str, Any], list[dict[str, Any]]]
"""How it begins, and its deltas."""


def _blocks(script: Script) -> list[Block]:
    blocks: list[Block] = []
    if script.thinking:
        pieces = [{"type": "thinking_delta", "thinking": piece} for piece in script.thinking]
        signed = [*pieces, {"type": "signature_delta", "signature": "c2ln"}]
        blocks.append(({"type": "thinking", "thinking": "", "signature": ""}, signed))
    if script.text:
        pieces = [{"type": "text_delta", "text": piece} for piece in script.text]
        blocks.append(({"type": "text", "text": ""}, pieces))
    return blocks + [_call_block(call) for call in script.calls]


def _call_block(call: Call) -> Block:
    start: dict[str, Any] = {"type": "tool_use", "id": call.id, "name": call.name, "input": {}}
    return start, [{"type": "input_json_delta", "partial_json": piece} for piece in ("", *call.pieces)]


def _whole_block(block: dict[str, Any], deltas: list[dict[str, Any]]) -> dict[str, Any]:
    match block["type"]:
        case "text":
            return {**block, "text": "".join(delta["text"] for delta in deltas)}
        case "thinking":
            thought = "".join(delta.get("thinking", "") for delta in deltas)
            return {**block, "thinking": thought, "signature": "c2ln"}
        case _:
            return {**block, "input": json.loads("".join(delta["partial_json"] for delta in deltas))}


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "input_tokens": usage.fresh_input,
        "cache_read_input_tokens": usage.cache_read,
        "cache_creation_input_tokens": usage.cache_write,
        "cache_creation": {
            "ephemeral_5m_input_tokens": usage.cache_write - usage.cache_write_1h,
            "ephemeral_1h_input_tokens": usage.cache_write_1h,
        },
        "output_tokens": usage.output,
        "output_tokens_details": {"thinking_tokens": usage.reasoning},
    }


def _said(turn: dict[str, Any]) -> list[Said]:
    blocks = turn["content"]
    results = [
        Said(role="tool", text=block["content"], result_of=block["tool_use_id"])
        for block in blocks
        if block["type"] == "tool_result"
    ]
    texts = [block["text"] for block in blocks if block["type"] == "text"]
    calls = tuple((block["id"], block["name"], block["input"]) for block in blocks if block["type"] == "tool_use")
    if turn["role"] == "assistant":
        return [Said(role="assistant", text="".join(texts), calls=calls)]
    return [*results, *(Said(role="user", text=text) for text in texts)]


def _options(said: dict[str, Any]) -> dict[str, Any]:
    found = {name: said[name] for name in ("temperature", "top_p", "max_tokens") if name in said}
    if "stop_sequences" in said:
        found["stop"] = said["stop_sequences"]
    if "tool_choice" in said:
        found["tool_choice"] = _CHOICES[said["tool_choice"]["type"]]
    if "format" in said.get("output_config", {}):
        found["json_schema"] = said["output_config"]["format"]["schema"]
    return found


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _event(event: dict[str, Any]) -> bytes:
    return f"event: {event['type']}\n".encode() + b"data: " + _json(event) + b"\n\n"
