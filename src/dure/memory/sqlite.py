"""Conversations in a SQLite file, for any number of tasks, event loops and processes."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from dure.errors import ConfigError
from dure.memory.checks import check_id, worth_keeping
from dure.memory.sqlite_file import ConversationFile, Synchronous
from dure.messages import Message

T = TypeVar("T")


class SqliteMemory:
    """Keeps conversations in a file, which is made at the first use. Close it, or use it as `async with`.

    All work is done by one thread of its own, one piece after another, so that nothing in the event
    loop waits for the disk. A file that cannot be used is a `ConfigError` at the first use.
    """

    def __init__(self, path: Path | str, *, patience: float = 10.0, synchronous: Synchronous = "NORMAL") -> None:
        """`patience`: seconds to wait for another process that is writing."""
        self._path = Path(path)
        if str(path).startswith(":memory:") or not self._path.name:
            raise ConfigError(f"{str(path)!r} is no file; for conversations without a file use InProcessMemory")
        if patience < 0 or synchronous not in ("NORMAL", "FULL"):
            raise ConfigError("patience must not be negative, and synchronous is NORMAL or FULL")
        self._file = ConversationFile(self._path, patience=patience, synchronous=synchronous)
        self._thread: ThreadPoolExecutor | None = None
        self._closed = False
        self._lock = threading.Lock()

    async def load(self, conversation_id: str, *, newest: int | None = None) -> tuple[Message, ...]:
        """Everything remembered, or the `newest` messages of it."""
        check_id(conversation_id)
        return await self._in_thread(lambda: self._file.load(conversation_id, newest))

    async def append(self, conversation_id: str, messages: Sequence[Message]) -> None:
        """Add messages at the end, in one transaction."""
        check_id(conversation_id)
        if kept := worth_keeping(messages):
            await self._in_thread(lambda: self._file.append(conversation_id, kept))

    async def replace(self, conversation_id: str, old: Sequence[Message], new: Sequence[Message]) -> bool:
        """Put `new` in the place of `old`, if those are still the oldest."""
        check_id(conversation_id)
        kept = worth_keeping(new)
        return await self._in_thread(lambda: self._file.replace(conversation_id, old, kept))

    async def clear(self, conversation_id: str) -> None:
        """Forget a conversation."""
        check_id(conversation_id)
        await self._in_thread(lambda: self._file.clear(conversation_id))

    async def conversations(self) -> tuple[str, ...]:
        """Ids with at least one message, the one written to last first."""
        return await self._in_thread(self._file.conversations)

    async def close(self) -> None:
        """Finish what is under way, then close the file and end the thread."""
        with self._lock:
            thread, self._thread, self._closed = self._thread, None, True
        if thread is not None:
            try:
                await asyncio.get_running_loop().run_in_executor(thread, self._file.close)
            finally:
                thread.shutdown(wait=False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _in_thread(self, work: Callable[[], T]) -> T:
        with self._lock:
            if self._closed:
                raise ConfigError(f"the memory in {str(self._path)!r} was closed; make a new SqliteMemory")
            if self._thread is None:
                self._thread = ThreadPoolExecutor(1, thread_name_prefix="dure-memory")
            pending = self._thread.submit(work)
        return await asyncio.wrap_future(pending)
