"""One request of a tool loop that searches: what it shows, and what it does when the model searches."""

import logging
from typing import Protocol, cast

from dure.advisors.tool_loop import ToolLoop, ToolLoopHooks
from dure.advisors.tool_search_texts import broken_text, found_text, language_of, visible_text
from dure.chat import ChatRequest, ChatResponse
from dure.errors import DureError, Signal, ToolFailed
from dure.events import ToolsFound
from dure.messages import Message, SystemMessage
from dure.search.words import name_key
from dure.tools.base import Tool
from dure.tools.output_reader import NAME as OUTPUT_READER
from dure.tools.search.conversations import FoundTools
from dure.tools.search.search_tool import Language
from dure.tools.search.store import ToolSearch, ToolSet
from dure.tools.toolbox import Toolbox

logger = logging.getLogger(__name__)


class Settings(Protocol):
    """What the hooks need of their advisor."""

    @property
    def hooks(self) -> ToolLoopHooks:
        """The application's own, called before these."""
        ...

    @property
    def search(self) -> ToolSearch | None:
        """Indexes, and what conversations found."""
        ...

    @property
    def always_visible(self) -> tuple[Tool, ...]:
        """Shown without being searched for."""
        ...

    @property
    def limit(self) -> int:
        """Tools a search gives by default."""
        ...

    @property
    def accumulate(self) -> bool:
        """Whether found tools stay."""
        ...

    @property
    def language(self) -> str:
        """`auto`, `en` or `ko`."""
        ...

    def suffix(self, language: Language, *, searching: bool) -> str:
        """What is added to the system message."""
        ...


class ToolSearchHooks(ToolLoopHooks):
    """The state of one request. The application's own hooks are called as ever."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._hooks = settings.hooks
        self._language: Language = "en"
        self._loop: ToolLoop | None = None
        self._tools: ToolSet | None = None
        self._found = FoundTools()
        self._shown: dict[str, None] = {}
        self._searched_in = 0

    async def initialise(self, loop: ToolLoop) -> None:
        """Hide what is to be found, show what the conversation found before, and tell the model."""
        await self._hooks.initialise(loop)
        self._loop, search = loop, self._settings.search
        if search is None:
            self._language = self._chosen_language(loop, None)
        else:
            self._found = search.state_of(loop.chain.run)
            self._language = self._chosen_language(loop, self._found)
            await self._hide(loop, search)
        text = self._settings.suffix(self._language, searching=self._tools is not None)
        if text:
            loop.request = loop.request.with_messages(*with_suffix(loop.request.messages, text))

    async def before_round(self, loop: ToolLoop, request: ChatRequest) -> ChatRequest:
        """As the application says."""
        return await self._hooks.before_round(loop, request)

    async def after_round(self, loop: ToolLoop, response: ChatResponse) -> ChatResponse:
        """Expect the searches, and show the hidden tools that the model knew by name."""
        response = await self._hooks.after_round(loop, response)
        if self._tools is not None:
            search_tool = self._tools.search_tool
            for call in response.message.tool_calls:
                if call.name == search_tool.definition.name:
                    search_tool.expect(call.id, self, loop.chain.run)
                elif (tool := loop.toolbox.find(call.name)) is not None:
                    self._show(loop, self._tools, call.name, (tool.definition.name,))
        return response

    async def next_instructions(self, loop: ToolLoop, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        """As the application says."""
        return await self._hooks.next_instructions(loop, messages)

    async def finalise(self, loop: ToolLoop, response: ChatResponse | None) -> ChatResponse | None:
        """As the application says."""
        return await self._hooks.finalise(loop, response)

    async def search(self, query: str, limit: int) -> str:
        """What the model is told of a search of this loop; what it found is shown from the next round on.

        Raises:
            ToolFailed: the search does not work; all tools are shown from now on.
        """
        loop, tools = self._loop, self._tools
        if loop is None or tools is None:  # a search of the same round has failed
            raise ToolFailed(broken_text(self._language, "a search just failed"))
        key = name_key(query)
        for name in tools.visible:
            if name_key(name) == key:
                return visible_text(self._language, name)
        try:
            hits = await tools.index.search(query, limit=limit)
        except Signal:
            raise
        except Exception as error:  # whatever an index of others raises, tools must stay within reach
            self._show_everything(loop, tools, error)
            raise ToolFailed(broken_text(self._language, str(error) or type(error).__name__)) from error
        found = [tools.hidden[hit.id] for hit in hits[:limit] if hit.id in tools.hidden]
        self._begin_anew(loop)
        self._show(loop, tools, query, tuple(definition.name for definition in found))
        return found_text(self._language, query, found)

    async def _hide(self, loop: ToolLoop, search: ToolSearch) -> None:
        reader = loop.toolbox.find(OUTPUT_READER)
        toolbox = loop.toolbox if reader is None else _without(loop.toolbox, reader)
        visible = frozenset(tool.definition.name for tool in self._settings.always_visible)
        if all(tool.definition.name in visible for tool in toolbox):
            return  # nothing to find
        try:
            search_tool = search.search_tool(self._language, self._settings.limit)
            tools = self._tools = await search.prepare(toolbox, visible, search_tool)
        except ToolFailed as error:
            logger.warning("tool search is off, all %d tools are shown: %s", len(toolbox), error)
            return
        loop.toolbox = tools.toolbox
        self._shown = {name: None for name in self._found.names if name in tools.hidden}
        self._offer(loop, tools)
        if reader is not None:
            loop.add_tool(reader)

    def _show(self, loop: ToolLoop, tools: ToolSet, query: str, names: tuple[str, ...]) -> None:
        """Show hidden tools from the next round on, and remember them for the conversation."""
        names = tuple(name for name in names if name in tools.hidden)
        self._found.add(names)
        new = tuple(name for name in names if name not in self._shown)
        if not new:
            return
        self._shown.update(dict.fromkeys(new))
        self._offer(loop, tools)
        if loop.chain.run.watched:
            loop.chain.run.emit(ToolsFound(query=query, names=new))

    def _begin_anew(self, loop: ToolLoop) -> None:
        """Without accumulation, the first search of a round takes the place of what was found before."""
        if self._settings.accumulate or self._searched_in == loop.round:
            return
        self._searched_in = loop.round
        self._found.names.clear()
        self._shown.clear()

    def _offer(self, loop: ToolLoop, tools: ToolSet) -> None:
        """The visible tools, the search, and what was found: in this order, so that only the end changes."""
        shown, hidden = tools.shown, tools.hidden
        added = [one for one in loop.offered or () if one.name not in hidden and one not in shown]
        loop.offered = (*shown, *added, *map(hidden.__getitem__, self._shown))

    def _show_everything(self, loop: ToolLoop, tools: ToolSet, error: Exception) -> None:
        """The search is broken: show all tools for the rest of the request."""
        if not isinstance(error, DureError):
            logger.error("the index over tools failed", exc_info=error)
        logger.warning("tool search is off, all %d tools are shown: %s", len(tools.hidden), error)
        self._shown.update(dict.fromkeys(tools.hidden))
        self._offer(loop, tools)
        self._tools = None

    def _chosen_language(self, loop: ToolLoop, found: FoundTools | None) -> Language:
        if self._settings.language != "auto":
            return cast(Language, self._settings.language)
        if found is None:
            return language_of(loop.request.last_user_text)
        if not found.language:
            found.language = language_of(loop.request.last_user_text)
        return cast(Language, found.language)


def with_suffix(messages: tuple[Message, ...], suffix: str) -> tuple[Message, ...]:
    """The messages with `suffix` at the end of the first system message, once; in a new one if there is none."""
    for place, message in enumerate(messages):
        if isinstance(message, SystemMessage):
            if suffix in message.text:
                return messages
            joined = SystemMessage(text=f"{message.text}\n\n{suffix}".strip())
            return (*messages[:place], joined, *messages[place + 1 :])
    return (SystemMessage(text=suffix), *messages)


def _without(toolbox: Toolbox, left_out: Tool) -> Toolbox:
    return Toolbox(tuple(tool for tool in toolbox if tool is not left_out))
