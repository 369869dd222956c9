"""What is said in a conversation: frozen messages, and the tool calls and results they carry.

A message is never edited; a change is a new message. Adapters keep the bytes they encoded for a
message in its `wire` slot, so that sending a long history again does not encode it again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

Json = Any
"""A value that `json.dumps` accepts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A model's wish to run a tool."""

    id: str
    """Unique in the whole history; made by the adapter when the provider gives none."""
    name: str
    """The tool's own name, not the name on the wire."""
    arguments: str
    """JSON text exactly as the model wrote it; checked only when the tool is about to run."""


class ToolResult(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to one tool call; an error is an answer too."""

    call_id: str
    name: str
    text: str
    is_error: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemMessage:
    """Standing instructions of the application."""

    text: str
    wire: dict[str, bytes] = field(init=False, default_factory=dict[str, bytes], compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class UserMessage:
    """What a person (or the program in their place) says."""

    text: str
    wire: dict[str, bytes] = field(init=False, default_factory=dict[str, bytes], compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantMessage:
    """What a model answered."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    reasoning: str = ""
    """Thinking text, where the provider shows it; never part of the answer."""
    extra: Mapping[str, Json] = field(default_factory=dict[str, Json], compare=False)
    """What a provider wants back unchanged on the next call (signed thinking blocks, …)."""
    wire: dict[str, bytes] = field(init=False, default_factory=dict[str, bytes], compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolMessage:
    """The results of all tool calls of one assistant message, in call order."""

    results: tuple[ToolResult, ...]
    wire: dict[str, bytes] = field(init=False, default_factory=dict[str, bytes], compare=False, repr=False)


Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage
