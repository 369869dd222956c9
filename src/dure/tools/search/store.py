"""What tool search remembers from one request to the next. Share one for all requests of an application."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import is_
from typing import cast

from dure.chat import ToolDefinition
from dure.errors import ConfigError
from dure.run import RunContext
from dure.search.base import IndexBuilder, TextIndex
from dure.search.keyword import KeywordIndexBuilder
from dure.tools.search.conversations import Conversations, FoundTools
from dure.tools.search.indexes import ToolIndexes
from dure.tools.search.search_tool import Language, SearchTool
from dure.tools.toolbox import Toolbox

_SETS = 16
"""Sets of tools recognised by identity, without looking into them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ToolSet:
    """Tools of which some are always shown and the others found by search."""

    source: Toolbox
    visible: frozenset[str]
    search_tool: SearchTool
    toolbox: Toolbox
    """What may run: all of them and the search tool."""
    shown: tuple[ToolDefinition, ...]
    """What the model is told before it found anything."""
    hidden: dict[str, ToolDefinition]
    index: TextIndex
    """Over the hidden ones."""


class ToolSearch:
    """Indexes over tools, and what each conversation found.

    A conversation is `RunContext.conversation_id`; without one, what is found lasts as long as the run.
    """

    def __init__(
        self,
        builder: IndexBuilder | None = None,
        *,
        max_conversations: int = 1000,
        ttl: float | None = None,
        max_tools: int = 50_000,
        build_timeout: float = 60.0,
        retry_after: float = 60.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`builder`: how to search; words by default. `ttl`: seconds after which an idle conversation is forgotten.

        `max_tools`: in all indexes together. `build_timeout`: seconds an index may take. `retry_after`: seconds
        for which an index that could not be built is not tried again.

        Raises:
            ConfigError: a limit leaves no room for anything.
        """
        self._indexes = ToolIndexes(
            builder or KeywordIndexBuilder(),
            max_tools=max_tools,
            build_timeout=build_timeout,
            retry_after=retry_after,
            clock=clock,
        )
        self._conversations = Conversations(max_conversations, ttl=ttl, clock=clock)
        self._sets: list[ToolSet] = []
        self._search_tools: dict[tuple[Language, int], SearchTool] = {}

    def found(self, conversation_id: str) -> tuple[str, ...]:
        """Names of the tools the conversation found, oldest first; store them to go on elsewhere."""
        return self._conversations.names(conversation_id)

    def restore(self, conversation_id: str, names: Iterable[str]) -> None:
        """Let a conversation go on with tools it had found; names that no tool has are harmless."""
        self._conversations.use(conversation_id).add(names)

    def forget(self, conversation_id: str) -> None:
        """Drop what a conversation found."""
        self._conversations.forget(conversation_id)

    def state_of(self, run: RunContext) -> FoundTools:
        """What the run's conversation found, or, without one, the run itself."""
        if run.conversation_id is not None:
            return self._conversations.use(run.conversation_id)
        return cast(FoundTools, run.state.setdefault(self, FoundTools()))

    def search_tool(self, language: Language, limit: int) -> SearchTool:
        """The search tool in a language, always the same one."""
        known = self._search_tools.get((language, limit))
        if known is None:
            known = self._search_tools[language, limit] = SearchTool(language, limit)
        return known

    async def prepare(self, toolbox: Toolbox, visible: frozenset[str], search_tool: SearchTool) -> ToolSet:
        """The tools of `toolbox` as a set of which those named `visible` are always shown.

        Raises:
            ToolFailed: no index can be built over the others.
            ConfigError: a tool has the name of the search tool.
        """
        for place, known in enumerate(self._sets):
            if known.search_tool is search_tool and known.visible == visible and _same_tools(known.source, toolbox):
                if place:
                    self._sets.insert(0, self._sets.pop(place))
                return known
        made = await self._made(toolbox, visible, search_tool)
        self._sets.insert(0, made)
        del self._sets[_SETS:]
        return made

    async def _made(self, toolbox: Toolbox, visible: frozenset[str], search_tool: SearchTool) -> ToolSet:
        definition = search_tool.definition
        if definition.name in toolbox:
            raise ConfigError(
                f"a tool is called {definition.name!r}, as the one that searches for tools; give it another name"
            )
        first = [tool for tool in toolbox if tool.definition.name in visible]
        hidden = [tool for tool in toolbox if tool.definition.name not in visible]
        return ToolSet(
            source=toolbox,
            visible=visible,
            search_tool=search_tool,
            toolbox=Toolbox((*first, search_tool, *hidden)),
            shown=(*(tool.definition for tool in first), definition),
            hidden={tool.definition.name: tool.definition for tool in hidden},
            index=await self._indexes.index_of([tool.definition for tool in hidden]),
        )


def _same_tools(some: Toolbox, others: Toolbox) -> bool:
    return some is others or (_same(some.tools, others.tools) and _same(some.definitions, others.definitions))


def _same(some: Sequence[object], others: Sequence[object]) -> bool:
    return len(some) == len(others) and all(map(is_, some, others))
