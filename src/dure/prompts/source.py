"""The port: where prompts come from. What every adapter does is held by `tests/conformance/prompts`."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from dure.errors import ConfigError
from dure.prompts.keys import PromptKey

MAX_BYTES = 256 * 1024
"""No prompt is larger; a source hands over at most one byte more, so that the excess is seen."""
DEADLINE = 10.0
"""Seconds that a source has for one request, connecting included."""


class SourceAway(ConfigError):
    """The source cannot be read or written now; what was read before stays good."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptVersion:
    """A text that was, or is, the prompt."""

    version: str
    added_at: datetime | None
    """With its time zone; `None` where the source does not know."""
    current: bool


class PromptSource(Protocol):
    """Texts of prompts by key. Every method ends within the source's deadline."""

    @property
    def name(self) -> str:
        """How people call it; holds no secret."""
        ...

    async def read(self) -> Mapping[PromptKey, bytes]:
        """The current texts, as they are stored, of the prompts that this source has.

        Raises:
            SourceAway: the source does not answer, or not in time.
        """
        ...

    async def history(self, key: PromptKey) -> tuple[PromptVersion, ...]:
        """The versions of a prompt, the one that was added last first; none of a prompt that it does not have.

        Raises:
            SourceAway: as above.
        """
        ...

    async def read_version(self, key: PromptKey, version: str) -> bytes | None:
        """The text of one version, or `None` where it is not kept.

        Raises:
            SourceAway: as above.
        """
        ...

    async def publish(self, texts: Mapping[PromptKey, bytes]) -> None:
        """Make these texts the current ones; prompts that are not named stay as they are.

        Raises:
            SourceAway: as above.
            ConfigError: the source is not for writing.
        """
        ...
