"""What a repair did, in a few words that need no language: `order → purchase_orders (+6)`."""

import json
from typing import cast

from dure_spec.artifacts.bundle import Artifacts, artifact_of
from dure_spec.artifacts.findings import Change, Finding, Fix
from dure_spec.autofix.pointers import parts, plain

_LONGEST = 60


def fix_of(finding: Finding, artifacts: Artifacts) -> Fix:
    """The account of a finding that its own patch repaired in these artifacts."""
    steps = [step for step in finding.patch if artifact_of(artifacts, step.stage) is not None]
    return Fix(
        stage=finding.stage,
        validator=finding.validator,
        severity=finding.severity,
        ref=finding.ref,
        message=finding.message,
        done=_done(steps, artifacts),
    )


def _done(steps: list[Change], artifacts: Artifacts) -> str:
    changes = [step for step in steps if step.op != "test"]
    tested = {(step.stage, step.path): step.value for step in steps if step.op == "test"}
    said = [_change(step, tested.get((step.stage, step.path))) for step in changes]
    first = next(iter(dict.fromkeys(said)), "")
    return f"{first} (+{len(changes) - 1})" if len(changes) > 1 else first


def _change(step: Change, old: object) -> str:
    *_, last = names = parts(step.path)
    field = next((name for name in reversed(names) if not name.isdecimal() and name != "-"), "")
    old, new = plain(old), plain(step.value)
    if step.op == "remove":
        return f"− {field} {'' if old is None else _short(old)}".rstrip()
    if last == "-":
        return f"+ {field} {_short(new)}"
    if old is None or old == new:
        return f"{field} = {_short(new)}"
    gained = _gained(old, new)
    if gained:
        return f"+ {field} {gained}"
    changed = f"{_short(old)} → {_short(new)}"
    return changed if isinstance(new, str) else f"{field}: {changed}"


def _gained(old: object, new: object) -> str:
    """What a list got in addition, where that is all that happened to it."""
    if not (isinstance(old, list) and isinstance(new, list)):
        return ""
    before, after = cast("list[object]", old), cast("list[object]", new)
    if any(each not in after for each in before):
        return ""
    return ", ".join(_short(each) for each in after if each not in before)


def _short(value: object) -> str:
    if isinstance(value, dict):
        named = cast("dict[str, object]", value)
        value = named.get("name", named)
    if isinstance(value, list) and all(isinstance(each, str) for each in cast("list[object]", value)):
        text = f"({', '.join(cast('list[str]', value))})"
    else:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
