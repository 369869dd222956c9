"""Conversations that live as long as the process."""

import threading
from collections.abc import Sequence

from dure.memory.checks import check_id, worth_keeping
from dure.messages import Message


class InProcessMemory:
    """Keeps the messages themselves, with the bytes that adapters encoded for them. Grows until cleared."""

    def __init__(self) -> None:
        self._messages: dict[str, tuple[Message, ...]] = {}
        """By conversation, the one written to last at the end."""
        self._lock = threading.Lock()

    async def load(self, conversation_id: str, *, newest: int | None = None) -> tuple[Message, ...]:
        """Everything remembered, or the `newest` messages of it."""
        check_id(conversation_id)
        found = self._messages.get(conversation_id, ())
        return found if newest is None else found[max(0, len(found) - max(0, newest)) :]

    async def append(self, conversation_id: str, messages: Sequence[Message]) -> None:
        """Add messages at the end."""
        check_id(conversation_id)
        kept = worth_keeping(messages)
        if not kept:
            return
        with self._lock:
            self._messages[conversation_id] = self._messages.pop(conversation_id, ()) + kept

    async def replace(self, conversation_id: str, old: Sequence[Message], new: Sequence[Message]) -> bool:
        """Put `new` in the place of `old`, if those are still the oldest."""
        check_id(conversation_id)
        kept, count = worth_keeping(new), len(old)
        with self._lock:
            found = self._messages.get(conversation_id, ())
            if found[:count] != tuple(old):
                return False
            remaining = kept + found[count:]
            if kept or not remaining:
                self._messages.pop(conversation_id, None)
            if remaining:
                self._messages[conversation_id] = remaining
        return True

    async def clear(self, conversation_id: str) -> None:
        """Forget a conversation."""
        check_id(conversation_id)
        with self._lock:
            self._messages.pop(conversation_id, None)

    async def conversations(self) -> tuple[str, ...]:
        """Ids with at least one message, the one written to last first."""
        with self._lock:
            return tuple(reversed(self._messages))

    async def close(self) -> None:
        """Nothing to give back."""
