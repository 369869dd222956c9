"""The prices of one model, and the multiplication with what a call used."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from decimal import Decimal

from dure.errors import ConfigError
from dure.usage import Usage

_MILLION = 1_000_000
_THOUSAND = 1_000

Cost = Callable[[Usage], Decimal | None]
"""US dollars of a usage of one model; `None` where this usage cannot be priced."""

Amount = Decimal | int
"""US dollars. Not a float: 0.1 is not the number that it looks like."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenPrices:
    """US dollars per million tokens of each kind.

    Raises:
        ConfigError: an amount is negative, or neither a `Decimal` nor an `int`.
    """

    input: Amount
    output: Amount
    cache_read: Amount | None = None
    """`None` takes the input price: no rebate."""
    cache_write: Amount | None = None
    """`None` takes the input price."""
    cache_write_1h: Amount | None = None
    """Of what is kept for an hour; `None` takes the price of other writes."""
    reasoning: Amount | None = None
    """Of thinking; `None` takes the output price."""
    requests: Amount = 0
    """On top: US dollars per thousand requests."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, Decimal | int):
                raise ConfigError(f"{field.name} price {value!r}: write it as Decimal('{value}')")
            if not Decimal(value).is_finite() or value < 0:
                raise ConfigError(f"{field.name} price {value!r}: a price is 0 or more")

    def cost(self, usage: Usage) -> Decimal:
        """US dollars of the usage."""
        dollars = Decimal(usage.fresh_input * self.input) + usage.output * self.output
        if usage.cache_read:
            dollars += usage.cache_read * (self.input if self.cache_read is None else self.cache_read)
        if usage.cache_write:
            write = self.input if self.cache_write is None else self.cache_write
            long = write if self.cache_write_1h is None else self.cache_write_1h
            dollars += (usage.cache_write - usage.cache_write_1h) * write + usage.cache_write_1h * long
        if self.reasoning is not None and usage.reasoning:
            dollars += usage.reasoning * (self.reasoning - self.output)
        dollars /= _MILLION
        return dollars + usage.model_calls * Decimal(self.requests) / _THOUSAND if self.requests else dollars


FREE = TokenPrices(input=0, output=0)
"""For a model on one's own machine whose calls are to count as costing nothing."""
