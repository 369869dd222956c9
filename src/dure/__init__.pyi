"""The public names as type checkers read them: the same as the table in `__init__.py` (a test says so)."""

from dure.advisors.base import Advisor, Chain
from dure.advisors.call_limit import CallLimitAdvisor
from dure.advisors.evaluation import Evaluation, EvaluationAdvisor
from dure.advisors.fallback import FallbackAdvisor
from dure.advisors.retry import RetryAdvisor
from dure.advisors.structured_output import StructuredOutputAdvisor
from dure.advisors.tool_calling import ToolCallingAdvisor
from dure.advisors.tool_loop import ToolGuards
from dure.chat import ChatOptions, ChatRequest, ChatResponse, ToolDefinition
from dure.client.chat_client import ChatClient
from dure.client.streaming import run_sync
from dure.errors import ConfigError, DureError, ModelError, Signal, ToolError
from dure.events import Event, Finished, Restarted, TextDelta
from dure.messages import AssistantMessage, SystemMessage, ToolCall, ToolMessage, ToolResult, UserMessage
from dure.models.base import ChatModel, ModelCapabilities
from dure.models.registry import open_model
from dure.models.scripted import ScriptedModel
from dure.run import RunContext
from dure.tools.base import Tool, ToolContext
from dure.tools.function import tool
from dure.usage import Usage

__all__ = [
    "Advisor",
    "AssistantMessage",
    "CallLimitAdvisor",
    "Chain",
    "ChatClient",
    "ChatModel",
    "ChatOptions",
    "ChatRequest",
    "ChatResponse",
    "ConfigError",
    "DureError",
    "Evaluation",
    "EvaluationAdvisor",
    "Event",
    "FallbackAdvisor",
    "Finished",
    "ModelCapabilities",
    "ModelError",
    "Restarted",
    "RetryAdvisor",
    "RunContext",
    "ScriptedModel",
    "Signal",
    "StructuredOutputAdvisor",
    "SystemMessage",
    "TextDelta",
    "Tool",
    "ToolCall",
    "ToolCallingAdvisor",
    "ToolContext",
    "ToolDefinition",
    "ToolError",
    "ToolGuards",
    "ToolMessage",
    "ToolResult",
    "Usage",
    "UserMessage",
    "open_model",
    "run_sync",
    "tool",
]
