"""deepagents: its full harness (files, to-do list, sub-agents) round the same models as langchain's."""
# Its packages are in an environment of their own, and its signatures are the peer's.
# pyright: basic, reportMissingImports=false

from bench.peers.with_langchain import ScriptedChatModel, streamed, whole
from bench.workload import FUNCTIONS, Script, Turn
from deepagents import create_deep_agent
from langchain_openai import ChatOpenAI

PACKAGE = "deepagents"


def scripted() -> Turn:
    return whole(create_deep_agent(ScriptedChatModel(script=Script()), tools=list(FUNCTIONS)), [])


def over_http(base: str, stream: bool, history: list[dict[str, str]]) -> Turn:
    model = ChatOpenAI(model="m", base_url=base, api_key="k", stream_usage=True)
    agent = create_deep_agent(model, tools=list(FUNCTIONS))
    return streamed(agent, history) if stream else whole(agent, history)
