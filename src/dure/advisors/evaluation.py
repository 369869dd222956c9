"""Answers that must be good enough: scored, and asked for again with the feedback."""

import logging
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from dure.advisors import settings
from dure.advisors.again import with_note
from dure.advisors.base import Chain
from dure.advisors.order import EVALUATION
from dure.chat import ChatRequest, ChatResponse
from dure.errors import ConfigError, LimitExceeded, ModelError, OutputInvalid, OutputTruncated
from dure.events import Restarted, TextDelta
from dure.usage import NO_USAGE, Usage

logger = logging.getLogger(__name__)

FEEDBACK_NOTE = "A reviewer found this in your last answer:\n{feedback}\nAnswer again, better."

_FAILURES = (ModelError, OutputInvalid, OutputTruncated, LimitExceeded)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What a reviewer thinks of an answer."""

    score: float
    feedback: str = ""
    """For the model: what to do better."""
    usage: Usage = NO_USAGE
    """What the review itself cost, if it was paid outside the chain."""

    def __post_init__(self) -> None:
        settings.number("evaluation", "score", self.score, least=-math.inf)


Evaluate = Callable[[ChatRequest, ChatResponse], Awaitable[Evaluation]]
"""Scores an answer to a request, by a rule or in any other way."""


@runtime_checkable
class Judge(Protocol):
    """Scores with the run in hand, so that what it spends is bounded and counted with it (`ModelJudge`)."""

    async def judge(self, request: ChatRequest, response: ChatResponse, chain: Chain) -> Evaluation:
        """What it thinks of an answer. What it spends it charges to `chain` or puts into the evaluation."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationAdvisor:
    """Asks again until an answer scores `threshold`; gives the best one, not the last.

    A tool call is handed straight on. If a later attempt or its review fails, the best answer so far
    stands; if the first review fails, the first answer stands unjudged. Both are logged.
    """

    evaluate: Evaluate | Judge
    threshold: float
    max_retries: int = 3
    name: str = "evaluation"
    order: int = EVALUATION

    def __post_init__(self) -> None:
        if not isinstance(self.evaluate, Judge):
            settings.function(self.name, "evaluate", self.evaluate)
        elif isinstance(self.evaluate, type):
            raise ConfigError(f"{self.name}: evaluate must be a judge, not the class {self.evaluate!r}")
        settings.number(self.name, "threshold", self.threshold, least=-math.inf)
        settings.whole(self.name, "max_retries", self.max_retries)

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """Answer with the best of at most `1 + max_retries` attempts."""
        best = await chain.next(request)
        top = None if _is_final(best) else await self._review(request, best, chain)
        if top is None:
            return best
        shown: ChatResponse | None = best
        latest = top
        for _ in range(self.max_retries):
            if top.score >= self.threshold:
                break
            chain.run.emit(Restarted(reason=f"scored {latest.score:g} of {self.threshold:g}: {latest.feedback}"))
            shown = response = await self._another(request, latest, chain)
            if response is not None and response.message.tool_calls:
                return response
            review = None if response is None or _is_final(response) else await self._review(request, response, chain)
            if response is None or review is None:
                break
            latest = review
            if latest.score > top.score:
                best, top = response, latest
        if shown is not best and chain.run.watched:
            chain.run.emit(Restarted(reason="an earlier answer is the best one"))
            chain.run.emit(TextDelta(text=best.text))
        return best

    async def _another(self, request: ChatRequest, latest: Evaluation, chain: Chain) -> ChatResponse | None:
        try:
            return await chain.next(with_note(request, FEEDBACK_NOTE.format(feedback=latest.feedback)))
        except _FAILURES:
            logger.warning("a better answer could not be had; keeping the best so far", exc_info=True)
            return None

    async def _review(self, request: ChatRequest, response: ChatResponse, chain: Chain) -> Evaluation | None:
        try:
            if isinstance(self.evaluate, Judge):
                evaluation = await self.evaluate.judge(request, response, chain)
            else:
                evaluation = await self.evaluate(request, response)
        except _FAILURES:
            logger.warning("an answer could not be judged; keeping the best so far", exc_info=True)
            return None
        if not isinstance(evaluation, Evaluation):  # pyright: ignore[reportUnnecessaryIsInstance] - others write it
            raise ConfigError(f"{self.name}: evaluate gave {evaluation!r} instead of an Evaluation")
        chain.charge(evaluation.usage)
        return evaluation


def _is_final(response: ChatResponse) -> bool:
    """Not to be judged: it goes on with tools, or asking again would not help."""
    return bool(response.message.tool_calls) or response.finish_reason in ("blocked", "content_filter", "limit")
