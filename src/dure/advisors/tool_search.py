"""The tool loop for many tools: the model sees a search tool, what is always there, and what it found.

Everything may run, shown or not: a call to a tool that was never shown runs it and shows it from then on.
Found tools stay for the conversation, always in the order they were found, so that the beginning of the
prompt stays the same and providers can keep it in their caches.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Self

from dure.advisors.base import Chain
from dure.advisors.tool_calling import ToolCallingAdvisor
from dure.advisors.tool_search_loop import ToolSearchHooks
from dure.advisors.tool_search_texts import search_suffix
from dure.chat import ChatRequest, ChatResponse
from dure.errors import ConfigError
from dure.tools.base import Tool
from dure.tools.search.search_tool import MAX_LIMIT, SEARCH_TOOL_NAME, Language
from dure.tools.search.store import ToolSearch
from dure.tools.toolbox import Toolbox

logger = logging.getLogger(__name__)

THRESHOLD = 10
"""From so many tools on it pays to search."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSearchAdvisor(ToolCallingAdvisor):
    """A tool loop whose tools are found by search. Keep one for many requests: its `search` remembers.

    If no index can be built over the tools, all of them are shown, with a warning.
    """

    search: ToolSearch | None = field(default_factory=ToolSearch)
    """Indexes, and what each conversation found; `None` turns the search off, and all tools are shown."""
    always_visible: tuple[Tool, ...] = ()
    """Shown without being searched for. Another tool of the same name is left out."""
    limit: int = 5
    """Tools a search gives where the model does not say how many."""
    accumulate: bool = True
    """Whether found tools stay; otherwise those of the last round that searched are shown."""
    language: Literal["auto", "en", "ko"] = "auto"
    """Of what the model is told about searching; `auto`: that of the user's first text in the conversation."""
    name: str = "tool search"

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= MAX_LIMIT:
            raise ConfigError(f"{self.name}: limit must be from 1 to {MAX_LIMIT}, not {self.limit}")
        if self.language not in ("auto", "en", "ko"):
            raise ConfigError(f"{self.name}: language must be 'auto', 'en' or 'ko', not {self.language!r}")
        shown = Toolbox(self.always_visible)
        if any(self.toolbox.find(tool.definition.name) is not tool for tool in shown):
            object.__setattr__(self, "toolbox", Toolbox((*shown, *_others(self.toolbox.tools, shown))))
        if self.search is not None and SEARCH_TOOL_NAME in self.toolbox:
            raise ConfigError(f"{self.name}: {SEARCH_TOOL_NAME!r} is the tool that searches; name yours otherwise")

    def with_tools(self, *tools: Tool) -> Self:
        """The same loop with more tools to find; those with the name of an always visible one are left out.

        Raises:
            ConfigError: a name is there already.
        """
        more = _others(tools, Toolbox(self.always_visible))
        return replace(self, toolbox=self.toolbox.with_added(*more))

    def found(self, conversation_id: str) -> tuple[str, ...]:
        """Names of the tools a conversation found so far; store them to go on after a restart."""
        return () if self.search is None else self.search.found(conversation_id)

    def restore(self, conversation_id: str, names: Sequence[str]) -> None:
        """Let a conversation go on with what `found` gave before a restart."""
        if self.search is not None:
            self.search.restore(conversation_id, names)

    def suffix(self, language: Language, *, searching: bool) -> str:
        """What is added to the system message; `searching` is false while all tools are shown."""
        return search_suffix(language) if searching else ""

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """Answer, after as many rounds as it takes.

        Raises:
            ConfigError: a tool has the name of the search tool.
        """
        loop = replace(self, hooks=ToolSearchHooks(self))
        return await ToolCallingAdvisor.advise(loop, request, chain)


def auto_tool_advisor(
    tools: Sequence[Tool],
    *,
    searching: ToolSearchAdvisor | None,
    direct: ToolCallingAdvisor = ToolCallingAdvisor(),  # noqa: B008 frozen
    threshold: int = THRESHOLD,
) -> ToolCallingAdvisor:
    """The loop for so many tools: `direct` below the threshold, `searching` from there on (`None`: never).

    Keep `searching` for all requests of an application, since it remembers what conversations found.

    Raises:
        ConfigError: two tools have the same name, or the threshold is below 1.
    """
    if threshold < 1:
        raise ConfigError(f"the threshold of tool search must be at least 1, not {threshold}")
    loop = direct if searching is None or len(tools) < threshold else searching
    return loop.with_tools(*tools)


def _others(tools: Sequence[Tool], shown: Toolbox) -> tuple[Tool, ...]:
    """Those whose name no shown tool has; a warning names the rest."""
    for tool in tools:
        first = shown.find(tool.definition.name)
        if first is not None and first is not tool:
            logger.warning("tool %r is left out: an always visible tool has its name", tool.definition.name)
    return tuple(tool for tool in tools if tool.definition.name not in shown)
