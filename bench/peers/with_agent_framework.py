"""Microsoft's agent-framework: an Agent over its own chat client port, or over its chat completions client."""
# Its packages are in an environment of their own, and its signatures are the peer's.
# pyright: basic, reportMissingImports=false
# ruff: noqa: ANN401

from collections.abc import Mapping, Sequence
from typing import Any

from agent_framework import (
    Agent,
    BaseChatClient,
    ChatMiddlewareLayer,
    ChatResponse,
    Content,
    FunctionInvocationLayer,
    Message,
)
from agent_framework.observability import ChatTelemetryLayer
from agent_framework.openai import OpenAIChatCompletionClient
from bench.workload import FUNCTIONS, QUESTION, Script, Turn

PACKAGE = "agent-framework-core"


class _Scripted(FunctionInvocationLayer[Any], ChatMiddlewareLayer[Any], ChatTelemetryLayer[Any], BaseChatClient[Any]):
    def __init__(self) -> None:
        super().__init__()
        self._script = Script()

    async def _answer(self) -> ChatResponse:
        said = self._script.next()
        if said.text:
            content = Content.from_text(said.text)
        else:
            content = Content.from_function_call(said.call_id, said.tool, arguments=said.arguments)
        return ChatResponse(messages=[Message(role="assistant", contents=[content])])

    def _inner_get_response(
        self, *, messages: Sequence[Message], stream: bool, options: Mapping[str, Any], **kwargs: Any
    ) -> Any:
        return self._answer()


def scripted() -> Turn:
    agent = Agent(client=_Scripted(), tools=list(FUNCTIONS))

    async def turn() -> str:
        return (await agent.run(QUESTION)).text

    return turn


def over_http(base: str, stream: bool, history: list[dict[str, str]]) -> Turn:
    client = OpenAIChatCompletionClient(model="m", base_url=base, api_key="k")
    agent = Agent(client=client, tools=list(FUNCTIONS))

    async def turn() -> str:
        messages = [Message(role=one["role"], contents=[one["content"]]) for one in history]
        messages.append(Message(role="user", contents=[QUESTION]))
        if not stream:
            return (await agent.run(messages)).text
        running = agent.run(messages, stream=True)
        async for _ in running:
            pass
        return (await running.get_final_response()).text

    return turn
