"""Requests whose beginning stays the same, so that providers read it from their cache instead of charging it again."""

import hashlib
import logging
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, cast

from dure.advisors import settings
from dure.advisors.base import Chain
from dure.advisors.order import PROMPT_CACHING
from dure.chat import ChatOptions, ChatRequest, ChatResponse, ToolDefinition
from dure.messages import Message, SystemMessage

logger = logging.getLogger(__name__)

MAX_CONVERSATIONS = 1000
"""Conversations whose last beginning is kept to compare."""


class _Beginning(NamedTuple):
    """What came first in a request, in the order in which providers compare it."""

    tools: tuple[ToolDefinition, ...]
    system: tuple[str, ...]


class _Sent(NamedTuple):
    """The last request of a run."""

    given: ChatOptions
    options: ChatOptions
    beginning: _Beginning
    messages: tuple[Message, ...]


class _Known:
    """The beginnings of the latest conversations, and whether a change was told."""

    __slots__ = ("conversations", "told")

    def __init__(self) -> None:
        self.conversations: OrderedDict[str, _Beginning] = OrderedDict()
        self.told = False

    def swap(self, conversation_id: str, beginning: _Beginning) -> _Beginning | None:
        """Keep the newest beginning of a conversation; gives the one before."""
        before = self.conversations.pop(conversation_id, None)
        self.conversations[conversation_id] = beginning
        if len(self.conversations) > MAX_CONVERSATIONS:
            self.conversations.popitem(last=False)
        return before


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptCachingAdvisor:
    """Asks the provider to keep the beginning of each request, and keeps that beginning the same.

    Tools stay in the order in which they were first sent; new ones come after them. When the tools or
    the system text of a conversation change, or an earlier message of a run, the log says so once: all
    that follows the change is charged as fresh input again. What belongs to one moment (time, documents
    found) goes into the user text, never into the system text.
    """

    keep: Literal["5m", "1h"] = "5m"
    """How long a provider that must be asked keeps it after the last use; an hour costs more to write."""
    name: str = "prompt caching"
    order: int = PROMPT_CACHING
    _known: _Known = field(default_factory=_Known, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        settings.word(self.name, "keep", self.keep, ("5m", "1h"))

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """Answer by way of the cache; options that say something of their own about it are kept."""
        run = chain.run
        last = cast("_Sent | None", run.state.get(_SENT))
        before = last.beginning if last is not None else None
        system = tuple(message.text for message in request.messages if isinstance(message, SystemMessage))
        beginning = _Beginning(request.tools, system)
        if before is None and run.conversation_id is not None:
            before = self._known.swap(run.conversation_id, beginning)
        if before is not None and beginning != before:
            beginning = _Beginning(_in_order(request.tools, before.tools), system)
            self._tell(before, beginning)
            if run.conversation_id is not None:
                self._known.swap(run.conversation_id, beginning)
        if last is not None and request.messages[: len(last.messages) - 1] != last.messages[:-1]:
            self._tell_once("an earlier message")
        options = last.options if last is not None and last.given is request.options else None
        if options is None:
            options = self._options(request.options, run.conversation_id, beginning)
        run.state[_SENT] = _Sent(request.options, options, beginning, request.messages)
        return await chain.next(ChatRequest(messages=request.messages, options=options, tools=beginning.tools))

    def _options(self, given: ChatOptions, conversation_id: str | None, beginning: _Beginning) -> ChatOptions:
        return replace(
            given,
            prompt_cache=given.prompt_cache or self.keep,
            cache_key=given.cache_key or _key(conversation_id, beginning),
        )

    def _tell(self, before: _Beginning, now: _Beginning) -> None:
        if before.tools != now.tools[: len(before.tools)]:
            self._tell_once("a tool")
        elif before.tools != now.tools:
            self._tell_once("the number of tools")
        if before.system != now.system:
            self._tell_once("the system text")

    def _tell_once(self, what: str) -> None:
        if self._known.told:
            return
        self._known.told = True
        logger.warning(
            "%s: %s changed between two requests of a conversation, so that the cache is written anew and paid "
            "again (told once); keep tools and system text the same and put what changes into the user text",
            self.name,
            what,
        )


_SENT = object()


def _in_order(tools: tuple[ToolDefinition, ...], before: tuple[ToolDefinition, ...]) -> tuple[ToolDefinition, ...]:
    """The tools, those that were there before in their old places."""
    places = {tool.name: place for place, tool in enumerate(before)}
    return tuple(sorted(tools, key=lambda tool: places.get(tool.name, len(places))))


def _key(conversation_id: str | None, beginning: _Beginning) -> str:
    """Tells nothing of the conversation to the provider."""
    shared = (
        (conversation_id,) if conversation_id is not None else (*beginning.system, *(t.name for t in beginning.tools))
    )
    return hashlib.sha256("\0".join(shared).encode("utf-8", "surrogatepass")).hexdigest()[:32]
