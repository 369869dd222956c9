"""Another provider when the first one fails for good."""

import logging
from dataclasses import dataclass
from typing import cast

from dure.advisors import settings
from dure.advisors.base import Chain
from dure.advisors.order import FALLBACK
from dure.chat import ChatRequest, ChatResponse
from dure.errors import ConfigError, ContextTooLong, InvalidRequest, ModelError, ModelUnavailable
from dure.events import Restarted
from dure.models.base import ChatModel

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class FallbackAdvisor:
    """Asks the next model when one fails, and stays with it for the rest of the run.

    It is outside the retry, so each model is retried before the next is asked. A request that any
    provider would refuse goes no further; one that is too long for a model may fit the next. A model
    that cannot call tools is passed over while tools are offered; a schema or a grammar it cannot be
    held to is asked for in words or dropped, as for any model.
    """

    models: tuple[ChatModel, ...]
    """In the order they are asked, after the client's own model."""
    name: str = "fallback"
    order: int = FALLBACK

    def __post_init__(self) -> None:
        settings.items(
            self.name,
            "models",
            self.models,
            lambda one: settings.instance(self.name, "each of models", one, having="chat", kind="model"),
        )
        if not self.models:
            raise ConfigError(f"{self.name}: give at least one other model")

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """Answer from the first model that does.

        Raises:
            InvalidRequest: every provider would refuse this request.
            ModelUnavailable: no model answered; the message has every reason.
        """
        answered = chain.run.state.get(self)
        try:
            if answered is None:
                return await chain.next(request)
            return await chain.with_model(cast(ChatModel, answered)).next(request)
        except ModelError as error:
            _refuse_for_good(error)
            return await self._others(request, chain, _from(answered, (chain.model, *self.models)), error)

    async def _others(
        self, request: ChatRequest, chain: Chain, models: tuple[ChatModel, ...], error: ModelError
    ) -> ChatResponse:
        reasons = [f"{models[0].name}: {error}"]
        for model in models[1:]:
            if request.tools and request.options.tool_choice != "none" and not model.capabilities.tools:
                reasons.append(f"{model.name}: it cannot call tools")
                continue
            logger.warning("falling back to %s (%s)", model.name, reasons[-1])
            chain.run.emit(Restarted(reason=f"{reasons[-1]}; asking {model.name}"))
            try:
                response = await chain.with_model(model).next(request)
            except ModelError as another:
                _refuse_for_good(another)
                reasons.append(f"{model.name}: {another}")
                error = another
            else:
                chain.run.state[self] = model
                return response
        raise ModelUnavailable(f"no model answered: {'; '.join(reasons)}") from error


def _refuse_for_good(error: ModelError) -> None:
    if isinstance(error, InvalidRequest) and not isinstance(error, ContextTooLong):
        raise error


def _from(answered: object, models: tuple[ChatModel, ...]) -> tuple[ChatModel, ...]:
    """All models in their order, from the one that answered last; those before it come last."""
    for index, model in enumerate(models):
        if model is answered:
            return models[index:] + models[:index]
    return models
