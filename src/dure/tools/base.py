"""The port every tool implements, and what a tool is told about the run it works for."""

import math
from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

import msgspec

from dure.chat import ToolDefinition
from dure.errors import ConfigError
from dure.events import ToolProgress
from dure.messages import Json, ToolCall
from dure.run import RunContext
from dure.usage import Usage

DEFAULT_TIMEOUT = 120.0


def check_timeout(seconds: float | None, owner: str) -> None:
    """Refuse a time limit that no work could keep.

    Raises:
        ConfigError: it is not more than zero.
    """
    if seconds is not None and not 0 < seconds < math.inf:
        raise ConfigError(f"{owner!r}: a time limit must be more than 0 seconds, or None for no limit, not {seconds}")


def ignore_usage(usage: Usage) -> None:
    """For a tool that runs outside a chain."""


class ToolContext(msgspec.Struct, frozen=True, kw_only=True):
    """Given to a tool that asks for it; always there, never in the schema."""

    call: ToolCall
    run: RunContext = msgspec.field(default_factory=RunContext)
    charge: Callable[[Usage], None] = ignore_usage
    """Counts what the tool itself spent on models, so that it travels up with the answer."""

    def progress(self, message: str = "", *, done: float | None = None, total: float | None = None) -> None:
        """Tell whoever watches how far the tool is: in words, or as `done` of `total`, which only grows."""
        run = self.run
        if run.watched:
            call = self.call
            run.emit(ToolProgress(call_id=call.id, name=call.name, message=message, progress=done, total=total))


class Tool(Protocol):
    """Something a model can ask for. Holds no state of a run."""

    @property
    def definition(self) -> ToolDefinition:
        """What the model is told."""
        ...

    @property
    def return_direct(self) -> bool:
        """Whether the result is the answer, instead of going back to the model."""
        ...

    @property
    def concurrent(self) -> bool:
        """Whether it may run at the same time as other calls of its round."""
        ...

    @property
    def timeout(self) -> float | None:
        """Seconds one call may take; `None` for a tool that waits for a person."""
        ...

    def accept(self, arguments: Mapping[str, Json]) -> Mapping[str, object]:
        """The arguments as the tool takes them. Must have no effect.

        Raises:
            InvalidArguments: they are not of the schema.
        """
        ...

    async def run(self, arguments: Mapping[str, object], context: ToolContext) -> object:
        """Do the work with accepted arguments. A string goes to the model as it is, anything else as JSON.

        Raises:
            ToolError: the work failed; the message is for the model.
        """
        ...


Proceed = Callable[[Mapping[str, object], ToolContext], Awaitable[object]]
"""Runs the tool (or the next interceptor), with its own time limit."""


class Interceptor(Protocol):
    """Stands round a tool's `run`: may look, change, wait, refuse. Holds no state of a run.

    It gets arguments that were already accepted; other arguments must go through `tool.accept` again.
    """

    async def intercept(
        self, tool: Tool, arguments: Mapping[str, object], context: ToolContext, proceed: Proceed
    ) -> object:
        """The result, usually by way of `proceed`.

        Raises:
            ToolError: told to the model as the call's result.
            Signal: stops or pauses the run.
        """
        ...
