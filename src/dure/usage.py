"""Tokens spent, kept in disjoint kinds so that nothing is billed or counted twice."""

from decimal import Decimal

import msgspec


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """Token counts of one or more model calls, and what they cost where that is known.

    The input kinds are disjoint: `fresh_input` excludes what was read from or written to a cache.
    `reasoning` is the share of `output` spent on thinking, and `cache_write_1h` the share of
    `cache_write` kept for an hour, which costs more; neither is an addition.
    """

    fresh_input: int = 0
    cache_read: int = 0
    cache_write: int = 0
    cache_write_1h: int = 0
    output: int = 0
    reasoning: int = 0
    model_calls: int = 0
    cost: Decimal | None = None
    """US dollars; `None` is unknown, and unknown plus anything stays unknown."""

    @property
    def input(self) -> int:
        """All tokens that went in, cached or not."""
        return self.fresh_input + self.cache_read + self.cache_write

    @property
    def total(self) -> int:
        """Input and output together."""
        return self.input + self.output

    def __add__(self, other: "Usage") -> "Usage":
        if self is NO_USAGE:
            return other
        if other is NO_USAGE:
            return self
        return Usage(
            fresh_input=self.fresh_input + other.fresh_input,
            cache_read=self.cache_read + other.cache_read,
            cache_write=self.cache_write + other.cache_write,
            cache_write_1h=self.cache_write_1h + other.cache_write_1h,
            output=self.output + other.output,
            reasoning=self.reasoning + other.reasoning,
            model_calls=self.model_calls + other.model_calls,
            cost=None if self.cost is other.cost is None else _sum_of_costs(self, other),
        )


def _sum_of_costs(one: Usage, other: Usage) -> Decimal | None:
    """An unknown cost of nothing is no reason not to know the sum."""
    if one.cost is not None and other.cost is not None:
        return one.cost + other.cost
    unknown, known = (one, other) if one.cost is None else (other, one)
    return known.cost if not unknown.model_calls and not unknown.total else None


NO_USAGE = Usage()
"""Nothing was spent, so the cost of what is added to it is the cost of the sum."""
