"""Our messages and tools as JSON bytes of the Messages API.

A message is encoded once per naming of its tools, as content blocks joined by commas; turns are made of these bytes,
and marks for the provider's cache are put between them, so that a long history costs a join.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import msgspec

from dure.chat import ToolDefinition
from dure.messages import AssistantMessage, Json, Message, SystemMessage, ToolCall, ToolMessage, ToolResult
from dure.models.openai_messages import encode
from dure.models.wire_names import WireNames

SLOT = "anthropic"
"""The key of `message.wire`, and of what an answer keeps in `AssistantMessage.extra`."""

_USER = b'{"role":"user","content":['
_NEXT_USER = b"]}," + _USER
_NEXT_ASSISTANT = b']},{"role":"assistant","content":['
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
    blocks: list[bytes] = []
    for message in messages:
        if isinstance(message, SystemMessage):
            found = message.wire.get(SLOT)
            if found is None:
                message.wire[SLOT] = found = _joined(_texts(message.text))
            if found:
                blocks.append(found)
    return b"[" + _marked(b",".join(blocks), mark) + b"]" if blocks else b""


def encode_turns(messages: Iterable[Message], names: WireNames, *, model: str, mark: bytes, words: str) -> bytes:
    """The `messages` array: neighbours of one role are one turn, and in a turn results come before texts.

    `mark` goes to the end of the last two user turns; `words` are said last, after everything that is cached.
    """
    parts, ends = _turns(messages, names, model)
    if mark:
        for place in [place for place, by_user in ends if by_user][-2:]:
            parts[place] = _marked(parts[place], mark)
    if words:
        beginning = _USER if not ends else b"," if ends[-1][1] else _NEXT_USER
        parts += (beginning, encode({"type": "text", "text": words}))
    return b"[" + b"".join(parts) + b"]}]" if parts else b"[]"


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


def _turns(messages: Iterable[Message], names: WireNames, model: str) -> tuple[list[bytes], list[tuple[int, bool]]]:
    """The pieces of all turns but the end of the last, and the place of each turn's last blocks."""
    slot = SLOT + names.cache_key
    parts: list[bytes] = []
    ends: list[tuple[int, bool]] = []
    by_user, start, results = True, 0, 0
    for message in messages:
        kind = message.__class__
        if kind is SystemMessage:
            continue
        blocks = message.wire.get(slot)
        if blocks is None:
            blocks = _encoded(message, names, model, slot)
        if not blocks:
            continue
        if (kind is not AssistantMessage) is not by_user or not parts:
            if parts:
                ends.append((len(parts) - 1, by_user))
            elif kind is AssistantMessage:  # a conversation that was shortened
                parts += (_USER, _BEFORE)
                ends.append((1, True))
            by_user = kind is not AssistantMessage
            parts += (_turn_begin(by_user, first=not parts), blocks)
            start, results = len(parts) - 1, int(kind is ToolMessage)
        elif kind is ToolMessage:
            place = start + 2 * results
            parts[place:place] = (blocks, b",") if place < len(parts) else (b",", blocks)
            results += 1
        else:
            parts += (b",", blocks)
    if parts:
        ends.append((len(parts) - 1, by_user))
    return parts, ends


def _turn_begin(by_user: bool, *, first: bool) -> bytes:
    if first:
        return _USER
    return _NEXT_USER if by_user else _NEXT_ASSISTANT


def _encoded(message: Message, names: WireNames, model: str, slot: str) -> bytes:
    """The blocks of a message, kept with it; what one model wants back is kept for that model alone."""
    if isinstance(message, AssistantMessage) and SLOT in message.extra:
        slot = f"{slot}:{model}"
        found = message.wire.get(slot)
        if found is not None:
            return found
    encoded = message.wire[slot] = _joined(_blocks(message, names, model))
    return encoded


def _joined(blocks: list[Json]) -> bytes:
    return b",".join([encode(block) for block in blocks])


def _blocks(message: Message, names: WireNames, model: str) -> list[Json]:
    match message:
        case AssistantMessage():
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
