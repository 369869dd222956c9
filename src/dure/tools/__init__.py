"""Things that act: what a tool is, how a function becomes one, and how a round of calls runs."""

from dure.tools.approval_gate import ApprovalInterceptor
from dure.tools.base import Interceptor, Proceed, Tool, ToolContext
from dure.tools.executor import execute
from dure.tools.function import FunctionTool, tool
from dure.tools.interceptors import TimeLimitInterceptor
from dure.tools.output_cap import OutputCap
from dure.tools.output_files import OutputFiles
from dure.tools.output_reader import output_reader
from dure.tools.schema_tool import SchemaTool, tool_from_schema
from dure.tools.toolbox import Toolbox

__all__ = [
    "ApprovalInterceptor",
    "FunctionTool",
    "Interceptor",
    "OutputCap",
    "OutputFiles",
    "Proceed",
    "SchemaTool",
    "TimeLimitInterceptor",
    "Tool",
    "ToolContext",
    "Toolbox",
    "execute",
    "output_reader",
    "tool",
    "tool_from_schema",
]
