"""openai-agents: an Agent with its own model port, or with its chat completions model; tracing is off."""
# Its packages are in an environment of their own, and its signatures are the peer's.
# pyright: basic, reportMissingImports=false
# ruff: noqa: ANN401

from collections.abc import AsyncIterator
from typing import Any

from agents import (
    Agent,
    Model,
    ModelResponse,
    OpenAIChatCompletionsModel,
    Runner,
    Usage,
    function_tool,
    set_tracing_disabled,
)
from bench.workload import FUNCTIONS, QUESTION, Said, Script, Turn
from openai import AsyncOpenAI
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

PACKAGE = "openai-agents"
set_tracing_disabled(True)
_TOOLS = [function_tool(function) for function in FUNCTIONS]


class _Scripted(Model):
    def __init__(self) -> None:
        self._script = Script()

    async def get_response(self, *args: Any, **kwargs: Any) -> ModelResponse:
        usage = Usage(requests=1, input_tokens=100, output_tokens=20, total_tokens=120)
        return ModelResponse(output=[_item(self._script.next())], usage=usage, response_id=None)

    def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        raise NotImplementedError("streams are measured over HTTP")


def _item(said: Said) -> Any:
    if said.tool:
        return ResponseFunctionToolCall(
            call_id=said.call_id, name=said.tool, arguments=said.arguments, type="function_call"
        )
    content = ResponseOutputText(text=said.text, annotations=[], type="output_text")
    return ResponseOutputMessage(id="m", content=[content], role="assistant", status="completed", type="message")


def scripted() -> Turn:
    agent = Agent(name="agent", model=_Scripted(), tools=list(_TOOLS))

    async def turn() -> str:
        return (await Runner.run(agent, QUESTION)).final_output

    return turn


def over_http(base: str, stream: bool, history: list[dict[str, str]]) -> Turn:
    model = OpenAIChatCompletionsModel(model="m", openai_client=AsyncOpenAI(base_url=base, api_key="k"))
    agent = Agent(name="agent", model=model, tools=list(_TOOLS))

    async def turn() -> str:
        said: Any = [*history, {"role": "user", "content": QUESTION}]
        if not stream:
            return (await Runner.run(agent, said)).final_output
        result = Runner.run_streamed(agent, said)
        async for _ in result.stream_events():
            pass
        return result.final_output

    return turn
