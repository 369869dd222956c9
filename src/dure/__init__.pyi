"""The public names as type checkers read them: the same as the table in `__init__.py` (a test says so)."""

from dure.advisors.base import Advisor, Chain
from dure.advisors.before_after import BeforeAfterAdvisor
from dure.advisors.call_limit import CallLimitAdvisor
from dure.advisors.compaction import CompactionAdvisor
from dure.advisors.evaluation import EvaluationAdvisor
from dure.advisors.fallback import FallbackAdvisor
from dure.advisors.memory import MemoryAdvisor
from dure.advisors.orchestration import OrchestrationToolCallingAdvisor
from dure.advisors.prompt_caching import PromptCachingAdvisor
from dure.advisors.retrieval import RetrievalAdvisor
from dure.advisors.retry import RetryAdvisor
from dure.advisors.safeguard import SafeguardAdvisor
from dure.advisors.structured_output import StructuredOutputAdvisor
from dure.advisors.tool_calling import ToolCallingAdvisor
from dure.advisors.tool_loop import AgentSafety
from dure.advisors.tool_search import ToolSearchAdvisor
from dure.budget import Budget
from dure.chat import ChatOptions, ChatRequest, ChatResponse
from dure.client.chat_client import ChatClient
from dure.client.streaming import run_sync
from dure.errors import ConfigError, DureError, ModelError, Signal, ToolError
from dure.events import Event, Finished, Restarted, TextDelta
from dure.messages import AssistantMessage, UserMessage
from dure.models.registry import open_model
from dure.models.scripted import ScriptedModel
from dure.run import RunContext
from dure.tools.base import ToolContext
from dure.tools.function import tool
from dure.tools.toolbox import Toolbox

__all__ = [
    "Advisor",
    "AgentSafety",
    "AssistantMessage",
    "BeforeAfterAdvisor",
    "Budget",
    "CallLimitAdvisor",
    "Chain",
    "ChatClient",
    "ChatOptions",
    "ChatRequest",
    "ChatResponse",
    "CompactionAdvisor",
    "ConfigError",
    "DureError",
    "EvaluationAdvisor",
    "Event",
    "FallbackAdvisor",
    "Finished",
    "MemoryAdvisor",
    "ModelError",
    "OrchestrationToolCallingAdvisor",
    "PromptCachingAdvisor",
    "Restarted",
    "RetrievalAdvisor",
    "RetryAdvisor",
    "RunContext",
    "SafeguardAdvisor",
    "ScriptedModel",
    "Signal",
    "StructuredOutputAdvisor",
    "TextDelta",
    "ToolCallingAdvisor",
    "ToolContext",
    "ToolError",
    "ToolSearchAdvisor",
    "Toolbox",
    "UserMessage",
    "open_model",
    "run_sync",
    "tool",
]
