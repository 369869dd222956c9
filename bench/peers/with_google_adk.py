"""google-adk: an Agent and the in-memory runner, over its own model port, or over its LiteLlm."""
# Its packages are in an environment of their own, and its signatures are the peer's.
# pyright: basic, reportMissingImports=false

from collections.abc import AsyncGenerator
from typing import Any

from bench.workload import FUNCTIONS, QUESTION, Script, Turn
from google.adk.agents import Agent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.events import Event
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types

PACKAGE = "google-adk"


class _Scripted(BaseLlm):
    model: str = "scripted"
    script: Any

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        said = self.script.next()
        if said.text:
            part = types.Part(text=said.text)
        else:
            arguments = {"sku": f"A-{said.tool[-1]}", "n": 2}
            part = types.Part(function_call=types.FunctionCall(id=said.call_id, name=said.tool, args=arguments))
        usage = types.GenerateContentResponseUsageMetadata(prompt_token_count=100, candidates_token_count=20)
        yield LlmResponse(content=types.Content(role="model", parts=[part]), usage_metadata=usage)


def scripted() -> Turn:
    return _turn(_Scripted(script=Script()), RunConfig(), [])


def over_http(base: str, stream: bool, history: list[dict[str, str]]) -> Turn:
    from google.adk.models.lite_llm import LiteLlm  # takes seconds; whoever stays in process does not pay for it

    mode = StreamingMode.SSE if stream else StreamingMode.NONE
    return _turn(LiteLlm(model="openai/m", api_base=base, api_key="k"), RunConfig(streaming_mode=mode), history)


def _turn(model: BaseLlm, config: RunConfig, history: list[dict[str, str]]) -> Turn:
    agent = Agent(name="agent", model=model, tools=list(FUNCTIONS))
    runner = InMemoryRunner(agent=agent, app_name="bench")
    service = runner.session_service

    async def turn() -> str:
        session = await service.create_session(app_name="bench", user_id="u")
        for one in history:
            role, author = ("model", "agent") if one["role"] == "assistant" else ("user", "user")
            content = types.Content(role=role, parts=[types.Part(text=one["content"])])
            await service.append_event(session, Event(author=author, content=content, invocation_id="before"))
        text = ""
        asked = types.Content(role="user", parts=[types.Part(text=QUESTION)])
        events = runner.run_async(user_id="u", session_id=session.id, new_message=asked, run_config=config)
        async for event in events:
            if event.is_final_response() and event.content and event.content.parts:
                text = event.content.parts[0].text or ""
        await service.delete_session(app_name="bench", user_id="u", session_id=session.id)
        return text

    return turn
