"""A design of ours judged as a whole, each finding at its line in the JSON."""

from dure_spec.artifacts import Stage
from dure_spec.artifacts.findings import Fix
from dure_spec.lint.config import LintOptions
from dure_spec.lint.design_files import ArtifactPlace, DesignFiles
from dure_spec.lint.positions import Region
from dure_spec.lint.report import Judged, LintFinding, Place, in_order
from dure_spec.lint.source_judging import as_told
from dure_spec.validators.gate import judge
from dure_spec.validators.policy import Policy
from dure_spec.validators.score import score_of, size_of


def stage_of(design: DesignFiles) -> Stage:
    """Which gate judges it: the artifact's own, the last one for several."""
    return next(iter(design.places)) if len(design.places) == 1 else "supervisor"


def design_policy(design: DesignFiles, options: LintOptions) -> Policy:
    """The house rules for it; the sentence it came from is not known."""
    return options.policy(sourced=False, dialect=options.dialect)


def judged_design(design: DesignFiles, options: LintOptions, fixes: tuple[Fix, ...] = ()) -> Judged:
    """The findings on all artifacts at their places, and the score of the whole."""
    stage = stage_of(design)
    judgement = judge(design.artifacts, stage, design_policy(design, options))
    findings = options.ignore.marked(judgement.findings)
    told: list[LintFinding] = []
    for finding in findings:
        if finding.waived_by is None:
            told.append(as_told(finding, _place(design, finding.stage, finding.path)))
    erd = design.artifacts.erd
    return Judged(
        files=design.names,
        kind="design",
        dialect=options.dialect or (erd.meta.dialect if erd else None),
        items=len(design.places),
        score=score_of(findings, size_of(design.artifacts, stage)),
        findings=in_order(told),
        ignored=len(findings) - len(told),
        fixes=fixes,
    )


def _place(design: DesignFiles, stage: Stage, pointer: str) -> Place:
    found: ArtifactPlace | None = design.places.get(stage)
    if found is None:  # an artifact that is not there yet is missed in the first one
        first = next(iter(design.places.values()))
        return Place(file=first.json.file.name, region=Region.of_line(1))
    return Place(file=found.json.file.name, region=found.json.region(found.pointer + pointer))
