"""A tool with interceptors round it, and the time limit that counts for the tool alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from dure.chat import ToolDefinition
from dure.errors import Signal, ToolFailed
from dure.messages import Json
from dure.time_limit import TimeLimit
from dure.tools.base import Interceptor, Proceed, Tool, ToolContext
from dure.tools.names import source_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class InterceptedTool:
    """Runs `inner` by way of interceptors, the first of which is the outermost. Made by `Toolbox.intercepted`."""

    inner: Tool
    interceptors: tuple[Interceptor, ...]

    @property
    def definition(self) -> ToolDefinition:
        """As the inner tool."""
        return self.inner.definition

    @property
    def source(self) -> str:
        """Where the inner tool comes from."""
        return source_of(self.inner)

    @property
    def return_direct(self) -> bool:
        """As the inner tool."""
        return self.inner.return_direct

    @property
    def concurrent(self) -> bool:
        """As the inner tool."""
        return self.inner.concurrent

    @property
    def timeout(self) -> None:
        """None of its own: an interceptor may wait for a person; the inner tool's limit begins with its work."""
        return None

    def accept(self, arguments: Mapping[str, Json]) -> Mapping[str, object]:
        """As the inner tool."""
        return self.inner.accept(arguments)

    async def run(self, arguments: Mapping[str, object], context: ToolContext) -> object:
        """The inner tool's result, or what an interceptor makes of it."""
        proceed: Proceed = partial(run_limited, self.inner)
        for interceptor in reversed(self.interceptors):
            proceed = partial(_step, interceptor, self.inner, proceed)
        return await proceed(arguments, context)


async def run_limited(tool: Tool, arguments: Mapping[str, object], context: ToolContext) -> object:
    """Run a tool within its own time limit.

    Raises:
        ToolFailed: the time is over.
    """
    limit = TimeLimit(tool.timeout)
    try:
        return await limit.run(tool.run(arguments, context))
    except Exception as error:
        if limit.expired and not isinstance(error, Signal):
            raise ToolFailed(f"{context.call.name} had no result after {limit.seconds:g} s") from error
        raise


async def _step(
    interceptor: Interceptor, tool: Tool, proceed: Proceed, arguments: Mapping[str, object], context: ToolContext
) -> object:
    return await interceptor.intercept(tool, arguments, context, proceed)
