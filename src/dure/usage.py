"""Tokens spent, kept in disjoint kinds so that nothing is billed or counted twice."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Token counts of one or more model calls.

    The input kinds are disjoint: `fresh_input` excludes what was read from or written to a cache.
    `reasoning` is the share of `output` spent on thinking, not an addition to it.
    """

    fresh_input: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    reasoning: int = 0
    model_calls: int = 0

    @property
    def input(self) -> int:
        """All tokens that went in, cached or not."""
        return self.fresh_input + self.cache_read + self.cache_write

    @property
    def total(self) -> int:
        """Input and output together."""
        return self.input + self.output

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            fresh_input=self.fresh_input + other.fresh_input,
            cache_read=self.cache_read + other.cache_read,
            cache_write=self.cache_write + other.cache_write,
            output=self.output + other.output,
            reasoning=self.reasoning + other.reasoning,
            model_calls=self.model_calls + other.model_calls,
        )


NO_USAGE = Usage()
