"""The Messages API: Claude, and other models behind servers that speak like its vendor's.

Always streaming, so that text is shown as it comes and a broken connection is noticed early.
"""

from collections.abc import Mapping

from dure.chat import ChatRequest, ChatResponse
from dure.models.anthropic_answer import MessageAnswer
from dure.models.anthropic_body import MessageComposer
from dure.models.anthropic_traits import traits_of
from dure.models.base import ModelCapabilities
from dure.models.http_wire import HttpWire, WireTimeouts
from dure.run import RunContext

VENDOR = "https://api.anthropic.com"
_VERSION = "2023-06-01"
_BINDING_BETA = "thinking-binding-controls-2026-08-01"


class AnthropicModel:
    """A model behind a Messages endpoint."""

    def __init__(
        self,
        model: str,
        *,
        base_url: str = VENDOR,
        api_key: str | None = None,
        capabilities: ModelCapabilities | None = None,
        name: str | None = None,
        headers: Mapping[str, str] | None = None,
        timeouts: WireTimeouts = WireTimeouts(),  # noqa: B008 frozen
    ) -> None:
        """`base_url` with or without the `/v1`; without `capabilities` they follow from the model's name.

        Raises:
            ConfigError: the URL or the key cannot be one.
        """
        traits = traits_of(model)
        self._model = model
        self._name = name or f"anthropic:{model}"
        self._capabilities = capabilities or traits.capabilities
        self._composer = MessageComposer(model, name=self._name, traits=traits)
        sent = {"anthropic-version": _VERSION}
        if traits.binds_thinking:
            sent["anthropic-beta"] = _BINDING_BETA
        self._wire = HttpWire(
            base_url.strip().rstrip("/").removesuffix("/v1"),
            api_key=api_key,
            key_header="x-api-key",
            headers={**sent, **(headers or {})},
            timeouts=timeouts,
        )

    @property
    def name(self) -> str:
        """`provider:model`."""
        return self._name

    @property
    def capabilities(self) -> ModelCapabilities:
        """As given, else those of the model's kind."""
        return self._capabilities

    async def chat(self, request: ChatRequest, run: RunContext) -> ChatResponse:
        """Answer `request` (see `ChatModel.chat`).

        Raises:
            ModelError: of the class that says what to do about it.
        """
        body, names = self._composer.compose(request)
        answer = MessageAnswer(request, run, names, model=self._model, server=self._name)
        async with self._wire.post("/v1/messages", body) as reply:
            await answer.read(reply)
        return answer.response(self._name)

    async def close(self) -> None:
        """Close the connections."""
        await self._wire.close()
