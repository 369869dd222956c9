"""The artifacts as JSON documents that patches are applied to: each whole or not at all."""

from collections.abc import Sequence
from typing import Any

from dure_spec.artifacts.bundle import FIELDS, MODELS, Artifacts, artifact_of
from dure_spec.artifacts.findings import Change
from dure_spec.artifacts.shared import Stage
from dure_spec.autofix.places import Places
from dure_spec.autofix.pointers import StepFailed, Taken, take_step


class Documents:
    """What a batch of patches makes of the artifacts."""

    def __init__(self, artifacts: Artifacts) -> None:
        self._artifacts = artifacts
        self._places = Places()
        self._documents: dict[Stage, dict[str, Any]] = {}
        self._changed: set[Stage] = set()

    def apply(self, patch: Sequence[Change]) -> bool:
        """Apply a patch, unless a test of it fails, a place is missing, or an earlier patch changed what it speaks of.

        Steps for artifacts that do not exist yet have nothing to do.
        """
        steps = [step for step in patch if artifact_of(self._artifacts, step.stage) is not None]
        if all(step.op == "test" for step in steps):
            return False
        taken: list[Taken] = []
        try:
            if self._places.clash(steps):
                return False
            for step in steps:
                taken.append(take_step(self._document(step.stage), step))
        except StepFailed:
            for each in reversed(taken):
                each.undo()
            return False
        self._places.mark(steps, [each.shifts for each in taken])
        self._changed.update(step.stage for step in steps if step.op != "test")
        return True

    def artifacts(self) -> Artifacts:
        """The artifacts as they are now.

        Raises:
            ValidationError: an artifact lost its form.
        """
        update = {FIELDS[stage]: MODELS[stage].model_validate(self._documents[stage]) for stage in self._changed}
        return self._artifacts.model_copy(update=update)

    def _document(self, stage: Stage) -> dict[str, Any]:
        if stage not in self._documents:
            artifact = artifact_of(self._artifacts, stage)
            self._documents[stage] = artifact.model_dump(mode="json", by_alias=True) if artifact else {}
        return self._documents[stage]
