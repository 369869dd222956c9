"""strands-agents: an Agent for each session, since an agent holds its conversation; its tools and model are shared."""
# Its packages are in an environment of their own, and its signatures are the peer's.
# pyright: basic, reportMissingImports=false
# ruff: noqa: ANN401

from collections.abc import AsyncGenerator, AsyncIterable
from typing import Any

from bench.workload import FUNCTIONS, QUESTION, Script, Turn
from openai import AsyncOpenAI
from strands import Agent, tool
from strands.models import Model
from strands.models.openai import OpenAIModel

PACKAGE = "strands-agents"
_TOOLS = [tool(function) for function in FUNCTIONS]


class _Scripted(Model):
    def __init__(self) -> None:
        self._script = Script()

    def update_config(self, **model_config: Any) -> None:
        pass

    def get_config(self) -> Any:
        return {}

    def structured_output(self, *args: Any, **kwargs: Any) -> AsyncGenerator[dict[str, Any], None]:
        raise NotImplementedError("not measured")

    async def stream(self, *args: Any, **kwargs: Any) -> AsyncIterable[Any]:
        said = self._script.next()
        yield {"messageStart": {"role": "assistant"}}
        if said.text:
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": said.text}}}
        else:
            yield {"contentBlockStart": {"start": {"toolUse": {"name": said.tool, "toolUseId": said.call_id}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": said.arguments}}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn" if said.text else "tool_use"}}
        usage = {"inputTokens": 100, "outputTokens": 20, "totalTokens": 120}
        yield {"metadata": {"usage": usage, "metrics": {"latencyMs": 0}}}


def scripted() -> Turn:
    model = _Scripted()

    async def turn() -> str:
        agent = Agent(model=model, tools=list(_TOOLS), callback_handler=None)
        return str(await agent.invoke_async(QUESTION))

    return turn


def over_http(base: str, stream: bool, history: list[dict[str, str]]) -> Turn:
    model = OpenAIModel(client=AsyncOpenAI(base_url=base, api_key="k"), model_id="m", stream=stream)

    async def turn() -> str:
        told = [{"role": one["role"], "content": [{"text": one["content"]}]} for one in history]
        agent = Agent(model=model, messages=told, tools=list(_TOOLS), callback_handler=None)
        if not stream:
            return str(await agent.invoke_async(QUESTION))
        text = ""
        async for event in agent.stream_async(QUESTION):
            if "result" in event:
                text = str(event["result"])
        return text

    return turn
