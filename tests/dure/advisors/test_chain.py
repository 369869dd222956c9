"""Order, recursion and accounting of the chain."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from dure.advisors.base import Advisor, Chain
from dure.advisors.chain import AdvisorChain
from dure.advisors.order import MODEL_CALL
from dure.advisors.tool_calling import ToolCallingAdvisor
from dure.chat import ChatRequest, ChatResponse
from dure.errors import ConfigError, ServerFailed
from dure.messages import AssistantMessage, UserMessage
from dure.models.scripted import ScriptedModel
from dure.run import RunContext
from dure.usage import NO_USAGE, Usage

REQUEST = ChatRequest(messages=(UserMessage(text="hello"),))


@dataclass(frozen=True, eq=False)
class Passing:
    """Writes its name down and goes on, `times` times, keeping the last answer."""

    name: str
    order: int
    seen: list[str] = field(default_factory=list[str])
    times: int = 1

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        self.seen.append(self.name)
        for _ in range(self.times - 1):
            await chain.next(request)
        return await chain.next(request)


def spending(text: str, tokens: int) -> ChatResponse:
    return ChatResponse(message=AssistantMessage(text=text), usage=Usage(fresh_input=tokens, cache_read=2 * tokens))


def build(model: ScriptedModel, *advisors: Advisor) -> AdvisorChain:
    return AdvisorChain.build(advisors, model=model, run=RunContext())


async def test_smaller_numbers_are_further_out() -> None:
    seen: list[str] = []
    chain = build(ScriptedModel("hi"), Passing("inner", 9, seen), Passing("outer", 1, seen), Passing("middle", 5, seen))
    assert (await chain.next(REQUEST)).text == "hi"
    assert seen == ["outer", "middle", "inner"]


async def test_equal_numbers_keep_registration_order_at_every_depth() -> None:
    seen: list[str] = []
    model = ScriptedModel(*["x"] * 4)
    chain = build(
        model,
        Passing("1st recursive", 1, seen, times=2),
        Passing("2nd recursive", 2, seen, times=2),
        *(Passing(name, 5, seen) for name in "abc"),
    )
    await chain.next(REQUEST)
    below = ["2nd recursive", "a", "b", "c", "a", "b", "c"]
    assert seen == ["1st recursive", *below, *below]


@pytest.mark.parametrize("order", [MODEL_CALL, MODEL_CALL + 1])
def test_an_advisor_that_could_never_run_is_refused_by_name(order: int) -> None:
    with pytest.raises(ConfigError, match=rf"'lost' \(order {order}\) would never run"):
        build(ScriptedModel(), Passing("lost", order))


def test_the_same_advisor_twice_is_refused_by_name() -> None:
    twice = Passing("twice", 1)
    with pytest.raises(ConfigError, match="'twice' is in the chain more than once"):
        build(ScriptedModel(), twice, Passing("other", 1), twice)


def test_two_tool_advisors_are_refused_by_name() -> None:
    with pytest.raises(ConfigError, match=r"here are 2: 'a' \(order 400\), 'b' \(order 401\)"):
        build(ScriptedModel(), ToolCallingAdvisor(name="a"), ToolCallingAdvisor(name="b", order=401))


async def test_after_gives_the_part_below_an_advisor_and_leaves_the_chain_as_it_is() -> None:
    seen: list[str] = []
    first, second, third = (Passing(name, 1, seen) for name in "abc")
    chain = build(ScriptedModel("x", "y"), first, second, third)
    await chain.after(second).next(REQUEST)
    assert seen == ["c"]
    await chain.next(REQUEST)
    assert seen == ["c", "a", "b", "c"]


def test_after_an_advisor_of_another_chain_is_an_error_with_the_names() -> None:
    with pytest.raises(ConfigError, match=r"'b' is not in this chain \(a, model call\)"):
        build(ScriptedModel(), Passing("a", 1)).after(Passing("b", 1))


async def test_there_is_nothing_below_the_model_call() -> None:
    chain = build(ScriptedModel())
    with pytest.raises(ConfigError, match="nothing below"):
        await chain.after(chain.links[-1]).next(REQUEST)


async def test_another_model_can_be_put_at_the_end() -> None:
    chain = build(ScriptedModel("one"))
    assert (await chain.with_model(ScriptedModel("two", name="scripted:two")).next(REQUEST)).model == "scripted:two"
    assert (await chain.next(REQUEST)).text == "one"


async def test_usage_of_answers_thrown_away_is_summed_once() -> None:
    model = ScriptedModel(*(spending("x", tokens) for tokens in (1, 10, 100, 1000)))
    chain = build(model, Passing("outer", 1, times=2), Passing("inner", 2, times=2))
    response = await chain.next(REQUEST)
    assert response.usage == Usage(fresh_input=1111, cache_read=2222, model_calls=4)


@dataclass(frozen=True)
class Custom:
    """An advisor made of one function."""

    do: Callable[[ChatRequest, Chain], "asyncio.Future[ChatResponse]"]
    name: str = "custom"
    order: int = 1

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        return await self.do(request, chain)


async def test_usage_of_attempts_that_raised_is_kept() -> None:
    async def recover(request: ChatRequest, chain: Chain) -> ChatResponse:
        with pytest.raises(ServerFailed):
            await chain.next(request)
        return await chain.next(request)

    async def waste(request: ChatRequest, chain: Chain) -> ChatResponse:
        await chain.next(request)
        if chain.run.counts.model_calls == 1:
            raise ServerFailed("after the model had answered")
        return await chain.next(request)

    chain = build(
        ScriptedModel(spending("x", 1), spending("y", 10), ServerFailed("no"), spending("z", 100)),
        Custom(lambda request, chain: asyncio.ensure_future(recover(request, chain))),
        Custom(lambda request, chain: asyncio.ensure_future(waste(request, chain)), order=2),
    )
    with pytest.raises(ServerFailed):
        await chain.next(REQUEST)
    assert chain.frame.spent == Usage(fresh_input=11, cache_read=22, model_calls=3)


async def test_calls_at_the_same_time_are_each_counted_once() -> None:
    async def both(request: ChatRequest, chain: Chain) -> ChatResponse:
        answers = await asyncio.gather(chain.next(request), chain.next(request))
        assert {answer.usage.fresh_input for answer in answers} == {1, 10}
        return answers[0]

    chain = build(
        ScriptedModel(spending("x", 1), spending("y", 10)),
        Custom(lambda request, chain: asyncio.ensure_future(both(request, chain))),
    )
    assert (await chain.next(REQUEST)).usage.fresh_input == 11


async def test_an_advisor_charges_what_it_spent_elsewhere_and_cannot_make_usage_up() -> None:
    async def canned(request: ChatRequest, chain: Chain) -> ChatResponse:
        chain.charge(Usage(output=7))
        return spending("from a cache", 1000)

    chain = build(ScriptedModel(), Custom(lambda request, chain: asyncio.ensure_future(canned(request, chain))))
    assert (await chain.next(REQUEST)).usage == Usage(output=7)
    assert Usage() == NO_USAGE
