"""Opens the models of a run, once each, and says which stage works with which."""

from collections.abc import Sequence

from dure.advisors.base import Advisor
from dure.models.base import ChatModel
from dure.models.registry import open_model
from dure_spec.agents.setup import StageSetup
from dure_spec.artifacts.shared import Stage
from dure_spec.config import DesignConfig


class Setups:
    """The setups of all stages; closes what it opened."""

    def __init__(self, model: ChatModel, *, advisors: Sequence[Advisor] = ()) -> None:
        self.model = model
        """What the run is named after."""
        self._advisors = tuple(advisors)

    def of(self, stage: Stage) -> StageSetup:
        """What this stage works with."""
        return StageSetup(model=self.model, tool_model=self.model, advisors=self._advisors)

    async def close(self) -> None:
        """Close every model once."""
        await self.model.close()


def open_setups(
    config: DesignConfig,
    *,
    model: ChatModel | None = None,
    spec: str | None = None,
    begun_with: str | None = None,
    advisors: Sequence[Advisor] = (),
) -> Setups:
    """The setups of a run. `model` takes every place; `spec` is what the user names for this sitting.

    Raises:
        ConfigError: a model's name is malformed.
        ModelError: a model is not usable here.
    """
    return Setups(model or open_model(spec or begun_with), advisors=advisors)
