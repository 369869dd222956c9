"""What a run asks of whoever watches it. Loads nothing; the OpenTelemetry behind it is in `open_telemetry.py`.

with telemetry.agent(run, model=model.name) as agent:              # invoke_agent {agent}
    with telemetry.advisor("tool calling", 400):                   # advisor {name}
        with telemetry.chat(request, model.name, run) as chat:     # chat {model}
            response = await model.chat(request, chat.run)
            chat.answered(response)
        with telemetry.tool(call, tool.definition, run) as one:    # execute_tool {tool}
            one.finished(text, is_error)
    agent.answered(response)
"""

from types import TracebackType
from typing import Protocol, Self

from dure.chat import ChatRequest, ChatResponse, ToolDefinition
from dure.messages import ToolCall
from dure.run import RunContext


class Watch(Protocol):
    """Round one piece of work, entered and left in the same task. Never makes it fail."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class AgentWatch(Watch, Protocol):
    """Round a whole run."""

    def answered(self, response: ChatResponse) -> None:
        """The run has its answer, with the usage of all of it."""
        ...


class ChatWatch(Watch, Protocol):
    """Round one model call."""

    @property
    def run(self) -> RunContext:
        """What the model is to be given instead of the run, so that its first piece of answer is timed."""
        ...

    def answered(self, response: ChatResponse) -> None:
        """The model has answered; if the answer is then refused, its tokens are counted all the same."""
        ...


class ToolWatch(Watch, Protocol):
    """Round one tool call."""

    def finished(self, text: str, is_error: bool, *, error: BaseException | None = None) -> None:
        """The tool has its result; `error` is what an error result was made of, where that is known."""
        ...


class Telemetry(Protocol):
    """Watches runs."""

    def agent(self, run: RunContext, *, model: str) -> AgentWatch:
        """Round a whole run; `model` is the `provider:model` it is asked with."""
        ...

    def advisor(self, name: str, order: int) -> Watch:
        """Round one pass through an advisor."""
        ...

    def chat(self, request: ChatRequest, model: str, run: RunContext) -> ChatWatch:
        """Round one model call."""
        ...

    def tool(self, call: ToolCall, definition: ToolDefinition | None, run: RunContext) -> ToolWatch:
        """Round one tool call; without a definition there is no such tool."""
        ...


class TracerSource(Protocol):
    """A tracer provider of OpenTelemetry."""

    def get_tracer(self, instrumenting_module_name: str, /) -> object:
        """A tracer for a library."""
        ...


class MeterSource(Protocol):
    """A meter provider of OpenTelemetry."""

    def get_meter(self, name: str, /) -> object:
        """A meter for a library."""
        ...
