"""The end of the chain: one call of the model, counted, timed and bounded."""

import asyncio
import time
from dataclasses import dataclass, replace

from dure.advisors.base import Chain
from dure.advisors.call_limit import check_model_calls
from dure.advisors.fitting import fit
from dure.advisors.order import MODEL_CALL
from dure.chat import ChatRequest, ChatResponse
from dure.errors import DeadlineExceeded, EmptyAnswer, ModelTimeout
from dure.events import ModelCallFinished, ModelCallStarted
from dure.schema import without_thoughts
from dure.usage import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """Asks `chain.model` once. Never retries; a cut answer is no error here."""

    timeout: float = 600.0
    """Seconds one call may take; the run's deadline may be nearer."""
    name: str = "model call"
    order: int = MODEL_CALL

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """Ask the model.

        Raises:
            ModelError: the model failed, took too long, or answered nothing.
            DeadlineExceeded: the run's time is over.
            CallLimitExceeded: the run has no model call left.
        """
        run, model = chain.run, chain.model
        run.check()
        check_model_calls(run)
        run.model_calls += 1
        run.text_left = False
        run.emit(ModelCallStarted(model=model.name))
        begun = time.perf_counter()
        try:
            response = await self._ask(fit(request, model.capabilities), chain)
        except BaseException:
            chain.charge(Usage(model_calls=1))
            raise
        usage = replace(response.usage, model_calls=1)
        chain.charge(usage)
        run.emit(
            ModelCallFinished(
                model=model.name,
                usage=usage,
                finish_reason=response.finish_reason,
                seconds=time.perf_counter() - begun,
            )
        )
        _refuse_nothing(response, model.name)
        return response if response.model else replace(response, model=model.name)

    async def _ask(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        remaining = chain.run.remaining()
        limit = self.timeout if remaining is None else min(self.timeout, remaining)
        timer = asyncio.timeout(limit)
        try:
            async with timer:
                return await chain.model.chat(request, chain.run)
        except TimeoutError as error:
            if timer.expired() and remaining is not None and remaining <= self.timeout:
                raise DeadlineExceeded(f"the run's time ended while {chain.model.name} was answering") from error
            raise ModelTimeout(f"{chain.model.name} did not answer within {limit:g} s") from error


def _refuse_nothing(response: ChatResponse, model: str) -> None:
    """Thinking alone is not an answer; an answer that was cut or withheld says so itself."""
    said = response.message.tool_calls or without_thoughts(response.text)
    if response.finish_reason in {"stop", "tool_calls"} and not said:
        raise EmptyAnswer(f"{model} answered with neither text nor a tool call")
