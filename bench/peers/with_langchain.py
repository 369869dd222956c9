"""langchain: `create_agent` over its own chat model port, or over ChatOpenAI."""
# Its packages are in an environment of their own, and its signatures are the peer's.
# pyright: basic, reportMissingImports=false
# ruff: noqa: ANN401

from typing import Any

from bench.workload import FUNCTIONS, QUESTION, Script, Turn
from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_openai import ChatOpenAI

PACKAGE = "langchain"


class ScriptedChatModel(BaseChatModel):
    """Plays the script; binding tools changes nothing."""

    script: Any

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        said = self.script.next()
        if said.text:
            message = AIMessage(content=said.text)
        else:
            arguments = {"sku": f"A-{said.tool[-1]}", "n": 2}
            message = AIMessage(content="", tool_calls=[{"id": said.call_id, "name": said.tool, "args": arguments}])
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def _agenerate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        return self._generate(messages)


def scripted() -> Turn:
    agent = create_agent(ScriptedChatModel(script=Script()), tools=list(FUNCTIONS))
    return whole(agent, [])


def over_http(base: str, stream: bool, history: list[dict[str, str]]) -> Turn:
    model = ChatOpenAI(model="m", base_url=base, api_key="k", stream_usage=True)
    agent = create_agent(model, tools=list(FUNCTIONS))
    return streamed(agent, history) if stream else whole(agent, history)


def whole(agent: Any, history: list[dict[str, str]]) -> Turn:
    async def turn() -> str:
        state = await agent.ainvoke({"messages": [*history, {"role": "user", "content": QUESTION}]})
        return state["messages"][-1].text

    return turn


def streamed(agent: Any, history: list[dict[str, str]]) -> Turn:
    async def turn() -> str:
        text: list[str] = []
        said = {"messages": [*history, {"role": "user", "content": QUESTION}]}
        async for message, _ in agent.astream(said, stream_mode="messages"):
            if message.type == "AIMessageChunk":
                text.append(message.text)
        return "".join(text)

    return turn
