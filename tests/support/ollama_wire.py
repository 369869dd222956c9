"""Ollama's own chat API as a `Wire` of the conformance suite."""

import json
from typing import Any

from wire_port import Call, Feature, Received, Said, Script

from dure.models.base import ChatModel
from dure.models.ollama import OllamaModel
from dure.usage import Usage


class OllamaWire:
    """What Ollama says and reads."""

    name = "ollama"
    slot = "ollama"
    counts = frozenset({"fresh_input", "cache_read", "output"})
    lacks: frozenset[Feature] = frozenset({"calls in pieces", "snapshots", "content filter", "forced calls"})

    def open(self, address: str, api_key: str | None = None) -> ChatModel:
        """The adapter, with a fixed context, so that it asks for nothing but answers."""
        return OllamaModel("test-model", base_url=address, api_key=api_key, num_ctx=8_192)

    def stream(self, script: Script) -> tuple[bytes, ...]:
        """One line for each piece; calls come whole."""
        lines = [_line({"thinking": piece}) for piece in script.thinking]
        lines += [_line({"content": piece}) for piece in script.text]
        lines += [_line({"tool_calls": [_call(index, call)]}) for index, call in enumerate(script.calls)]
        lines += [_line({}), _line({}, script)]
        return tuple(_json(line) + b"\n" for line in lines)

    def whole(self, script: Script) -> bytes:
        """One object."""
        message: dict[str, Any] = {"content": "".join(script.text)}
        if script.thinking:
            message["thinking"] = "".join(script.thinking)
        if script.calls:
            message["tool_calls"] = [_call(index, call) for index, call in enumerate(script.calls)]
        return _json(_line(message, script))

    def stream_error(self, message: str) -> bytes:
        """A line with nothing but the error."""
        return _json({"error": message}) + b"\n"

    def error_body(self, message: str) -> bytes:
        """The same object."""
        return _json({"error": message})

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


def _line(message: dict[str, Any], done: Script | None = None) -> dict[str, Any]:
    line = {"model": "test-model", "message": {"role": "assistant", "content": "", **message}, "done": done is not None}
    if done is not None:
        line |= {"done_reason": "length" if done.finish == "length" else "stop", **_usage(done.usage[-1])}
    return line


def _call(index: int, call: Call) -> dict[str, Any]:
    return {"id": call.id, "function": {"index": index, "name": call.name, "arguments": call.arguments}}


def _usage(usage: Usage) -> dict[str, int]:
    cached = {"prompt_eval_cached_count": usage.cache_read} if usage.cache_read else {}
    return {"prompt_eval_count": usage.fresh_input + usage.cache_read, **cached, "eval_count": usage.output}


def _said(message: dict[str, Any]) -> Said:
    calls = tuple(
        (call["id"], call["function"]["name"], call["function"]["arguments"]) for call in message.get("tool_calls", ())
    )
    return Said(role=message["role"], text=message["content"], calls=calls, result_of=message.get("tool_call_id", ""))


def _options(said: dict[str, Any]) -> dict[str, Any]:
    options = said["options"]
    found = {name: options[name] for name in ("temperature", "top_p", "stop") if name in options}
    if "num_predict" in options:
        found["max_tokens"] = options["num_predict"]
    if "format" in said:
        found["json_schema"] = said["format"]
    return found


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
