"""Chat completions: OpenAI, vLLM, llama.cpp, gateways and everything that speaks like them.

Streaming, unless told otherwise, also when nobody watches: a broken or silent connection is noticed
at once, an answer that never ends is cut off, and no gateway on the way takes a long answer for a
dead one. It costs about a third more CPU a call than an answer in one piece.
"""

from collections.abc import Mapping

from dure.chat import ChatRequest, ChatResponse
from dure.models.base import ModelCapabilities
from dure.models.http_wire import HttpWire, WireTimeouts
from dure.models.openai_answer import ChatAnswer
from dure.models.openai_body import BodyComposer
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
        stream: bool = True,
    ) -> None:
        """`calls_in_text` takes a JSON block that calls a given tool for the call it is meant to be.

        Without `stream` every answer is asked for in one piece, for a server that cannot stream well;
        then `timeouts.idle` has to be as long as a whole answer takes.
        """
        self._name = name or f"openai:{model}"
        self._capabilities = capabilities
        self._calls_in_text = calls_in_text
        self._wire = HttpWire(base_url, api_key=api_key, headers=headers, timeouts=timeouts)
        self._composer = BodyComposer(model, host=self._wire.host, capabilities=capabilities, stream=stream)

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
        """
        body, names = self._composer.compose(request)
        answer = ChatAnswer(request, run, names, server=self._name, calls_in_text=self._calls_in_text)
        async with self._wire.post("/chat/completions", body) as reply:
            await answer.read(reply)
        return answer.response(self._name)

    async def close(self) -> None:
        """Close the connections."""
        await self._wire.close()
