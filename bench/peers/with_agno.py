"""agno: an Agent over its own model port, or over OpenAILike."""
# Its packages are in an environment of their own, and its signatures are the peer's.
# pyright: basic, reportMissingImports=false
# ruff: noqa: ANN401

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from agno.agent import Agent
from agno.models.base import Model
from agno.models.message import Message
from agno.models.openai.like import OpenAILike
from agno.models.response import ModelResponse
from agno.run.agent import RunContentEvent, RunErrorEvent
from bench.workload import FUNCTIONS, QUESTION, Script, Turn

PACKAGE = "agno"


@dataclass
class _Scripted(Model):
    id: str = "scripted"
    script: Script = field(default_factory=Script)

    async def ainvoke(self, *args: Any, **kwargs: Any) -> ModelResponse:
        said = self.script.next()
        if said.text:
            return ModelResponse(role="assistant", content=said.text)
        function = {"name": said.tool, "arguments": said.arguments}
        return ModelResponse(
            role="assistant", tool_calls=[{"id": said.call_id, "type": "function", "function": function}]
        )

    def invoke(self, *args: Any, **kwargs: Any) -> ModelResponse:
        raise NotImplementedError("only async is measured")

    def invoke_stream(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError("only async is measured")

    def ainvoke_stream(self, *args: Any, **kwargs: Any) -> AsyncIterator[ModelResponse]:
        raise NotImplementedError("streams are measured over HTTP")

    def _parse_provider_response(self, response: Any, **kwargs: Any) -> ModelResponse:
        return response

    def _parse_provider_response_delta(self, response: Any) -> ModelResponse:
        return response


def scripted() -> Turn:
    agent = Agent(model=_Scripted(), tools=list(FUNCTIONS), telemetry=False)

    async def turn() -> str:
        return (await agent.arun(input=QUESTION)).content

    return turn


def over_http(base: str, stream: bool, history: list[dict[str, str]]) -> Turn:
    agent = Agent(model=OpenAILike(id="m", base_url=base, api_key="k"), tools=list(FUNCTIONS), telemetry=False)

    async def turn() -> str:
        messages = [Message(role=one["role"], content=one["content"]) for one in history]
        messages.append(Message(role="user", content=QUESTION))
        if not stream:
            return (await agent.arun(input=messages)).content
        text: list[str] = []
        async for event in agent.arun(input=messages, stream=True):
            if isinstance(event, RunErrorEvent):
                raise RuntimeError(event.content)
            if isinstance(event, RunContentEvent) and event.content:
                text.append(event.content)
        return "".join(text)

    return turn
