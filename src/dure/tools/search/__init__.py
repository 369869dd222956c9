"""Finding tools by search, so that a model need not be told of all of them in every request."""

from dure.tools.search.search_tool import SEARCH_TOOL_NAME, SearchTool
from dure.tools.search.store import ToolSearch

__all__ = ["SEARCH_TOOL_NAME", "SearchTool", "ToolSearch"]
