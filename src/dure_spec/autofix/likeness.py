"""Which findings are new after a repair: told by what they are and where, not by numbers, positions or old names."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from dure_spec.artifacts.bundle import Artifacts
from dure_spec.artifacts.findings import Finding, Judgement
from dure_spec.validators.index import build_index
from dure_spec.validators.policy import Policy
from dure_spec.validators.registry import VALIDATORS

Key = tuple[str, str, str, str]
"""Stage, validator, severity, and what a person calls the place."""

_WORD = re.compile(r"\w+")
_LAST = frozenset(validator.id for validator in VALIDATORS if validator.last)


def key_of(finding: Finding) -> Key:
    """What stays the same of a finding from one judgement to the next."""
    return finding.stage, finding.validator, finding.severity, finding.ref


def renames(fixed: Iterable[Finding]) -> dict[str, str]:
    """Old names by the new ones that these repairs give."""
    found: dict[str, str] = {}
    for finding in fixed:
        tested = {(step.stage, step.path): step.value for step in finding.patch if step.op == "test"}
        for step in finding.patch:
            old = tested.get((step.stage, step.path))
            if step.op == "replace" and isinstance(old, str) and isinstance(step.value, str):
                before, after = _WORD.findall(old), _WORD.findall(step.value)
                if len(before) == len(after):
                    found |= {one: other for one, other in zip(before, after, strict=True) if one != other}
                elif step.path.endswith("/name"):
                    found[old] = step.value  # a name of several words gets one of another count
    return found


def brought(before: Judgement, fixed: Sequence[Finding], after: Judgement) -> list[Finding]:
    """Findings of `after` that neither `before` had nor a name explains; what was fixed must be gone."""
    left = Counter(key_of(finding) for finding in before.findings)
    left.subtract(key_of(finding) for finding in fixed)
    unknown = _beyond(after.findings, left)
    if not unknown:
        return []
    names = renames(fixed)
    return _beyond(unknown, Counter({key: left[key] for key in left}), names)


def hidden(artifacts: Artifacts, policy: Policy) -> set[Key]:
    """What the validators say that a critical finding keeps from running: it was there, though nobody said so."""
    index = build_index(artifacts)
    return {
        (draft.stage, validator.id, draft.severity, draft.ref)
        for validator in VALIDATORS
        if validator.last
        for check in validator.checks
        for draft in check(index, policy)
    }


def may_be_hidden(finding: Finding) -> bool:
    """Whether its validator waits until nothing is critical."""
    return finding.validator in _LAST


def _beyond(findings: Iterable[Finding], known: Counter[Key], names: Mapping[str, str] | None = None) -> list[Finding]:
    """The findings that are not among the known ones, each of which explains one and is used up by it."""
    if names is not None:
        known = _renamed(known, names)
    beyond: list[Finding] = []
    for finding in findings:
        key = key_of(finding)
        if known[key] > 0:
            known[key] -= 1
        else:
            beyond.append(finding)
    return beyond


def _renamed(known: Counter[Key], names: Mapping[str, str]) -> Counter[Key]:
    renamed: Counter[Key] = Counter()
    phrases = sorted((name for name in names if not _WORD.fullmatch(name)), key=len, reverse=True)
    wording = re.compile("|".join([*(rf"(?<!\w){re.escape(name)}(?!\w)" for name in phrases), _WORD.pattern]))
    for (stage, validator, severity, ref), count in known.items():
        if count > 0:
            new = wording.sub(lambda match: names.get(match[0], match[0]), ref)
            renamed[stage, validator, severity, new] += count
    return renamed
