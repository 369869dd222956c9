"""The easy way to a simple advisor: a function before, a function after, nothing to call in between."""

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from dure.advisors.base import Chain
from dure.advisors.order import MODEL_CALL
from dure.chat import ChatRequest, ChatResponse
from dure.errors import ConfigError
from dure.run import RunContext

Before = Callable[[ChatRequest, RunContext], ChatRequest | Awaitable[ChatRequest]]
After = Callable[[ChatResponse, RunContext], ChatResponse | Awaitable[ChatResponse]]


@dataclass(frozen=True, slots=True, kw_only=True)
class BeforeAfterAdvisor:
    """Changes the request on its way down and the response on its way up.

    The functions may be async. An advisor that asks more than once writes `advise` itself.
    """

    name: str
    order: int
    """Its place (see `dure.advisors.order`); between `TOOL_CALLING` and the model it runs each round."""
    before: Before | None = None
    after: After | None = None

    def __post_init__(self) -> None:
        if self.before is None and self.after is None:
            raise ConfigError(f"{self.name}: give `before`, `after` or both")
        if self.order >= MODEL_CALL:
            raise ConfigError(f"{self.name}: order {self.order} is behind the model call; give one below {MODEL_CALL}")

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """`before`, everything below, `after`."""
        if self.before is not None:
            changed = self.before(request, chain.run)
            request = await changed if inspect.isawaitable(changed) else changed
            if not isinstance(request, ChatRequest):  # pyright: ignore[reportUnnecessaryIsInstance] - others write it
                raise ConfigError(f"{self.name}: `before` gave {request!r} instead of a ChatRequest")
        response = await chain.next(request)
        if self.after is None:
            return response
        answer = self.after(response, chain.run)
        return await answer if inspect.isawaitable(answer) else answer
