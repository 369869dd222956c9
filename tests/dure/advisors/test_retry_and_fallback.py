"""Failures of models: repeated on the same one, then taken to another, never silently."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from dure.advisors.chain import AdvisorChain
from dure.advisors.fallback import FallbackAdvisor
from dure.advisors.retry import NUDGE, RetryAdvisor
from dure.chat import ChatOptions, ChatRequest, ToolDefinition
from dure.client.streaming import bounded
from dure.errors import (
    Cancelled,
    ConfigError,
    ContextTooLong,
    EmptyAnswer,
    InvalidRequest,
    ModelError,
    ModelTimeout,
    ModelUnavailable,
    RateLimited,
    ServerFailed,
    Unauthenticated,
)
from dure.events import Event, Restarted, TextDelta
from dure.messages import UserMessage
from dure.models.base import ModelCapabilities
from dure.models.scripted import ScriptedModel
from dure.models.scripted_turns import CutOff
from dure.run import RunContext
from dure.usage import Usage

REQUEST = ChatRequest(messages=(UserMessage(text="hello"),))


def retrying(waits: list[float], *, chance: Callable[[], float] = lambda: 0.0, max_delay: float = 30.0) -> RetryAdvisor:
    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    return RetryAdvisor(sleep=sleep, chance=chance, max_delay=max_delay)


async def test_a_blip_is_retried_with_growing_waits_and_every_attempt_is_told() -> None:
    waits: list[float] = []
    events: list[Event] = []
    model = ScriptedModel(ServerFailed("one"), ServerFailed("two"), ServerFailed("three"), "ok")
    chain = AdvisorChain.build([retrying(waits)], model=model, run=RunContext(sink=events.append))
    response = await chain.next(REQUEST)
    assert (response.text, response.usage.model_calls) == ("ok", 4)
    assert waits == [0.5, 1.0, 2.0]
    assert [event for event in events if isinstance(event, Restarted)] == [
        Restarted(reason="one", delay=0.5),
        Restarted(reason="two", delay=1.0),
        Restarted(reason="three", delay=2.0),
    ]


async def test_a_time_out_that_cost_its_whole_time_is_tried_once_more_only() -> None:
    waits: list[float] = []
    model = ScriptedModel(*[ModelTimeout("slow")] * 4)
    with pytest.raises(ModelTimeout):
        await AdvisorChain.build([retrying(waits)], model=model, run=RunContext()).next(REQUEST)
    assert len(model.requests) == 2


async def test_waits_have_a_ceiling_and_jitter_on_top() -> None:
    waits: list[float] = []
    model = ScriptedModel(*[ServerFailed("no")] * 3, "ok")
    advisor = retrying(waits, chance=lambda: 1.0, max_delay=0.8)
    await AdvisorChain.build([advisor], model=model, run=RunContext()).next(REQUEST)
    assert waits == [0.625, 1.0, 1.0]


async def test_the_last_error_is_raised_when_retries_are_used_up() -> None:
    model = ScriptedModel(*[ServerFailed(str(number)) for number in range(9)])
    with pytest.raises(ServerFailed, match="3"):
        await AdvisorChain.build([retrying([])], model=model, run=RunContext()).next(REQUEST)
    assert len(model.requests) == 4


@pytest.mark.parametrize("error", [InvalidRequest("400"), Unauthenticated("401"), ValueError("bug")])
async def test_what_would_fail_again_is_never_retried(error: Exception) -> None:
    model = ScriptedModel(error, "never asked")
    with pytest.raises(type(error)):
        await AdvisorChain.build([retrying([])], model=model, run=RunContext()).next(REQUEST)
    assert len(model.requests) == 1


async def test_a_short_retry_after_is_obeyed_and_a_long_one_goes_up_at_once() -> None:
    waits: list[float] = []
    chain = AdvisorChain.build(
        [retrying(waits)],
        model=ScriptedModel(
            RateLimited("soon", retry_after=2), RateLimited("now", retry_after=0), RateLimited("late", retry_after=3600)
        ),
        run=RunContext(),
    )
    with pytest.raises(RateLimited, match="late"):
        await chain.next(REQUEST)
    assert waits == [2, 1.0]


async def test_a_wait_longer_than_the_run_has_time_is_not_begun() -> None:
    waits: list[float] = []
    run = RunContext(deadline=asyncio.get_running_loop().time() + 30)
    chain = AdvisorChain.build([retrying(waits)], model=ScriptedModel(RateLimited("x", retry_after=40)), run=run)
    with pytest.raises(RateLimited):
        await chain.next(REQUEST)
    assert waits == []


async def test_a_wait_ends_when_the_run_is_cancelled() -> None:
    run = RunContext()

    async def sleep(seconds: float) -> None:
        run.cancel()
        await asyncio.Event().wait()

    chain = AdvisorChain.build([RetryAdvisor(sleep=sleep)], model=ScriptedModel(ServerFailed("x"), "no"), run=run)
    async with asyncio.timeout(5):
        with pytest.raises(Cancelled):
            await bounded(chain.next(REQUEST), run)


async def test_a_run_that_was_cancelled_meanwhile_is_not_told_of_another_attempt() -> None:
    events: list[Event] = []
    run = RunContext(sink=events.append)

    def fail(request: ChatRequest) -> ModelError:
        run.cancel()
        return ServerFailed("x")

    chain = AdvisorChain.build([retrying([])], model=ScriptedModel(fail), run=run)
    with pytest.raises(Cancelled):
        await chain.next(REQUEST)
    assert not [event for event in events if isinstance(event, Restarted)]


async def test_after_visible_text_a_restart_is_always_told_first() -> None:
    events: list[Event] = []
    model = ScriptedModel(CutOff(text="half an ans", error=ServerFailed("broke")), "whole")
    chain = AdvisorChain.build([retrying([])], model=model, run=RunContext(sink=events.append))
    await chain.next(REQUEST)
    shown = [event for event in events if isinstance(event, TextDelta | Restarted)]
    assert [type(event) for event in shown] == [TextDelta, TextDelta, Restarted, TextDelta]


async def test_an_empty_answer_is_asked_for_again_with_a_nudge_that_does_not_stay() -> None:
    model = ScriptedModel(EmptyAnswer("nothing"), ServerFailed("blip"), "ok")
    await AdvisorChain.build([retrying([])], model=model, run=RunContext()).next(REQUEST)
    assert [request.last_user_text for request in model.requests] == ["hello", f"hello\n\n{NUDGE}", "hello"]


async def test_prompts_of_one_run_are_nudged_once_each_whatever_notes_are_added_to_them() -> None:
    model = ScriptedModel(*[EmptyAnswer("nothing")] * 9)
    run = RunContext()
    for text, asked in (("one", 2), ("one\n\nBetter.", 1), ("once", 2), ("", 2), ("two", 2)):
        before = len(model.requests)
        request = ChatRequest(messages=(UserMessage(text=text),))
        with pytest.raises(EmptyAnswer):
            await AdvisorChain.build([retrying([])], model=model, run=run).next(request)
        assert len(model.requests) - before == asked


@pytest.mark.parametrize(
    "settings",
    [
        {"max_retries": -1},
        {"max_retries": 1.5},
        {"max_retries": True},
        {"base_delay": -0.1},
        {"jitter": "0.25"},
        {"longest_wait": float("nan")},
        {"sleep": 5},
        {"chance": float},
    ],
)
def test_settings_of_a_retry_that_are_none_are_refused_at_once(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="retry"):
        RetryAdvisor(**settings)


@pytest.mark.parametrize("models", [(), "scripted:two", ("scripted:two",), (ScriptedModel,), ScriptedModel()])
def test_models_of_a_fallback_that_are_none_are_refused_at_once(models: Any) -> None:  # noqa: ANN401
    with pytest.raises(ConfigError, match="fallback"):
        FallbackAdvisor(models=models)


async def test_a_run_stays_with_the_model_that_answered_and_another_run_begins_anew() -> None:
    primary = ScriptedModel(ServerFailed("down"), "back again", name="scripted:one")
    second = ScriptedModel("from two", "again from two", name="scripted:two")
    advisors = [FallbackAdvisor(models=(second,))]
    run = RunContext()
    for text in ("from two", "again from two"):
        assert (await AdvisorChain.build(advisors, model=primary, run=run).next(REQUEST)).text == text
    assert (await AdvisorChain.build(advisors, model=primary, run=RunContext()).next(REQUEST)).text == "back again"


async def test_a_model_that_answered_and_then_fails_hands_over_in_a_ring() -> None:
    primary = ScriptedModel(ServerFailed("a"), "back again", name="scripted:one")
    second = ScriptedModel("from two", ServerFailed("b"), name="scripted:two")
    third = ScriptedModel(ServerFailed("c"), name="scripted:three")
    run = RunContext()
    advisors = [FallbackAdvisor(models=(second, third))]
    for text in ("from two", "back again"):
        assert (await AdvisorChain.build(advisors, model=primary, run=run).next(REQUEST)).text == text
    assert len(third.requests) == 1


async def test_a_model_that_cannot_call_tools_is_passed_over_while_tools_are_offered() -> None:
    tool = ToolDefinition(name="t", description="", parameters={})
    for options, text in ((ChatOptions(), "with tools"), (ChatOptions(tool_choice="none"), "without")):
        plain = ScriptedModel("without", capabilities=ModelCapabilities(tools=False), name="scripted:plain")
        advisors = [FallbackAdvisor(models=(plain, ScriptedModel("with tools")))]
        chain = AdvisorChain.build(advisors, model=ScriptedModel(ServerFailed("x")), run=RunContext())
        assert (await chain.next(ChatRequest(messages=REQUEST.messages, options=options, tools=(tool,)))).text == text
    advisors = [FallbackAdvisor(models=(plain,))]
    chain = AdvisorChain.build(advisors, model=ScriptedModel(ServerFailed("x")), run=RunContext())
    with pytest.raises(ModelUnavailable, match="scripted:plain: it cannot call tools"):
        await chain.next(ChatRequest(messages=REQUEST.messages, tools=(tool,)))


async def test_each_model_is_asked_for_a_schema_and_a_grammar_in_its_own_way() -> None:
    options = ChatOptions(json_schema={"type": "integer"}, grammar='root ::= "1"')
    primary = ScriptedModel(ServerFailed("x"), capabilities=ModelCapabilities(grammar=True))
    other = ScriptedModel("1", capabilities=ModelCapabilities(json_schema=False))
    chain = AdvisorChain.build([FallbackAdvisor(models=(other,))], model=primary, run=RunContext())
    await chain.next(REQUEST.with_options(options))
    assert primary.requests[0].options == options
    assert (other.requests[0].options.json_schema, other.requests[0].options.grammar) == (None, None)
    assert "JSON Schema" in other.requests[0].last_user_text


async def test_retry_stays_on_the_primary_before_a_fallback_is_asked() -> None:
    events: list[Event] = []
    primary = ScriptedModel(*[ServerFailed("down")] * 4, name="scripted:one")
    second = ScriptedModel(ServerFailed("blip"), "from two", name="scripted:two")
    chain = AdvisorChain.build(
        [retrying([]), FallbackAdvisor(models=(second,))], model=primary, run=RunContext(sink=events.append)
    )
    response = await chain.next(REQUEST)
    assert (response.text, response.model, response.usage) == ("from two", "scripted:two", Usage(model_calls=6))
    assert (len(primary.requests), len(second.requests)) == (4, 2)
    reasons = [event.reason for event in events if isinstance(event, Restarted)]
    assert reasons == ["down", "down", "down", "scripted:one: down; asking scripted:two", "blip"]


@pytest.mark.parametrize(
    "error", [Unauthenticated("no key"), ContextTooLong("too long"), RateLimited("x", retry_after=3600)]
)
async def test_what_another_model_may_do_goes_to_it(error: ModelError) -> None:
    advisors = [retrying([]), FallbackAdvisor(models=(ScriptedModel("ok"),))]
    assert (await AdvisorChain.build(advisors, model=ScriptedModel(error), run=RunContext()).next(REQUEST)).text == "ok"


async def test_a_request_refused_for_good_goes_to_no_other_model() -> None:
    other = ScriptedModel("never asked")
    chain = AdvisorChain.build(
        [FallbackAdvisor(models=(other,))], model=ScriptedModel(InvalidRequest("400")), run=RunContext()
    )
    with pytest.raises(InvalidRequest):
        await chain.next(REQUEST)
    assert other.requests == []


async def test_when_no_model_answers_every_reason_is_told() -> None:
    others = (ScriptedModel(ServerFailed("b"), name="scripted:two"), ScriptedModel(name="scripted:three"))
    chain = AdvisorChain.build(
        [FallbackAdvisor(models=others)], model=ScriptedModel(ServerFailed("a"), name="scripted:one"), run=RunContext()
    )
    with pytest.raises(ModelUnavailable, match=r"scripted:one: a; scripted:two: b; scripted:three: .*no turn"):
        await chain.next(REQUEST)
