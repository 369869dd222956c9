"""Interceptors of general use; the one that asks for approval is in `approval_gate.py`."""

from collections.abc import Mapping
from dataclasses import dataclass

from dure.errors import ConfigError, ToolFailed
from dure.time_limit import TimeLimit
from dure.tools.base import Proceed, Tool, ToolContext, check_timeout


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLimitInterceptor:
    """Gives a tool, with all that stands inside this interceptor, at most so many seconds a call."""

    seconds: float

    def __post_init__(self) -> None:
        if self.seconds is None:  # pyright: ignore[reportUnnecessaryComparison] - `None` is no limit elsewhere
            raise ConfigError("a TimeLimitInterceptor needs seconds; leave it out for no limit")
        check_timeout(self.seconds, type(self).__name__)

    async def intercept(
        self, tool: Tool, arguments: Mapping[str, object], context: ToolContext, proceed: Proceed
    ) -> object:
        """The result, if it comes in time.

        Raises:
            ToolFailed: it did not.
        """
        limit = TimeLimit(self.seconds)
        try:
            return await limit.run(_proceeding(proceed, arguments, context))
        except TimeoutError as error:
            if not limit.expired:
                raise
            raise ToolFailed(f"{context.call.name} had no result after {self.seconds:g} s") from error


async def _proceeding(proceed: Proceed, arguments: Mapping[str, object], context: ToolContext) -> object:
    return await proceed(arguments, context)
