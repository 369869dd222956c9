"""Answers that are scored, and runs that may make only so many calls."""

from typing import Any

import pytest

from dure.advisors.call_limit import CallLimitAdvisor
from dure.advisors.chain import AdvisorChain
from dure.advisors.evaluation import Evaluation, EvaluationAdvisor
from dure.advisors.retry import RetryAdvisor
from dure.advisors.tool_calling import ToolCallingAdvisor
from dure.chat import ChatRequest, ChatResponse
from dure.client.chat_client import ChatClient
from dure.errors import CallLimitExceeded, ConfigError, OutputInvalid, ServerFailed
from dure.events import Event, Finished, Restarted, TextDelta
from dure.messages import AssistantMessage, ToolCall, UserMessage
from dure.models.scripted import ScriptedModel
from dure.run import CallCounts, RunContext
from dure.tools.function import tool
from dure.tools.toolbox import Toolbox
from dure.usage import Usage

REQUEST = ChatRequest(messages=(UserMessage(text="write"),))
CALL = ChatResponse(
    message=AssistantMessage(tool_calls=(ToolCall(id="1", name="echo", arguments='{"text": "x"}'),)),
    finish_reason="tool_calls",
)


async def by_number(request: ChatRequest, response: ChatResponse) -> Evaluation:
    assert request == REQUEST
    return Evaluation(score=float(response.text), feedback=f"{response.text} is too little", usage=Usage(output=1))


async def ask(model: ScriptedModel, events: list[Event] | None = None, *, max_retries: int = 3) -> ChatResponse:
    run = RunContext() if events is None else RunContext(sink=events.append)
    advisor = EvaluationAdvisor(evaluate=by_number, threshold=9.0, max_retries=max_retries)
    return await AdvisorChain.build([advisor], model=model, run=run).next(REQUEST)


async def test_a_good_answer_is_taken_at_once_and_its_review_is_paid() -> None:
    response = await ask(ScriptedModel("9.5", "10"))
    assert (response.text, response.usage) == ("9.5", Usage(output=1, model_calls=1))


async def test_feedback_goes_back_until_the_answer_is_good_enough() -> None:
    events: list[Event] = []
    model = ScriptedModel("3", "5", "9")
    assert (await ask(model, events)).text == "9"
    assert [request.last_user_text.splitlines()[3:4] for request in model.requests] == [
        [],
        ["3 is too little"],
        ["5 is too little"],
    ]
    assert [event.reason for event in events if isinstance(event, Restarted)] == [
        "scored 3 of 9: 3 is too little",
        "scored 5 of 9: 5 is too little",
    ]


async def test_the_best_answer_is_kept_and_not_the_last() -> None:
    response = await ask(ScriptedModel("3", "8", "5", "7"))
    assert (response.text, response.usage) == ("8", Usage(output=4, model_calls=4))


async def test_a_later_attempt_that_fails_does_not_lose_the_answer() -> None:
    for failure in (ServerFailed("down"), OutputInvalid("bad")):
        assert (await ask(ScriptedModel("3", failure, "10"))).text == "3"


async def test_a_bug_in_a_later_attempt_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError):
        await ask(ScriptedModel("3", ZeroDivisionError()))


async def test_a_tool_call_is_not_judged_but_handed_on() -> None:
    assert (await ask(ScriptedModel(CALL))).message == CALL.message
    assert (await ask(ScriptedModel("3", CALL))).message == CALL.message


async def test_without_retries_an_answer_is_only_scored() -> None:
    assert (await ask(ScriptedModel("3", "10"), max_retries=0)).text == "3"


def test_negative_retries_are_refused() -> None:
    with pytest.raises(ConfigError):
        EvaluationAdvisor(evaluate=by_number, threshold=1, max_retries=-1)


@tool
def echo(text: str) -> str:
    """Say it back."""
    return text


async def test_retries_count_as_model_calls() -> None:
    model = ScriptedModel(*[ServerFailed("no")] * 4)

    async def sleep(seconds: float) -> None: ...

    advisors = [CallLimitAdvisor(max_model_calls=2), RetryAdvisor(sleep=sleep)]
    chain = AdvisorChain.build(advisors, model=model, run=RunContext())
    with pytest.raises(CallLimitExceeded, match="its 2 model calls"):
        await chain.next(REQUEST)
    assert len(model.requests) == 2


async def test_the_limit_is_of_the_run_and_not_of_one_prompt() -> None:
    run = RunContext()
    for _ in range(2):
        await AdvisorChain.build([CallLimitAdvisor(max_model_calls=2)], model=ScriptedModel("x"), run=run).next(REQUEST)
    with pytest.raises(CallLimitExceeded):
        await AdvisorChain.build([CallLimitAdvisor(max_model_calls=2)], model=ScriptedModel("x"), run=run).next(REQUEST)


async def test_a_round_with_more_tool_calls_than_are_left_does_not_run() -> None:
    run = RunContext()
    chain = AdvisorChain.build(
        [CallLimitAdvisor(max_tool_calls=1), ToolCallingAdvisor(toolbox=Toolbox((echo,)))],
        model=ScriptedModel(CALL, CALL),
        run=run,
    )
    with pytest.raises(CallLimitExceeded, match="may make 1 tool calls, has made 1 and wants 1 more"):
        await chain.next(REQUEST)
    assert run.counts.tool_calls == 1


@pytest.mark.parametrize("numbers", [(5, 1), (1, 5)])
async def test_of_two_limits_the_tighter_holds(numbers: tuple[int, int]) -> None:
    advisors = [CallLimitAdvisor(max_model_calls=number) for number in numbers]
    chain = AdvisorChain.build(advisors, model=ScriptedModel("x", "y"), run=RunContext())
    await chain.next(REQUEST)
    with pytest.raises(CallLimitExceeded):
        await chain.next(REQUEST)


async def test_a_resumed_run_goes_on_counting_where_the_earlier_one_stopped() -> None:
    earlier = RunContext()
    model = ScriptedModel(CALL, "one", CALL, "two")
    client = ChatClient(model, tools=(echo,), advisors=(CallLimitAdvisor(max_model_calls=3, max_tool_calls=2),))
    await client.prompt("write").run(earlier).call()
    assert (earlier.counts.model_calls, earlier.counts.tool_calls) == (2, 1)
    with pytest.raises(CallLimitExceeded, match="its 3 model calls"):
        await client.prompt("write").run(RunContext(counts=earlier.counts)).call()
    assert len(model.requests) == 3


@pytest.mark.parametrize("counts", [CallCounts(model_calls=2), CallCounts(tool_calls=2)])
async def test_a_run_may_stop_with_a_clean_message_instead_of_an_error(counts: CallCounts) -> None:
    events: list[Event] = []
    run = RunContext(counts=counts, sink=events.append)
    limit = CallLimitAdvisor(max_model_calls=3, max_tool_calls=2, on_limit="stop")
    said = ChatResponse(message=AssistantMessage(text="let me see", tool_calls=CALL.message.tool_calls))
    client = ChatClient(ScriptedModel(said, "never"), tools=(echo,), advisors=(limit,))
    response = await client.prompt("write").run(run).call()
    assert response.finish_reason == "limit"
    assert response.message.tool_calls == ()
    assert response.text.endswith(("raise max_model_calls or ask for less.)", "raise max_tool_calls or ask for less.)"))
    assert response.usage.model_calls == 1
    assert "".join(event.text for event in events if isinstance(event, TextDelta)).endswith(response.text)
    assert events[-1] == Finished(text=response.text, usage=response.usage, finish_reason="limit")


async def test_a_run_that_stops_is_not_asked_for_its_json_again() -> None:
    model = ScriptedModel("no", "{}")
    client = ChatClient(model, advisors=(CallLimitAdvisor(max_model_calls=1, on_limit="stop"),))
    with pytest.raises(OutputInvalid, match="reached a limit"):
        await client.prompt("write").entity(dict[str, int])
    assert len(model.requests) == 1


async def test_a_limit_reached_by_retries_stops_too() -> None:
    async def sleep(seconds: float) -> None: ...

    advisors = (CallLimitAdvisor(max_model_calls=2, on_limit="stop"), RetryAdvisor(sleep=sleep))
    client = ChatClient(ScriptedModel(*[ServerFailed("no")] * 3), advisors=advisors)
    response = await client.prompt("write").call()
    assert (response.finish_reason, response.usage.model_calls) == ("limit", 2)


async def test_one_run_has_one_limit_and_another_run_its_own() -> None:
    client = ChatClient(ScriptedModel("a", "b", "c"), advisors=(CallLimitAdvisor(max_model_calls=1),))
    run = RunContext()
    await client.prompt("x").run(run).call()
    with pytest.raises(CallLimitExceeded):
        await client.prompt("x").run(run).call()
    assert (await client.prompt("x").call()).text == "b"


@pytest.mark.parametrize(
    "settings",
    [
        {"max_model_calls": 0},
        {"max_tool_calls": -1},
        {"max_model_calls": "5"},
        {"max_model_calls": True},
        {"max_tool_calls": 1.5},
        {"on_limit": "halt"},
    ],
)
def test_limits_that_are_none_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        CallLimitAdvisor(**settings)
