"""Messages as JSON and back, letter by letter: no normalisation, Hangul as it is.

Every stored text goes with the number of the format it was written in, so that an older program
says what is the matter with a newer one's text instead of losing a part of it.
"""

import json
from typing import Any

import msgspec

from dure.messages import AssistantMessage, Json, Message, ToolCall, ToolMessage, ToolResult, UserMessage

FORMAT = 1
"""Written with every message. Raise it with any new field or kind."""


class Unreadable(Exception):
    """A stored text is not of a format known here; says what is wrong with it."""


class _User(msgspec.Struct, tag_field="role", tag="user", forbid_unknown_fields=True):
    text: str


class _Call(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    name: str
    arguments: str


class _Assistant(msgspec.Struct, tag_field="role", tag="assistant", forbid_unknown_fields=True, omit_defaults=True):
    text: str = ""
    tool_calls: tuple[_Call, ...] = ()
    reasoning: str = ""
    extra: dict[str, Json] | None = None


class _Result(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    call_id: str
    name: str
    text: str
    is_error: bool = False


class _Tool(msgspec.Struct, tag_field="role", tag="tool", forbid_unknown_fields=True):
    results: list[_Result]


_Stored = _User | _Assistant | _Tool
_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[_Stored] = msgspec.json.Decoder(_Stored)


def encoded(message: Message) -> str:
    """The message as JSON of the present format.

    Raises:
        TypeError: it is a system message, or its `extra` is not JSON.
    """
    stored = _stored(message)
    try:
        return _encoder.encode(stored).decode()
    except UnicodeEncodeError:  # half a surrogate pair, which only an escape can carry
        return json.dumps(msgspec.to_builtins(stored), separators=(",", ":"))


def decoded(text: str, written_as: int) -> Message:
    """The message that was stored.

    Raises:
        Unreadable: it was written by a newer version, or is damaged.
    """
    if written_as != FORMAT:
        raise Unreadable(f"it is of format {written_as} and this version reads format {FORMAT}; install a newer dure")
    try:
        return _message(_decoder.decode(text))
    except msgspec.DecodeError as error:
        return _message(_with_half_surrogates(text, error))


def _with_half_surrogates(text: str, fault: msgspec.DecodeError) -> _Stored:
    try:
        value: Any = json.loads(text)
        return msgspec.convert(value, _Stored)  # pyright: ignore[reportArgumentType] - a union is a type to msgspec
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"it is damaged: {fault}") from error


def _stored(message: Message) -> _Stored:
    match message:
        case UserMessage():
            return _User(text=message.text)
        case AssistantMessage():
            calls = tuple(_Call(id=call.id, name=call.name, arguments=call.arguments) for call in message.tool_calls)
            return _Assistant(
                text=message.text, tool_calls=calls, reasoning=message.reasoning, extra=dict(message.extra) or None
            )
        case ToolMessage():
            return _Tool(
                results=[
                    _Result(call_id=one.call_id, name=one.name, text=one.text, is_error=one.is_error)
                    for one in message.results
                ]
            )
        case _:
            raise TypeError("a system message is not stored")


def _message(stored: _Stored) -> Message:
    match stored:
        case _User():
            return UserMessage(text=stored.text)
        case _Assistant():
            calls = tuple(ToolCall(id=call.id, name=call.name, arguments=call.arguments) for call in stored.tool_calls)
            return AssistantMessage(
                text=stored.text, tool_calls=calls, reasoning=stored.reasoning, extra=stored.extra or {}
            )
        case _:
            return ToolMessage(
                results=tuple(
                    ToolResult(call_id=one.call_id, name=one.name, text=one.text, is_error=one.is_error)
                    for one in stored.results
                )
            )
