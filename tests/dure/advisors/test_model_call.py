"""The end of the chain: bounded, timed, counted, and fitted to the model."""

import asyncio
from decimal import Decimal

import pytest
from msgspec import structs

from dure.advisors.chain import AdvisorChain
from dure.advisors.model_call import ModelCall
from dure.budget import Budget
from dure.chat import ChatOptions, ChatRequest, ChatResponse, ToolDefinition
from dure.errors import Cancelled, DeadlineExceeded, EmptyAnswer, ModelTimeout, ServerFailed
from dure.events import Event, ModelCallFinished, ModelCallStarted, TextDelta
from dure.messages import AssistantMessage, SystemMessage, ToolCall, ToolMessage, ToolResult, UserMessage
from dure.models.base import ModelCapabilities
from dure.models.scripted import ScriptedModel
from dure.run import RunContext
from dure.usage import Usage

REQUEST = ChatRequest(messages=(UserMessage(text="hello"),))


async def never(request: ChatRequest) -> ChatResponse:
    await asyncio.Event().wait()
    raise AssertionError


async def ask(model: ScriptedModel, request: ChatRequest = REQUEST, run: RunContext | None = None) -> ChatResponse:
    return await AdvisorChain.build((), model=model, run=run or RunContext()).next(request)


async def test_a_call_tells_its_beginning_its_text_and_its_end() -> None:
    events: list[Event] = []
    run = RunContext(sink=events.append)
    usage = Usage(fresh_input=3, output=2)
    await ask(ScriptedModel(ChatResponse(message=AssistantMessage(text="hi"), usage=usage)), run=run)
    assert events[:2] == [ModelCallStarted(model="scripted:test"), TextDelta(text="hi")]
    (finished,) = events[2:]
    assert isinstance(finished, ModelCallFinished)
    assert finished.seconds >= 0
    assert (finished.model, finished.usage, finished.finish_reason) == (
        "scripted:test",
        structs.replace(usage, model_calls=1),
        "stop",
    )
    assert run.counts.model_calls == 1


async def test_the_name_of_the_model_is_on_the_answer() -> None:
    assert (await ask(ScriptedModel("x"))).model == "scripted:test"
    named = ChatResponse(message=AssistantMessage(text="x"), model="other:m")
    assert (await ask(ScriptedModel(named))).model == "other:m"


async def test_a_run_that_was_cancelled_or_is_late_asks_no_model() -> None:
    model, run = ScriptedModel("x"), RunContext()
    run.cancel()
    with pytest.raises(Cancelled):
        await ask(model, run=run)
    with pytest.raises(DeadlineExceeded):
        await ask(model, run=RunContext(deadline=asyncio.get_running_loop().time() - 1))
    assert model.requests == []


async def test_a_call_ends_with_the_time_of_its_run() -> None:
    run = RunContext(deadline=asyncio.get_running_loop().time() + 0.01)
    with pytest.raises(DeadlineExceeded, match="while scripted:test was answering"):
        await ask(ScriptedModel(never), run=run)


@pytest.mark.parametrize("run_has_time", [True, False])
async def test_a_call_that_takes_too_long_is_a_model_timeout(run_has_time: bool) -> None:
    run = RunContext(deadline=asyncio.get_running_loop().time() + 60 if run_has_time else None)
    chain = AdvisorChain.build((), model=ScriptedModel(never), run=run, terminal=ModelCall(timeout=0.01))
    with pytest.raises(ModelTimeout, match=r"within 0.01 s"):
        await chain.next(REQUEST)
    assert chain.frame.spent == Usage(model_calls=1)


async def test_a_time_out_inside_an_adapter_is_a_model_timeout() -> None:
    with pytest.raises(ModelTimeout):
        await ask(ScriptedModel(TimeoutError()), run=RunContext(deadline=asyncio.get_running_loop().time() + 60))


@pytest.mark.parametrize("text", ["", " \n", "<think>I wonder</think>"])
async def test_an_answer_without_text_and_calls_is_an_error_and_is_paid(text: str) -> None:
    chain = AdvisorChain.build(
        (),
        model=ScriptedModel(ChatResponse(message=AssistantMessage(text=text), usage=Usage(output=5))),
        run=RunContext(),
    )
    with pytest.raises(EmptyAnswer, match="scripted:test"):
        await chain.next(REQUEST)
    assert chain.frame.spent == Usage(output=5, model_calls=1)


async def test_a_tool_call_or_a_cut_answer_without_text_is_no_error() -> None:
    call = AssistantMessage(tool_calls=(ToolCall(id="1", name="t", arguments=""),))
    await ask(ScriptedModel(ChatResponse(message=call, finish_reason="tool_calls")))
    cut = await ask(ScriptedModel(ChatResponse(message=AssistantMessage(), finish_reason="length")))
    assert cut.finish_reason == "length"


SCHEMA = {"type": "object", "description": "주문"}
IN_WORDS = (
    "hello\n\nAnswer with one JSON value of this JSON Schema and nothing else, no code fence:\n"
    '{"type":"object","description":"주문"}'
)


@pytest.mark.parametrize(
    ("enforced", "tools", "choice", "in_words"),
    [
        (True, False, None, False),
        (False, False, None, True),
        (True, True, None, True),
        (True, True, "none", False),
    ],
)
async def test_a_schema_is_asked_for_in_words_where_it_cannot_be_enforced(
    enforced: bool, tools: bool, choice: str | None, in_words: bool
) -> None:
    model = ScriptedModel("{}", capabilities=ModelCapabilities(json_schema=enforced))
    options = ChatOptions(json_schema=SCHEMA, tool_choice="none" if choice else None)
    definitions = (ToolDefinition(name="t", description="", parameters={}),) if tools else ()
    await ask(model, structs.replace(REQUEST, options=options, tools=definitions))
    (sent,) = model.requests
    assert sent.options.json_schema == (None if in_words else SCHEMA)
    assert sent.last_user_text == (IN_WORDS if in_words else "hello")


async def test_words_for_a_schema_stay_with_the_user_text_so_that_all_rounds_begin_alike() -> None:
    call = AssistantMessage(tool_calls=(ToolCall(id="1", name="t", arguments="{}"),))
    results = ToolMessage(results=(ToolResult(call_id="1", name="t", text="r"),))
    model = ScriptedModel("{}", capabilities=ModelCapabilities(json_schema=False))
    options = ChatOptions(json_schema=SCHEMA)
    await ask(model, ChatRequest(messages=(*REQUEST.messages, call, results), options=options))
    assert model.requests[0].messages == (UserMessage(text=IN_WORDS), call, results)


async def test_words_for_a_schema_stand_alone_where_no_user_spoke() -> None:
    for messages in ((SystemMessage(text="s"),), ()):
        model = ScriptedModel("{}", capabilities=ModelCapabilities(json_schema=False))
        await ask(model, ChatRequest(messages=messages, options=ChatOptions(json_schema=SCHEMA)))
        (sent,) = model.requests
        assert sent.messages[:-1] == messages
        assert sent.last_user_text == IN_WORDS.removeprefix("hello\n\n")


@pytest.mark.parametrize("supported", [True, False])
async def test_a_grammar_goes_only_to_a_model_that_obeys_it(supported: bool) -> None:
    model = ScriptedModel("x", capabilities=ModelCapabilities(grammar=supported))
    await ask(model, REQUEST.with_options(ChatOptions(grammar='root ::= "x"')))
    assert (model.requests[0].options.grammar is not None) == supported


async def test_a_provider_that_says_no_tokens_has_an_unknown_cost_and_a_failed_call_costs_what_it_took() -> None:
    def price(model: str, usage: Usage) -> Decimal:
        return Decimal(usage.total)

    silent, counted = RunContext(price=price), RunContext(price=price)
    await ask(ScriptedModel(ChatResponse(message=AssistantMessage(text="x"))), run=silent)
    assert (silent.counts.spent.model_calls, silent.counts.spent.cost) == (1, None)
    with pytest.raises(ServerFailed):
        await ask(ScriptedModel(ServerFailed("no")), run=counted)
    assert counted.counts.spent.cost == 0


async def test_a_price_that_fails_leaves_the_answer_and_its_budget_alone(caplog: pytest.LogCaptureFixture) -> None:
    def price(model: str, usage: Usage) -> Decimal:
        raise ZeroDivisionError

    usage, budget = Usage(fresh_input=1, output=1, model_calls=1), Budget(max_tokens=10)
    run = RunContext(price=price, budget=budget)
    model = ScriptedModel(ChatResponse(message=AssistantMessage(text="x"), usage=usage))
    assert (await ask(model, run=run)).text == "x"
    assert budget.spent == usage
    assert "the price of scripted:test cannot be told" in caplog.text


async def test_what_a_failed_call_took_is_counted_where_the_provider_says_so() -> None:
    usage, run = Usage(fresh_input=9, output=3, model_calls=1), RunContext()
    with pytest.raises(EmptyAnswer):
        await ask(ScriptedModel(EmptyAnswer("only thinking", usage=usage)), run=run)
    assert run.counts.spent == usage
