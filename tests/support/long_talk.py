"""A conversation too long for a small model, and the client that goes on with it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dure.advisors.compaction import CompactionAdvisor
from dure.advisors.memory import MemoryAdvisor
from dure.advisors.retry import RetryAdvisor
from dure.client.chat_client import ChatClient
from dure.client.prompt_spec import PromptSpec
from dure.events import Event
from dure.memory.in_process import InProcessMemory
from dure.messages import AssistantMessage, Message, UserMessage
from dure.models.base import ModelCapabilities
from dure.models.scripted import ScriptedModel
from dure.run import RunContext

SUMMARY = "결정: 서울 창고부터. 미결: A-1023 발주 12개."
WORDS = "창고 이야기를 길게 나눈다. " * 15
SMALL = ModelCapabilities(context_window=2_000)


def turn(number: int) -> tuple[Message, ...]:
    """A short question with a long answer."""
    return UserMessage(text=f"질문 {number}"), AssistantMessage(text=f"답 {number} {WORDS}")


LONG = tuple(message for number in range(10) for message in turn(number))
SUMMED_UP = (UserMessage(text="지금까지 나눈 대화를 요약해 줘."), AssistantMessage(text=SUMMARY))


def small(*turns: Any) -> ScriptedModel:  # noqa: ANN401 - whatever a scripted model plays
    """A model of 2,000 tokens."""
    return ScriptedModel(*turns, capabilities=SMALL)


async def remembering(messages: Sequence[Message] = LONG) -> InProcessMemory:
    """A memory of conversation `a`."""
    memory = InProcessMemory()
    await memory.append("a", messages)
    return memory


def asked(model: ScriptedModel, memory: InProcessMemory, /, **settings: Any) -> PromptSpec:  # noqa: ANN401 - of the advisor
    """The next prompt of conversation `a`."""
    advisors = (MemoryAdvisor(memory=memory), CompactionAdvisor(**settings), RetryAdvisor(max_retries=0))
    return ChatClient(model, advisors=advisors, system="be kind").prompt("다음은?").run(RunContext(conversation_id="a"))


def watched(prompt: PromptSpec, events: list[Event]) -> PromptSpec:
    """The prompt, its events going to the list."""
    assert prompt.context is not None
    return prompt.run(replace(prompt.context, sink=events.append))
