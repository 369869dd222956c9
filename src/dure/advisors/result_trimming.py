"""A long turn made to fit its model: the oldest large tool results give way to a short mark."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from dure.advisors.base import Chain
from dure.advisors.order import RESULT_TRIMMING
from dure.advisors.protection import Protection
from dure.advisors.token_estimate import expected_tokens, learn
from dure.chat import ChatRequest, ChatResponse
from dure.errors import ConfigError, ContextTooLong
from dure.memory.tokens import text_tokens
from dure.messages import AssistantMessage, Message, ToolMessage, ToolResult
from dure.observability.compaction import mark_compacted
from dure.run import RunContext

_DEFAULT_PROTECTION = Protection()
_SHOWN_ARGUMENTS = 200
"""Characters of a call's arguments in the mark that stands for its result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultTrimmingAdvisor:
    """Stands inside the tool loop. When a round comes near the context window, old results are left out of it.

    What is left out stays out for the run, and enough goes at once that it does not happen every round:
    the provider's cache of the beginning would be worth nothing. The results of the newest round stay,
    and so does what `protection` names. The loop's own history keeps everything.
    """

    context_window: int | None = None
    """Tokens; for a model that does not say, or to stay further below it."""
    threshold: float = 0.8
    """Share of the window at which results go."""
    target: float = 0.5
    """Share of the window to come down to."""
    smallest: int = 100
    """Tokens of a result that is worth it."""
    protection: Protection = _DEFAULT_PROTECTION
    name: str = "result trimming"
    order: int = RESULT_TRIMMING

    def __post_init__(self) -> None:
        if not 0 < self.target < self.threshold <= 1:
            raise ConfigError(f"{self.name}: 0 < target < threshold <= 1, as shares of the window")
        if self.smallest < 1 or (self.context_window is not None and self.context_window < 1):
            raise ConfigError(f"{self.name}: context_window and smallest must be positive")

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """Answer a request that fits."""
        run, window = chain.run, self.context_window or chain.model.capabilities.context_window
        trimmed = cast("dict[ToolMessage, ToolMessage]", run.state.setdefault(self, {}))
        if trimmed:
            request = request.with_messages(*_exchanged(request.messages, trimmed))
        if window is not None:
            excess = expected_tokens(request, run) - self.target * window
            if excess > (self.threshold - self.target) * window:
                request = self._trimmed(request, run, trimmed, excess)
        try:
            response = await chain.next(request)
        except ContextTooLong:
            # the estimate was wrong: everything that may go, goes
            shorter = self._trimmed(request, run, trimmed, float("inf"))
            if shorter is request:
                raise
            request, response = shorter, await chain.next(shorter)
        learn(request, response, run)
        return response

    def _trimmed(
        self, request: ChatRequest, run: RunContext, trimmed: dict[ToolMessage, ToolMessage], excess: float
    ) -> ChatRequest:
        """The request with about `excess` tokens less, oldest results first; the same one if none may go."""
        kept = self.protection.calls(request.messages)
        arguments = {
            call.id: call.arguments
            for message in request.messages
            if isinstance(message, AssistantMessage)
            for call in message.tool_calls
        }
        fresh: dict[ToolMessage, ToolMessage] = {}
        for message in [message for message in request.messages if isinstance(message, ToolMessage)][:-1]:
            if excess <= 0:
                break
            large = {
                result: _mark(result, arguments.get(result.call_id, ""))
                for result in message.results
                if result.call_id not in kept and text_tokens(result.text) >= self.smallest
            }
            if large:
                excess -= sum(text_tokens(result.text) - text_tokens(mark.text) for result, mark in large.items())
                fresh[message] = ToolMessage(results=tuple(large.get(result, result) for result in message.results))
        if not fresh:
            return request
        trimmed.update(fresh)
        mark_compacted(run)
        return request.with_messages(*_exchanged(request.messages, fresh))


def _exchanged(messages: Iterable[Message], trimmed: dict[ToolMessage, ToolMessage]) -> Iterable[Message]:
    return (trimmed.get(message, message) if isinstance(message, ToolMessage) else message for message in messages)


def _mark(result: ToolResult, arguments: str) -> ToolResult:
    if len(arguments) > _SHOWN_ARGUMENTS:
        arguments = f"{arguments[:_SHOWN_ARGUMENTS]} …"
    text = f"[removed to save room: {len(result.text):,} characters that {result.name}({arguments}) gave]"
    return ToolResult(call_id=result.call_id, name=result.name, text=text, is_error=result.is_error)
