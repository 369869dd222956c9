"""Another provider when the first one fails for good."""

import logging
from dataclasses import dataclass

from dure.advisors.base import Chain
from dure.advisors.order import FALLBACK
from dure.chat import ChatRequest, ChatResponse
from dure.errors import ConfigError, ContextTooLong, InvalidRequest, ModelError, ModelUnavailable
from dure.events import Restarted
from dure.models.base import ChatModel

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class FallbackAdvisor:
    """Asks the next model when one fails.

    It is outside the retry, so each model is retried before the next is asked. A request that any
    provider would refuse goes no further; one that is too long for a model may fit the next.
    """

    models: tuple[ChatModel, ...]
    """In the order they are asked, after the client's own model."""
    name: str = "fallback"
    order: int = FALLBACK

    def __post_init__(self) -> None:
        if not self.models:
            raise ConfigError(f"{self.name}: give at least one other model")

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """Answer from the first model that does.

        Raises:
            ModelUnavailable: none did; the message has every reason.
        """
        reasons: list[str] = []
        rest, others = chain, iter(self.models)
        while True:
            try:
                return await rest.next(request)
            except ModelError as error:
                if isinstance(error, InvalidRequest) and not isinstance(error, ContextTooLong):
                    raise
                reasons.append(f"{rest.model.name}: {error}")
                following = next(others, None)
                if following is None:
                    raise ModelUnavailable(f"no model answered: {'; '.join(reasons)}") from error
            logger.warning("falling back to %s (%s)", following.name, reasons[-1])
            chain.run.emit(Restarted(reason=f"{reasons[-1]}; asking {following.name}"))
            rest = chain.with_model(following)
