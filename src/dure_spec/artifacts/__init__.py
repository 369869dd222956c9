"""The canonical artifacts, one file each. JSON of these models is what a run stores."""

from dure_spec.artifacts.backend import Backend
from dure_spec.artifacts.bundle import Artifacts
from dure_spec.artifacts.erd import Erd
from dure_spec.artifacts.frontend import Frontend
from dure_spec.artifacts.ia import Ia
from dure_spec.artifacts.prd import Prd
from dure_spec.artifacts.report import Report
from dure_spec.artifacts.shared import STAGES, Part, Stage

__all__ = ["STAGES", "Artifacts", "Backend", "Erd", "Frontend", "Ia", "Part", "Prd", "Report", "Stage"]
