"""All artifacts that exist so far; what validators, renderers and the report read."""

from dure_spec.artifacts.backend import Backend
from dure_spec.artifacts.erd import Erd
from dure_spec.artifacts.frontend import Frontend
from dure_spec.artifacts.ia import Ia
from dure_spec.artifacts.prd import Prd
from dure_spec.artifacts.report import Report
from dure_spec.artifacts.shared import Part


class Artifacts(Part):
    """The artifacts of one run; a stage that is not done yet is `None`."""

    prd: Prd | None = None
    ia: Ia | None = None
    erd: Erd | None = None
    backend: Backend | None = None
    frontend: Frontend | None = None
    report: Report | None = None


def with_artifact(artifacts: Artifacts, artifact: Part) -> Artifacts:
    """The artifacts with this one in its place."""
    fields: dict[type[Part], str] = {
        Prd: "prd",
        Ia: "ia",
        Erd: "erd",
        Backend: "backend",
        Frontend: "frontend",
        Report: "report",
    }
    return artifacts.model_copy(update={fields[type(artifact)]: artifact})
