"""Our messages and tools as JSON bytes of Ollama's chat API.

A message is encoded once per naming of its tools; the bytes stay in its `wire` slot, so that sending a
long history again costs a join.
"""

from collections.abc import Iterable, Sequence
from typing import cast

import msgspec

from dure.chat import ToolDefinition
from dure.messages import AssistantMessage, Json, Message, SystemMessage, ToolMessage, UserMessage
from dure.models.openai_messages import encode
from dure.models.schema_dialect import tool_schema
from dure.models.wire_names import WireNames

_SLOT = "ollama"


def encode_messages(messages: Sequence[Message], names: WireNames, *, note: str = "") -> bytes:
    """The items of the `messages` array, joined by commas; `note` is added to the newest user text."""
    slot = _SLOT + names.cache_key
    noted = _place_of_note(messages) if note else -1
    items: list[bytes] = []
    for index, message in enumerate(messages):
        item = message.wire.get(slot)
        if item is None:
            message.wire[slot] = item = b",".join([encode(item) for item in _items(message, names)])
        if index == noted:
            item = _with_note(message, note)
        if item:
            items.append(item)
    return b",".join(items)


def encode_tools(tools: Iterable[ToolDefinition], names: WireNames) -> bytes:
    """The `tools` array, each schema in Ollama's dialect. A tool whose name had to change says its own.

    Raises:
        ConfigError: a schema refers to something that is not in it.
    """
    first_of_name: dict[str, ToolDefinition] = {}
    for tool in tools:
        first_of_name.setdefault(tool.name, tool)
    return encode([_tool(tool, names.to_wire(name)) for name, tool in first_of_name.items()])


def text_bytes(messages: Iterable[Message]) -> int:
    """Bytes of text that every template shows the model: without thinking and calls, which some leave out."""
    texts: list[str] = []
    for message in messages:
        if isinstance(message, ToolMessage):
            texts += [result.text for result in message.results]
        else:
            texts.append(message.text)
    return len("".join(texts).encode("utf-8", "replace"))


def _tool(tool: ToolDefinition, wire: str) -> Json:
    simple = tool_schema(tool.parameters)
    described = tool.description if wire == tool.name else f"[{tool.name}] {tool.description}"
    description = " ".join((described, *simple.notes)).strip()
    return {"type": "function", "function": {"name": wire, "description": description, "parameters": simple.schema}}


def _place_of_note(messages: Sequence[Message]) -> int:
    places = range(len(messages) - 1, -1, -1)
    users = (place for place in places if isinstance(messages[place], UserMessage))
    systems = (place for place in places if isinstance(messages[place], SystemMessage))
    return next(users, next(systems, -1))


def _with_note(message: Message, note: str) -> bytes:
    role = "user" if isinstance(message, UserMessage) else "system"
    return encode({"role": role, "content": f"{cast(UserMessage, message).text}\n\n{note}"})


def _items(message: Message, names: WireNames) -> list[Json]:
    match message:
        case SystemMessage():
            return [{"role": "system", "content": message.text}]
        case UserMessage():
            return [{"role": "user", "content": message.text}]
        case ToolMessage():
            return [
                {
                    "role": "tool",
                    "content": result.text,
                    "tool_name": names.to_wire(result.name),
                    "tool_call_id": result.call_id,
                }
                for result in message.results
            ]
        case AssistantMessage(text="", tool_calls=()):
            return []  # templates make an empty turn of it, which models imitate
        case _:
            return [_assistant(message, names)]


def _assistant(message: AssistantMessage, names: WireNames) -> Json:
    item: dict[str, Json] = {"role": "assistant", "content": message.text}
    if message.tool_calls:
        if message.reasoning:
            item["thinking"] = message.reasoning  # thinking models go on from it once the results are there
        item["tool_calls"] = [
            {"id": call.id, "function": {"name": names.to_wire(call.name), "arguments": _arguments(call.arguments)}}
            for call in message.tool_calls
        ]
    return item


def _arguments(text: str) -> Json:
    # The server wants an object; one broken call must not make the whole history unusable.
    try:
        value: Json = msgspec.json.decode(text.encode("utf-8", "replace")) if text.strip() else {}
    except msgspec.DecodeError:
        value = None
    return cast("dict[str, Json]", value) if isinstance(value, dict) else {"invalid_json": text}
