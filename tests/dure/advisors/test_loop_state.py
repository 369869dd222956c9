"""What a tool loop carries from round to round, in `call` and in `stream` alike."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

import pytest

from dure.advisors.base import Chain
from dure.advisors.before_after import BeforeAfterAdvisor
from dure.advisors.order import EVALUATION
from dure.advisors.tool_calling import ToolCallingAdvisor
from dure.advisors.tool_loop import AgentSafety, ToolLoop, ToolLoopHooks
from dure.chat import ChatOptions, ChatRequest, ChatResponse
from dure.client.chat_client import ChatClient
from dure.client.prompt_spec import PromptSpec
from dure.events import Event, Finished, TextDelta
from dure.messages import AssistantMessage, Message, ToolCall, UserMessage
from dure.models.scripted import ScriptedModel
from dure.run import RunContext
from dure.tools.function import tool
from dure.usage import Usage

Ask = Callable[[PromptSpec], Awaitable[ChatResponse]]


@tool
async def ping(number: int) -> str:
    """Answer pong."""
    return f"pong {number}"


def round_of(number: int, *, text: str = "", usage: Usage = Usage(model_calls=1)) -> ChatResponse:  # noqa: B008 frozen
    call = ToolCall(id=f"c{number}", name="ping", arguments=f'{{"number": {number}}}')
    message = AssistantMessage(text=text, tool_calls=(call,))
    return ChatResponse(message=message, finish_reason="tool_calls", usage=usage)


async def by_call(prompt: PromptSpec) -> ChatResponse:
    return await prompt.call()


async def by_stream(prompt: PromptSpec) -> ChatResponse:
    events = [event async for event in prompt.stream()]
    last = events[-1]
    assert isinstance(last, Finished)
    return ChatResponse(
        message=AssistantMessage(text=last.text),
        finish_reason=last.finish_reason,
        usage=last.usage,
        model="scripted:test",
    )


both_ways = pytest.mark.parametrize("ask", [by_call, by_stream])


@dataclass(frozen=True)
class Warmer(ToolLoopHooks):
    """Sets an option before the first round."""

    async def initialise(self, loop: ToolLoop) -> None:
        loop.request = loop.request.with_options(replace(loop.request.options, temperature=0.5))


@both_ways
async def test_options_set_at_the_start_of_a_loop_reach_every_round(ask: Ask) -> None:
    model = ScriptedModel(round_of(1), "done")
    loop = ToolCallingAdvisor(hooks=Warmer())
    await ask(ChatClient(model, tools=(ping,), advisors=(loop,), options=ChatOptions(seed=7)).prompt("go"))
    assert [(r.options.temperature, r.options.seed) for r in model.requests] == [(0.5, 7), (0.5, 7)]


@dataclass(frozen=True)
class Injector(ToolLoopHooks):
    """Says something once, after the first round."""

    async def next_instructions(self, loop: ToolLoop, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        return (*messages, UserMessage(text="and hurry")) if loop.round == 1 else messages


@both_ways
async def test_a_message_added_between_rounds_is_still_there_two_rounds_later(ask: Ask) -> None:
    model = ScriptedModel(round_of(1), round_of(2), round_of(3), "done")
    await ask(ChatClient(model, tools=(ping,), advisors=(ToolCallingAdvisor(hooks=Injector()),)).prompt("go"))
    said = [[m.text for m in request.messages if isinstance(m, UserMessage)] for request in model.requests]
    assert said == [["go"], ["go", "and hurry"], ["go", "and hurry"], ["go", "and hurry"]]


@both_ways
async def test_what_an_inner_advisor_keeps_in_round_one_is_there_in_round_three_and_after_the_run(ask: Ask) -> None:
    seen: list[object] = []
    key = object()

    def note(request: ChatRequest, run: RunContext) -> ChatRequest:
        seen.append(run.state.setdefault(key, len(seen)))
        return request

    run = RunContext()
    advisors = (BeforeAfterAdvisor(name="note", order=EVALUATION, before=note),)
    client = ChatClient(ScriptedModel(round_of(1), round_of(2), "done"), tools=(ping,), advisors=advisors)
    await ask(client.prompt("go").run(run))
    assert (seen, run.state[key]) == ([0, 0, 0], 0)


async def test_cached_and_reasoning_tokens_are_the_same_in_call_and_stream() -> None:
    first = Usage(fresh_input=9, cache_read=100, cache_write=5, output=20, reasoning=7, model_calls=1)
    last = Usage(fresh_input=1, cache_read=200, output=2, reasoning=1, model_calls=1)
    final = ChatResponse(message=AssistantMessage(text="done"), usage=last)
    answers = [
        await ask(ChatClient(ScriptedModel(round_of(1, usage=first), final), tools=(ping,)).prompt("go"))
        for ask in (by_call, by_stream)
    ]
    expected = Usage(fresh_input=10, cache_read=300, cache_write=5, output=22, reasoning=8, model_calls=2)
    assert [answer.usage for answer in answers] == [expected, expected]


async def test_text_beside_a_tool_call_is_shown_and_goes_back_with_the_call() -> None:
    model = ScriptedModel(round_of(1, text="Let me look."), "done")
    events = [event async for event in ChatClient(model, tools=(ping,)).prompt("go").stream()]
    shown = "".join(event.text for event in events if isinstance(event, TextDelta))
    assert shown == "Let me look.done"
    assert model.requests[1].messages[1] == round_of(1, text="Let me look.").message


async def test_a_guard_is_asked_once_for_each_round_however_the_answer_is_cut() -> None:
    events: list[Event] = []
    turns = [round_of(n, text="a long text that leaves in many pieces") for n in range(1, 12)]
    model, run = ScriptedModel(*turns), RunContext(sink=events.append)
    loop = ToolCallingAdvisor(safety=AgentSafety(max_rounds=10))
    answer = await by_stream(ChatClient(model, tools=(ping,), advisors=(loop,)).prompt("go").run(run))
    assert (len(model.requests), run.counts.tool_calls, answer.finish_reason) == (11, 10, "limit")


@dataclass(frozen=True, kw_only=True)
class Twice:
    """Asks everything below twice and keeps the second answer."""

    name: str
    order: int

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """Ask twice."""
        await chain.next(request)
        return await chain.next(request)


@pytest.mark.parametrize("depth", [0, 1, 2])
async def test_equal_orders_keep_their_place_under_recursion_of_any_depth(depth: int) -> None:
    seen: list[str] = []

    def noting(name: str) -> BeforeAfterAdvisor:
        def note(request: ChatRequest, run: RunContext) -> ChatRequest:
            seen.append(name)
            return request

        return BeforeAfterAdvisor(name=name, order=500, before=note)

    around = [Twice(name=f"twice {n}", order=n) for n in range(depth)]
    model = ScriptedModel(*["x"] * 2**depth)
    await ChatClient(model, advisors=(*around, noting("a"), noting("b"), noting("c"))).prompt("go").call()
    assert seen == ["a", "b", "c"] * 2**depth
