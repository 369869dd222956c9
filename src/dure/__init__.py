"""두레: agents that take turns at one another's work. The public names; everything else may move.

A name is imported when it is first used, so that `import dure` costs next to nothing. Type checkers
read the same names from `__init__.pyi`.
"""

import importlib

_HOMES = {
    "Advisor": "dure.advisors.base",
    "AgentSafety": "dure.advisors.tool_loop",
    "AssistantMessage": "dure.messages",
    "BeforeAfterAdvisor": "dure.advisors.before_after",
    "Budget": "dure.budget",
    "CallLimitAdvisor": "dure.advisors.call_limit",
    "Chain": "dure.advisors.base",
    "ChatClient": "dure.client.chat_client",
    "ChatOptions": "dure.chat",
    "ChatRequest": "dure.chat",
    "ChatResponse": "dure.chat",
    "CompactionAdvisor": "dure.advisors.compaction",
    "ConfigError": "dure.errors",
    "DureError": "dure.errors",
    "EvaluationAdvisor": "dure.advisors.evaluation",
    "Event": "dure.events",
    "FallbackAdvisor": "dure.advisors.fallback",
    "Finished": "dure.events",
    "MemoryAdvisor": "dure.advisors.memory",
    "ModelError": "dure.errors",
    "OrchestrationToolCallingAdvisor": "dure.advisors.orchestration",
    "PromptCachingAdvisor": "dure.advisors.prompt_caching",
    "Restarted": "dure.events",
    "RetrievalAdvisor": "dure.advisors.retrieval",
    "RetryAdvisor": "dure.advisors.retry",
    "RunContext": "dure.run",
    "SafeguardAdvisor": "dure.advisors.safeguard",
    "ScriptedModel": "dure.models.scripted",
    "Signal": "dure.errors",
    "StructuredOutputAdvisor": "dure.advisors.structured_output",
    "TextDelta": "dure.events",
    "ToolCallingAdvisor": "dure.advisors.tool_calling",
    "ToolContext": "dure.tools.base",
    "ToolError": "dure.errors",
    "ToolSearchAdvisor": "dure.advisors.tool_search",
    "Toolbox": "dure.tools.toolbox",
    "UserMessage": "dure.messages",
    "open_model": "dure.models.registry",
    "run_sync": "dure.client.streaming",
    "tool": "dure.tools.function",
}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll] - type checkers read the stub


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'dure' has no public name {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
