"""두레: agents that take turns at one another's work. The public names; everything else may move.

A name is imported when it is first used, so that `import dure` costs next to nothing. Type checkers
read the same names from `__init__.pyi`.
"""

import importlib

_HOMES = {
    "Advisor": "dure.advisors.base",
    "AssistantMessage": "dure.messages",
    "CallLimitAdvisor": "dure.advisors.call_limit",
    "Chain": "dure.advisors.base",
    "ChatClient": "dure.client.chat_client",
    "ChatModel": "dure.models.base",
    "ChatOptions": "dure.chat",
    "ChatRequest": "dure.chat",
    "ChatResponse": "dure.chat",
    "ConfigError": "dure.errors",
    "DureError": "dure.errors",
    "Evaluation": "dure.advisors.evaluation",
    "EvaluationAdvisor": "dure.advisors.evaluation",
    "Event": "dure.events",
    "FallbackAdvisor": "dure.advisors.fallback",
    "Finished": "dure.events",
    "ModelCapabilities": "dure.models.base",
    "ModelError": "dure.errors",
    "Restarted": "dure.events",
    "RetryAdvisor": "dure.advisors.retry",
    "RunContext": "dure.run",
    "ScriptedModel": "dure.models.scripted",
    "Signal": "dure.errors",
    "StructuredOutputAdvisor": "dure.advisors.structured_output",
    "SystemMessage": "dure.messages",
    "TextDelta": "dure.events",
    "Tool": "dure.tools.base",
    "ToolCall": "dure.messages",
    "ToolCallingAdvisor": "dure.advisors.tool_calling",
    "ToolContext": "dure.tools.base",
    "ToolDefinition": "dure.chat",
    "ToolError": "dure.errors",
    "ToolGuards": "dure.advisors.tool_loop",
    "ToolMessage": "dure.messages",
    "ToolResult": "dure.messages",
    "Usage": "dure.usage",
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
