"""How many model and tool calls one run may make.

The advisor lays its limits into the run; they are checked where a call is about to be made, so that
retries and other models count too. What was made is counted in `run.counts`: give a run that goes on
after another (a resume) the counts of that one, and the limits hold over both.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple, cast

from dure.advisors import settings
from dure.advisors.base import Chain
from dure.advisors.order import CALL_LIMIT
from dure.chat import ChatRequest, ChatResponse
from dure.errors import CallLimitExceeded
from dure.events import TextDelta
from dure.messages import AssistantMessage
from dure.run import RunContext

_LIMITS = object()


class _Limits(NamedTuple):
    models: int
    tools: int


_DEFAULT = _Limits(50, 150)
"""Of a run that no advisor gave limits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLimitAdvisor:
    """Stops a run at so many calls. Of several, the tighter holds; a run without any has the defaults.

    The limits are of the run, so all prompts of one run share them; a sub-agent's run has its own (a
    `Budget` bounds the whole tree).
    """

    max_model_calls: int = _DEFAULT.models
    max_tool_calls: int = _DEFAULT.tools
    on_limit: Literal["raise", "stop"] = "raise"
    """`stop` ends with a message that says why, finish reason `limit`, instead of a `CallLimitExceeded`."""
    name: str = "call limit"
    order: int = CALL_LIMIT

    def __post_init__(self) -> None:
        settings.whole(self.name, "max_model_calls", self.max_model_calls, least=1)
        settings.whole(self.name, "max_tool_calls", self.max_tool_calls)
        settings.word(self.name, "on_limit", self.on_limit, ("raise", "stop"))

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """Lay the limits into the run and go on.

        Raises:
            CallLimitExceeded: a call below would be one too many, and `on_limit` is `raise`.
        """
        state = chain.run.state
        limits = cast("_Limits | None", state.get(_LIMITS))
        if limits is None:
            state[_LIMITS] = _Limits(self.max_model_calls, self.max_tool_calls)
        elif limits.models > self.max_model_calls or limits.tools > self.max_tool_calls:
            state[_LIMITS] = _Limits(min(limits.models, self.max_model_calls), min(limits.tools, self.max_tool_calls))
        if self.on_limit == "raise":
            return await chain.next(request)
        return await self._stopping(request, chain)

    async def _stopping(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        said = ""
        try:
            response = await chain.next(request)
            said = response.text
            check_tool_calls(chain.run, len(response.message.tool_calls))
        except CallLimitExceeded as error:
            return _stopped(said, error, chain.run)
        return response


def check_model_calls(run: RunContext) -> None:
    """Refuse one more model call if the run has none left."""
    limits = cast(_Limits, run.state.get(_LIMITS, _DEFAULT))
    if run.counts.model_calls >= limits.models:
        raise CallLimitExceeded(
            f"the run has made its {limits.models} model calls; raise max_model_calls or ask for less"
        )


def check_tool_calls(run: RunContext, wanted: int) -> None:
    """Refuse `wanted` more tool calls if the run has not so many left."""
    limits = cast(_Limits, run.state.get(_LIMITS, _DEFAULT))
    if run.counts.tool_calls + wanted > limits.tools:
        raise CallLimitExceeded(
            f"the run may make {limits.tools} tool calls, has made {run.counts.tool_calls} and wants {wanted} more; "
            "raise max_tool_calls or ask for less"
        )


def _stopped(said: str, error: CallLimitExceeded, run: RunContext) -> ChatResponse:
    """A final message without tool calls; what it adds to what was said is told to whoever reads along."""
    text = f"{said}\n\n(Stopped: {error}.)".strip()
    if run.watched:
        run.emit(TextDelta(text=text.removeprefix(said)))
    return ChatResponse(message=AssistantMessage(text=text), finish_reason="limit")
