"""Ours, through the public door."""

from bench.workload import FUNCTIONS, QUESTION, Said, Script, Turn

from dure import AssistantMessage, ChatClient, ChatResponse, Finished, UserMessage, tool
from dure.chat import ChatRequest
from dure.messages import ToolCall
from dure.models.base import ModelCapabilities
from dure.models.openai_compatible import OpenAICompatibleModel
from dure.run import RunContext
from dure.usage import Usage

PACKAGE = "dure"
_TOOLS = tuple(tool(function) for function in FUNCTIONS)
_USAGE = Usage(fresh_input=100, output=20, model_calls=1)


class _Scripted:
    name = "scripted:m"
    capabilities = ModelCapabilities()

    def __init__(self) -> None:
        self._script = Script()

    async def chat(self, request: ChatRequest, run: RunContext) -> ChatResponse:
        return _response(self._script.next())

    async def close(self) -> None:
        pass


def _response(said: Said) -> ChatResponse:
    if said.text:
        return ChatResponse(message=AssistantMessage(text=said.text), usage=_USAGE, model="scripted:m")
    call = ToolCall(id=said.call_id, name=said.tool, arguments=said.arguments)
    return ChatResponse(
        message=AssistantMessage(tool_calls=(call,)), finish_reason="tool_calls", usage=_USAGE, model="scripted:m"
    )


def scripted() -> Turn:
    client = ChatClient(_Scripted(), tools=_TOOLS)

    async def turn() -> str:
        return await client.prompt(QUESTION).text()

    return turn


def over_http(base: str, stream: bool, history: list[dict[str, str]]) -> Turn:
    client = ChatClient(OpenAICompatibleModel("m", base_url=base, api_key="k", stream=stream), tools=_TOOLS)
    told = tuple(
        UserMessage(text=one["content"]) if one["role"] == "user" else AssistantMessage(text=one["content"])
        for one in history
    )

    async def turn() -> str:
        prompt = client.prompt(QUESTION).messages(*told)
        if not stream:
            return await prompt.text()
        text = ""
        async for event in prompt.stream():
            if isinstance(event, Finished):
                text = event.text
        return text

    return turn
