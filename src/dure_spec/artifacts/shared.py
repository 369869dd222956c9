"""What every artifact shares: strict pydantic models and the id shapes of the trace graph."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints


class Part(BaseModel):
    """A piece of an artifact. Unknown fields are errors; a change is a copy."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


def _id(pattern: str) -> StringConstraints:
    return StringConstraints(pattern=pattern)


ActorId = Annotated[str, _id(r"^A\d+$")]
RequirementId = Annotated[str, _id(r"^FR-\d{3}$")]
CriterionId = Annotated[str, _id(r"^AC-\d{3}-\d+$")]
NfrId = Annotated[str, _id(r"^NFR-\d{2}$")]
RuleId = Annotated[str, _id(r"^BR-\d{2}$")]
QuestionId = Annotated[str, _id(r"^Q-\d{2}$")]
ScreenId = Annotated[str, _id(r"^SC-\d{3}$")]
MenuId = Annotated[str, _id(r"^M-\d+$")]
FlowId = Annotated[str, _id(r"^FL-\d+$")]
BoId = Annotated[str, _id(r"^BO-[a-z0-9-]+$")]
OpId = Annotated[str, _id(r"^OP-[a-z0-9-]+\.[a-z0-9-]+$")]
ComponentId = Annotated[str, _id(r"^CP-[a-z0-9-]+$")]
ServiceId = Annotated[str, _id(r"^SV-[a-z0-9-]+$")]
RiskId = Annotated[str, _id(r"^R-\d{2}$")]

Language = Literal["ko", "en"]
Stage = Literal["ba", "planner", "dba", "backend", "frontend", "supervisor"]
STAGES: tuple[Stage, ...] = ("ba", "planner", "dba", "backend", "frontend", "supervisor")
