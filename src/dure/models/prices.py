"""What a model call costs: the user's own prices first, then a published list, else unknown."""

import logging
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from fnmatch import translate
from functools import lru_cache

from dure.errors import ConfigError
from dure.models.token_prices import Cost, TokenPrices
from dure.usage import Usage

logger = logging.getLogger(__name__)

_CACHED_MODELS = 256
_GLOB = re.compile(r"[*?\[]")

Listed = Callable[[str], Cost | None]
"""The cost of a `provider:model` by a published list, or `None` where it is not in it."""


def listed_cost(model: str) -> Cost | None:
    """How `provider:model` is priced by the published list of the extra `prices`."""
    try:
        from dure.models.price_list import published_cost
    except ImportError:
        logger.info("prices are unknown: pip install 'dure[prices]', or give them in a PriceTable")
        return None
    return published_cost(model)


class PriceTable:
    """Tells what a usage of `provider:model` costs; a `Price` for `RunContext`.

    Names may be globs, as in `{"ollama:*": FREE}`. An exact name goes first, then the first glob that
    matches, then the published list of the extra `prices` (never fetched: it is part of that package,
    and its first use loads it, about 0.3 s). A model in none of them has no known price, so that its
    runs cost `None` and never 0.

    Listed prices are those of the provider itself, for standard requests without batch or priority. A
    server of one's own behind `openai:` whose models bear listed names needs a price of its own here.

    Raises:
        ConfigError: a name is not `provider:model`.
    """

    def __init__(self, prices: Mapping[str, TokenPrices] | None = None, *, listed: Listed | None = listed_cost) -> None:
        """`listed=None` knows the given prices only."""
        given = dict(prices or {})
        for name in given:
            if ":" not in name and not _GLOB.search(name):
                raise ConfigError(f"{name!r} names no model to give a price for: write provider:model, or a glob")
        self._exact = {name: price.cost for name, price in given.items() if not _GLOB.search(name)}
        self._globs = [
            (re.compile(translate(name)).match, price.cost) for name, price in given.items() if _GLOB.search(name)
        ]
        self._listed = listed
        self._cost_of = lru_cache(maxsize=_CACHED_MODELS)(self._find)

    def __call__(self, model: str, usage: Usage) -> Decimal | None:
        """US dollars, or `None` where the price is unknown."""
        cost = self._cost_of(model)
        return None if cost is None else cost(usage)

    def _find(self, model: str) -> Cost | None:
        exact = self._exact.get(model)
        if exact is not None:
            return exact
        for matches, cost in self._globs:
            if matches(model):
                return cost
        return None if self._listed is None else self._listed(model)


def default_prices() -> PriceTable:
    """The published list alone, where the extra `prices` is installed."""
    return PriceTable()
