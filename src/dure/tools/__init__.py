"""Things that act: what a tool is, how a function becomes one, and how a round of calls runs."""

from dure.tools.base import Tool, ToolContext
from dure.tools.executor import execute
from dure.tools.function import FunctionTool, tool
from dure.tools.toolbox import Toolbox

__all__ = ["FunctionTool", "Tool", "ToolContext", "Toolbox", "execute", "tool"]
