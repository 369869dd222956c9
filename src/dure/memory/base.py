"""The port to what is remembered of a conversation."""

from collections.abc import Sequence
from typing import Protocol

from dure.messages import Message


class ChatMemory(Protocol):
    """Messages of conversations, oldest first. Append-only but for `replace` and `clear`.

    Safe for any number of tasks at the same time. What is appended in one step is seen whole or not
    at all, and never mixed with what others append. Empty messages and system messages (those belong
    to the application) are left out; an empty conversation id is a `ConfigError`, and so is a store
    that cannot be read or written.
    """

    async def load(self, conversation_id: str, *, newest: int | None = None) -> tuple[Message, ...]:
        """Everything remembered, or the `newest` messages of it; nothing for an unknown conversation."""
        ...

    async def append(self, conversation_id: str, messages: Sequence[Message]) -> None:
        """Add messages at the end, all or none of them. Give a whole turn at once."""
        ...

    async def replace(self, conversation_id: str, old: Sequence[Message], new: Sequence[Message]) -> bool:
        """Put `new` in the place of `old`; false, and nothing changes, if the oldest are not `old` any more.

        The messages themselves are compared, not their number: two that shorten the same conversation
        at the same time would otherwise throw away what the first one kept.
        """
        ...

    async def clear(self, conversation_id: str) -> None:
        """Forget a conversation."""
        ...

    async def conversations(self) -> tuple[str, ...]:
        """Ids with at least one message, the one written to last first."""
        ...

    async def close(self) -> None:
        """Give back files and threads. May be called twice."""
        ...
