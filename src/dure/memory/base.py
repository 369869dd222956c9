"""The port to what is remembered of a conversation."""

from collections.abc import Sequence
from typing import Protocol

from dure.messages import Message


class ChatMemory(Protocol):
    """Messages of conversations, oldest first. Append-only but for `replace`.

    A store never splits an assistant message from its tool results, keeps no system message (those
    belong to the application), and refuses an empty conversation id with a `ConfigError`.
    """

    async def load(self, conversation_id: str) -> tuple[Message, ...]:
        """Everything remembered, or nothing for an unknown conversation."""
        ...

    async def append(self, conversation_id: str, messages: Sequence[Message]) -> None:
        """Add messages at the end, all or none of them."""
        ...

    async def replace(self, conversation_id: str, messages: Sequence[Message], *, expected: int) -> bool:
        """Put `messages` in place of the `expected` oldest ones; false if they are not that many any more."""
        ...

    async def clear(self, conversation_id: str) -> None:
        """Forget a conversation."""
        ...

    async def conversations(self) -> tuple[str, ...]:
        """Ids with at least one message, most recently used first."""
        ...
