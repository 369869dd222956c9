"""Our messages and tools as JSON bytes of the Messages API.

A message is encoded once per naming of its tools, as content blocks joined by commas; turns are made of these bytes,
and marks for the provider's cache are put between them, so that a long history costs a join.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import msgspec

from dure.chat import ToolDefinition
from dure.messages import AssistantMessage, Json, Message, SystemMessage, ToolCall, ToolMessage, ToolResult
from dure.models.openai_messages import encode
from dure.models.wire_names import WireNames

SLOT = "anthropic"
"""The key of `message.wire`, and of what an answer keeps in `AssistantMessage.extra`."""

_CALL_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_NEEDED = {"text": "text", "tool_use": "id", "thinking": "signature", "redacted_thinking": "data"}
_BEFORE = encode({"type": "text", "text": "(The conversation began earlier.)"})
NO_TOOL = encode(
    [
        {
            "name": "no_tool_now",
            "description": "Not available.",
            "input_schema": {"type": "object", "properties": {}},
        }
    ]
)
"""Stands in a request whose history has calls and that offers none."""
_COMBINATORS = ("anyOf", "oneOf", "allOf")


def encode_system(messages: Iterable[Message], mark: bytes) -> bytes:
    """The `system` array, or nothing; `mark` goes into its last block."""
    blocks = [
        block for message in messages if isinstance(message, SystemMessage) and (block := _encoded(message, None, ""))
    ]
    return b"[" + _marked(b",".join(blocks), mark) + b"]" if blocks else b""


def encode_turns(messages: Iterable[Message], names: WireNames, *, model: str, mark: bytes, words: str) -> bytes:
    """The `messages` array: neighbours of one role are one turn, and in a turn results come before texts.

    `mark` goes to the end of the last two user turns; `words` are said last, after everything that is cached.
    """
    turns = _turns(messages, names, model)
    marked = [turn for turn in turns if turn.by_user][-2:] if mark else []
    parts = [turn.encoded(mark if turn in marked else b"") for turn in turns]
    if words:
        note = encode({"type": "text", "text": words})
        if turns and turns[-1].by_user:
            parts[-1] = parts[-1].removesuffix(b"]}") + b"," + note + b"]}"
        else:
            parts.append(_Turn(by_user=True, texts=[note]).encoded(b""))
    return b"[" + b",".join(parts) + b"]"


def encode_tools(tools: Sequence[ToolDefinition], names: WireNames) -> bytes:
    """The `tools` array. A tool whose name had to change says its own in its description."""
    first_of_name: dict[str, ToolDefinition] = {}
    for tool in tools:
        first_of_name.setdefault(tool.name, tool)
    return encode([_tool(tool, names.to_wire(name)) for name, tool in first_of_name.items()])


def calls_tools(messages: Iterable[Message]) -> bool:
    """Whether tools were called before; such a history is refused in a request without tools."""
    return any(isinstance(message, ToolMessage) and message.results for message in messages)


def marked_tools(encoded: bytes, mark: bytes) -> bytes:
    """A `tools` array with `mark` in its last tool."""
    return _marked(encoded[:-1], mark) + b"]"


def own_blocks(message: AssistantMessage, model: str) -> list[dict[str, Any]]:
    """The blocks this very model wants back, in order; empty if the answer is another model's."""
    kept = message.extra.get(SLOT)
    if not isinstance(kept, Mapping):
        return []
    found = cast("Mapping[str, Json]", kept)
    blocks = found.get("blocks") if found.get("model") == model else None
    return [block for block in cast("list[Json]", blocks) if _is_block(block)] if isinstance(blocks, list) else []


def _is_block(block: Json) -> bool:
    # What a conversation store gives back may be anything.
    if not isinstance(block, dict):
        return False
    fields = cast("dict[str, Json]", block)
    kind = fields.get("type")
    return isinstance(kind, str) and isinstance(fields.get(_NEEDED.get(kind, "type")), str)


def _marked(blocks: bytes, mark: bytes) -> bytes:
    return blocks[:-1] + mark + b"}" if mark else blocks


@dataclass(slots=True, kw_only=True, eq=False)
class _Turn:
    by_user: bool
    results: list[bytes] = field(default_factory=list[bytes])
    texts: list[bytes] = field(default_factory=list[bytes])

    def encoded(self, mark: bytes) -> bytes:
        role = b'{"role":"user","content":[' if self.by_user else b'{"role":"assistant","content":['
        return role + _marked(b",".join((*self.results, *self.texts)), mark) + b"]}"


def _turns(messages: Iterable[Message], names: WireNames, model: str) -> list[_Turn]:
    turns: list[_Turn] = []
    for message in messages:
        if isinstance(message, SystemMessage):
            continue
        blocks = _encoded(message, names, model)
        if not blocks:
            continue
        by_user = not isinstance(message, AssistantMessage)
        if not turns or turns[-1].by_user is not by_user:
            turns.append(_Turn(by_user=by_user))
        (turns[-1].results if isinstance(message, ToolMessage) else turns[-1].texts).append(blocks)
    if turns and not turns[0].by_user:
        turns.insert(0, _Turn(by_user=True, texts=[_BEFORE]))  # a conversation that was shortened
    return turns


def _encoded(message: Message, names: WireNames | None, model: str) -> bytes:
    slot = SLOT if names is None else SLOT + names.cache_key
    if isinstance(message, AssistantMessage) and message.extra and SLOT in message.extra:
        slot = f"{slot}:{model}"
    found = message.wire.get(slot)
    if found is None:
        message.wire[slot] = found = b",".join([encode(block) for block in _blocks(message, names, model)])
    return found


def _blocks(message: Message, names: WireNames | None, model: str) -> list[Json]:
    match message:
        case AssistantMessage() if names is not None:
            return _assistant(message, names, own_blocks(message, model))
        case ToolMessage():
            return [_result(result) for result in message.results]
        case _:
            return _texts(message.text)


def _texts(text: str) -> list[Json]:
    return [{"type": "text", "text": text}] if text.strip() else []  # the API refuses a text of nothing


def _result(result: ToolResult) -> Json:
    block: dict[str, Json] = {
        "type": "tool_result",
        "tool_use_id": _call_id(result.call_id),
        "content": result.text or "(no output)",
    }
    return {**block, "is_error": True} if result.is_error else block


def _assistant(message: AssistantMessage, names: WireNames, kept: list[dict[str, Any]]) -> list[Json]:
    """The answer as it came, if it is still what came; else its signed thinking, then what is left of it."""
    calls = {call.id: call for call in message.tool_calls}
    texts = [block["text"] for block in kept if block["type"] == "text"]
    ids = [block["id"] for block in kept if block["type"] == "tool_use"]
    if not kept or "".join(texts) != message.text or ids != list(calls):
        signed = [block for block in kept if block["type"] not in ("text", "tool_use")]
        return [*signed, *_texts(message.text), *(_call(call, names) for call in message.tool_calls)]
    blocks: list[Json] = []
    for block in kept:
        if block["type"] == "text":
            blocks += _texts(block["text"])
        else:
            blocks.append(_call(calls[block["id"]], names) if block["type"] == "tool_use" else block)
    return blocks


def _call(call: ToolCall, names: WireNames) -> Json:
    return {
        "type": "tool_use",
        "id": _call_id(call.id),
        "name": names.to_wire(call.name),
        "input": _arguments(call.arguments),
    }


def _call_id(given: str) -> str:
    # Other providers give ids with letters that this API refuses; the same id always becomes the same one.
    if _CALL_ID.fullmatch(given):
        return given
    return f"call_{hashlib.sha256(given.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}"


def _arguments(text: str) -> Json:
    # Must be an object; one broken call must not make the whole history unusable.
    raw = text.encode("utf-8", "replace")
    if not raw.strip():
        return {}
    try:
        value: Json = msgspec.json.decode(raw)
    except msgspec.DecodeError:
        value = None
    return msgspec.Raw(raw) if isinstance(value, dict) else {"invalid_json": text}


def _tool(tool: ToolDefinition, wire: str) -> Json:
    description = tool.description if wire == tool.name else f"[{tool.name}] {tool.description}"
    schema: dict[str, Json] = {"type": "object", **tool.parameters}
    alternatives = {key: schema.pop(key) for key in _COMBINATORS if key in schema}
    if alternatives:  # refused at the root; the tool itself still checks them
        description += f"\nThe arguments must also be of this JSON Schema: {encode(alternatives).decode()}"
    return {"name": wire, "description": description, "input_schema": schema}
