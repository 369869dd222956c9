"""What a scripted model may be told to do, in Python or as a file of turns.

A file holds one JSON object a line: {"text": …}, {"tool_calls": […]}, {"error": "RateLimited", "retry_after": 1},
{"finish_reason": "length", "text": …}; `when` plays the line for the question that contains it.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from dure import errors
from dure.chat import ChatRequest, ChatResponse, FinishReason
from dure.errors import ConfigError, ModelError
from dure.messages import AssistantMessage, Json, ToolCall
from dure.usage import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class CutOff:
    """Some text leaves, then the call fails: a connection that breaks in the middle."""

    text: str
    error: Exception


Answer = str | ChatResponse | CutOff | Exception
Turn = Answer | Callable[[ChatRequest], Answer | Awaitable[Answer]]


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """A turn that waits for the question it answers."""

    contains: str
    """Must occur in the last user text."""
    turn: Turn


class _Call(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    arguments: str | dict[str, Json] = msgspec.field(default_factory=dict[str, Json])
    id: str | None = None


class _Usage(msgspec.Struct, forbid_unknown_fields=True):
    input: int = 0
    cache_read: int = 0
    output: int = 0


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    text: str = ""
    reasoning: str = ""
    tool_calls: list[_Call] = msgspec.field(default_factory=list[_Call])
    finish_reason: FinishReason | None = None
    usage: _Usage = msgspec.field(default_factory=_Usage)
    error: str | None = None
    message: str | None = None
    retry_after: float | None = None
    when: str | None = None


def _model_errors(root: type[ModelError] = ModelError) -> dict[str, type[ModelError]]:
    found = {root.__name__: root} if root.__module__ == errors.__name__ else {}
    for child in root.__subclasses__():
        found |= _model_errors(child)
    return found


def load_turns(path: Path) -> tuple[Turn | When, ...]:
    """The turns written in a file, in order.

    Raises:
        ConfigError: there is no such file, or a line is wrong; names line and field.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the script {str(path)!r}: {error}; give a UTF-8 file of turns") from error
    turns = tuple(
        _turn(path, number, line)
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    )
    if not turns:
        raise ConfigError(f"the script {str(path)!r} has no turn; write one JSON object a line")
    return turns


def _turn(path: Path, number: int, line: str) -> Turn | When:
    try:
        spec = msgspec.json.decode(line.encode("utf-8", "replace"), type=_Line)
    except msgspec.DecodeError as error:
        raise ConfigError(f"{str(path)!r}, line {number}: {error}") from error
    answer = _error(path, number, spec) if spec.error is not None else _response(path, number, spec)
    return answer if spec.when is None else When(contains=spec.when, turn=answer)


def _error(path: Path, number: int, spec: _Line) -> Answer:
    known = _model_errors()
    name = spec.error or ""
    if name not in known:
        raise ConfigError(
            f"{str(path)!r}, line {number}: no error {name!r} - at `$.error`; known are {', '.join(sorted(known))}"
        )
    if spec.tool_calls:
        raise ConfigError(f"{str(path)!r}, line {number}: a turn cannot both fail and call tools - at `$.tool_calls`")
    error = known[name](spec.message or f"scripted {name}", retry_after=spec.retry_after)
    return CutOff(text=spec.text, error=error) if spec.text else error


def _response(path: Path, number: int, spec: _Line) -> ChatResponse:
    if not spec.text and not spec.tool_calls and spec.finish_reason is None:
        raise ConfigError(
            f"{str(path)!r}, line {number}: a turn needs `text`, `tool_calls`, `finish_reason` or `error`"
        )
    calls = tuple(
        ToolCall(
            id=call.id or f"call_{number}_{position}",
            name=call.name,
            arguments=call.arguments
            if isinstance(call.arguments, str)
            else msgspec.json.encode(call.arguments).decode(),
        )
        for position, call in enumerate(spec.tool_calls, start=1)
    )
    return ChatResponse(
        message=AssistantMessage(text=spec.text, tool_calls=calls, reasoning=spec.reasoning),
        finish_reason=spec.finish_reason or ("tool_calls" if calls else "stop"),
        usage=Usage(
            fresh_input=spec.usage.input, cache_read=spec.usage.cache_read, output=spec.usage.output, model_calls=1
        ),
    )
