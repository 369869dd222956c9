"""Published prices, from the data inside the package `genai-prices` (the extra `prices`). Nothing is fetched.

Takes a third of a second to load, so it is loaded at the first look-up.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from decimal import Decimal

from genai_prices import Usage as NothingUsed
from genai_prices import calc_price
from genai_prices.types import ModelInfo, ModelPrice, TieredPrices

from dure.models.token_prices import Cost, TokenPrices
from dure.usage import Usage

_PROVIDERS: Mapping[str, str] = {
    "bedrock": "aws",
    "gemini": "google",
    "moonshot": "moonshotai",
    "vertex": "google",
    "xai": "x-ai",
}
"""Our word for a provider, where the list has another."""
_FIELDS: Mapping[str, str] = {
    "input_mtok": "input",
    "output_mtok": "output",
    "cache_read_mtok": "cache_read",
    "cache_write_mtok": "cache_write",
    "cache_write_1h_mtok": "cache_write_1h",
    "output_reasoning_mtok": "reasoning",
    "requests_kcount": "requests",
}
_NOT_IN_CHAT = ("audio", "document", "image", "searches", "video")
"""Words in the keys of what a request of ours never contains."""


def now() -> datetime:
    """The time whose prices hold."""
    return datetime.now(UTC)


def published_cost(model: str, *, clock: Callable[[], datetime] = now) -> Cost | None:
    """How `provider:model` is priced by the list, or `None` where it is not in it.

    Only for a provider that the list itself names: what a gateway or one's own server takes for a
    model of the same name is not known.
    """
    provider, _, name = model.partition(":")
    provider = _PROVIDERS.get(provider, provider)
    try:
        found = calc_price(NothingUsed(), name, provider_id=provider)
    except (LookupError, ValueError):
        return None
    return _cost(found.model, clock) if found.provider.id == provider else None


def _cost(model: ModelInfo, clock: Callable[[], datetime]) -> Cost | None:
    """One price for good, or the one that holds at the time of the call."""
    if not isinstance(model.prices, list):
        return _by_size(model.prices)
    known = {id(one.prices): _by_size(one.prices) for one in model.prices}

    def cost(usage: Usage) -> Decimal | None:
        holding = known[id(model.get_prices(clock()))]
        return None if holding is None else holding(usage)

    return cost


def _by_size(prices: ModelPrice) -> Cost | None:
    """The price of a call, which may be dearer where its input is long; `None` if tokens alone do not make it."""
    given = {
        key: value
        for key, value in vars(prices).items()
        if value is not None and not any(word in key for word in _NOT_IN_CHAT)
    }
    if not {"input_mtok", "output_mtok"} <= given.keys() <= _FIELDS.keys():
        return None
    starts = sorted({tier.start for value in given.values() for tier in getattr(value, "tiers", ())}, reverse=True)
    base = _prices(given, 0)
    if not starts:
        return base.cost
    tiers = [(start, _prices(given, start + 1)) for start in starts]

    def cost(usage: Usage) -> Decimal | None:
        for start, dearer in tiers:
            if usage.input > start:
                # the length of each of several calls is not known from their sum
                return dearer.cost(usage) if usage.model_calls <= 1 else None
        return base.cost(usage)

    return cost


def _prices(given: Mapping[str, Decimal | TieredPrices], size: int) -> TokenPrices:
    """Those of a call with `size` input tokens."""
    return TokenPrices(**{_FIELDS[key]: _at(value, size) for key, value in given.items()})


def _at(price: Decimal | TieredPrices, size: int) -> Decimal:
    if isinstance(price, Decimal):
        return price
    reached = [tier.price for tier in price.tiers if size > tier.start]
    return reached[-1] if reached else price.base
