"""Words that must not be asked about or answered with: the new user text and the answer are looked at, nothing else."""

import logging
import re
import unicodedata
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import cast

from msgspec import structs

from dure.advisors import settings
from dure.advisors.base import Chain
from dure.advisors.documents_text import language_of
from dure.advisors.listed_words import folded, pattern_of
from dure.advisors.order import SAFEGUARD
from dure.advisors.retrieval import own_text
from dure.chat import ChatRequest, ChatResponse
from dure.errors import ConfigError, ModelTimeout
from dure.events import Restarted, TextDelta
from dure.messages import AssistantMessage, SystemMessage, UserMessage
from dure.run import RunContext
from dure.time_limit import TimeLimit

logger = logging.getLogger(__name__)

REFUSALS = {
    "ko": "이 요청은 도와드릴 수 없습니다.",
    "en": "I cannot help with this request.",
}

Check = Callable[[str], Awaitable[str | None]]
"""A classifier: why a text is refused, or `None` if it is not. The reason goes to the log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SafeguardAdvisor:
    """Refuses a request or an answer, once per request, with finish reason `blocked`.

    A refused request reaches no model; a refused answer is replaced, and viewers are told that what they
    saw does not count. Listed words are found whatever their case and composition: Latin ones as whole
    words, Hangul anywhere, also spaced apart. System text, history and documents found are not looked at.
    """

    words: tuple[str, ...] = ()
    patterns: tuple[re.Pattern[str], ...] = ()
    """Searched in the text in composed form (NFC), case as their own flags say. Mind their cost."""
    check: Check | None = None
    """Asked after words and patterns found nothing. If it fails, so does the request."""
    refusal: str | None = None
    """What is answered instead; by default in the language of the user."""
    timeout: float = 30.0
    """Seconds a `check` may take."""
    name: str = "safeguard"
    order: int = SAFEGUARD
    _listed: re.Pattern[str] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        settings.items(self.name, "words", self.words, lambda one: settings.text(self.name, "each of words", one))
        settings.items(self.name, "patterns", self.patterns, self._check_pattern)
        settings.number(self.name, "timeout", self.timeout)
        if self.check is not None:
            settings.function(self.name, "check", self.check)
        if self.refusal is not None:
            settings.text(self.name, "refusal", self.refusal)
        object.__setattr__(self, "_listed", pattern_of(self.words))

    def _check_pattern(self, one: object) -> None:
        if not isinstance(one, re.Pattern):
            raise ConfigError(f"{self.name}: each of patterns must be compiled (re.compile), not {one!r}")
        pattern = cast("re.Pattern[str]", one)
        if not isinstance(pattern.pattern, str) or pattern.search(""):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigError(
                f"{self.name}: {pattern.pattern!r} is of bytes, or is in every text and would block everything"
            )

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """Answer, or refuse.

        Raises:
            ModelTimeout: the `check` took too long.
        """
        run, asked = chain.run, _new_text(request, chain.run)
        if asked and await self._reason(asked, run):
            return self._refused(asked, run)
        response = await chain.next(request)
        if not response.text or not await self._reason(response.text, run):
            return response
        run.emit(Restarted(reason="the answer was withheld"))
        return structs.replace(self._refused(asked or request.last_user_text, run), model=response.model)

    async def _reason(self, text: str, run: RunContext) -> str | None:
        """Why the text is refused; what was found is told to the log only, without the text."""
        reason = self._found_in(text)
        if reason is None and self.check is not None:
            reason = await self._checked(text, self.check, run)
        if reason is not None:
            logger.info("%s: blocked in run %s: %s", self.name, run.run_id, reason)
        return reason

    def _found_in(self, text: str) -> str | None:
        if self._listed is None and not self.patterns:
            return None
        if self._listed is not None and self._listed.search(folded(text)):
            return "a listed word"
        composed = unicodedata.normalize("NFC", text)
        for pattern in self.patterns:
            if pattern.search(composed):
                return f"the pattern {pattern.pattern!r}"
        return None

    async def _checked(self, text: str, check: Check, run: RunContext) -> str | None:
        async def checked() -> str | None:
            return await check(text)

        remaining = run.remaining()
        limit = TimeLimit(self.timeout if remaining is None else min(self.timeout, remaining))
        try:
            return await limit.run(checked()) or None
        except TimeoutError as error:
            if not limit.expired:
                raise
            raise ModelTimeout(f"{self.name}: the check said nothing within {limit.seconds:g} s") from error

    def _refused(self, asked: str, run: RunContext) -> ChatResponse:
        text = self.refusal or REFUSALS[language_of(asked)]
        run.emit(TextDelta(text=text))
        return ChatResponse(message=AssistantMessage(text=text), finish_reason="blocked")


def _new_text(request: ChatRequest, run: RunContext) -> str:
    """What the user said since the last answer."""
    new: list[str] = []
    for message in reversed(request.messages):
        if isinstance(message, UserMessage):
            new.append(own_text(message, run))
        elif not isinstance(message, SystemMessage):
            break
    return "\n".join(reversed(new))
