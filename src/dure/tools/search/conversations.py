"""Which tools each conversation has found: kept for the conversations used last, for some time."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from dure.errors import ConfigError


@dataclass(slots=True, eq=False)
class FoundTools:
    """What one conversation found, oldest first, so that what the model is shown only ever grows at its end."""

    names: dict[str, None] = field(default_factory=dict[str, None])
    language: str = ""
    """Of the texts about the search, chosen once, so that the beginning of the prompt stays the same."""

    def add(self, names: Iterable[str]) -> tuple[str, ...]:
        """Remember names; gives those that are new."""
        new = tuple(name for name in dict.fromkeys(names) if name not in self.names)
        self.names.update(dict.fromkeys(new))
        return new


class Conversations:
    """`FoundTools` by conversation: the least recently used are forgotten first, idle ones after `ttl` seconds."""

    def __init__(self, capacity: int, *, ttl: float | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        if capacity < 1 or (ttl is not None and ttl <= 0):
            raise ConfigError("a store of conversations needs room for at least 1, and a ttl of more than 0 seconds")
        self._capacity = capacity
        self._ttl = ttl
        self._clock = clock
        self._kept: OrderedDict[str, tuple[float, FoundTools]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def use(self, conversation_id: str) -> FoundTools:
        """What the conversation found, empty if it is new; it is the one used last from now on."""
        self._forget_idle()
        held = self._kept.pop(conversation_id, None)
        found = FoundTools() if held is None else held[1]
        self._kept[conversation_id] = (self._clock(), found)
        if len(self._kept) > self._capacity:
            self._kept.popitem(last=False)
        return found

    def names(self, conversation_id: str) -> tuple[str, ...]:
        """What the conversation found so far; only looked at, not used."""
        self._forget_idle()
        held = self._kept.get(conversation_id)
        return () if held is None else tuple(held[1].names)

    def forget(self, conversation_id: str) -> None:
        """Drop what the conversation found."""
        self._kept.pop(conversation_id, None)

    def _forget_idle(self) -> None:
        """The oldest are in front, so the first that is fresh ends the search."""
        if self._ttl is None:
            return
        latest = self._clock() - self._ttl
        while self._kept:
            conversation_id, (used, _) = next(iter(self._kept.items()))
            if used > latest:
                return
            del self._kept[conversation_id]
