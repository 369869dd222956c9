"""Plays a `Script` through an adapter (or the scripted model) and tells all that came of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from msgspec import structs
from wire_port import Script, Wire
from wire_server import Reply, serving

from dure.chat import ChatRequest, ChatResponse
from dure.events import Event, ReasoningDelta, TextDelta, ToolCallDelta
from dure.messages import AssistantMessage, ToolCall, UserMessage
from dure.models.base import ChatModel
from dure.models.scripted import ScriptedModel
from dure.run import RunContext
from dure.usage import Usage

ASK = ChatRequest(messages=(UserMessage(text="재고 알려줘"),))


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """An answer and what was told while it came."""

    response: ChatResponse
    events: tuple[Event, ...]
    bodies: tuple[bytes, ...] = ()

    @property
    def told_text(self) -> str:
        """The text as a reader saw it grow."""
        return "".join(event.text for event in self.events if isinstance(event, TextDelta))

    @property
    def told_thinking(self) -> str:
        """The thinking as a reader saw it grow."""
        return "".join(event.text for event in self.events if isinstance(event, ReasoningDelta))

    @property
    def told_calls(self) -> dict[str, tuple[str, str]]:
        """Name and arguments of each call as a reader saw them grow, by call id."""
        told: dict[str, tuple[str, str]] = {}
        for event in self.events:
            if isinstance(event, ToolCallDelta):
                before = told.get(event.call_id, ("", ""))[1]
                told[event.call_id] = (event.name, before + event.arguments)
        return told


async def asked(model: ChatModel, request: ChatRequest = ASK) -> Outcome:
    """Ask once, with a listener."""
    events: list[Event] = []
    response = await model.chat(request, RunContext(sink=events.append))
    return Outcome(response=response, events=tuple(events))


async def over_wire(wire: Wire, *replies: Reply, request: ChatRequest = ASK) -> Outcome:
    """Ask an adapter once, against a server that gives these answers."""
    async with serving(*replies) as server:
        model = wire.open(server.address)
        try:
            outcome = await asked(model, request)
        finally:
            await model.close()
        return replace(outcome, bodies=tuple(server.bodies))


async def played(wire: Wire | None, script: Script, *, request: ChatRequest = ASK, chunk: int = 0) -> Outcome:
    """The script over a wire, streamed; `None` is the scripted model."""
    if wire is None:
        return await asked(ScriptedModel(scripted(script)), request)
    return await over_wire(wire, streamed(wire, script, chunk=chunk), request=request)


def streamed(wire: Wire, script: Script, *, chunk: int = 0) -> Reply:
    """The script as a stream of this wire."""
    return Reply(body=b"".join(wire.stream(script)), chunk=chunk)


def scripted(script: Script) -> ChatResponse:
    """The script as a turn of the scripted model."""
    return ChatResponse(
        message=AssistantMessage(
            text="".join(script.text),
            reasoning="".join(script.thinking),
            tool_calls=tuple(
                ToolCall(id=call.id, name=call.name, arguments="".join(call.pieces)) for call in script.calls
            ),
        ),
        finish_reason=script.finish,
        usage=structs.replace(script.usage[-1], model_calls=1),
    )


def visible(usage: Usage, wire: Wire | None) -> Usage:
    """The usage of one call as far as this wire can tell it."""
    whole = structs.replace(usage, model_calls=1)
    if wire is None:
        return whole
    return Usage(model_calls=1, **{name: getattr(whole, name) for name in wire.counts})


def names_and_arguments(response: ChatResponse) -> Sequence[tuple[str, str]]:
    """What is to run."""
    return [(call.name, call.arguments) for call in response.message.tool_calls]
