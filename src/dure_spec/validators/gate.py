"""The gate of a stage: run its validators, number their findings, give a score."""

from collections.abc import Iterable, Iterator

from dure_spec.artifacts.bundle import Artifacts
from dure_spec.artifacts.findings import Finding, Judgement, Severity
from dure_spec.artifacts.shared import Stage
from dure_spec.validators.index import build_index
from dure_spec.validators.policy import Draft, Policy
from dure_spec.validators.registry import VALIDATORS, Validator
from dure_spec.validators.score import score_of, size_of

_RANK: dict[Severity, int] = {"critical": 0, "major": 1, "minor": 2}
_DEFAULT_POLICY = Policy()
_Drafted = list[tuple[Validator, Draft]]


def judge(artifacts: Artifacts, stage: Stage, policy: Policy = _DEFAULT_POLICY) -> Judgement:
    """Judge what the stage is answerable for; the supervisor's judgement covers the whole set.

    Only artifacts that exist are judged, and the same input always gives the same judgement.
    """
    index = build_index(artifacts)
    chosen = [validator for validator in VALIDATORS if stage == "supervisor" or stage in validator.stages]
    drafts: _Drafted = []
    for validator in sorted(chosen, key=lambda validator: validator.last):
        if validator.last and any(draft.severity == "critical" and draft.stage == "dba" for _, draft in drafts):
            continue
        found = (draft for check in validator.checks for draft in check(index, policy))
        drafts.extend((validator, draft) for draft in _distinct(found) if stage in (draft.stage, "supervisor"))
    findings = tuple(_number(drafts, policy))
    return Judgement(stage=stage, score=score_of(findings, size_of(artifacts, stage)), findings=findings)


def _distinct(drafts: Iterable[Draft]) -> Iterator[Draft]:
    """Each defect once for each place."""
    seen: set[tuple[str, str, str]] = set()
    for draft in drafts:
        mark = (draft.path, draft.ref, draft.text.en)
        if mark not in seen:
            seen.add(mark)
            yield draft


def _number(drafts: _Drafted, policy: Policy) -> Iterator[Finding]:
    """Findings in order of validator and weight; a cause must weigh as much as what it explains."""
    ordered = sorted(drafts, key=lambda pair: (pair[0].id, _RANK[pair[1].severity]))
    counts: dict[str, int] = {}
    numbered: list[tuple[str, Validator, Draft]] = []
    roots: dict[str, tuple[str, Severity]] = {}
    for validator, draft in ordered:
        counts[validator.id] = counts.get(validator.id, 0) + 1
        name = f"{validator.id}-{counts[validator.id]}"
        numbered.append((name, validator, draft))
        if draft.topic:
            roots.setdefault(draft.topic, (name, draft.severity))
    for name, validator, draft in numbered:
        root, severity = roots.get(draft.cause, ("", "minor")) if draft.cause else ("", "minor")
        explained = root not in ("", name) and _RANK[severity] <= _RANK[draft.severity]
        message = draft.text.write(policy.lang, draft.values)
        finding = Finding(
            id=name,
            validator=validator.id,
            name=validator.name,
            severity=draft.severity,
            stage=draft.stage,
            path=draft.path,
            ref=draft.ref,
            message=message,
            expected=draft.expected,
            candidates=draft.candidates,
            caused_by=root if explained else None,
            patch=draft.patch,
        )
        yield _waived(finding, policy)


def _waived(finding: Finding, policy: Policy) -> Finding:
    waiver = next((waiver for waiver in policy.waivers if waiver.covers(finding)), None)
    return finding if waiver is None else finding.model_copy(update={"waived_by": waiver.by})
