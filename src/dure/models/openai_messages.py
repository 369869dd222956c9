"""Our messages and tools as JSON bytes of chat completions.

A message is encoded once per naming of its tools; the bytes stay in its `wire` slot, so that sending a
long history again costs a join.
"""

from collections.abc import Iterable, Mapping
from typing import cast

import msgspec

from dure.chat import ToolDefinition
from dure.errors import ConfigError
from dure.messages import AssistantMessage, Json, Message, SystemMessage, ToolMessage, UserMessage
from dure.models.wire_names import WireNames

_SLOT = "openai"
_encoder = msgspec.json.Encoder()


def encode(value: Json) -> bytes:
    """JSON with letters as they are; a broken surrogate becomes `?` instead of breaking the request.

    Raises:
        ConfigError: there is something in it that JSON has no place for.
    """
    try:
        return _encoder.encode(value)
    except UnicodeEncodeError:
        return _encoder.encode(_without_surrogates(value))
    except (TypeError, RecursionError) as error:
        raise ConfigError(f"a tool's parameters or an option cannot be sent as JSON: {error}") from error


def encode_messages(messages: Iterable[Message], names: WireNames) -> bytes:
    """The items of the `messages` array, joined by commas."""
    slot = _SLOT + names.cache_key
    items: list[bytes] = []
    for message in messages:
        item = message.wire.get(slot)
        if item is None:
            message.wire[slot] = item = b",".join([encode(item) for item in _items(message, names)])
        if item:
            items.append(item)
    return b",".join(items)


def encode_tools(tools: Iterable[ToolDefinition], names: WireNames) -> bytes:
    """The `tools` array. A tool whose name had to change says its own in its description."""
    first_of_name: dict[str, ToolDefinition] = {}
    for tool in tools:
        first_of_name.setdefault(tool.name, tool)
    return encode([_tool(tool, names.to_wire(name)) for name, tool in first_of_name.items()])


def _tool(tool: ToolDefinition, wire: str) -> Json:
    description = tool.description if wire == tool.name else f"[{tool.name}] {tool.description}"
    function = {"name": wire, "description": description, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": function}


def _items(message: Message, names: WireNames) -> list[Json]:
    match message:
        case SystemMessage():
            return [{"role": "system", "content": message.text}]
        case UserMessage():
            return [{"role": "user", "content": message.text}]
        case ToolMessage():
            return [
                {"role": "tool", "tool_call_id": result.call_id, "content": result.text} for result in message.results
            ]
        case AssistantMessage(text="", tool_calls=()):
            return []  # providers refuse an assistant message that has neither content nor calls
        case _:
            return [_assistant(message, names)]


def _assistant(message: AssistantMessage, names: WireNames) -> Json:
    if not message.tool_calls:
        return {"role": "assistant", "content": message.text}
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": names.to_wire(call.name), "arguments": _arguments(call.arguments)},
        }
        for call in message.tool_calls
    ]
    return {"role": "assistant", "content": message.text or None, "tool_calls": calls}


def _arguments(text: str) -> str:
    # Servers that render a template parse this; one broken call must not make the whole history unusable.
    if not text.strip():
        return "{}"
    try:
        value: Json = msgspec.json.decode(text.encode("utf-8", "replace"))
    except msgspec.DecodeError:
        value = None
    return text if isinstance(value, dict) else encode({"invalid_json": text}).decode()


def _without_surrogates(value: Json) -> Json:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, Mapping):
        pairs = cast("Mapping[Json, Json]", value)
        return {_without_surrogates(key): _without_surrogates(item) for key, item in pairs.items()}
    if isinstance(value, (list, tuple)):
        return [_without_surrogates(item) for item in cast("Iterable[Json]", value)]
    return value
