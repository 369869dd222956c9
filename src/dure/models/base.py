"""The port every chat model implements, real or scripted."""

from dataclasses import dataclass
from typing import Protocol

from dure.chat import ChatRequest, ChatResponse
from dure.run import RunContext


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCapabilities:
    """What a caller may ask of a model."""

    tools: bool = True
    json_schema: bool = True
    """`ChatOptions.json_schema` is enforced by the provider."""
    grammar: bool = False
    """`ChatOptions.grammar` (GBNF) is enforced by the provider."""
    context_window: int | None = None
    """Tokens, or `None` where unknown."""
    parallel: int = 8
    """Calls that make sense at the same time."""
    small: bool = False
    """A model of a few billion parameters: ask it short closed questions."""


class ChatModel(Protocol):
    """Answers one request. Text and tool-call deltas go to the run's sink while it works."""

    @property
    def name(self) -> str:
        """`provider:model`."""
        ...

    @property
    def capabilities(self) -> ModelCapabilities:
        """What may be asked of it."""
        ...

    async def chat(self, request: ChatRequest, run: RunContext) -> ChatResponse:
        """Answer `request`.

        Emits `TextDelta`, `ReasoningDelta` and `ToolCallDelta` to `run` (none need be made unless
        `run.watched`), and never retries.

        Raises:
            ModelError: of the class that says what to do about it.
        """
        ...

    async def close(self) -> None:
        """Give back connections and processes. May be called twice."""
        ...
