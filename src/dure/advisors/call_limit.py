"""How many model and tool calls one run may make.

The advisor lays its limits into the run; they are checked where a call is about to be made, so that
retries and other models count too.
"""

from dataclasses import dataclass

from dure.advisors.base import Chain
from dure.advisors.order import CALL_LIMIT
from dure.chat import ChatRequest, ChatResponse
from dure.errors import CallLimitExceeded, ConfigError
from dure.run import RunContext

_LIMITS = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLimitAdvisor:
    """Stops a run at so many calls. Of several, the tighter holds."""

    max_model_calls: int = 50
    max_tool_calls: int = 150
    name: str = "call limit"
    order: int = CALL_LIMIT

    def __post_init__(self) -> None:
        if self.max_model_calls < 1 or self.max_tool_calls < 0:
            raise ConfigError(f"{self.name}: max_model_calls must be at least 1 and max_tool_calls at least 0")

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """Lay the limits into the run and go on.

        Raises:
            CallLimitExceeded: a call below would be one too many.
        """
        models, tools = _limits(chain.run) or (self.max_model_calls, self.max_tool_calls)
        chain.run.state[_LIMITS] = (min(models, self.max_model_calls), min(tools, self.max_tool_calls))
        return await chain.next(request)


def check_model_calls(run: RunContext) -> None:
    """Refuse one more model call if the run has none left."""
    limits = _limits(run)
    if limits and run.counts.model_calls >= limits[0]:
        raise CallLimitExceeded(f"the run has made its {limits[0]} model calls; raise max_model_calls or ask for less")


def check_tool_calls(run: RunContext, wanted: int) -> None:
    """Refuse `wanted` more tool calls if the run has not so many left."""
    limits = _limits(run)
    if limits and run.counts.tool_calls + wanted > limits[1]:
        raise CallLimitExceeded(
            f"the run may make {limits[1]} tool calls, has made {run.counts.tool_calls} and wants {wanted} more; "
            "raise max_tool_calls or ask for less"
        )


def _limits(run: RunContext) -> tuple[int, int] | None:
    match run.state.get(_LIMITS):
        case (int(models), int(tools)):
            return models, tools
        case _:
            return None
