"""A client that remembers, the tools it has, and a memory that counts."""

from collections.abc import Sequence
from typing import Any

from dure.advisors.memory import MemoryAdvisor
from dure.chat import ChatResponse
from dure.client.chat_client import ChatClient
from dure.client.prompt_spec import PromptSpec
from dure.memory.in_process import InProcessMemory
from dure.memory.window import WindowMemory
from dure.messages import AssistantMessage, Message, ToolCall, ToolMessage, ToolResult, UserMessage
from dure.models.scripted import ScriptedModel
from dure.run import RunContext
from dure.tools.function import tool


class CountingMemory(InProcessMemory):
    """Counts loads and keeps what was appended."""

    def __init__(self) -> None:
        super().__init__()
        self.loads = 0
        self.appended: list[tuple[Message, ...]] = []

    async def load(self, conversation_id: str, *, newest: int | None = None) -> tuple[Message, ...]:
        self.loads += 1
        return await super().load(conversation_id, newest=newest)

    async def append(self, conversation_id: str, messages: Sequence[Message]) -> None:
        self.appended.append(tuple(messages))
        await super().append(conversation_id, messages)


@tool
async def echo(text: str) -> str:
    """Say it back."""
    return text


@tool(return_direct=True)
async def final(text: str) -> str:
    """Give the answer."""
    return text


def calling(*names: str, tool: str = "echo", text: str = "") -> ChatResponse:
    """An answer that calls a tool once for each name."""
    calls = tuple(ToolCall(id=name, name=tool, arguments=f'{{"text": "{name}"}}') for name in names)
    return ChatResponse(message=AssistantMessage(text=text, tool_calls=calls), finish_reason="tool_calls")


def results(*names: str, tool: str = "echo") -> ToolMessage:
    """What the tools answer to it."""
    return ToolMessage(results=tuple(ToolResult(call_id=name, name=tool, text=name) for name in names))


def turn(question: str, answer: str) -> tuple[Message, ...]:
    """A question and its answer."""
    return UserMessage(text=question), AssistantMessage(text=answer)


def talking(model: ScriptedModel, memory: InProcessMemory | WindowMemory, **settings: Any) -> ChatClient:  # noqa: ANN401 - of the advisor
    """A client with a memory and the tools `echo` and `final`."""
    return ChatClient(model, advisors=(MemoryAdvisor(memory=memory, **settings),), tools=(echo, final))


def asked(client: ChatClient, text: str, conversation: str = "a") -> PromptSpec:
    """A prompt of a conversation."""
    return client.prompt(text).run(RunContext(conversation_id=conversation))
