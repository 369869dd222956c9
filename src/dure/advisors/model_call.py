"""The end of the chain: one call of the model, counted, paid, timed and bounded."""

import logging
import time
from dataclasses import dataclass

from msgspec import structs

from dure.advisors.base import Chain
from dure.advisors.call_limit import check_model_calls
from dure.advisors.fitting import fit
from dure.advisors.history_repair import repaired
from dure.advisors.order import MODEL_CALL
from dure.chat import ChatRequest, ChatResponse
from dure.errors import BudgetExceeded, DeadlineExceeded, EmptyAnswer, ModelError, ModelTimeout
from dure.events import ModelCallFinished, ModelCallStarted
from dure.models.base import ChatModel
from dure.observability.active import active
from dure.observability.telemetry import Telemetry
from dure.run import Price, RunContext
from dure.schema import without_thoughts
from dure.time_limit import TimeLimit
from dure.usage import Usage

logger = logging.getLogger(__name__)

_ONE_CALL = Usage(model_calls=1)


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
            BudgetExceeded: the tree of runs has nothing left to spend.
        """
        run, model = chain.run, chain.model
        run.check()
        check_model_calls(run)
        if run.budget is not None:
            _reserve(run, model.name)
        run.counts.model_calls += 1
        if run.watched:
            run.emit(ModelCallStarted(model=model.name))
        begun, usage = time.perf_counter() if run.watched else 0.0, _ONE_CALL
        try:
            telemetry = active()
            if telemetry is None:
                response = await self._ask(_sendable(request, model), model, run)
            else:
                response = await self._traced(telemetry, _sendable(request, model), model, run)
            usage = _of_one_call(response.usage)
        except ModelError as error:
            usage = error.usage if error.usage.model_calls else usage
            raise
        finally:
            usage = _settled(usage, model.name, chain)
        if run.watched:
            seconds = time.perf_counter() - begun
            run.emit(
                ModelCallFinished(model=model.name, usage=usage, finish_reason=response.finish_reason, seconds=seconds)
            )
        _refuse_nothing(response, model.name)
        if response.usage is usage and response.model:
            return response
        return structs.replace(response, usage=usage, model=response.model or model.name)

    async def _traced(
        self, telemetry: Telemetry, request: ChatRequest, model: ChatModel, run: RunContext
    ) -> ChatResponse:
        with telemetry.chat(request, model.name, run) as span:
            response = await self._ask(request, model, span.run)
            span.answered(response)
            return response

    async def _ask(self, request: ChatRequest, model: ChatModel, run: RunContext) -> ChatResponse:
        remaining = run.remaining()
        limit = self.timeout if remaining is None else min(self.timeout, remaining)
        timer = TimeLimit(limit)
        try:
            return await timer.run(model.chat(request, run))
        except TimeoutError as error:
            if timer.expired and remaining is not None and remaining <= self.timeout:
                raise DeadlineExceeded(f"the run's time ended while {model.name} was answering") from error
            raise ModelTimeout(f"{model.name} did not answer within {limit:g} s") from error


def _sendable(request: ChatRequest, model: ChatModel) -> ChatRequest:
    """The request as this model takes it, with a history that no provider refuses."""
    messages = repaired(request.messages)
    if messages is not request.messages:
        request = request.with_messages(*messages)
    return fit(request, model.capabilities)


def _of_one_call(usage: Usage) -> Usage:
    return usage if usage.model_calls == 1 else structs.replace(usage, model_calls=1)


def _settled(usage: Usage, model: str, chain: Chain) -> Usage:
    """What the call came to, counted everywhere; with its cost."""
    run = chain.run
    if run.price is not None:
        usage = _priced(run.price, model, usage, answered=usage is not _ONE_CALL)
    if run.budget is not None:
        run.budget.settle(usage)
    chain.charge(usage)
    return usage


def _priced(price: Price, model: str, usage: Usage, *, answered: bool) -> Usage:
    """With its cost, which is unknown where a provider answers and does not say how many tokens it took."""
    if answered and not usage.total:
        return usage
    try:
        return structs.replace(usage, cost=price(model, usage))
    except Exception:  # the application's own function; what it does wrong must not hide the answer
        logger.exception("the price of %s cannot be told", model)
        return usage


def _reserve(run: RunContext, model: str) -> None:
    budget = run.budget
    if budget is None:
        return
    if budget.max_cost is not None and (run.price is None or run.price(model, _ONE_CALL) is None):
        raise BudgetExceeded(f"the price of {model} is unknown; give one, or ask it under a budget without max_cost")
    budget.reserve(model)


def _refuse_nothing(response: ChatResponse, model: str) -> None:
    """Thinking alone is not an answer; an answer that was cut or withheld says so itself."""
    if response.finish_reason not in ("stop", "tool_calls") or response.message.tool_calls:
        return
    if not without_thoughts(response.text):
        thought = "only thought" if response.message.reasoning else "answered with neither text nor a tool call"
        raise EmptyAnswer(f"{model} {thought}")
