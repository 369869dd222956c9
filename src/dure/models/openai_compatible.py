"""Chat completions: OpenAI, vLLM, llama.cpp, gateways and everything that speaks like them.

Always streaming, so that text is shown as it comes and a broken connection is noticed early.
"""

import asyncio
from collections.abc import Mapping

from dure.chat import ChatRequest, ChatResponse
from dure.errors import DeadlineExceeded
from dure.models.base import ModelCapabilities
from dure.models.http_wire import HttpWire, WireTimeouts
from dure.models.openai_answer import ChatAnswer
from dure.models.openai_body import compose
from dure.models.wire_names import WireNames
from dure.run import RunContext


class OpenAICompatibleModel:
    """A model behind a chat completions endpoint."""

    def __init__(
        self,
        model: str,
        *,
        base_url: str = "https://api.openai.com/v1",
        api_key: str | None = None,
        capabilities: ModelCapabilities = ModelCapabilities(),  # noqa: B008 frozen
        name: str | None = None,
        headers: Mapping[str, str] | None = None,
        timeouts: WireTimeouts = WireTimeouts(),  # noqa: B008 frozen
        calls_in_text: bool = False,
    ) -> None:
        """`calls_in_text` takes a JSON block that calls a given tool for the call it is meant to be."""
        self._model = model
        self._name = name or f"openai:{model}"
        self._capabilities = capabilities
        self._calls_in_text = calls_in_text
        self._wire = HttpWire(base_url, api_key=api_key, headers=headers, timeouts=timeouts)

    @property
    def name(self) -> str:
        """`provider:model`."""
        return self._name

    @property
    def capabilities(self) -> ModelCapabilities:
        """As given; the wire does not tell them."""
        return self._capabilities

    async def chat(self, request: ChatRequest, run: RunContext) -> ChatResponse:
        """Answer `request` (see `ChatModel.chat`).

        Raises:
            ModelError: of the class that says what to do about it.
            DeadlineExceeded: the run's deadline passed while the answer came.
        """
        names = WireNames(tool.name for tool in request.tools)
        body = compose(request, model=self._model, host=self._wire.host, capabilities=self._capabilities, names=names)
        answer = ChatAnswer(request, run, names, server=self._name, calls_in_text=self._calls_in_text)
        try:
            async with asyncio.timeout(run.remaining()), self._wire.post("/chat/completions", body) as reply:
                await answer.read(reply)
        except TimeoutError as error:  # only ours: the wire's own are `ModelTimeout`
            raise DeadlineExceeded(f"the run's deadline passed while {self._name} answered") from error
        return answer.response(self._name)

    async def close(self) -> None:
        """Close the connections."""
        await self._wire.close()
