"""What a provider can say in one answer, in words of no wire, and the port that puts it on one.

An adapter passes the conformance suite with a `Wire` of its own, listed in `wires.py`.
"""

import json
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from dure.chat import FinishReason
from dure.messages import Json
from dure.models.base import ChatModel
from dure.usage import Usage

Feature = Literal[
    "thinking",  # thinking is told apart from text
    "given ids",  # a call has an id of the provider's
    "calls in pieces",  # the arguments of a call arrive in several pieces
    "snapshots",  # usage comes several times in one stream
    "content filter",  # an answer can be withheld
    "stream error",  # a failure can come inside a stream
    "forced calls",  # `tool_choice` is on the wire
    "enforced schema",  # `json_schema` is on the wire
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call as the provider tells it."""

    id: str
    name: str
    """On the wire."""
    pieces: tuple[str, ...] = ("{}",)
    """The arguments' text; joined it is JSON."""

    @property
    def arguments(self) -> Json:
        """What the pieces make together."""
        return json.loads("".join(self.pieces))


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """One answer: thinking, then text, then calls, then how it ended."""

    thinking: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    finish: FinishReason = "stop"
    usage: tuple[Usage, ...] = (Usage(fresh_input=7, output=3),)
    """Snapshots in the order they are sent; the last one is true."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One message of a request, as the server understands it."""

    role: Literal["user", "assistant", "tool"]
    text: str = ""
    calls: tuple[tuple[str, str, Json], ...] = ()
    """Id, name on the wire, arguments."""
    result_of: str = ""
    """The id of the call that a tool message answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A request in words of no wire."""

    model: str
    system: str
    messages: tuple[Said, ...]
    tools: dict[str, tuple[str, Json]] = field(default_factory=dict[str, tuple[str, Json]])
    """Description and parameters by name on the wire."""
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    """Those of `temperature`, `top_p`, `max_tokens`, `stop`, `tool_choice` and `json_schema` that were sent.

    Under our names, and `tool_choice` in our words.
    """


class Wire(Protocol):
    """How one provider's API writes answers and reads requests."""

    @property
    def name(self) -> str:
        """Shown in the names of tests."""
        ...

    @property
    def slot(self) -> str:
        """The key of `message.wire` under which the adapter keeps its bytes."""
        ...

    @property
    def counts(self) -> frozenset[str]:
        """The fields of `Usage` that this wire can tell."""
        ...

    @property
    def lacks(self) -> frozenset[Feature]:
        """What this wire has no way to say; tests of it are passed over."""
        ...

    def open(self, address: str, api_key: str | None = None) -> ChatModel:
        """The adapter under test, talking to `address`, with a model that has every feature not lacked."""
        ...

    def stream(self, script: Script) -> tuple[bytes, ...]:
        """The streamed answer; each item is one event, whole with its line ends."""
        ...

    def whole(self, script: Script) -> bytes:
        """The same answer from a server that does not stream, as `application/json`."""
        ...

    def stream_error(self, message: str) -> bytes:
        """The event by which the provider says that it failed, for a passing reason."""
        ...

    def error_body(self, message: str) -> bytes:
        """The body of a status other than success."""
        ...

    def received(self, body: bytes) -> Received:
        """What a request says."""
        ...
