"""How large a context to ask Ollama for, and whether it cut a prompt without saying so.

Ollama's own default is small, and a prompt beyond it loses its front (system text, tools, task) while the
answer still says 200. So a size goes out with every request, together with the wish to refuse instead.
"""

import re
from collections.abc import Mapping

from dure.errors import ConfigError
from dure.models.settings import setting

VARIABLE = "DURE_OLLAMA_NUM_CTX"
SMALLEST = 8_192
LARGEST = 32_768
"""Tokens; the default cap, since the memory for a context is taken when the model is loaded."""
BYTES_PER_TOKEN = 3
"""For sizing: what English text (4) and Hangul (3 to 4) need at least, so estimates are rather too high."""
_USUAL_BYTES = 4
_UNHEARD_BYTES = 8
_TOLD_SIZE = re.compile(r"request \((\d{1,9}) tokens\)")


def fixed_size(environ: Mapping[str, str]) -> int | None:
    """DURE_OLLAMA_NUM_CTX, or `None` where it is not set.

    Raises:
        ConfigError: it is not a number of tokens.
    """
    text = setting(environ, VARIABLE)
    if not text:
        return None
    if not text.isascii() or not text.isdecimal() or not int(text):
        raise ConfigError(f"{VARIABLE} is {text!r}; give a number of tokens, for instance 16384")
    return int(text)


class ContextWindow:
    """The size asked for: fixed, or doubled as needed up to a cap. Never shrunk, since a change reloads the model."""

    __slots__ = ("_fixed", "_most", "_size", "_trained")

    def __init__(self, *, fixed: int | None = None, most: int = LARGEST) -> None:
        for value, what in ((fixed, "num_ctx"), (most, "max_num_ctx")):
            if value is not None and value < 1:
                raise ConfigError(f"{what} must be a number of tokens above 0, not {value}")
        self._fixed = fixed
        self._most = most
        self._trained: int | None = None
        self._size = SMALLEST

    def learn(self, trained: int | None) -> None:
        """Take in what the model was trained for, in tokens; Ollama gives no more than that."""
        self._trained = trained

    @property
    def is_fixed(self) -> bool:
        """Whether somebody set the size."""
        return self._fixed is not None

    @property
    def is_known(self) -> bool:
        """Whether the limit is the true one: set by somebody, or bounded by what the model can do."""
        return self._fixed is not None or self._trained is not None

    @property
    def limit(self) -> int:
        """The largest size that is ever asked for."""
        wanted = self._fixed or self._most
        return min(wanted, self._trained) if self._trained else wanted

    @property
    def trained(self) -> int | None:
        """What the model was trained for, where that is known."""
        return self._trained

    def fitting(self, tokens: int) -> int:
        """The size for a request that needs `tokens`, answer included."""
        if self._fixed is None:
            while self._size < min(tokens, self.limit):
                self._size *= 2
        return self.limit if self._fixed is not None else min(self._size, self.limit)

    def grow(self, size: int, refusal: str, *, reserve: int) -> bool:
        """Make room after a request of `size` was refused; `False` when there is none left.

        `refusal` may tell the true number of tokens; `reserve` are those of the answer.
        """
        told = _TOLD_SIZE.search(refusal)
        needed = max(size + 1, int(told[1]) if told else 0)
        if self._fixed is not None or size >= self.limit or needed >= self.limit:
            return False
        self.fitting(needed + reserve)
        return True


def was_cut(*, counted: int | None, size: int, text: int) -> bool:
    """Whether a prompt with `text` bytes lost a part, judged by the tokens that were counted.

    Only what hardly happens otherwise counts, since an alarm costs a good answer; servers that know
    `truncate` refuse by themselves. No count, or 0, means an old server and a cached prompt: nothing is
    known. Else the prompt was cut if it must have been larger than the window, and the count is
    - where Ollama cuts to: the window itself, or its half and the few tokens it always keeps; or
    - so small that each token would stand for more than eight bytes.
    """
    if not counted or counted > size:
        return False  # more than the window: an engine that has no window
    usual = text // _USUAL_BYTES
    at_mark = counted >= size - 1 or size // 2 <= counted <= size // 2 + 4
    return (at_mark and usual >= size * 3 // 4) or (usual > size and text > counted * _UNHEARD_BYTES)
