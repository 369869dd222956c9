"""The tool loop: rounds, safety, hooks, and a clean message at every end."""

import json
from dataclasses import dataclass, field

import pytest

from dure.advisors.chain import AdvisorChain
from dure.advisors.structured_output import StructuredOutputAdvisor
from dure.advisors.tool_calling import ToolCallingAdvisor
from dure.advisors.tool_loop import AgentSafety, ToolLoop, ToolLoopHooks
from dure.chat import ChatOptions, ChatRequest, ChatResponse, ToolDefinition
from dure.errors import Cancelled, ConfigError, OutputTruncated, ServerFailed
from dure.events import Event, RoundEnded, TextDelta
from dure.messages import AssistantMessage, Message, ToolCall, ToolMessage, ToolResult, UserMessage
from dure.models.scripted import ScriptedModel
from dure.run import RunContext
from dure.tools.base import ToolContext
from dure.tools.function import tool
from dure.tools.toolbox import Toolbox
from dure.usage import Usage

REQUEST = ChatRequest(messages=(UserMessage(text="go"),))


@tool
async def echo(text: str) -> str:
    """Say it back."""
    return text


@tool(return_direct=True)
async def answer(text: str) -> str:
    """Give the answer."""
    return text


def calling(*calls: tuple[str, str], text: str = "", usage: Usage = Usage(model_calls=1)) -> ChatResponse:  # noqa: B008 frozen
    made = tuple(
        ToolCall(id=f"{name}-{argument}", name=name, arguments=json.dumps({"text": argument}))
        for name, argument in calls
    )
    return ChatResponse(message=AssistantMessage(text=text, tool_calls=made), finish_reason="tool_calls", usage=usage)


def chain_of(
    model: ScriptedModel,
    *,
    safety: AgentSafety | None = None,
    hooks: ToolLoopHooks | None = None,
    events: list[Event] | None = None,
) -> AdvisorChain:
    loop = ToolCallingAdvisor(
        toolbox=Toolbox((echo, answer)), safety=safety or AgentSafety(), hooks=hooks or ToolLoopHooks()
    )
    run = RunContext() if events is None else RunContext(sink=events.append)
    return AdvisorChain.build([loop], model=model, run=run)


async def test_results_go_back_until_the_model_calls_no_tool() -> None:
    events: list[Event] = []
    spent = Usage(fresh_input=1, cache_read=2, output=3, model_calls=1)
    first = calling(("echo", "a"), ("echo", "b"), text="let me see", usage=spent)
    model = ScriptedModel(first, calling(("echo", "c"), usage=spent), "done")
    response = await chain_of(model, events=events).next(REQUEST)
    assert (response.text, response.finish_reason) == ("done", "stop")
    assert response.usage == Usage(fresh_input=2, cache_read=4, output=6, model_calls=3)
    assert model.requests[1].messages == (
        *REQUEST.messages,
        first.message,
        ToolMessage(
            results=(
                ToolResult(call_id="echo-a", name="echo", text="a"),
                ToolResult(call_id="echo-b", name="echo", text="b"),
            )
        ),
    )
    assert [event.round for event in events if isinstance(event, RoundEnded)] == [1, 2, 3]
    assert [definition.name for definition in model.requests[0].tools] == ["echo", "answer"]


async def test_definitions_already_in_the_request_are_not_doubled() -> None:
    other = ToolDefinition(name="other", description="", parameters={})
    model = ScriptedModel("done")
    await chain_of(model).next(REQUEST.with_tools(other, echo.definition))
    assert [definition.name for definition in model.requests[0].tools] == ["other", "echo", "answer"]


async def test_a_failed_call_is_told_to_the_model_and_the_loop_goes_on() -> None:
    model = ScriptedModel(calling(("nowhere", "x"), ("echo", "y")), "done")
    assert (await chain_of(model).next(REQUEST)).text == "done"
    (told,) = (message for message in model.requests[1].messages if isinstance(message, ToolMessage))
    assert [result.is_error for result in told.results] == [True, False]


async def test_a_required_tool_call_is_required_once() -> None:
    model = ScriptedModel(calling(("echo", "x")), "done")
    await chain_of(model).next(REQUEST.with_options(ChatOptions(tool_choice="required")))
    assert [request.options.tool_choice for request in model.requests] == ["required", "auto"]


async def test_a_round_of_direct_tools_is_the_answer_with_all_its_results() -> None:
    events: list[Event] = []
    model = ScriptedModel(calling(("echo", "x")), calling(("answer", "하나"), ("answer", "둘")))
    response = await chain_of(model, events=events).next(REQUEST)
    assert (response.message, response.finish_reason) == (AssistantMessage(text="하나\n\n둘"), "return_direct")
    assert response.usage.model_calls == 2
    assert TextDelta(text="하나\n\n둘") in events


async def test_a_round_that_is_not_all_direct_or_failed_goes_back_to_the_model() -> None:
    wrong = ChatResponse(message=AssistantMessage(tool_calls=(ToolCall(id="1", name="answer", arguments="{}"),)))
    for first in (calling(("answer", "x"), ("echo", "y")), wrong):
        assert (await chain_of(ScriptedModel(first, "done")).next(REQUEST)).text == "done"


@pytest.mark.parametrize(
    ("safety", "rounds", "reason"),
    [
        (AgentSafety(), [[("echo", str(number))] for number in range(11)], "the tool loop made its 10 rounds"),
        (AgentSafety(), [[("echo", "x")]] * 4, "tool 'echo' was called with the same arguments more than 3 times"),
        (
            AgentSafety(),
            [[("echo", f"{turn}.{number}") for number in range(20)] for turn in range(3)],
            "tool 'echo' was called more than 40 times",
        ),
        (
            AgentSafety(max_calls_per_tool=100),
            [[(name, f"{turn}{n}") for n in range(20) for name in ("echo", "nowhere")] for turn in range(4)],
            "tools were called more than 150 times",
        ),
    ],
)
async def test_a_guard_ends_the_loop_with_a_clean_message_and_its_reason(
    safety: AgentSafety, rounds: list[list[tuple[str, str]]], reason: str
) -> None:
    events: list[Event] = []
    model = ScriptedModel(*[calling(*calls) for calls in rounds], "never asked")
    chain = chain_of(model, safety=safety, events=events)
    response = await chain.next(REQUEST)
    assert response.message == AssistantMessage(text=f"(Stopped: {reason}.)")
    assert response.finish_reason == "limit"
    assert model.turns_left == 1
    assert chain.run.counts.tool_calls == sum(len(calls) for calls in rounds[:-1])
    assert events[-1] == TextDelta(text=f"(Stopped: {reason}.)")


async def test_the_same_arguments_written_otherwise_or_broken_are_the_same() -> None:
    for spellings in (['{"text":"x","a":1}', '{ "a": 1, "text": "x" }'], ['{"text', ' {"text']):
        turns = [
            ChatResponse(message=AssistantMessage(tool_calls=(ToolCall(id=str(n), name="echo", arguments=arguments),)))
            for n, arguments in enumerate(spellings)
        ]
        response = await chain_of(ScriptedModel(*turns), safety=AgentSafety(max_same_calls=1)).next(REQUEST)
        assert response.finish_reason == "limit"


async def test_what_the_model_said_stays_in_front_of_the_reason() -> None:
    events: list[Event] = []
    model = ScriptedModel(calling(("echo", "x")), calling(("echo", "y"), text="One more."))
    response = await chain_of(model, safety=AgentSafety(max_rounds=1), events=events).next(REQUEST)
    assert response.text == "One more.\n\n(Stopped: the tool loop made its 1 rounds.)"
    shown = "".join(event.text for event in events if isinstance(event, TextDelta))
    assert shown == response.text


def test_safety_below_one_are_refused() -> None:
    with pytest.raises(ConfigError):
        AgentSafety(max_rounds=0)


async def test_a_cut_tool_call_never_runs_and_is_asked_for_once_with_more_room() -> None:
    whole = calling(("echo", "x"))
    cut = ChatResponse(message=whole.message, finish_reason="length", usage=Usage(output=20, model_calls=1))
    model = ScriptedModel(cut, whole, "done")
    chain = chain_of(model)
    assert (await chain.next(REQUEST)).text == "done"
    assert [request.options.max_tokens for request in model.requests] == [None, 40, None]
    assert [len(request.messages) for request in model.requests] == [1, 1, 3]
    assert chain.run.counts.tool_calls == 1
    chain = chain_of(ScriptedModel(cut, cut))
    with pytest.raises(OutputTruncated):
        await chain.next(REQUEST)
    assert chain.run.counts.tool_calls == 0


async def test_validation_inside_the_loop_costs_no_extra_calls_in_a_tool_round() -> None:
    model = ScriptedModel(calling(("echo", "x")), '{"n": 1}')
    advisors = [ToolCallingAdvisor(toolbox=Toolbox((echo,))), StructuredOutputAdvisor(output_type=dict[str, int])]
    response = await AdvisorChain.build(advisors, model=model, run=RunContext()).next(REQUEST)
    assert (response.text, len(model.requests)) == ('{"n": 1}', 2)


async def test_what_a_tool_spends_travels_up() -> None:
    @tool
    async def think(context: ToolContext) -> None:
        """Think."""
        context.charge(Usage(output=100, model_calls=2))

    model = ScriptedModel(
        ChatResponse(message=AssistantMessage(tool_calls=(ToolCall(id="1", name="think", arguments=""),))), "done"
    )
    loop = ToolCallingAdvisor(toolbox=Toolbox((think,)))
    response = await AdvisorChain.build([loop], model=model, run=RunContext()).next(REQUEST)
    assert response.usage == Usage(output=100, model_calls=4)


@dataclass
class Steering(ToolLoopHooks):
    """Writes down when it is called and steers as told."""

    log: list[str] = field(default_factory=list[str])
    injected: Message | None = None
    histories: list[int] = field(default_factory=list[int])
    final: ChatResponse | None = None

    async def initialise(self, loop: ToolLoop) -> None:
        self.log.append("initialise")
        loop.request = loop.request.with_options(ChatOptions(temperature=0.5))
        loop.toolbox = Toolbox((echo,))

    async def before_round(self, loop: ToolLoop, request: ChatRequest) -> ChatRequest:
        self.log.append(f"before {loop.round}")
        return request.with_added(UserMessage(text=f"round {loop.round}"))

    async def after_round(self, loop: ToolLoop, response: ChatResponse) -> ChatResponse:
        self.log.append(f"after {loop.round}")
        return response

    async def next_instructions(self, loop: ToolLoop, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        self.log.append(f"next {loop.round}")
        self.histories.append(len(loop.history))
        if self.injected is not None and loop.round == 1:
            return (messages[0], self.injected, *messages[-2:])
        return messages

    async def finalise(self, loop: ToolLoop, response: ChatResponse | None) -> ChatResponse | None:
        self.log.append("finalise" if response else "finalise without an answer")
        return self.final


async def test_hooks_are_honoured_at_every_point() -> None:
    hooks = Steering(injected=UserMessage(text="remember this"))
    model = ScriptedModel(calling(("echo", "1")), calling(("echo", "2")), calling(("echo", "3")), "done")
    assert (await chain_of(model, hooks=hooks).next(REQUEST)).text == "done"
    assert " · ".join(hooks.log) == (
        "initialise · before 1 · after 1 · next 1 · before 2 · after 2 · next 2 · "
        "before 3 · after 3 · next 3 · before 4 · after 4 · finalise"
    )
    assert all(request.options.temperature == 0.5 for request in model.requests)
    assert all([one.name for one in request.tools] == ["echo"] for request in model.requests)
    texts = [[m.text for m in request.messages if isinstance(m, UserMessage)] for request in model.requests]
    assert texts == [["go", "round 1"], *[["go", "remember this", f"round {number}"] for number in (2, 3, 4)]]
    assert hooks.histories == [3, 5, 7]


async def test_finalise_may_give_another_answer() -> None:
    hooks = Steering(final=ChatResponse(message=AssistantMessage(text="better")))
    assert (await chain_of(ScriptedModel("done"), hooks=hooks).next(REQUEST)).text == "better"


@pytest.mark.parametrize(
    ("turns", "last"),
    [
        (["done"], "finalise"),
        ([calling(("echo", "x"))] * 4, "finalise"),
        ([ServerFailed("down")], "finalise without an answer"),
        ([Cancelled("stop")], "finalise without an answer"),
    ],
)
async def test_finalise_runs_once_on_every_ending(turns: list[ChatResponse | str | Exception], last: str) -> None:
    hooks = Steering()
    try:
        await chain_of(ScriptedModel(*turns), hooks=hooks).next(REQUEST)
    except (ServerFailed, Cancelled):
        assert last == "finalise without an answer"
    assert [entry for entry in hooks.log if entry.startswith("finalise")] == [last]


async def test_a_finalise_that_fails_is_not_called_again() -> None:
    class Failing(Steering):
        async def finalise(self, loop: ToolLoop, response: ChatResponse | None) -> ChatResponse | None:
            await super().finalise(loop, response)
            raise ServerFailed("in finalise")

    hooks = Failing()
    with pytest.raises(ServerFailed, match="in finalise"):
        await chain_of(ScriptedModel("done"), hooks=hooks).next(REQUEST)
    assert hooks.log.count("finalise") == 1


async def test_a_failing_start_is_finalised_too() -> None:
    class Failing(Steering):
        async def initialise(self, loop: ToolLoop) -> None:
            raise ConfigError("no")

    hooks = Failing()
    with pytest.raises(ConfigError):
        await chain_of(ScriptedModel(), hooks=hooks).next(REQUEST)
    assert hooks.log == ["finalise without an answer"]
