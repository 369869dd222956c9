"""pydantic-ai: an Agent over FunctionModel, or over its chat completions model."""
# Its packages are in an environment of their own, and its signatures are the peer's.
# pyright: basic, reportMissingImports=false

from bench.workload import FUNCTIONS, QUESTION, Script, Turn
from openai import AsyncOpenAI
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, ToolCallPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

PACKAGE = "pydantic-ai-slim"


def scripted() -> Turn:
    script = Script()

    async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        said = script.next()
        if said.text:
            return ModelResponse(parts=[TextPart(said.text)])
        return ModelResponse(parts=[ToolCallPart(said.tool, said.arguments, said.call_id)])

    agent = Agent(FunctionModel(answer), tools=list(FUNCTIONS))

    async def turn() -> str:
        return (await agent.run(QUESTION)).output

    return turn


def over_http(base: str, stream: bool, history: list[dict[str, str]]) -> Turn:
    provider = OpenAIProvider(openai_client=AsyncOpenAI(base_url=base, api_key="k"))
    agent = Agent(OpenAIChatModel("m", provider=provider), tools=list(FUNCTIONS))
    told: list[ModelMessage] = [
        ModelRequest(parts=[UserPromptPart(one["content"])])
        if one["role"] == "user"
        else ModelResponse(parts=[TextPart(one["content"])])
        for one in history
    ]

    async def turn() -> str:
        if not stream:
            return (await agent.run(QUESTION, message_history=told)).output
        async with agent.run_stream(QUESTION, message_history=told) as result:
            async for _ in result.stream_text(delta=True, debounce_by=None):
                pass
            return await result.get_output()

    return turn
