"""The state of one tool loop, the guards that end it, and the hooks that may steer it.

All of it belongs to one request; the advisor that drives the loop holds settings only.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import msgspec

from dure.advisors.base import Chain
from dure.chat import ChatRequest, ChatResponse, ToolDefinition
from dure.errors import ConfigError
from dure.messages import AssistantMessage, Message, ToolCall, ToolMessage, ToolResult
from dure.tools.base import Tool
from dure.tools.toolbox import Toolbox

SAID = object()
"""Key in `RunContext.state`: the rounds of the loop that finished last (a tuple of messages), its answer left out."""


@dataclass(slots=True, kw_only=True)
class ToolLoop:
    """Where one loop stands. Hooks may change `request` and `toolbox`."""

    request: ChatRequest
    """Options and tools of the coming rounds; its messages are those the next round forwards."""
    toolbox: Toolbox
    """What may run."""
    offered: tuple[ToolDefinition, ...] | None = None
    """What the model is told of instead of the whole toolbox, which may run all the same."""
    chain: Chain
    """The rest of the chain below the loop, and the run."""
    round: int = 0
    """Model calls begun; the first is 1."""
    history: tuple[Message, ...] = ()
    """Everything said in the loop, whatever of it is forwarded."""
    calls: int = 0
    """Calls so far, those that failed too."""
    calls_by_tool: dict[str, int] = field(default_factory=dict[str, int])
    same_calls: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    """Calls by tool name and arguments."""

    def add_tool(self, tool: Tool) -> None:
        """Give the model one more tool from the next round on, unless it has one of that name."""
        if tool.definition.name in self.toolbox:
            return
        self.toolbox = self.toolbox.with_added(tool)
        if self.offered is not None:
            self.offered = (*self.offered, tool.definition)

    def record(self, message: AssistantMessage, results: tuple[ToolResult, ...]) -> tuple[Message, ...]:
        """Keep what a round said; gives what would be forwarded if no hook says otherwise."""
        said = (message, ToolMessage(results=results))
        self.history += said
        return (*self.request.messages, *said)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSafety:
    """How far a loop may go. A round that would go further does not run at all."""

    max_rounds: int = 10
    max_calls_per_tool: int = 40
    max_calls: int = 150
    max_same_calls: int = 3
    """The same tool with the same arguments."""

    def __post_init__(self) -> None:
        if min(self.max_rounds, self.max_calls_per_tool, self.max_calls, self.max_same_calls) < 1:
            raise ConfigError("tool guards must be at least 1")

    def breach(self, loop: ToolLoop, calls: Sequence[ToolCall]) -> str | None:
        """Count the calls of a round before any of them runs; says why the round must not run, or `None`."""
        if loop.round > self.max_rounds:
            return f"the tool loop made its {self.max_rounds} rounds"
        loop.calls += len(calls)
        for call in calls:
            name, same = call.name, (call.name, _canonical(call.arguments))
            loop.same_calls[same] = times = loop.same_calls.get(same, 0) + 1
            if times > self.max_same_calls:
                return f"tool {name!r} was called with the same arguments more than {self.max_same_calls} times"
            loop.calls_by_tool[name] = times = loop.calls_by_tool.get(name, 0) + 1
            if times > self.max_calls_per_tool:
                return f"tool {name!r} was called more than {self.max_calls_per_tool} times"
        if loop.calls > self.max_calls:
            return f"tools were called more than {self.max_calls} times"
        return None


class ToolLoopHooks:
    """What a subclass may do at each point of a loop. These do nothing."""

    async def initialise(self, loop: ToolLoop) -> None:
        """Before the first round; may change `loop.request` (messages, options, tools) and `loop.toolbox`."""

    async def before_round(self, loop: ToolLoop, request: ChatRequest) -> ChatRequest:
        """What this round sends. The change is for this round only."""
        return request

    async def after_round(self, loop: ToolLoop, response: ChatResponse) -> ChatResponse:
        """What the loop takes for the model's answer of this round."""
        return response

    async def next_instructions(self, loop: ToolLoop, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        """What is forwarded from the next round on; a message added here stays."""
        return messages

    async def finalise(self, loop: ToolLoop, response: ChatResponse | None) -> ChatResponse | None:
        """Exactly once, however the loop ended; `response` is `None` if by an exception.

        What it returns is the answer; `None` leaves the answer as it is.
        """
        return response


def with_offered(request: ChatRequest, offered: tuple[ToolDefinition, ...]) -> ChatRequest:
    """The request with `offered` after the definitions it has, no name twice."""
    if request.tools:
        names = {definition.name for definition in request.tools}
        offered = (*request.tools, *(one for one in offered if one.name not in names))
    return ChatRequest(messages=request.messages, options=request.options, tools=offered)


def free_choice(request: ChatRequest) -> ChatRequest:
    """The request without the duty to call a tool, which would never let a loop end."""
    if request.options.tool_choice != "required":
        return request
    return request.with_options(replace(request.options, tool_choice="auto"))


def _canonical(arguments: str) -> str:
    """The same text for the same arguments, however they are spaced and ordered."""
    try:
        return msgspec.json.encode(msgspec.json.decode(arguments), order="sorted").decode()
    except (ValueError, RecursionError):
        return arguments.strip()
