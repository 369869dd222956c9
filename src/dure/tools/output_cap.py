"""A result that is too long is cut to its head and its tail; the whole of it can be read in pages."""

import asyncio
import logging
from dataclasses import dataclass, field

from dure.errors import ConfigError
from dure.run import RunContext
from dure.tools.output_files import OutputFiles
from dure.tools.text_cuts import cut_after, cut_before

logger = logging.getLogger(__name__)

_SHORTEST = 1_000
_MARKER = 300
"""Characters that the note about the cut may take."""
SHORTENED = object()
"""Key in a run's state: whether something of it, or of its conversation, was shortened and kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputCap:
    """How long a tool's result may be for the model."""

    characters: int = 30_000
    files: OutputFiles = field(default_factory=OutputFiles)
    """Where the whole text goes."""

    def __post_init__(self) -> None:
        if self.characters < _SHORTEST:
            raise ConfigError(f"an output cap must be at least {_SHORTEST:,} characters, not {self.characters}")

    async def shortened(self, text: str, run: RunContext) -> str:
        """Two thirds of the cap from the beginning, a third from the end, and how to read the rest."""
        room = self.characters - _MARKER
        head = cut_before(text, room - room // 3)
        tail = cut_after(text, len(text) - room // 3)
        try:
            output_id = await asyncio.to_thread(self.files.keep, text, run)
        except OSError as error:
            logger.exception("a tool's whole output could not be kept")
            how = f"and could not be kept ({type(error).__name__})"
        else:
            run.state[SHORTENED] = True
            how = f"read on with read_tool_output(output_id={output_id!r}, offset={head})"
        left_out = f"[… {tail - head:,} of {len(text):,} characters left out; {how} …]"
        return f"{text[:head]}\n\n{left_out}\n\n{text[tail:]}"


DEFAULT_CAP = OutputCap()
