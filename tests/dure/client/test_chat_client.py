"""The fluent door: what is asked, what comes back, what leaves while it works."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import pytest

from dure.advisors.call_limit import CallLimitAdvisor
from dure.advisors.retry import RetryAdvisor
from dure.advisors.structured_output import StructuredOutputAdvisor
from dure.advisors.tool_calling import ToolCallingAdvisor
from dure.advisors.tool_loop import AgentSafety
from dure.chat import ChatOptions, ChatRequest, ChatResponse
from dure.client.chat_client import ChatClient
from dure.client.streaming import run_sync
from dure.errors import (
    CallLimitExceeded,
    Cancelled,
    ConfigError,
    DeadlineExceeded,
    InvalidRequest,
    OutputInvalid,
    ServerFailed,
)
from dure.events import Event, Finished, ModelCallFinished, ModelCallStarted, Restarted, TextDelta
from dure.messages import AssistantMessage, SystemMessage, ToolCall, UserMessage
from dure.models.base import ModelCapabilities
from dure.models.scripted import ScriptedModel
from dure.run import CallCounts, RunContext
from dure.tools.function import tool
from dure.tools.toolbox import Toolbox
from dure.usage import Usage


@dataclass
class Film:
    title: str
    year: int


@tool
async def echo(text: str) -> str:
    """Say it back."""
    return text


CALL = ChatResponse(
    message=AssistantMessage(tool_calls=(ToolCall(id="1", name="echo", arguments='{"text": "x"}'),)),
    finish_reason="tool_calls",
)


async def no_sleep(seconds: float) -> None: ...


async def never(request: ChatRequest) -> ChatResponse:
    await asyncio.Event().wait()
    raise AssertionError


async def test_a_prompt_is_put_together_in_order_and_options_are_joined() -> None:
    model = ScriptedModel("hi")
    client = ChatClient(model, system="client", options=ChatOptions(temperature=0.1, max_tokens=5, extra={"a": 1}))
    earlier = (UserMessage(text="before"), AssistantMessage(text="answer"))
    prompt = client.prompt("draft").user("now").system("system").messages(*earlier)
    response = await prompt.options(ChatOptions(temperature=0.9, extra={"b": 2})).call()
    assert (response.text, response.model, response.usage) == ("hi", "scripted:test", Usage(model_calls=1))
    (sent,) = model.requests
    assert sent.messages == (SystemMessage(text="system"), *earlier, UserMessage(text="now"))
    assert sent.options == ChatOptions(temperature=0.9, max_tokens=5, extra={"a": 1, "b": 2})


async def test_every_step_gives_a_new_prompt_and_leaves_the_old_one() -> None:
    model = ScriptedModel("1", "2")
    base = ChatClient(model).prompt("base")
    await base.system("other").tools(echo).advisors(RetryAdvisor()).options(ChatOptions(seed=1)).text()
    assert await base.text() == "2"
    assert model.requests[1] == ChatRequest(messages=(UserMessage(text="base"),))


async def test_nothing_to_ask_is_an_error() -> None:
    with pytest.raises(ConfigError, match="nothing to ask"):
        await ChatClient(ScriptedModel(), system="s").prompt("  ").call()


async def test_messages_alone_are_enough_to_ask() -> None:
    assert await ChatClient(ScriptedModel("x")).prompt().messages(UserMessage(text="hi")).text() == "x"


async def test_a_retry_and_a_call_limit_are_there_unless_given() -> None:
    def failing() -> ScriptedModel:
        return ScriptedModel(ServerFailed("blip"), "ok")

    assert await ChatClient(failing(), advisors=(RetryAdvisor(sleep=no_sleep),)).prompt("x").text() == "ok"
    with pytest.raises(ServerFailed):
        await ChatClient(failing(), advisors=(RetryAdvisor(max_retries=0),)).prompt("x").text()
    with pytest.raises(CallLimitExceeded):
        await ChatClient(ScriptedModel()).prompt("x").run(RunContext(counts=CallCounts(model_calls=50))).text()
    limit, run = CallLimitAdvisor(max_model_calls=60), RunContext(counts=CallCounts(model_calls=50))
    assert await ChatClient(ScriptedModel("x"), advisors=(limit,)).prompt("x").run(run).text()


async def test_tools_bring_the_tool_loop() -> None:
    model = ScriptedModel(CALL, "done")
    assert await ChatClient(model, tools=(echo,)).prompt("x").text() == "done"


async def test_tools_join_a_tool_loop_that_was_given() -> None:
    @tool
    async def other() -> None:
        """Other."""

    loop = ToolCallingAdvisor(toolbox=Toolbox((other,)), safety=AgentSafety(max_rounds=1))
    model = ScriptedModel(CALL, CALL)
    response = await ChatClient(model, advisors=(RetryAdvisor(), loop)).prompt("x").tools(echo).call()
    assert response.finish_reason == "limit"
    assert [one.name for one in model.requests[0].tools] == ["other", "echo"]
    assert len(loop.toolbox) == 1


async def test_tools_of_the_same_name_are_refused() -> None:
    with pytest.raises(ConfigError, match="'echo'"):
        await ChatClient(ScriptedModel(), tools=(echo,)).prompt("x").tools(echo).text()


async def test_an_entity_is_the_answer_as_a_type() -> None:
    model = ScriptedModel("nonsense", '```json\n{"title": "괴물", "year": 2006}\n```', '[{"title": "a", "year": 1}]')
    client = ChatClient(model)
    assert await client.prompt("film").entity(Film) == Film(title="괴물", year=2006)
    assert await client.prompt("films").entity(list[Film]) == [Film(title="a", year=1)]


async def test_an_entity_is_asked_for_in_words_of_a_model_without_schemas() -> None:
    model = ScriptedModel('{"title": "a", "year": 1}', capabilities=ModelCapabilities(json_schema=False))
    await ChatClient(model).prompt("film").entity(Film)
    assert '"required":["title","year"]' in model.requests[0].last_user_text


async def test_without_validation_an_invalid_entity_is_not_asked_for_again() -> None:
    model = ScriptedModel('{"title": "x"}', '{"title": "x", "year": 1}')
    with pytest.raises(OutputInvalid, match=r"\$\.year") as raised:
        await ChatClient(model).prompt("film").entity(Film, validate=False)
    assert raised.value.raw_text == '{"title": "x"}'
    assert len(model.requests) == 1


async def test_a_validator_that_is_there_already_is_the_only_one() -> None:
    model = ScriptedModel(*['{"title": "x"}'] * 9)
    validator = StructuredOutputAdvisor(json_schema={}, max_retries=1, on_exhausted="return")
    with pytest.raises(OutputInvalid, match=r"ended by 'stop'.*\$\.year"):
        await ChatClient(model, advisors=(validator, RetryAdvisor())).prompt("film").entity(Film)
    assert len(model.requests) == 2


async def collected(events: AsyncIterator[Event]) -> list[Event]:
    return [replace(one, seconds=0.0) if isinstance(one, ModelCallFinished) else one async for one in events]


async def test_a_stream_gives_the_events_in_order_and_the_callers_sink_gets_them_too() -> None:
    seen: list[Event] = []
    run = RunContext(sink=seen.append)
    usage = Usage(fresh_input=1, output=2, model_calls=1)
    model = ScriptedModel(ChatResponse(message=AssistantMessage(text="hello 세계!"), usage=usage))
    events = await collected(ChatClient(model).prompt("x").run(run).stream())
    assert events == [
        ModelCallStarted(model="scripted:test"),
        TextDelta(text="hello 세계"),
        TextDelta(text="!"),
        ModelCallFinished(model="scripted:test", usage=usage, finish_reason="stop", seconds=0.0),
        Finished(text="hello 세계!", usage=usage, finish_reason="stop"),
    ]
    assert len(seen) == len(events)
    run.emit(TextDelta(text="later"))
    assert seen[-1] == TextDelta(text="later")


async def test_streaming_and_calling_take_the_same_path() -> None:
    def client() -> ChatClient:
        turns = (ServerFailed("blip"), CALL, "bad", '{"title": "a", "year": 1}')
        advisors = (RetryAdvisor(sleep=no_sleep, chance=lambda: 0.0), StructuredOutputAdvisor(output_type=Film))
        return ChatClient(ScriptedModel(*turns), tools=(echo,), advisors=advisors)

    called: list[Event] = []
    response = await client().prompt("x").run(RunContext(sink=called.append)).call()
    streamed = await collected(client().prompt("x").stream())
    assert [type(event) for event in streamed] == [type(event) for event in called]
    assert streamed[-1] == Finished(text=response.text, usage=response.usage, finish_reason="stop")
    assert next(event.reason for event in streamed if isinstance(event, Restarted)) == "blip"


async def test_a_failure_is_raised_after_the_events_before_it() -> None:
    events: list[Event] = []
    stream = ChatClient(ScriptedModel(InvalidRequest("400"))).prompt("x").stream()
    events.append(await anext(stream))
    with pytest.raises(InvalidRequest, match="400"):
        await anext(stream)
    assert events == [ModelCallStarted(model="scripted:test")]


async def test_leaving_a_stream_early_stops_the_run() -> None:
    stopped = asyncio.Event()

    async def slow(request: ChatRequest) -> ChatResponse:
        try:
            return await never(request)
        finally:
            stopped.set()

    run = RunContext()
    sink = run.sink
    async with asyncio.timeout(5):
        async with contextlib.aclosing(ChatClient(ScriptedModel(slow)).prompt("x").run(run).stream()) as events:
            async for _ in events:
                break
    assert stopped.is_set()
    assert run.sink is sink


async def test_two_streams_of_one_run_both_get_their_events() -> None:
    run = RunContext()
    first = ChatClient(ScriptedModel("a")).prompt("x").run(run).stream()
    second = ChatClient(ScriptedModel("b", "c")).prompt("x").run(run).stream()
    async with asyncio.timeout(5):
        await anext(first)
        await anext(second)
        assert isinstance([event async for event in first][-1], Finished)
        assert isinstance([event async for event in second][-1], Finished)


async def test_a_cancelled_run_ends_at_once_in_the_middle_of_a_call() -> None:
    run = RunContext(sink=lambda event: run.cancel())
    async with asyncio.timeout(5):
        with pytest.raises(Cancelled):
            await ChatClient(ScriptedModel(never)).prompt("x").run(run).call()
    with pytest.raises(Cancelled):
        await ChatClient(ScriptedModel("x")).prompt("x").run(run).call()


async def test_a_run_ends_with_its_deadline_wherever_it_waits() -> None:
    @tool(timeout=None)
    async def wait() -> None:
        """Wait."""
        await asyncio.Event().wait()

    call = ChatResponse(message=AssistantMessage(tool_calls=(ToolCall(id="1", name="wait", arguments=""),)))
    run = RunContext(deadline=asyncio.get_running_loop().time() + 0.05)
    async with asyncio.timeout(5):
        with pytest.raises(DeadlineExceeded):
            await ChatClient(ScriptedModel(call), tools=(wait,)).prompt("x").run(run).call()


async def test_cancelling_the_caller_stops_the_work() -> None:
    run = RunContext()
    started = asyncio.Event()
    run.sink = lambda event: started.set()
    task = asyncio.ensure_future(ChatClient(ScriptedModel(never)).prompt("x").run(run).call())
    async with asyncio.timeout(5):
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_many_prompts_of_one_client_at_the_same_time_never_mix() -> None:
    async def echoing(request: ChatRequest) -> str:
        await asyncio.sleep(0)
        return request.last_user_text

    client = ChatClient(ScriptedModel(*[echoing] * 20))
    async with asyncio.timeout(5):
        answers = await asyncio.gather(*(client.prompt(str(number)).call() for number in range(20)))
    assert [answer.text for answer in answers] == [str(number) for number in range(20)]
    assert {answer.usage for answer in answers} == {Usage(model_calls=1)}


def test_code_that_is_not_async_can_ask_too() -> None:
    assert run_sync(ChatClient(ScriptedModel("hi")).prompt("x").text()) == "hi"


async def test_run_sync_inside_an_event_loop_is_an_error_and_leaves_nothing_behind() -> None:
    with pytest.raises(ConfigError, match="await the call"):
        run_sync(ChatClient(ScriptedModel("hi")).prompt("x").text())
