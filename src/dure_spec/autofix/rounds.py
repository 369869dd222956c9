"""Repairs what it can, and takes back every repair that makes something else worse.

patches that do not clash ─► apply ─► judge ─► nothing new? keep them all
                                           └─► new findings: try without those near them, else halve and halve
again with what the new judgement says, until nothing is left or nothing holds
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pydantic import ValidationError

from dure_spec.artifacts.bundle import Artifacts, artifact_of
from dure_spec.artifacts.findings import Finding, Fix, Judgement
from dure_spec.artifacts.shared import Stage
from dure_spec.autofix.account import fix_of
from dure_spec.autofix.documents import Documents
from dure_spec.autofix.likeness import Key, brought, hidden, key_of, may_be_hidden
from dure_spec.config import Autofix
from dure_spec.validators.gate import judge
from dure_spec.validators.policy import Policy

JUDGEMENTS = 40
"""How often one call judges at most; a patch that cannot be cleared within them is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """The artifacts after all repairs that held, and what is left."""

    artifacts: Artifacts
    judgement: Judgement
    fixes: tuple[Fix, ...] = ()


def autofix(
    artifacts: Artifacts,
    judgement: Judgement,
    mode: Autofix,
    policy: Policy,
    *,
    stage: Stage,
    spare: Callable[[Finding], bool] = lambda finding: False,
) -> Fixed:
    """Apply the patches of the findings, those of `minor` ones alone where the mode says so.

    No repair is kept that brings a finding which was not there before, or that its own finding survives.
    Only the stage's own artifact changes, for those of other stages are accepted; a patch that needs more is left
    alone. The supervisor's judgement is on the whole set, and there every artifact may change. `spare` says which
    findings are not repaired.
    """
    rounds = _Rounds(mode=mode, policy=policy, stage=stage, artifacts=artifacts, judgement=judgement, spare=spare)
    while mode != "off" and rounds.another():
        pass
    return Fixed(artifacts=rounds.artifacts, judgement=rounds.judgement, fixes=tuple(rounds.fixes))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trial:
    """What some patches would lead to."""

    applied: tuple[Finding, ...]
    artifacts: Artifacts
    judgement: Judgement
    harm: tuple[Finding, ...] = ()
    """Findings that they would bring."""
    broken: bool = False
    """Whether an artifact would lose its form."""

    @property
    def holds(self) -> bool:
        return not self.harm and not self.broken


@dataclass(slots=True, kw_only=True)
class _Rounds:
    """The state of the work."""

    mode: Autofix
    policy: Policy
    stage: Stage
    artifacts: Artifacts
    judgement: Judgement
    spare: Callable[[Finding], bool]
    fixes: list[Fix] = field(default_factory=list[Fix])
    tries: int = JUDGEMENTS
    left_out: set[Key] = field(default_factory=set[Key])
    """Findings whose patch does harm."""
    suspected: set[Key] = field(default_factory=set[Key])
    """Findings whose patch stood near some harm, and which are tried when the others are done."""

    def another(self) -> bool:
        """Try the patches of the findings that are left; whether there is use in yet another round."""
        batch = self._batch()
        trial = self._try(batch)
        if trial is None:
            return False
        if not trial.applied:
            self.left_out.update(map(key_of, batch))
            return bool(self._batch())
        if trial.holds:
            return self._keep(trial)
        near = {key_of(finding) for finding in trial.applied if _is_near(finding, trial.harm)}
        far = [finding for finding in trial.applied if key_of(finding) not in near]
        if near and far:
            self.suspected |= near
            spared = self._try(far)
            if spared is not None and spared.holds:
                return self._keep(spared)
            self._halve(far)
        else:
            self._halve(trial.applied)
        return True

    def _batch(self) -> list[Finding]:
        """Findings that may be repaired now: of what follows from another one the cause comes first."""
        chosen = [
            finding
            for finding in self.judgement.findings
            if finding.weighs
            and (self.mode == "all" or finding.severity == "minor")
            and key_of(finding) not in self.left_out
            and not self.spare(finding)
            and self._is_allowed(finding)
        ]
        return [finding for finding in chosen if key_of(finding) not in self.suspected] or chosen

    def _is_allowed(self, finding: Finding) -> bool:
        changed: set[Stage] = {step.stage for step in finding.patch if step.op != "test"}
        there = {stage for stage in changed if artifact_of(self.artifacts, stage) is not None}
        return bool(there) and (self.stage == "supervisor" or there == {self.stage})

    def _try(self, batch: Sequence[Finding]) -> _Trial | None:
        """Apply those that do not clash; nothing where there are none, or no judgement may be spent any more."""
        if not batch or self.tries <= 0:
            return None
        documents = Documents(self.artifacts)
        applied = tuple(finding for finding in batch if documents.apply(finding.patch))
        if not applied:
            return _Trial(applied=(), artifacts=self.artifacts, judgement=self.judgement)
        try:
            artifacts = documents.artifacts()
        except ValidationError:
            return _Trial(applied=applied, artifacts=self.artifacts, judgement=self.judgement, broken=True)
        self.tries -= 1
        judgement = judge(artifacts, self.stage, self.policy)
        harm = self._known_before(brought(self.judgement, applied, judgement))
        return _Trial(applied=applied, artifacts=artifacts, judgement=judgement, harm=harm)

    def _known_before(self, new: Sequence[Finding]) -> tuple[Finding, ...]:
        """Without those that only a critical finding, now repaired, had kept from being told."""
        if not new or not all(map(may_be_hidden, new)):
            return tuple(new)
        known = hidden(self.artifacts, self.policy)
        return tuple(finding for finding in new if key_of(finding) not in known)

    def _keep(self, trial: _Trial) -> bool:
        self.fixes += [fix_of(finding, self.artifacts) for finding in trial.applied]
        self.artifacts, self.judgement = trial.artifacts, trial.judgement
        return True

    def _halve(self, batch: Sequence[Finding]) -> None:
        """Keep what holds of a batch that does not, and leave the rest out for good."""
        if len(batch) < 2 or self.tries <= 0:
            self.left_out.update(map(key_of, batch))
            return
        middle = len(batch) // 2
        for half in (batch[:middle], batch[middle:]):
            trial = self._try(half)
            if trial is not None and trial.holds:
                self._keep(trial)
            else:
                self._halve(half)


def _is_near(finding: Finding, harm: Sequence[Finding]) -> bool:
    """Whether a patch touches an item at which something new was found, or still leaves its own finding."""
    touched = {(step.stage, _item(step.path)) for step in finding.patch if step.op != "test"}
    return any((new.stage, _item(new.path)) in touched or key_of(new) == key_of(finding) for new in harm)


def _item(path: str) -> str:
    return "/".join(path.split("/")[:3])
