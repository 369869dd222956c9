"""What a stage works with: its models, and the advisors around every call of them."""

from dataclasses import dataclass

from dure.advisors.base import Advisor
from dure.models.base import ChatModel


@dataclass(frozen=True, slots=True, kw_only=True)
class StageSetup:
    """The models of one stage; `tool_model` answers the light questions, `last_model` the third repair."""

    model: ChatModel
    tool_model: ChatModel
    last_model: ChatModel | None = None
    """The fallback model, where one is set."""
    advisors: tuple[Advisor, ...] = ()
