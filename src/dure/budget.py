"""What a whole tree of runs may spend, checked before each request and charged after it."""

from dataclasses import dataclass, field
from decimal import Decimal

from dure.errors import BudgetExceeded, ConfigError
from dure.usage import NO_USAGE, Usage


@dataclass(slots=True, kw_only=True)
class Budget:
    """Limits shared by a run and all runs begun below it, in one event loop. `None` is no limit.

    What a request costs is known only when it is answered, so each request under way may overshoot
    the tokens and the money; the next one is refused. The number of model calls is never overshot.

    Raises:
        ConfigError: a limit is negative, or not of its type.
    """

    max_tokens: int | None = None
    """Input and output together."""
    max_cost: Decimal | int | None = None
    """US dollars. A model whose price is unknown is refused under it."""
    max_model_calls: int | None = None
    spent: Usage = NO_USAGE
    """By all runs so far. Give what an earlier part spent to a budget that goes on after it."""
    reserved_calls: int = field(default=0, init=False)
    """Model calls begun and not yet charged, so that calls at the same time cannot share the last one."""

    def __post_init__(self) -> None:
        _check("max_tokens", self.max_tokens, int)
        _check("max_model_calls", self.max_model_calls, int)
        _check("max_cost", self.max_cost, Decimal, int)

    def reserve(self, model: str) -> None:
        """Take one model call out of the budget, before its request leaves. Each is settled in the end.

        Raises:
            BudgetExceeded: nothing is left, or `max_cost` is set and a price so far was unknown.
        """
        spent = self.spent
        if self.max_model_calls is not None and spent.model_calls + self.reserved_calls >= self.max_model_calls:
            raise BudgetExceeded(f"the budget of {self.max_model_calls} model calls is spent; raise max_model_calls")
        if self.max_tokens is not None and spent.total >= self.max_tokens:
            raise BudgetExceeded(
                f"the budget of {self.max_tokens:,} tokens is spent ({spent.total:,}); raise max_tokens"
            )
        if self.max_cost is not None:
            self._check_cost(self.max_cost, model)
        self.reserved_calls += 1

    def settle(self, usage: Usage) -> None:
        """Charge a reserved call with what it came to."""
        self.reserved_calls -= 1
        self.spent += usage

    def _check_cost(self, limit: Decimal | int, model: str) -> None:
        spent = self.spent.cost
        if spent is None and self.spent.model_calls:
            raise BudgetExceeded(
                f"what was spent so far is unknown, so {model} cannot be asked under a budget of {limit} USD; "
                "give prices for every model in the run, or drop max_cost"
            )
        if (spent or 0) >= limit:
            raise BudgetExceeded(f"the budget of {limit} USD is spent ({spent or 0} USD); raise max_cost")


def _check(name: str, limit: object, *kinds: type[Decimal | int]) -> None:
    if limit is None:
        return
    if isinstance(limit, bool) or not isinstance(limit, kinds):
        expected = " or ".join(kind.__name__ for kind in kinds)
        raise ConfigError(f"a budget's {name} is of type {expected}, not {limit!r}")
    if not (Decimal(limit).is_finite() and limit >= 0):
        raise ConfigError(f"a budget's {name} must not be negative, but is {limit}; leave it out for no limit")
