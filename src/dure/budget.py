"""What a whole tree of runs may spend, checked before each request and charged after it."""

from dataclasses import dataclass
from decimal import Decimal

from dure.errors import BudgetExceeded, ConfigError
from dure.usage import NO_USAGE, Usage


@dataclass(slots=True, kw_only=True)
class Budget:
    """Limits shared by a run and all runs begun below it. `None` is no limit.

    One request may overshoot, since its price is known only afterwards; the next one is refused.
    """

    max_tokens: int | None = None
    """Input and output together."""
    max_cost: Decimal | None = None
    """US dollars. A model whose price is unknown is refused under it."""
    max_model_calls: int | None = None
    spent: Usage = NO_USAGE
    reserved_calls: int = 0
    """Model calls begun and not yet charged, so that calls at the same time cannot share the last one."""

    def __post_init__(self) -> None:
        limits = (self.max_tokens, self.max_cost, self.max_model_calls)
        if any(limit is not None and limit < 0 for limit in limits):
            raise ConfigError("a budget's limits must not be negative")

    def reserve(self, model: str) -> None:
        """Take one model call out of the budget, before its request leaves.

        Raises:
            BudgetExceeded: nothing is left, or `max_cost` is set and a price so far was unknown.
        """
        calls = self.spent.model_calls + self.reserved_calls
        if self.max_model_calls is not None and calls >= self.max_model_calls:
            raise BudgetExceeded(f"the budget of {self.max_model_calls} model calls is spent; raise max_model_calls")
        if self.max_tokens is not None and self.spent.total >= self.max_tokens:
            raise BudgetExceeded(
                f"the budget of {self.max_tokens:,} tokens is spent ({self.spent.total:,}); raise max_tokens"
            )
        if self.max_cost is not None:
            self._check_cost(self.max_cost, model)
        self.reserved_calls += 1

    def settle(self, usage: Usage) -> None:
        """Charge a reserved call with what it came to."""
        self.reserved_calls -= 1
        self.spent += usage

    def _check_cost(self, limit: Decimal, model: str) -> None:
        if self.spent.model_calls and self.spent.cost is None:
            raise BudgetExceeded(
                f"what was spent so far is unknown, so {model} cannot be asked under a budget of {limit} USD; "
                "give prices for every model in the run, or drop max_cost"
            )
        if self.spent.cost is not None and self.spent.cost >= limit:
            raise BudgetExceeded(f"the budget of {limit} USD is spent ({self.spent.cost} USD); raise max_cost")
