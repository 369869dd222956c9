"""What a failed gate sends back to the agent: numbered lines, and which items to write again."""

from collections.abc import Iterator

from dure_spec.artifacts.bundle import Artifacts
from dure_spec.artifacts.findings import Finding, Judgement, Severity
from dure_spec.artifacts.shared import Language, Part, Stage

_SEVERITY: dict[Language, dict[str, str]] = {
    "ko": {"critical": "치명", "major": "중대", "minor": "경미"},
    "en": {"critical": "critical", "major": "major", "minor": "minor"},
}
_USE: dict[Language, str] = {"ko": "→ 쓸 수 있는 값: {values}", "en": "→ allowed: {values}"}
_AGAIN = "AGAIN"
_RANK: dict[Severity, int] = {"critical": 0, "major": 1, "minor": 2}
MOST = 12
"""Findings in one question; what is beyond them waits for the next one."""
_LISTS: dict[str, tuple[Stage, str]] = {
    "reqs": ("ba", "id"),
    "nfrs": ("ba", "id"),
    "rules": ("ba", "id"),
    "states": ("ba", "entity"),
    "questions": ("ba", "id"),
    "screens": ("planner", "id"),
    "menu": ("planner", "id"),
    "flows": ("planner", "id"),
    "tables": ("dba", "name"),
    "bos": ("backend", "id"),
    "components": ("frontend", "id"),
    "services": ("frontend", "id"),
}


def outgoing(judgement: Judgement) -> tuple[Finding, ...]:
    """What an agent is told, the heaviest first: nothing that a person waived or that another finding causes."""
    weighing = sorted((each for each in judgement.findings if each.weighs), key=lambda each: _RANK[each.severity])
    return tuple(weighing[:MOST])


def feedback(judgement: Judgement, previous: Judgement | None, lang: Language) -> str:
    """One numbered line for each finding: what, where, why, allowed values; `AGAIN` where the last try had it too."""
    before = {_mark(finding) for finding in previous.findings} if previous else set[tuple[str, str, str]]()
    lines: list[str] = []
    for number, finding in enumerate(outgoing(judgement), 1):
        parts = [f"{number}. [{_SEVERITY[lang][finding.severity]}]"]
        if _mark(finding) in before:
            parts.append(_AGAIN)
        parts.append(f"{finding.ref}: {finding.message}")
        values = tuple(dict.fromkeys(value for value in (finding.expected, *finding.candidates) if value))
        if values:
            parts.append(_USE[lang].format(values=" | ".join(values)))
        lines.append(" ".join(parts))
    return "\n".join(lines)


def failing_items(artifacts: Artifacts, judgement: Judgement) -> tuple[str, ...]:
    """Ids or names of what must be written again, in order of appearance.

    A requirement stands for the item that is missing altogether.
    """
    found = (_item(artifacts, finding) for finding in outgoing(judgement))
    return tuple(dict.fromkeys(name for name in found if name))


def _mark(finding: Finding) -> tuple[str, str, str]:
    return finding.validator, finding.ref, finding.message


def _item(artifacts: Artifacts, finding: Finding) -> str:
    steps = [step for step in finding.path.split("/") if step]
    stage, key = _LISTS.get(steps[0] if steps else "", (finding.stage, ""))
    if len(steps) > 1 and steps[1].isdigit():
        items = list(_items(artifacts, stage, steps[0]))
        position = int(steps[1])
        if position < len(items):
            return str(getattr(items[position], key, finding.ref))
    return finding.ref.partition(" ")[0].partition(":")[0]


def _items(artifacts: Artifacts, stage: Stage, name: str) -> Iterator[Part]:
    owners: dict[Stage, Part | None] = {
        "ba": artifacts.prd,
        "planner": artifacts.ia,
        "dba": artifacts.erd,
        "backend": artifacts.backend,
        "frontend": artifacts.frontend,
    }
    items = getattr(owners.get(stage), name, ())
    return (item for item in items if isinstance(item, Part))
