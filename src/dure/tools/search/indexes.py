"""Indexes over sets of tools: equal sets share one, built once, however many conversations use it."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dure.chat import ToolDefinition
from dure.errors import ConfigError, DureError, Signal, ToolFailed
from dure.search.base import IndexBuilder, TextIndex
from dure.tools.search.entries import entry_of, fingerprint

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _Failure:
    reason: str
    at: float


class ToolIndexes:
    """Holds the indexes used last, up to a number of tools in all; one set of any size is always held."""

    def __init__(
        self,
        builder: IndexBuilder,
        *,
        max_tools: int,
        build_timeout: float,
        retry_after: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if max_tools < 1 or build_timeout <= 0 or retry_after < 0:
            raise ConfigError("max_tools and build_timeout must be more than 0, retry_after not less")
        self._builder = builder
        self._max_tools = max_tools
        self._build_timeout = build_timeout
        self._retry_after = retry_after
        self._clock = clock
        self._indexes: OrderedDict[str, tuple[int, TextIndex]] = OrderedDict()
        self._failures: dict[str, _Failure] = {}
        self._locks: dict[tuple[asyncio.AbstractEventLoop, str], tuple[asyncio.Lock, int]] = {}

    async def index_of(self, definitions: Sequence[ToolDefinition]) -> TextIndex:
        """The index over these tools, built if no equal set has one.

        Raises:
            ToolFailed: it cannot be built; for a while afterwards that is not tried again.
        """
        key = fingerprint(definitions)
        ready = self._ready(key)
        if ready is not None:
            return ready
        place = (asyncio.get_running_loop(), key)
        lock, waiting = self._locks.get(place, (asyncio.Lock(), 0))
        self._locks[place] = (lock, waiting + 1)
        try:
            async with lock:
                return self._ready(key) or await self._build(key, definitions)
        finally:
            lock, waiting = self._locks[place]
            if waiting > 1:
                self._locks[place] = (lock, waiting - 1)
            else:
                del self._locks[place]

    def _ready(self, key: str) -> TextIndex | None:
        held = self._indexes.get(key)
        if held is not None:
            self._indexes.move_to_end(key)
            return held[1]
        failure = self._failures.get(key)
        if failure is not None and self._clock() < failure.at + self._retry_after:
            raise ToolFailed(failure.reason)
        return None

    async def _build(self, key: str, definitions: Sequence[ToolDefinition]) -> TextIndex:
        entries = [entry_of(definition) for definition in definitions]
        try:
            async with asyncio.timeout(self._build_timeout):
                index = await self._builder.build(entries)
        except Signal:
            raise
        except Exception as error:  # whatever an index of others raises, tools must stay within reach
            reason = f"no index over {len(entries)} tools: {str(error) or type(error).__name__}"
            self._fail(key, reason, error)
            raise ToolFailed(reason) from error
        self._failures.pop(key, None)
        self._indexes[key] = (len(entries), index)
        total = sum(size for size, _ in self._indexes.values())
        while total > self._max_tools and len(self._indexes) > 1:
            total -= self._indexes.popitem(last=False)[1][0]
        return index

    def _fail(self, key: str, reason: str, error: Exception) -> None:
        now = self._clock()
        self._failures = {one: had for one, had in self._failures.items() if now < had.at + self._retry_after}
        self._failures[key] = _Failure(reason, now)
        if not isinstance(error, DureError | TimeoutError):
            logger.exception("building an index over tools failed")
