"""The tool by which a model looks for other tools."""

from collections.abc import Mapping
from typing import Literal, Protocol, cast

from dure.chat import ToolDefinition
from dure.errors import InvalidArguments, ToolFailed
from dure.messages import Json
from dure.run import RunContext
from dure.tools.base import ToolContext

Language = Literal["en", "ko"]

SEARCH_TOOL_NAME = "search_tools"
MAX_LIMIT = 10
_LONGEST_QUERY = 1000
_TEXTS: Mapping[Language, tuple[str, str, str]] = {
    "en": (
        "Find tools that are not shown yet. Those found can be called from the next step on.",
        "What has to be done and to what, in a few words, or the name of a tool",
        "How many tools at most",
    ),
    "ko": (
        "아직 보이지 않는 툴을 찾습니다. 찾은 툴은 다음 단계부터 호출할 수 있습니다.",
        "무엇을 어떻게 해야 하는지 몇 단어로, 또는 툴 이름",
        "최대 몇 개를 찾을지",
    ),
}


class Searching(Protocol):
    """One tool loop that looks for tools."""

    async def search(self, query: str, limit: int) -> str:
        """Make the tools that fit visible, and tell the model which.

        Raises:
            ToolFailed: the search does not work.
        """
        ...


class SearchTool:
    """`search_tools(query, limit)`. Holds nothing of a run: each call is answered by the loop it came from."""

    return_direct = False
    concurrent = True
    timeout: float | None = 30.0

    def __init__(self, language: Language, default_limit: int) -> None:
        about, query, limit = _TEXTS[language]
        self._default_limit = default_limit
        self.definition = ToolDefinition(
            name=SEARCH_TOOL_NAME,
            description=about,
            parameters={
                "type": "object",
                "properties": {
                    "query": {"type": "string", "description": query},
                    "limit": {
                        "type": "integer",
                        "description": limit,
                        "minimum": 1,
                        "maximum": MAX_LIMIT,
                        "default": default_limit,
                    },
                },
                "required": ["query"],
            },
        )

    def accept(self, arguments: Mapping[str, Json]) -> Mapping[str, object]:
        """A query that says something, and a limit brought within 1 and 10."""
        query, limit = arguments.get("query"), arguments.get("limit")
        if not isinstance(query, str) or not query.strip():
            raise InvalidArguments("query: say in a few words what has to be done")
        if limit is None:
            limit = self._default_limit
        if isinstance(limit, str) and limit.strip().isdecimal():
            limit = int(limit.strip()[:3])
        if isinstance(limit, bool) or not isinstance(limit, int | float) or limit != limit:
            raise InvalidArguments(f"limit: a number from 1 to {MAX_LIMIT}, not {limit!r}")
        return {"query": query.strip()[:_LONGEST_QUERY], "limit": int(max(1, min(limit, MAX_LIMIT)))}

    def expect(self, call_id: str, searching: Searching, run: RunContext) -> None:
        """Say which loop the coming call belongs to; two loops of one run may search at the same time."""
        self._expected(run)[call_id] = searching

    async def run(self, arguments: Mapping[str, object], context: ToolContext) -> object:
        """Search in the loop that the call came from."""
        searching = self._expected(context.run).pop(context.call.id, None)
        if searching is None:
            raise ToolFailed("tools can only be searched from a tool loop that hides some")
        return await searching.search(cast(str, arguments["query"]), cast(int, arguments["limit"]))

    def _expected(self, run: RunContext) -> dict[str, Searching]:
        return cast(dict[str, Searching], run.state.setdefault(self, {}))
