"""A conversation cut to its newest turns. A turn begins where a user speaks, and is never cut itself."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dure.errors import ConfigError
from dure.memory.base import ChatMemory
from dure.memory.tokens import message_tokens
from dure.messages import Message, SystemMessage, ToolMessage, UserMessage


def turns(messages: Iterable[Message]) -> tuple[tuple[Message, ...], ...]:
    """The messages, divided before each user message; what stands before the first is a turn of its own."""
    divided: list[list[Message]] = []
    for message in messages:
        if not divided or isinstance(message, UserMessage):
            divided.append([])
        divided[-1].append(message)
    return tuple(tuple(turn) for turn in divided)


def window(
    messages: tuple[Message, ...],
    *,
    max_messages: int | None = None,
    max_tokens: int | None = None,
    keep_last_turn: bool = False,
) -> tuple[Message, ...]:
    """The newest whole turns within the limits, after all system messages, which count too.

    The results of one round count as one message, however many there are. What fits comes back as it
    is, the same tuple. `keep_last_turn` is for a request that is about to be sent: its last turn is
    the one at work and stays, however long it is. Without it nothing but system messages may be left.
    """
    _check_room(max_messages, max_tokens)
    system = tuple(message for message in messages if isinstance(message, SystemMessage))
    said = tuple(message for message in messages if not isinstance(message, SystemMessage)) if system else messages
    count = len(system)
    tokens = 0 if max_tokens is None else sum(map(message_tokens, system))
    start, complete = len(said), True
    for position in range(len(said) - 1, -1, -1):
        count += _weight(said, position)
        tokens += 0 if max_tokens is None else message_tokens(said[position])
        if (max_messages is not None and count > max_messages) or (max_tokens is not None and tokens > max_tokens):
            complete = False
            break
        if isinstance(said[position], UserMessage):
            start = position
    if complete:
        return messages
    if keep_last_turn:
        start = min(start, _last_turn(said))
    return messages if start == 0 else (*system, *said[start:])


def _check_room(*limits: int | None) -> None:
    if any(limit is not None and limit < 1 for limit in limits):
        raise ConfigError("a window must have room for at least 1 message or token")


def _weight(said: Sequence[Message], position: int) -> int:
    """A tool message after another holds results of the same round."""
    together = position and isinstance(said[position], ToolMessage) and isinstance(said[position - 1], ToolMessage)
    return 0 if together else 1


def _last_turn(said: Sequence[Message]) -> int:
    for position in range(len(said) - 1, -1, -1):
        if isinstance(said[position], UserMessage):
            return position
    return 0


@dataclass(frozen=True, slots=True)
class WindowMemory:
    """Shows the newest turns of each conversation; the store below keeps all of them."""

    memory: ChatMemory
    max_messages: int = 20
    max_tokens: int | None = None
    """Estimated (see `dure.memory.tokens`)."""

    def __post_init__(self) -> None:
        _check_room(self.max_messages, self.max_tokens)

    async def load(self, conversation_id: str, *, newest: int | None = None) -> tuple[Message, ...]:
        """What the window shows, or the `newest` messages of it."""
        # one more than fits tells whether anything is cut
        shown = self._shown(await self.memory.load(conversation_id, newest=self.max_messages + 1))
        return shown if newest is None else shown[max(0, len(shown) - newest) :]

    async def append(self, conversation_id: str, messages: Sequence[Message]) -> None:
        """Add messages at the end of the store below."""
        await self.memory.append(conversation_id, messages)

    async def replace(self, conversation_id: str, old: Sequence[Message], new: Sequence[Message]) -> bool:
        """Put `new` in the place of `old`, if those are the oldest that the window shows."""
        stored = await self.memory.load(conversation_id)
        shown = self._shown(stored[max(0, len(stored) - self.max_messages - 1) :])
        hidden = stored[: len(stored) - len(shown)]
        if shown[: len(old)] != tuple(old):
            return False
        return await self.memory.replace(conversation_id, (*hidden, *old), (*hidden, *new))

    async def clear(self, conversation_id: str) -> None:
        """Forget a conversation, what is out of sight too."""
        await self.memory.clear(conversation_id)

    async def conversations(self) -> tuple[str, ...]:
        """Those of the store below."""
        return await self.memory.conversations()

    async def close(self) -> None:
        """Close the store below."""
        await self.memory.close()

    def _shown(self, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        return window(messages, max_messages=self.max_messages, max_tokens=self.max_tokens)
