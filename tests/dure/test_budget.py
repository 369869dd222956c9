"""What a tree of runs may spend: refused before the request, never after it, and shared by all of them."""

import asyncio
from decimal import Decimal
from typing import cast

import pytest

from dure.budget import Budget
from dure.chat import ChatRequest, ChatResponse
from dure.client.chat_client import ChatClient
from dure.errors import BudgetExceeded, ConfigError, RateLimited
from dure.messages import AssistantMessage
from dure.models.prices import PriceTable
from dure.models.scripted import ScriptedModel
from dure.models.token_prices import FREE, TokenPrices
from dure.run import RunContext
from dure.usage import Usage

PER_CALL = Usage(fresh_input=60, output=40, model_calls=1)
CENT_A_CALL = PriceTable({"scripted:*": TokenPrices(input=100, output=100)}, listed=None)
"""100 tokens at 100 USD a million are one cent."""


def saying(text: str, usage: Usage = PER_CALL) -> ChatResponse:
    return ChatResponse(message=AssistantMessage(text=text), usage=usage)


@pytest.mark.parametrize("limit", [-1, Decimal("-0.01"), Decimal("NaN"), Decimal("Infinity"), 0.5, "1", True])
def test_a_limit_that_is_no_amount_is_refused_where_it_is_written(limit: object) -> None:
    with pytest.raises(ConfigError, match="max_cost"):
        Budget(max_cost=cast(Decimal, limit))
    with pytest.raises(ConfigError, match="max_tokens"):
        Budget(max_tokens=cast(int, limit))
    with pytest.raises(ConfigError, match="max_model_calls"):
        Budget(max_model_calls=cast(int, limit))


def test_a_budget_without_limits_refuses_nothing_and_still_counts() -> None:
    budget = Budget()
    for _ in range(3):
        budget.reserve("m")
        budget.settle(PER_CALL)
    assert (budget.spent.model_calls, budget.spent.total) == (3, 300)


def test_calls_begun_at_the_same_time_cannot_share_the_last_one() -> None:
    budget = Budget(max_model_calls=2)
    budget.reserve("m")
    budget.reserve("m")
    with pytest.raises(BudgetExceeded, match="the budget of 2 model calls is spent"):
        budget.reserve("m")
    budget.settle(PER_CALL)
    with pytest.raises(BudgetExceeded):
        budget.reserve("m")


@pytest.mark.parametrize("budget", [Budget(max_tokens=0), Budget(max_cost=0), Budget(max_model_calls=0)])
def test_a_budget_of_nothing_refuses_the_first_call(budget: Budget) -> None:
    with pytest.raises(BudgetExceeded):
        budget.reserve("m")
    assert budget.reserved_calls == 0


def test_the_refusal_says_what_was_spent_and_what_to_raise() -> None:
    tokens = Budget(max_tokens=1_000, spent=Usage(output=1_200, model_calls=1))
    with pytest.raises(BudgetExceeded, match=r"the budget of 1,000 tokens is spent \(1,200\); raise max_tokens"):
        tokens.reserve("m")
    money = Budget(max_cost=Decimal("0.05"), spent=Usage(output=1, model_calls=1, cost=Decimal("0.06")))
    with pytest.raises(BudgetExceeded, match=r"the budget of 0.05 USD is spent \(0.06 USD\); raise max_cost"):
        money.reserve("m")


def test_money_spent_at_an_unknown_price_refuses_every_later_call() -> None:
    budget = Budget(max_cost=1)
    budget.reserve("m")
    budget.settle(PER_CALL)
    with pytest.raises(BudgetExceeded, match="what was spent so far is unknown"):
        budget.reserve("m")


async def test_one_request_may_overshoot_and_the_next_is_refused_before_it_leaves() -> None:
    budget, model = Budget(max_tokens=150), ScriptedModel(saying("a"), saying("b"), saying("c"))
    client, run = ChatClient(model), RunContext(budget=budget)
    for expected in ("a", "b"):
        assert await client.prompt("go").run(run).text() == expected
    with pytest.raises(BudgetExceeded, match="150 tokens"):
        await client.prompt("go").run(run).text()
    assert (len(model.requests), budget.spent.total, budget.reserved_calls) == (2, 200, 0)


async def test_money_runs_out_by_the_price_of_each_call() -> None:
    budget, model = Budget(max_cost=Decimal("0.02")), ScriptedModel(*(saying("x") for _ in range(3)))
    run = RunContext(budget=budget, price=CENT_A_CALL)
    for _ in range(2):
        await ChatClient(model).prompt("go").run(run).text()
    with pytest.raises(BudgetExceeded, match=r"0\.02 USD"):
        await ChatClient(model).prompt("go").run(run).text()
    assert (budget.spent.cost, len(model.requests)) == (Decimal("0.02"), 2)


async def test_a_model_of_unknown_price_is_not_asked_under_a_money_budget() -> None:
    model = ScriptedModel(saying("x"))
    for price in (None, PriceTable({"other:*": FREE}, listed=None)):
        run = RunContext(budget=Budget(max_cost=5), price=price)
        with pytest.raises(BudgetExceeded, match="the price of scripted:test is unknown"):
            await ChatClient(model).prompt("go").run(run).text()
    assert model.requests == []


async def test_a_free_model_runs_under_a_money_budget() -> None:
    run = RunContext(budget=Budget(max_cost=1), price=PriceTable({"scripted:*": FREE}, listed=None))
    answer = await ChatClient(ScriptedModel(saying("x"))).prompt("go").run(run).call()
    assert (answer.text, answer.usage.cost) == ("x", 0)


async def test_of_many_runs_at_once_only_as_many_calls_leave_as_the_budget_has() -> None:
    arrived, go_on = asyncio.Event(), asyncio.Event()

    async def answer(request: ChatRequest) -> ChatResponse:
        if len(model.requests) == 3:
            arrived.set()
        await go_on.wait()
        return saying("done")

    model = ScriptedModel(*([answer] * 24))
    budget = Budget(max_model_calls=3)
    client = ChatClient(model)
    async with asyncio.timeout(5):
        work = [asyncio.create_task(client.prompt("go").run(RunContext(budget=budget)).text()) for _ in range(24)]
        await arrived.wait()
        go_on.set()
        outcomes = await asyncio.gather(*work, return_exceptions=True)
    assert outcomes.count("done") == 3
    assert sum(isinstance(outcome, BudgetExceeded) for outcome in outcomes) == 21
    assert (len(model.requests), budget.spent.model_calls, budget.reserved_calls) == (3, 3, 0)


async def test_a_failed_or_cancelled_call_gives_its_reservation_back_as_a_call_made() -> None:
    asked = asyncio.Event()

    async def hang(request: ChatRequest) -> str:
        asked.set()
        await asyncio.Event().wait()
        return "never"

    budget = Budget(max_model_calls=5)
    model = ScriptedModel(RateLimited("slow down", retry_after=3600), hang)
    with pytest.raises(RateLimited):
        await ChatClient(model).prompt("go").run(RunContext(budget=budget)).text()
    async with asyncio.timeout(5):
        work = asyncio.create_task(ChatClient(model).prompt("go").run(RunContext(budget=budget)).text())
        await asked.wait()
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
    assert (budget.spent.model_calls, budget.reserved_calls) == (2, 0)


async def test_a_budget_goes_on_from_what_an_earlier_part_spent() -> None:
    budget = Budget(max_model_calls=2, spent=PER_CALL + PER_CALL)
    with pytest.raises(BudgetExceeded):
        await ChatClient(ScriptedModel("x")).prompt("go").run(RunContext(budget=budget)).text()
