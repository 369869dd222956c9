"""Prices: what the user gives, what the published list knows, and `None` for everything else."""

import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import cast

import pytest
from genai_prices import Usage as ListedUsage
from genai_prices import calc_price
from genai_prices.data_snapshot import DataSnapshot, get_snapshot, set_custom_snapshot
from genai_prices.types import (
    ClauseEquals,
    ConditionalPrice,
    ModelInfo,
    ModelPrice,
    Provider,
    StartDateConstraint,
    Tier,
    TieredPrices,
)

from dure.chat import ChatResponse
from dure.client.chat_client import ChatClient
from dure.errors import ConfigError
from dure.messages import AssistantMessage
from dure.models.price_list import published_cost
from dure.models.prices import PriceTable, default_prices
from dure.models.scripted import ScriptedModel
from dure.models.token_prices import FREE, TokenPrices
from dure.run import RunContext
from dure.usage import Usage

SONNET = TokenPrices(
    input=Decimal(3),
    output=Decimal(15),
    cache_read=Decimal("0.30"),
    cache_write=Decimal("3.75"),
    cache_write_1h=Decimal(6),
)


Put = Callable[[ModelPrice | list[ConditionalPrice]], None]


@pytest.fixture
def put() -> Iterator[Put]:
    """Makes a published list of one model, `openai:m`, with these prices."""

    def put(prices: ModelPrice | list[ConditionalPrice]) -> None:
        model = ModelInfo(id="m", match=ClauseEquals("m"), prices=prices)
        provider = Provider(id="openai", name="OpenAI", api_pattern="", models=[model])
        set_custom_snapshot(DataSnapshot([provider], from_auto_update=False))

    yield put
    set_custom_snapshot(None)


def test_cached_tokens_cost_the_same_whether_a_provider_counts_them_inside_or_beside_its_input() -> None:
    # OpenAI: 17,111 prompt tokens of which 17,102 cached; Anthropic: 9 input tokens and 17,102 cached
    openai = Usage(fresh_input=17_111 - 17_102, cache_read=17_102, output=100, model_calls=1)
    anthropic = Usage(fresh_input=9, cache_read=17_102, output=100, model_calls=1)
    price = PriceTable({"openai:m": SONNET, "anthropic:m": SONNET}, listed=None)
    # 9 * 3 + 17,102 * 0.30 + 100 * 15 = 27 + 5,130.60 + 1,500 = 6,657.60 millionths
    assert price("openai:m", openai) == price("anthropic:m", anthropic) == Decimal("0.0066576")


def test_each_kind_of_token_is_paid_once_at_its_own_price() -> None:
    usage = Usage(fresh_input=1, cache_read=10, cache_write=1_000, cache_write_1h=400, output=7, reasoning=5)
    # 1 * 3 + 10 * 0.30 + 600 * 3.75 + 400 * 6 + 7 * 15; reasoning is inside the output
    assert SONNET.cost(usage) == Decimal("0.004761")


def test_a_kind_without_a_price_of_its_own_is_paid_as_what_it_is_part_of() -> None:
    plain = TokenPrices(input=2, output=10)
    usage = Usage(fresh_input=1, cache_read=2, cache_write=4, cache_write_1h=1, output=8, reasoning=3)
    assert plain.cost(usage) == Decimal(7 * 2 + 8 * 10) / 1_000_000
    written = TokenPrices(input=2, output=10, cache_write=Decimal("2.5"))
    assert written.cost(usage) == (Decimal(3 * 2) + 4 * Decimal("2.5") + 80) / 1_000_000
    thinking = TokenPrices(input=2, output=10, reasoning=4, requests=5)
    assert thinking.cost(Usage(output=8, reasoning=3, model_calls=2)) == Decimal("0.000062") + Decimal("0.01")


@pytest.mark.parametrize("wrong", [-1, Decimal("-0.1"), Decimal("NaN"), Decimal("Infinity"), 0.1, "0.1", True])
def test_a_price_that_is_no_exact_amount_is_refused(wrong: object) -> None:
    with pytest.raises(ConfigError, match="cache_read price"):
        TokenPrices(input=1, output=1, cache_read=cast(Decimal, wrong))


def test_an_exact_name_goes_before_a_glob_and_an_earlier_glob_before_a_later_one() -> None:
    one, two, three = (TokenPrices(input=number, output=0) for number in (1, 2, 3))
    price = PriceTable({"openai:*": one, "openai:gpt-4.1": two, "*": three}, listed=None)
    million = Usage(fresh_input=1_000_000)
    assert [price(name, million) for name in ("openai:gpt-4.1", "openai:gpt-4.1-mini", "local:x")] == [2, 1, 3]


def test_the_users_price_goes_before_the_list() -> None:
    price = PriceTable({"openai:gpt-4.1-mini": FREE})
    assert price("openai:gpt-4.1-mini", Usage(output=5)) == 0


def test_a_name_without_provider_is_refused_as_a_price() -> None:
    with pytest.raises(ConfigError, match="'gpt-4' names no model"):
        PriceTable({"gpt-4": FREE})


@pytest.mark.parametrize(
    "name",
    [
        *("ollama:llama3", "local:qwen2.5-coder-1.5b", "scripted:test", "llamacpp:m", "openai:my-own-model"),
        *("my-openai-gateway:gpt-4.1-mini", "openai:", ":", "", "gpt-4.1-mini", "없는:모델"),
    ],
)
def test_a_model_nobody_gave_a_price_for_is_unknown_and_never_free(name: str) -> None:
    assert default_prices()(name, Usage(fresh_input=5, model_calls=1)) is None


def test_the_list_knows_models_of_providers_under_our_names_and_theirs() -> None:
    price, usage = default_prices(), Usage(fresh_input=1_000, output=1_000, model_calls=1)
    assert price("openai:gpt-4.1-mini", usage) == Decimal("0.002")
    assert price("openai:gpt-4.1-mini-2025-04-14", usage) == Decimal("0.002")
    assert price("anthropic:claude-opus-4-5", usage) == Decimal("0.03")
    assert price("gemini:gemini-2.5-pro", usage) == price("google:gemini-2.5-pro", usage) == Decimal("0.01125")


USAGES = (
    Usage(fresh_input=9, cache_read=17_102, output=100, model_calls=1),
    Usage(fresh_input=300_001, output=1, model_calls=1),
    Usage(fresh_input=50, cache_write=2_000, cache_write_1h=500, output=70, reasoning=20, model_calls=1),
)


@pytest.mark.parametrize("provider", ["openai", "anthropic", "google", "deepseek", "mistral", "x-ai", "perplexity"])
def test_costs_are_those_the_list_itself_reckons(provider: str) -> None:
    moment = datetime(2026, 11, 30, 3, 0, tzinfo=UTC)
    (listed,) = [one for one in get_snapshot().providers if one.id == provider]
    priced = 0
    for one in listed.models:
        cost = published_cost(f"{provider}:{one.id}", clock=lambda: moment)
        if cost is None:
            continue
        for usage in USAGES:
            expected = calc_price(_as_listed(usage), one.id, provider_id=provider, genai_request_timestamp=moment)
            if expected.model_price.input_mtok is None:
                assert cost(usage) is None, f"{one.id} is paid by pages, seconds or messages"
                continue
            assert cost(usage) == expected.total_price, one.id
            priced += 1
    assert priced >= 3


def _as_listed(usage: Usage) -> ListedUsage:
    return ListedUsage(
        input_tokens=usage.input,
        cache_read_tokens=usage.cache_read,
        cache_write_tokens=usage.cache_write,
        cache_write_1h_tokens=usage.cache_write_1h,
        output_tokens=usage.output,
        output_reasoning_tokens=usage.reasoning,
    )


def test_a_long_input_is_paid_at_the_higher_tier_for_all_of_it(put: Put) -> None:
    tiered = TieredPrices(base=Decimal(1), tiers=[Tier(start=200_000, price=Decimal(2))])
    put(ModelPrice(input_mtok=tiered, output_mtok=Decimal(0)))
    price = PriceTable()
    sizes = (200_000, 200_001)
    assert [price("openai:m", Usage(fresh_input=size, model_calls=1)) for size in sizes] == [
        Decimal("0.2"),
        Decimal("0.400002"),
    ]


def test_the_sum_of_several_calls_is_not_guessed_at_where_the_price_depends_on_each_length(put: Put) -> None:
    tiered = TieredPrices(base=Decimal(1), tiers=[Tier(start=200_000, price=Decimal(2))])
    put(ModelPrice(input_mtok=tiered, output_mtok=Decimal(0)))
    price = PriceTable()
    assert price("openai:m", Usage(fresh_input=300_000, model_calls=2)) is None
    assert price("openai:m", Usage(fresh_input=100_000, model_calls=2)) == Decimal("0.1")


def test_a_price_that_changes_on_a_day_is_the_one_of_the_call(put: Put) -> None:
    def at(amount: int) -> ModelPrice:
        return ModelPrice(input_mtok=Decimal(amount), output_mtok=Decimal(0))

    change = StartDateConstraint(start_date=datetime(2026, 6, 1, tzinfo=UTC).date())
    put([ConditionalPrice(prices=at(1)), ConditionalPrice(change, prices=at(2))])
    days = iter((datetime(2026, 5, 31, 23, 59, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC)))
    price = PriceTable(listed=lambda name: published_cost(name, clock=lambda: next(days)))
    million = Usage(fresh_input=1_000_000, model_calls=1)
    assert [price("openai:m", million), price("openai:m", million)] == [1, 2]


@pytest.mark.parametrize(
    "prices",
    [
        ModelPrice(input_mtok=Decimal(1)),
        ModelPrice(output_mtok=Decimal(1)),
        ModelPrice(input_mchars=Decimal(1)),
        ModelPrice(input_mtok=Decimal(1), output_mtok=Decimal(1), output_citation_mtok=Decimal(1)),
    ],
)
def test_a_model_that_is_not_paid_by_our_tokens_alone_is_unknown(put: Put, prices: ModelPrice) -> None:
    put(prices)
    assert PriceTable()("openai:m", Usage(output=1)) is None


def test_a_model_is_looked_up_once() -> None:
    asked: list[str] = []

    def listed(name: str) -> None:
        asked.append(name)

    price = PriceTable(listed=listed)
    for name in ("a:b", "a:c", "a:b"):
        assert price(name, Usage(output=1)) is None
    assert asked == ["a:b", "a:c"]


async def test_the_cost_of_a_run_is_in_its_usage() -> None:
    usage = Usage(fresh_input=1_000, output=500, model_calls=1)
    price = PriceTable({"scripted:*": TokenPrices(input=1, output=2)}, listed=None)
    client = ChatClient(ScriptedModel(answer(usage), answer(usage)))
    assert (await client.prompt("go").run(RunContext(price=price)).call()).usage.cost == Decimal("0.002")
    assert (await client.prompt("go").run(RunContext(price=PriceTable(listed=None))).call()).usage.cost is None


def answer(usage: Usage) -> ChatResponse:
    return ChatResponse(message=AssistantMessage(text="yes"), usage=usage)


@pytest.mark.parametrize(
    ("hidden", "expected"), [("genai_prices", "None"), ("requests", "0.002")], ids=["without the extra", "with it"]
)
def test_prices_need_no_network_and_are_unknown_without_the_extra(hidden: str, expected: str) -> None:
    program = f"""
import socket, sys
sys.modules[{hidden!r}] = None
def refuse(*given, **named): raise AssertionError("a price was fetched")
socket.socket.connect = socket.getaddrinfo = refuse
from dure.models.prices import default_prices
from dure.usage import Usage
assert "genai_prices" not in sys.modules or sys.modules["genai_prices"] is None
print(default_prices()("openai:gpt-4.1-mini", Usage(fresh_input=1000, output=1000, model_calls=1)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout.strip(), done.returncode) == (expected, 0), done.stderr


def test_a_missing_extra_is_told_to_the_log_and_the_price_is_unknown(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "genai_prices", None)
    monkeypatch.delitem(sys.modules, "dure.models.price_list", raising=False)
    with caplog.at_level(logging.INFO):
        assert default_prices()("openai:gpt-4.1-mini", Usage(output=1)) is None
    assert "pip install 'dure[prices]'" in caplog.text
