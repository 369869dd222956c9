"""Answers that must be good enough: scored, and asked for again with the feedback."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from dure.advisors.again import with_note
from dure.advisors.base import Chain
from dure.advisors.order import EVALUATION
from dure.chat import ChatRequest, ChatResponse
from dure.errors import ConfigError, ModelError, OutputInvalid, OutputTruncated
from dure.events import Restarted
from dure.usage import NO_USAGE, Usage

logger = logging.getLogger(__name__)

FEEDBACK_NOTE = "A reviewer found this in your last answer:\n{feedback}\nAnswer again, better."


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What a reviewer thinks of an answer."""

    score: float
    feedback: str = ""
    """For the model: what to do better."""
    usage: Usage = NO_USAGE
    """What the review itself cost, if a model did it."""


Evaluate = Callable[[ChatRequest, ChatResponse], Awaitable[Evaluation]]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationAdvisor:
    """Asks again until an answer scores `threshold`; gives the best one, not the last.

    A tool call is handed straight on. If a later attempt fails, the best answer so far stands.
    """

    evaluate: Evaluate
    threshold: float
    max_retries: int = 3
    name: str = "evaluation"
    order: int = EVALUATION

    def __post_init__(self) -> None:
        if self.max_retries < 0:
            raise ConfigError(f"{self.name}: max_retries must not be negative")

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """Answer with the best of at most `1 + max_retries` attempts."""
        best, asked = await chain.next(request), request
        if best.message.tool_calls:
            return best
        top = latest = await self._review(request, best, chain)
        for _ in range(self.max_retries):
            if top.score >= self.threshold:
                break
            chain.run.emit(Restarted(reason=f"scored {latest.score:g} of {self.threshold:g}: {latest.feedback}"))
            asked = with_note(request, FEEDBACK_NOTE.format(feedback=latest.feedback))
            try:
                response = await chain.next(asked)
            except (ModelError, OutputInvalid, OutputTruncated):
                logger.warning("a better answer could not be had; keeping the best so far", exc_info=True)
                break
            if response.message.tool_calls:
                return response
            latest = await self._review(request, response, chain)
            if latest.score > top.score:
                best, top = response, latest
        return best

    async def _review(self, request: ChatRequest, response: ChatResponse, chain: Chain) -> Evaluation:
        evaluation = await self.evaluate(request, response)
        chain.charge(evaluation.usage)
        return evaluation
