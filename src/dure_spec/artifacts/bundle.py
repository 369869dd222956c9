"""All artifacts that exist so far; what validators, renderers and the report read."""

from collections.abc import Mapping

from dure_spec.artifacts.backend import Backend
from dure_spec.artifacts.erd import Erd
from dure_spec.artifacts.frontend import Frontend
from dure_spec.artifacts.ia import Ia
from dure_spec.artifacts.prd import Prd
from dure_spec.artifacts.report import Report
from dure_spec.artifacts.shared import STAGES, Part, Stage

MODELS: Mapping[Stage, type[Part]] = {
    "ba": Prd,
    "planner": Ia,
    "dba": Erd,
    "backend": Backend,
    "frontend": Frontend,
    "supervisor": Report,
}
"""What each stage makes."""
FIELDS: Mapping[Stage, str] = {
    "ba": "prd",
    "planner": "ia",
    "dba": "erd",
    "backend": "backend",
    "frontend": "frontend",
    "supervisor": "report",
}
"""Where in `Artifacts` it stands."""


class Artifacts(Part):
    """The artifacts of one run; a stage that is not done yet is `None`."""

    prd: Prd | None = None
    ia: Ia | None = None
    erd: Erd | None = None
    backend: Backend | None = None
    frontend: Frontend | None = None
    report: Report | None = None


def artifact_of(artifacts: Artifacts, stage: Stage) -> Part | None:
    """What this stage made."""
    return getattr(artifacts, FIELDS[stage])


def with_artifact(artifacts: Artifacts, artifact: Part) -> Artifacts:
    """The artifacts with this one in its place."""
    name = next(FIELDS[stage] for stage in STAGES if isinstance(artifact, MODELS[stage]))
    return artifacts.model_copy(update={name: artifact})
