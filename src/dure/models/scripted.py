"""A model that plays written turns: for tests, demonstrations and replays. Ships as a peer of the real ones."""

import asyncio
import inspect
from pathlib import Path
from typing import Self

from msgspec import structs

from dure.chat import ChatRequest, ChatResponse
from dure.errors import ModelUnavailable
from dure.events import ReasoningDelta, TextDelta, ToolCallDelta
from dure.messages import AssistantMessage
from dure.models.base import ModelCapabilities
from dure.models.scripted_turns import Answer, CutOff, Turn, When, load_turns
from dure.run import RunContext
from dure.usage import NO_USAGE, Usage

_PIECE = 8
_QUOTED = 60


class ScriptedModel:
    """Answers each call with the next turn; a `When` turn is kept for the question it names.

    A turn is a text, a whole response, an exception to raise, or a function of the request (it may
    be async) that gives one of these.
    """

    def __init__(
        self,
        *turns: Turn | When,
        name: str = "scripted:test",
        capabilities: ModelCapabilities = ModelCapabilities(),  # noqa: B008 frozen
    ) -> None:
        self._turns = list(turns)
        self._name = name
        self._capabilities = capabilities
        self.requests: list[ChatRequest] = []
        """Every request received, oldest first."""

    @classmethod
    def from_file(
        cls,
        path: Path | str,
        *,
        capabilities: ModelCapabilities = ModelCapabilities(),  # noqa: B008 frozen
    ) -> Self:
        """Play the turns of a file (see `dure.models.scripted_turns`).

        Raises:
            ConfigError: the file cannot be read or has a wrong line.
        """
        return cls(*load_turns(Path(path)), name=f"scripted:{path}", capabilities=capabilities)

    @property
    def name(self) -> str:
        """`scripted:` and what plays."""
        return self._name

    @property
    def capabilities(self) -> ModelCapabilities:
        """As given."""
        return self._capabilities

    @property
    def turns_left(self) -> int:
        """Turns not played yet."""
        return len(self._turns)

    async def chat(self, request: ChatRequest, run: RunContext) -> ChatResponse:
        """Play the next turn.

        Raises:
            ModelUnavailable: no turn is left for this request.
        """
        self.requests.append(request)
        turn = self._take(request)
        outcome = turn(request) if callable(turn) else turn
        answer: Answer = await outcome if inspect.isawaitable(outcome) else outcome
        if isinstance(answer, CutOff):
            await self._tell(AssistantMessage(text=answer.text), run)
            raise answer.error
        if isinstance(answer, Exception):
            raise answer
        response = ChatResponse(message=AssistantMessage(text=answer)) if isinstance(answer, str) else answer
        await self._tell(response.message, run)
        usage = Usage(model_calls=1) if response.usage == NO_USAGE else response.usage
        return structs.replace(response, usage=usage, model=response.model or self._name)

    async def close(self) -> None:
        """Nothing to give back."""

    def _take(self, request: ChatRequest) -> Turn:
        question = request.last_user_text
        for index, turn in enumerate(self._turns):
            if isinstance(turn, When) and turn.contains in question:
                del self._turns[index]
                return turn.turn
        for index, turn in enumerate(self._turns):
            if not isinstance(turn, When):
                del self._turns[index]
                return turn
        raise ModelUnavailable(
            f"{self._name!r} has no turn for call {len(self.requests)}, {question[:_QUOTED]!r} "
            f"({len(self._turns)} left for other questions); write one more turn"
        )

    async def _tell(self, message: AssistantMessage, run: RunContext) -> None:
        if message.reasoning:
            run.emit(ReasoningDelta(text=message.reasoning))
        for start in range(0, len(message.text), _PIECE):
            run.emit(TextDelta(text=message.text[start : start + _PIECE]))
            await asyncio.sleep(0)
        for call in message.tool_calls:
            run.emit(ToolCallDelta(call_id=call.id, name=call.name, arguments=call.arguments))
