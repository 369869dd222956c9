"""The only place where a model call is repeated because it failed."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import cast

from dure.advisors import settings
from dure.advisors.again import with_note
from dure.advisors.base import Chain
from dure.advisors.order import RETRY
from dure.advisors.truncation import once_more
from dure.chat import ChatRequest, ChatResponse
from dure.errors import EmptyAnswer, ModelError, ModelTimeout
from dure.events import Restarted
from dure.run import RunContext
from dure.schema import without_thoughts

NUDGE = "(Your last reply was empty. Answer now.)"

_NUDGED = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryAdvisor:
    """Repeats a call on the same model while its error is worth it.

    Waits double from `base_delay`; a provider's own `Retry-After` is obeyed. An error that would
    need a wait longer than `longest_wait`, or longer than the run has time, goes up at once, so that
    a fallback can act. An empty answer is nudged once in a turn, then goes up as `EmptyAnswer`; one
    that is empty because thinking took all its room gets twice the room once. Every repetition is
    told by a `Restarted` event.
    """

    max_retries: int = 3
    base_delay: float = 0.5
    max_delay: float = 30.0
    jitter: float = 0.25
    """Up to this share is added to a wait at random, so that many callers do not return together."""
    longest_wait: float = 60.0
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random
    name: str = "retry"
    order: int = RETRY

    def __post_init__(self) -> None:
        settings.whole(self.name, "max_retries", self.max_retries)
        for name in ("base_delay", "max_delay", "jitter", "longest_wait"):
            settings.number(self.name, name, getattr(self, name))
        settings.function(self.name, "sleep", self.sleep)
        settings.function(self.name, "chance", self.chance)

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """Answer, or raise the last error.

        Raises:
            ModelError: it is not worth another attempt, or the attempts are used up.
            OutputTruncated: thinking took all the room, also of twice as much.
        """
        try:
            response = await chain.next(request)
        except ModelError as error:
            response = await self._again(request, chain, error)
        if response.finish_reason == "length" and _is_nothing(response):
            return (await once_more(request, chain, response, cut=_is_cut_to_nothing))[0]
        return response

    async def _again(self, request: ChatRequest, chain: Chain, error: ModelError) -> ChatResponse:
        for attempt in range(self.max_retries):
            silent_again = isinstance(error, EmptyAnswer) and not _first_nudge(request, chain.run)
            delay = None if silent_again else self._delay(error, attempt, chain.run)
            if delay is None:
                raise error
            chain.run.check()
            chain.run.emit(Restarted(reason=str(error), delay=delay))
            # the nudge goes with this attempt only: no later request ever holds it
            asked = with_note(request, NUDGE) if isinstance(error, EmptyAnswer) else request
            await self.sleep(delay)
            try:
                return await chain.next(asked)
            except ModelError as another:
                error = another
        raise error

    def _delay(self, error: ModelError, attempt: int, run: RunContext) -> float | None:
        """Seconds to wait, or `None` if there is no use in it."""
        # a time-out has cost its whole time already: one more is enough
        if not error.retryable or (attempt and isinstance(error, ModelTimeout)):
            return None
        delay = min(self.max_delay, self.base_delay * 2**attempt) * (1 + self.jitter * self.chance())
        if error.retry_after is not None:
            if error.retry_after > self.longest_wait:
                return None
            delay = max(delay, error.retry_after)
        remaining = run.remaining()
        return None if remaining is not None and delay >= remaining else delay


def _first_nudge(request: ChatRequest, run: RunContext) -> bool:
    """Whether the model was not nudged for what the user says yet, and that it now is."""
    nudged = cast("set[str]", run.state.setdefault(_NUDGED, set[str]()))
    asked = request.last_user_text
    if any(asked == one or asked.startswith(f"{one}\n\n") for one in nudged):  # notes come after a blank line
        return False
    nudged.add(asked)
    return True


def _is_nothing(response: ChatResponse) -> bool:
    return not response.message.tool_calls and not without_thoughts(response.text)


def _is_cut_to_nothing(response: ChatResponse) -> bool:
    return response.finish_reason == "length" and _is_nothing(response)
