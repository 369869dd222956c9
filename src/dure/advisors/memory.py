"""A conversation that goes on: what was said before is put into the request, the new turn is stored after it."""

from dataclasses import dataclass
from typing import Literal, cast

from dure.advisors.base import Chain
from dure.advisors.history_repair import repaired
from dure.advisors.order import MEMORY
from dure.advisors.tool_loop import SAID
from dure.chat import ChatRequest, ChatResponse
from dure.errors import ConfigError
from dure.memory.base import ChatMemory
from dure.messages import Message, SystemMessage, UserMessage
from dure.run import RunContext

REMEMBERED = object()
"""Key in `RunContext.state`: the `Remembered` that the request of this run begins with."""

_NOT_STORED = frozenset(("blocked", "content_filter"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What was loaded for a run, and from where."""

    memory: ChatMemory
    conversation_id: str
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryAdvisor:
    """Loads the conversation once, before everything else, and stores the turn once, when it has its answer.

    A turn that failed, was cancelled, was blocked or withheld, or has no text in its answer leaves
    the memory as it was. Turns of one conversation that run at the same time do not wait for each
    other: each sees what was stored when it began, and is stored whole when it ends.
    """

    memory: ChatMemory
    keep: Literal["answers", "everything"] = "answers"
    """Of a turn: what the user said and the final answer, or all rounds of tool calls and results too."""
    name: str = "memory"
    order: int = MEMORY

    def __post_init__(self) -> None:
        if self.keep not in ("answers", "everything"):
            raise ConfigError(f"{self.name}: keep is 'answers' or 'everything', not {self.keep!r}")

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """Answer with the history in mind.

        Raises:
            ConfigError: the run has no conversation id, or the store cannot be used.
        """
        run, conversation_id = chain.run, chain.run.conversation_id
        if conversation_id is None:
            raise ConfigError(f"{self.name}: the run has no conversation id; give one with .conversation('ID')")
        history = await self.memory.load(conversation_id)
        system = tuple(message for message in request.messages if isinstance(message, SystemMessage))
        said = tuple(message for message in request.messages if not isinstance(message, SystemMessage))
        known = _end_of(history, said)
        in_front = not known or known == len(history)
        run.state[REMEMBERED] = Remembered(
            memory=self.memory, conversation_id=conversation_id, messages=history if in_front else ()
        )
        run.state.pop(SAID, None)
        response = await chain.next(request.with_messages(*system, *(() if known else history), *said))
        turn = self._turn(_newest_turn(said[known:]), response, run)
        if turn:
            await self.memory.append(conversation_id, turn)
        return response

    def _turn(self, asked: tuple[Message, ...], response: ChatResponse, run: RunContext) -> tuple[Message, ...]:
        """What is stored of the turn; nothing if it is not complete or was refused."""
        answer = response.message
        if response.finish_reason in _NOT_STORED or answer.tool_calls or not answer.text.strip():
            return ()
        users = tuple(message for message in asked if isinstance(message, UserMessage) and message.text.strip())
        if not users:
            return ()
        if self.keep == "answers":
            return (*users, answer)
        rounds = cast("tuple[Message, ...]", run.state.get(SAID, ()))
        by_hand = tuple(message for message in asked if not isinstance(message, UserMessage))
        return repaired((*users, *by_hand, *rounds, answer))


def _end_of(history: tuple[Message, ...], said: tuple[Message, ...]) -> int:
    """Where the history ends in what is said already; 0 if it is not in there."""
    count = len(history)
    if not count:
        return 0
    for start in range(len(said) - count + 1):
        if said[start : start + count] == history:
            return start + count
    return 0


def _newest_turn(said: tuple[Message, ...]) -> tuple[Message, ...]:
    """From the last time the user spoke, however many messages that was; nothing without a user."""
    start = len(said)
    while start and not isinstance(said[start - 1], UserMessage):
        start -= 1
    while start and isinstance(said[start - 1], UserMessage):
        start -= 1
    return said[start:] if start < len(said) and isinstance(said[start], UserMessage) else ()
