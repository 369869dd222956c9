"""The only place where a model call is repeated because it failed."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from dure.advisors.again import with_note
from dure.advisors.base import Chain
from dure.advisors.order import RETRY
from dure.chat import ChatRequest, ChatResponse
from dure.errors import ConfigError, EmptyAnswer, ModelError, ModelTimeout
from dure.events import Restarted
from dure.run import RunContext

NUDGE = "(Your last reply was empty. Answer now.)"


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryAdvisor:
    """Repeats a call on the same model while its error is worth it.

    Waits double from `base_delay`; a provider's own `Retry-After` is obeyed. An error that would
    need a wait longer than `longest_wait`, or longer than the run has time, goes up at once, so that
    a fallback can act. Every repetition is told by a `Restarted` event.
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
        if min(self.max_retries, self.base_delay, self.max_delay, self.jitter, self.longest_wait) < 0:
            raise ConfigError(f"{self.name}: numbers must not be negative")

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """Answer, or raise the last `ModelError`."""
        attempt, asked = 0, request
        while True:
            try:
                return await chain.next(asked)
            except ModelError as error:
                delay = self._delay(error, attempt, chain.run)
                if delay is None:
                    raise
                chain.run.check()
                chain.run.emit(Restarted(reason=str(error), delay=delay))
                # the nudge goes with this attempt only: no later request ever holds it
                asked = with_note(request, NUDGE) if isinstance(error, EmptyAnswer) else request
            attempt += 1
            await self.sleep(delay)

    def _delay(self, error: ModelError, attempt: int, run: RunContext) -> float | None:
        """Seconds to wait, or `None` if there is no use in it."""
        # a time-out has cost its whole time already: one more is enough
        most = min(self.max_retries, 1) if isinstance(error, ModelTimeout) else self.max_retries
        if not error.retryable or attempt >= most:
            return None
        delay = min(self.max_delay, self.base_delay * 2**attempt) * (1 + self.jitter * self.chance())
        if error.retry_after is not None:
            if error.retry_after > self.longest_wait:
                return None
            delay = max(delay, error.retry_after)
        remaining = run.remaining()
        return None if remaining is not None and delay >= remaining else delay
