"""What a run cost: by the published list, by one's own prices, or unknown."""

from decimal import Decimal

from dure.models.prices import PriceTable
from dure.models.token_prices import FREE, TokenPrices
from dure.usage import Usage

prices = PriceTable(
    {
        "openai:our-gateway/*": TokenPrices(input=Decimal("0.5"), output=2, cache_read=Decimal("0.05")),
        "ollama:*": FREE,
    },
    listed=None,
)
usage = Usage(fresh_input=1_000_000, cache_read=2_000_000, output=100_000, model_calls=40)
for model in ("openai:our-gateway/large", "ollama:qwen3:8b", "openai:another"):
    print(model, prices(model, usage))
