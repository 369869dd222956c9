"""What was said, as JSON text for a span: only made when somebody asked for content.

Raw UTF-8, so that Hangul stays readable and short. Every text is cut at `LONGEST_TEXT` characters and
says how much is missing; of a long history the newest messages are kept, up to `LONGEST_ATTRIBUTE`.
"""

import json
from collections.abc import Iterable, Sequence

from dure.chat import ChatResponse, ToolDefinition
from dure.messages import AssistantMessage, Json, Message, SystemMessage, ToolCall, ToolMessage, UserMessage
from dure.observability import conventions as names

LONGEST_TEXT = 10_000
"""Characters of one text: a message, a tool's arguments, a result."""
LONGEST_ATTRIBUTE = 100_000
"""Characters of one attribute; the newest message is kept whatever its length."""


def clean(text: str) -> str:
    """The text without halves of surrogate pairs, which no exporter can write."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def shortened(text: str) -> str:
    """The text, cut where it is too long for a span."""
    if len(text) > LONGEST_TEXT:
        text = f"{text[:LONGEST_TEXT]}… (+{len(text) - LONGEST_TEXT:,} characters)"
    return text


def input_messages(messages: Sequence[Message]) -> str:
    """The conversation without its system messages, oldest first."""
    kept: list[str] = []
    size = 0
    conversation = [message for message in messages if not isinstance(message, SystemMessage)]
    for message in reversed(conversation):
        text = _json(_message(message))
        size += len(text)
        if kept and size > LONGEST_ATTRIBUTE:
            kept.append(_json(_said("system", [_text(f"({len(conversation) - len(kept)} earlier messages left out)")])))
            break
        kept.append(text)
    return f"[{','.join(reversed(kept))}]"


def output_messages(response: ChatResponse) -> str:
    """The answer with its finish reason."""
    reason = "tool_call" if response.finish_reason == "tool_calls" else response.finish_reason
    return _json([{**_message(response.message), "finish_reason": reason}])


def system_instructions(messages: Iterable[Message]) -> str | None:
    """All system messages, or `None` without any."""
    parts = [_text(message.text) for message in messages if isinstance(message, SystemMessage)]
    return _json(parts) if parts else None


def tool_definitions(definitions: Sequence[ToolDefinition]) -> str:
    """Names and descriptions; the schemas would be most of the trace."""
    return _json(
        [{"type": names.FUNCTION, "name": one.name, "description": shortened(one.description)} for one in definitions]
    )


def _message(message: UserMessage | AssistantMessage | ToolMessage) -> dict[str, Json]:
    match message:
        case UserMessage():
            return _said("user", [_text(message.text)])
        case AssistantMessage():
            return _said("assistant", _assistant_parts(message))
        case ToolMessage():
            return _said("tool", [_result(one.call_id, one.text) for one in message.results])


def _said(role: str, parts: list[dict[str, Json]]) -> dict[str, Json]:
    return {"role": role, "parts": parts}


def _assistant_parts(message: AssistantMessage) -> list[dict[str, Json]]:
    parts: list[dict[str, Json]] = []
    if message.reasoning:
        parts.append({"type": "reasoning", "content": shortened(message.reasoning)})
    if message.text:
        parts.append(_text(message.text))
    parts.extend(_call(call) for call in message.tool_calls)
    return parts


def _text(text: str) -> dict[str, Json]:
    return {"type": "text", "content": shortened(text)}


def _call(call: ToolCall) -> dict[str, Json]:
    return {"type": "tool_call", "id": call.id, "name": call.name, "arguments": _arguments(call.arguments)}


def _result(call_id: str, text: str) -> dict[str, Json]:
    return {"type": "tool_call_response", "id": call_id, "response": shortened(text)}


def _arguments(text: str) -> Json:
    """As a value where they are JSON and not too long, else as the model wrote them."""
    if len(text) > LONGEST_TEXT:
        return shortened(text)
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return text


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _json(value: Json) -> str:
    return clean(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
