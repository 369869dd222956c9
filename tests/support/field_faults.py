"""Plays the answers that broke other frameworks through a client."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anthropic_wire import AnthropicWire
from openai_wire import OpenAIWire
from wire_port import Said, Script, Wire
from wire_server import Reply, serving

from dure.advisors.retry import RetryAdvisor
from dure.chat import ChatResponse
from dure.client.chat_client import ChatClient
from dure.events import Event, Restarted, TextDelta
from dure.run import RunContext
from dure.tools.function import FunctionTool

FAULTS = Path(__file__).parents[1] / "data/faults"
OPENAI, ANTHROPIC = OpenAIWire(), AnthropicWire()


def file(name: str) -> Reply:
    """A stream of chat completions as it is in its file."""
    return Reply(body=(FAULTS / "sse" / name).read_bytes())


def says(*text: str, wire: Wire = OPENAI) -> Reply:
    """A plain answer."""
    return Reply(body=b"".join(wire.stream(Script(text=text))))


def lines(name: str) -> Reply:
    """A stream of the Messages API from a file with one event a line."""
    events = (FAULTS / "anthropic" / name).read_text(encoding="utf-8").splitlines()
    return Reply(body="".join(f"data: {event}\n\n" for event in events).encode())


@dataclass(frozen=True, kw_only=True)
class Told:
    """An answer, the requests it took, and what a reader saw."""

    response: ChatResponse
    bodies: Sequence[bytes]
    events: Sequence[Event]
    waits: Sequence[float]

    @property
    def texts(self) -> list[str]:
        """The text as it stood on a screen: emptied at every restart."""
        shown = [""]
        for event in self.events:
            if isinstance(event, TextDelta):
                shown[-1] += event.text
            elif isinstance(event, Restarted):
                shown.append("")
        return shown

    def received(self, number: int) -> tuple[Said, ...]:
        """The messages of a request."""
        return OPENAI.received(self.bodies[number]).messages


async def ask(*replies: Reply, tools: Sequence[FunctionTool] = (), wire: Wire = OPENAI, **retry: Any) -> Told:  # noqa: ANN401 passed on
    """Ask about the stock, with a retry that does not wait."""
    waits: list[float] = []
    events: list[Event] = []

    async def wait(seconds: float) -> None:
        waits.append(seconds)

    async with serving(*replies) as server:
        model = wire.open(server.address)
        advisor = RetryAdvisor(sleep=wait, chance=lambda: 0.0, **retry)
        client = ChatClient(model, tools=tuple(tools), advisors=(advisor,))
        try:
            response = await client.prompt("재고는?").run(RunContext(sink=events.append)).call()
        finally:
            await model.close()
        return Told(response=response, bodies=server.bodies, events=events, waits=waits)
