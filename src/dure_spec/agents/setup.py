"""What a stage works with: its models, its limits, and the advisors around every call of them."""

from dataclasses import dataclass

from dure.advisors.base import Advisor
from dure.models.base import ChatModel
from dure_spec.artifacts.shared import Part

MODEL_CALLS = 50
"""A stage that asks more often than this is in a loop (the figure of the product's background document)."""
TOOL_CALLS = 50


class ModelNames(Part):
    """The models of one stage as `provider:model`; what opens them again."""

    model: str
    tool_model: str
    fallback_model: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StageSetup:
    """The models of one stage; `tool_model` answers the light questions, `last_model` the third repair."""

    model: ChatModel
    tool_model: ChatModel
    last_model: ChatModel | None = None
    """The fallback model, where one is set."""
    advisors: tuple[Advisor, ...] = ()
    max_model_calls: int = MODEL_CALLS
    max_tool_calls: int = TOOL_CALLS
    thinking_tokens: int = 0
    """Added to the token limit of every question."""
