"""A long conversation made to fit its model: old turns are replaced by a summary, once, in the memory too."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass

from dure.advisors.base import Chain
from dure.advisors.memory import REMEMBERED, Remembered
from dure.advisors.order import COMPACTION
from dure.advisors.protection import Protection
from dure.advisors.summary import Summariser, language_of
from dure.advisors.summary_prompts import QUESTIONS, Language
from dure.advisors.token_estimate import expected_tokens, learn
from dure.chat import ChatRequest, ChatResponse
from dure.errors import ConfigError, ContextTooLong, DureError, Signal
from dure.events import MemoryCompacted
from dure.memory.tokens import message_tokens
from dure.memory.window import turns
from dure.messages import AssistantMessage, Message, SystemMessage, UserMessage
from dure.models.base import ChatModel
from dure.observability.compaction import mark_compacted

logger = logging.getLogger(__name__)

_DEFAULT_PROTECTION = Protection()
_SMALLEST_PART = 500
"""Tokens; a model that can read no more at once is no help."""
_READABLE = 0.9
"""Share of the window that one request for a summary may fill."""
_SHORTEST_SUMMARY = 200
"""Tokens."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """A conversation in pieces."""

    system: tuple[Message, ...]
    earlier: tuple[tuple[Message, ...], ...]
    """All turns before the one at work."""
    old: tuple[tuple[Message, ...], ...]
    """Those of them that may go."""
    recent: tuple[Message, ...]
    """Those that stay, and the one at work."""
    protected: tuple[Message, ...]
    """What stays of the old turns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionAdvisor:
    """Replaces old turns by the model's own summary when a request comes near the model's context window.

    The newest turns stay whole, and so does what `protection` names. The summary is put in the place of
    the old turns in the memory, so that it is paid for once. Without a usable summary the old turns are
    left out of this request only, and the turn goes on. A provider that says the request is too long
    is believed, also where no window is known, as long as no tool has run.
    """

    context_window: int | None = None
    """Tokens; for a model that does not say, or to stay further below it."""
    threshold: float = 0.8
    """Share of the window at which old turns go."""
    keep_recent: float = 0.3
    """Share of the window that the newest turns may fill and stay."""
    protection: Protection = _DEFAULT_PROTECTION
    model: ChatModel | None = None
    """Who sums up; without one, the model that is asked."""
    language: Language | None = None
    """Of the instructions to it; without one, Korean if the user wrote any."""
    max_summary_tokens: int = 2_000
    """Less for a model with a small window: an eighth of it."""
    timeout: float = 120.0
    """Seconds one request for a summary may take."""
    name: str = "compaction"
    order: int = COMPACTION

    def __post_init__(self) -> None:
        if not 0 < self.keep_recent < self.threshold <= 1:
            raise ConfigError(f"{self.name}: 0 < keep_recent < threshold <= 1, as shares of the window")
        if min(self.context_window or 1, self.max_summary_tokens, self.timeout) <= 0 or self.context_window == 0:
            raise ConfigError(f"{self.name}: context_window, max_summary_tokens and timeout must be positive")

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """Answer a request that fits."""
        run, window = chain.run, self.context_window or chain.model.capabilities.context_window
        if window is not None and expected_tokens(request, run) > self._limit(window, request):
            request = await self._shorter(request, chain, window)
        tools_before = run.counts.tool_calls
        try:
            response = await chain.next(request)
        except ContextTooLong:
            # the estimate was wrong; once tools have run, going again would run them twice
            if run.counts.tool_calls > tools_before:
                raise
            shorter = await self._shorter(request, chain, max(1, expected_tokens(request, run) * 3 // 4))
            if shorter is request:
                raise
            request, response = shorter, await chain.next(shorter)
        learn(request, response, run)
        return response

    def _limit(self, window: int, request: ChatRequest) -> float:
        """Tokens a request may have; the answer needs room too."""
        limit = self.threshold * window
        answer = request.options.max_tokens
        return limit if answer is None else min(limit, max(window - answer, window * self.keep_recent))

    async def _shorter(self, request: ChatRequest, chain: Chain, window: int) -> ChatRequest:
        """The request without its old turns; the same one if it has none."""
        plan = self._plan(request, chain, self.keep_recent * window)
        if not plan.old:
            return request
        summed_up = await self._summed_up(plan, chain, window)
        if summed_up:
            messages = (*plan.system, *summed_up, *plan.recent)
            before, after = len(request.messages) - len(plan.system), len(messages) - len(plan.system)
            chain.run.emit(MemoryCompacted(messages_before=before, messages_after=after))
        else:
            beside = expected_tokens(request, chain.run) - sum(_tokens(turn) for turn in plan.earlier)
            room = self._limit(window, request) - beside - _tokens(plan.protected)
            plan = self._plan(request, chain, room)
            messages = (*plan.system, *plan.protected, *plan.recent)
        mark_compacted(chain.run)
        return request.with_messages(*messages)

    def _plan(self, request: ChatRequest, chain: Chain, room: float) -> _Plan:
        """Divide the conversation so that the newest of the earlier turns fill `room` tokens."""
        system = tuple(message for message in request.messages if isinstance(message, SystemMessage))
        said = tuple(message for message in request.messages if not isinstance(message, SystemMessage))
        remembered = _remembered(chain, said)
        if remembered is not None:
            # what the application gave beside the memory is its own affair, and would be paid for at every turn
            earlier, now = turns(remembered.messages), said[len(remembered.messages) :]
        else:
            *before, now = turns(said) or ((),)
            earlier = tuple(before)
        first = len(earlier)
        while first and (room := room - _tokens(earlier[first - 1])) >= 0:
            first -= 1
        calls = self.protection.calls(said)
        protected = _joined(self.protection.reduced(turn, calls) for turn in earlier[:first])
        return _Plan(system, earlier, earlier[:first], (*_joined(earlier[first:]), *now), protected)

    async def _summed_up(self, plan: _Plan, chain: Chain, window: int) -> tuple[Message, ...]:
        """What takes the place of the old turns, in the memory already; nothing if that did not work."""
        old = _joined(plan.old)
        language = self.language or language_of(old)
        try:
            summary = await self._summariser(chain, window).summarise(old, language, chain)
            question = UserMessage(text=QUESTIONS[language])
            new = (question, AssistantMessage(text=summary), *plan.protected)
            if not summary or _tokens(new) >= _tokens(old):
                logger.warning("no summary of %d messages: it is empty or no shorter than they are", len(old))
                return ()
            remembered = _remembered(chain, (*old, *plan.recent))
            if remembered is not None:
                await remembered.memory.replace(remembered.conversation_id, old, new)
        except Signal:
            raise
        except DureError as error:
            logger.warning("no summary of %d messages: %s", len(old), error)
            return ()
        except Exception:  # the summary is a convenience: whatever breaks in it, the turn goes on
            logger.exception("no summary of %d messages", len(old))
            return ()
        return new

    def _summariser(self, chain: Chain, window: int) -> Summariser:
        model = self.model or chain.model
        reads = min(window, model.capabilities.context_window or window)
        writes = min(self.max_summary_tokens, max(_SHORTEST_SUMMARY, reads // 8))
        # beside what is read there is room for the summary so far and the new one
        room = max(_SMALLEST_PART, int(reads * _READABLE) - 2 * writes)
        return Summariser(model=model, max_tokens=writes, room=room, timeout=self.timeout)


def _joined(several: Iterable[tuple[Message, ...]]) -> tuple[Message, ...]:
    return tuple(message for turn in several for message in turn)


def _tokens(messages: Iterable[Message]) -> int:
    return sum(map(message_tokens, messages))


def _remembered(chain: Chain, said: tuple[Message, ...]) -> Remembered | None:
    """What the conversation was loaded from, if it begins with what was loaded."""
    found = chain.run.state.get(REMEMBERED)
    if not isinstance(found, Remembered) or not found.messages:
        return None
    return found if said[: len(found.messages)] == found.messages else None
