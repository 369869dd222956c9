"""Ollama's native chat API: unlike its compatible endpoint it takes a context size, and says when it refuses one."""

import asyncio

from dure.chat import ChatOptions, ChatRequest, ChatResponse
from dure.errors import (
    ConfigError,
    ConnectionFailed,
    ContextTooLong,
    ModelError,
    ModelTimeout,
    Unauthenticated,
)
from dure.models.base import ModelCapabilities
from dure.models.http_wire import HttpWire, WireTimeouts
from dure.models.ollama_answer import OllamaAnswer
from dure.models.ollama_body import Composer, Prompt, Thinking, own_size
from dure.models.ollama_chunks import Shown, decode_shown
from dure.models.ollama_context import BYTES_PER_TOKEN, LARGEST, ContextWindow, was_cut
from dure.models.ollama_errors import too_long, with_next_step
from dure.models.ollama_messages import text_bytes
from dure.models.openai_messages import encode
from dure.models.size_hint import looks_small
from dure.run import RunContext

LOCAL = "http://127.0.0.1:11434"
_PARALLEL = 2
_IDLE_SECONDS = 600.0
"""Loading a large model and reading a long prompt on a CPU takes minutes before the first word comes."""
_ANSWER_TOKENS, _THINKING_TOKENS = 2_048, 6_144
"""Room for an answer of unknown length, and for one that is thought about first."""
_LEVELS = frozenset({"gptoss", "gpt-oss"})
"""Families that think by levels and never not at all; every other one takes yes or no."""
_UNKNOWN = Shown()


class OllamaModel:
    """A model that an Ollama server runs."""

    def __init__(
        self,
        model: str,
        *,
        base_url: str = LOCAL,
        api_key: str | None = None,
        num_ctx: int | None = None,
        max_num_ctx: int = LARGEST,
        keep_alive: str | float | None = None,
        timeouts: WireTimeouts = WireTimeouts(idle=_IDLE_SECONDS),  # noqa: B008 frozen
    ) -> None:
        """`num_ctx` fixes the context size in tokens; else it grows with the requests up to `max_num_ctx`.

        What the model can do is asked once, before the first call that depends on it.
        `keep_alive` is how long the server keeps the model loaded: a duration like "10m", or seconds.
        """
        if not model:
            raise ConfigError("an Ollama model needs a name, for instance 'qwen3:8b'")
        self._model = model
        self._name = f"ollama:{model}"
        self._window = ContextWindow(fixed=num_ctx, most=max_num_ctx)
        self._wire = HttpWire(base_url, api_key=api_key, timeouts=timeouts)
        self._composer = Composer(model, keep_alive=keep_alive)
        self._shown: Shown | None = None
        self._asking: tuple[asyncio.AbstractEventLoop, asyncio.Lock] | None = None
        self._capabilities = self._known_capabilities(_UNKNOWN)

    @property
    def name(self) -> str:
        """`ollama:` and the model."""
        return self._name

    @property
    def capabilities(self) -> ModelCapabilities:
        """The context window, and whether it takes tools, are known after the first call."""
        return self._capabilities

    async def chat(self, request: ChatRequest, run: RunContext) -> ChatResponse:
        """Answer `request` (see `ChatModel.chat`).

        A request that the server refuses as too long for the context it was sent with goes out once more
        with a larger one, where the model has it.

        Raises:
            ContextTooLong: the request does not fit, or the server dropped a part of it without saying so.
            ModelError: of the class that says what to do about it.
        """
        try:
            shown = await self._known(request.options)
            return await self._ask(request, run, shown)
        except ModelError as error:
            better = with_next_step(error, self._model)
            if better is error:
                raise
            raise better from error

    async def close(self) -> None:
        """Close the connections."""
        await self._wire.close()

    async def _ask(self, request: ChatRequest, run: RunContext, shown: Shown) -> ChatResponse:
        options = request.options
        prompt, think = self._composer.prompt(request), _thinking(options, shown)
        reserve = _reserve(options, think, shown)
        own = own_size(options)
        while True:
            size = own or self._window.fitting(prompt.size // BYTES_PER_TOKEN + reserve)
            answer = OllamaAnswer(request, run, prompt, server=self._name)
            try:
                await self._send(prompt, options, size, think, answer)
                break
            except ContextTooLong as error:
                if answer.begun or own or not self._window.grow(size, str(error), reserve=reserve):
                    raise too_long(str(error), self._window, size) from error
        if was_cut(counted=answer.counted, size=size, text=prompt.size) and was_cut(
            counted=answer.counted, size=size, text=text_bytes(request.messages)
        ):
            reason = f"{self._name} read only {answer.counted} tokens of the request and dropped the rest"
            raise too_long(reason, self._window, size)
        if self._shown is None and not self._window.is_fixed:
            self._shown = _UNKNOWN  # a server that answers without telling about its models never will
        return answer.response(self._name)

    async def _send(
        self, prompt: Prompt, options: ChatOptions, size: int, think: Thinking | None, answer: OllamaAnswer
    ) -> None:
        body = self._composer.body(prompt, options, num_ctx=size, think=think)
        async with self._wire.post("/api/chat", body) as reply:
            await answer.read(reply)

    async def _known(self, options: ChatOptions) -> Shown:
        if self._shown is not None or (self._window.is_fixed and options.reasoning is None):
            return self._shown or _UNKNOWN
        loop = asyncio.get_running_loop()
        if self._asking is None or self._asking[0] is not loop:
            self._asking = (loop, asyncio.Lock())
        async with self._asking[1]:
            return self._shown if self._shown is not None else await self._show()

    async def _show(self) -> Shown:
        try:
            async with self._wire.post("/api/show", encode({"model": self._model})) as reply:
                shown = decode_shown(await reply.read(), server=self._name)
        except (ConnectionFailed, ModelTimeout, Unauthenticated):
            raise
        except ModelError:
            return _UNKNOWN  # the call itself will say what is wrong
        self._shown = shown
        self._window.learn(shown.context_length)
        self._capabilities = self._known_capabilities(shown)
        return shown

    def _known_capabilities(self, shown: Shown) -> ModelCapabilities:
        return ModelCapabilities(
            tools=shown.capabilities is None or "tools" in shown.capabilities,
            context_window=self._window.limit if self._window.is_known else None,
            parallel=_PARALLEL,
            small=looks_small(self._model),
        )


def _thinking(options: ChatOptions, shown: Shown) -> Thinking | None:
    wanted = options.reasoning
    if wanted is None:
        return None
    if shown.families & _LEVELS:
        return "low" if wanted == "off" else wanted
    return wanted != "off"


def _reserve(options: ChatOptions, think: Thinking | None, shown: Shown) -> int:
    thinks = "thinking" in (shown.capabilities or ()) if think is None else think is not False
    return options.max_tokens or (_THINKING_TOKENS if thinks else _ANSWER_TOKENS)
