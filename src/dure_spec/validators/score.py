"""Findings into a number: 9.0 and more passes, 8.0 and more may be forced, a critical finding never."""

import math
from collections.abc import Iterable

from dure_spec.artifacts.bundle import Artifacts
from dure_spec.artifacts.findings import Finding
from dure_spec.artifacts.shared import Stage

_REFERENCE: dict[Stage, int] = {"ba": 15, "planner": 15, "dba": 10, "backend": 10, "frontend": 15}
_CRITICAL_CAP = 7.9
_MAJOR_CAP = 8.9


def score_of(findings: Iterable[Finding], size: float) -> float:
    """The score of a stage; what another finding causes, or a person waives, weighs nothing."""
    counts = {"critical": 0, "major": 0, "minor": 0}
    for finding in findings:
        if finding.weighs:
            counts[finding.severity] += 1
    score = 10 - 3.0 * counts["critical"] - counts["major"] / size - min(2.0, 0.2 * counts["minor"] / size)
    if counts["critical"]:
        score = min(score, _CRITICAL_CAP)
    elif counts["major"]:
        score = min(score, _MAJOR_CAP)
    return max(0.0, math.floor(round(score * 10, 6)) / 10)


def size_of(artifacts: Artifacts, stage: Stage) -> float:
    """How much larger than usual the stage's artifact is, never below 1; the whole set is as large as its largest."""
    items: dict[Stage, int] = {
        "ba": len(artifacts.prd.reqs) if artifacts.prd else 0,
        "planner": len(artifacts.ia.screens) if artifacts.ia else 0,
        "dba": len(artifacts.erd.tables) if artifacts.erd else 0,
        "backend": len(artifacts.backend.bos) if artifacts.backend else 0,
        "frontend": len(artifacts.frontend.components) if artifacts.frontend else 0,
    }
    stages = tuple(items) if stage == "supervisor" else (stage,)
    return max(1.0, *(items[each] / _REFERENCE[each] for each in stages))
