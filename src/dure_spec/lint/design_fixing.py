"""A corrected design, written back into the JSON it came from without touching what did not change."""

from dure_spec.artifacts.bundle import artifact_of
from dure_spec.artifacts.findings import Fix
from dure_spec.autofix.rounds import autofix
from dure_spec.lint.config import LintOptions
from dure_spec.lint.design_files import DesignFiles
from dure_spec.lint.design_judging import design_policy, stage_of
from dure_spec.lint.json_rewriting import Meaning, carried, in_the_style_of
from dure_spec.validators.gate import judge


def fixed_design(design: DesignFiles, options: LintOptions) -> tuple[dict[str, str], tuple[Fix, ...]]:
    """The texts of the files that change, by name, and what was repaired."""
    stage, policy = stage_of(design), design_policy(design, options)
    judgement = judge(design.artifacts, stage, policy)
    fixed = autofix(design.artifacts, judgement, "all", policy, stage=stage, spare=options.ignore.covers)
    values: dict[str, object] = {}
    files = {place.json.file.name: place.json for place in design.places.values()}
    for place in design.places.values():
        part = artifact_of(fixed.artifacts, place.stage)
        if part is not None and part != place.part:
            name = place.json.file.name
            document = values.get(name, place.json.value)
            values[name] = carried(document, Meaning.of(place.part), Meaning.of(part), at=place.pointer)
    return {name: in_the_style_of(files[name].file.text, value) for name, value in values.items()}, fixed.fixes
