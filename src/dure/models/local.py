"""The embedded model: weights on disk, run by llama.cpp in a child process on the loopback interface."""

import asyncio
import os
from pathlib import Path

from dure.chat import ChatRequest, ChatResponse
from dure.errors import ModelUnavailable
from dure.models.base import ModelCapabilities
from dure.models.http_wire import WireTimeouts
from dure.models.local_process import COMMAND, Endpoint, LocalServer, ServerSpec, runtime_is_installed, shared_server
from dure.models.openai_compatible import OpenAICompatibleModel
from dure.models.size_hint import billions, looks_small
from dure.run import RunContext

_CONTEXT = 8192
_PARALLEL = 2
_SMALL_FILE = 3_500_000_000
_IDLE_SECONDS = 600.0
"""A cold prompt is read at some 45 tokens a second before the first word comes."""


class LocalModel:
    """Weights in a file as a chat model; models with the same file share one server."""

    def __init__(
        self,
        weights: Path,
        *,
        name: str | None = None,
        context: int = _CONTEXT,
        parallel: int = _PARALLEL,
        threads: int | None = None,
        command: tuple[str, ...] = COMMAND,
    ) -> None:
        """`context` is divided among `parallel` slots; `command` is what runs the child."""
        self._weights = weights
        self._name = name or f"local:{weights.stem}"
        self._spec = ServerSpec(
            model=weights, context=context, parallel=parallel, threads=threads or _usable_cores(), command=command
        )
        self._server = shared_server(self._spec)
        self._joined = False
        self._endpoint: Endpoint | None = None
        self._model: OpenAICompatibleModel | None = None

    @property
    def name(self) -> str:
        """`local:` and the weights."""
        return self._name

    @property
    def capabilities(self) -> ModelCapabilities:
        """Grammars and schemas are enforced; the window is that of one slot."""
        return ModelCapabilities(
            grammar=True,
            context_window=self._spec.context // self._spec.parallel,
            parallel=self._spec.parallel,
            small=self._is_small(),
        )

    @property
    def server(self) -> LocalServer:
        """The server it shares with others."""
        return self._server

    async def start(self) -> None:
        """Have the weights loaded before the first question comes.

        Raises:
            ModelUnavailable: the runtime or the weights are missing, or the server does not come up.
        """
        await self._ready()

    async def chat(self, request: ChatRequest, run: RunContext) -> ChatResponse:
        """Answer `request`; the first call starts the server (see `ChatModel.chat`).

        Raises:
            ModelUnavailable: the runtime or the weights are missing, or the server does not come up.
            ModelError: as of chat completions.
        """
        model = await self._ready()
        return await model.chat(request, run)

    async def close(self) -> None:
        """Leave the server; the last user's leaving stops it."""
        model, self._model, self._endpoint = self._model, None, None
        if model is not None:
            await model.close()
        if self._joined:
            self._joined = False
            await asyncio.to_thread(self._server.leave)

    async def _ready(self) -> OpenAICompatibleModel:
        if self._model is None:
            self._check()
        if not self._joined:
            self._joined = True
            self._server.join()
        endpoint = await self._server.endpoint()
        if self._model is None or endpoint != self._endpoint:
            before, self._endpoint = self._model, endpoint
            self._model = OpenAICompatibleModel(
                self._weights.stem,
                base_url=f"{endpoint.address}/v1",
                api_key=endpoint.api_key,
                capabilities=self.capabilities,
                name=self._name,
                timeouts=WireTimeouts(idle=_IDLE_SECONDS),
                calls_in_text=True,
            )
            if before is not None:
                await before.close()
        return self._model

    def _is_small(self) -> bool:
        if billions(self._weights.stem) is not None:
            return looks_small(self._weights.stem)
        return not self._weights.is_file() or self._weights.stat().st_size < _SMALL_FILE

    def _check(self) -> None:
        if not self._weights.is_file():
            raise ModelUnavailable(
                f"no weights at {str(self._weights)!r}; fetch them with `dure models pull`, "
                "or name a GGUF file with DURE_MODEL_PATH"
            )
        if self._spec.command is COMMAND and not runtime_is_installed():
            raise ModelUnavailable("the embedded model needs its runtime: pip install 'dure[local]'")


def _usable_cores() -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores if cores <= 4 else max(4, cores // 2)
