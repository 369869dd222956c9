"""The Supervisor's part of the report as lines: `SUM …`, `D decision`, `R-01 high text [ids]`, `N next step`."""

import re
from dataclasses import dataclass, field
from typing import Literal, cast

from dure_spec.artifacts.report import Report, Risk
from dure_spec.wire.parsed import Fault, Parsed
from dure_spec.wire.text import joined, lines_of, split_list

_RISK = re.compile(r"^(R-\d+)\s+(high|medium|low|높음|중간|보통|낮음)\s+(.+?)\s*(?:\[([^\]]*)\])?$", re.IGNORECASE)
_IMPACT: dict[str, Literal["high", "medium", "low"]] = {
    "높음": "high",
    "중간": "medium",
    "보통": "medium",
    "낮음": "low",
}
_EXPECTED = "SUM text | D text | R-01 high|medium|low text [ids] | N text"


@dataclass(kw_only=True, slots=True)
class _Draft:
    summary: list[str] = field(default_factory=list[str])
    decisions: list[str] = field(default_factory=list[str])
    risks: dict[str, Risk] = field(default_factory=dict[str, Risk])
    steps: list[str] = field(default_factory=list[str])
    faults: list[Fault] = field(default_factory=list[Fault])


def parse(text: str, base: Report, known: frozenset[str]) -> Parsed[Report]:
    """Put the model's words into a report whose computed part is `base`; `known` are all ids it may cite.

    An id that is not known is left out and is a fault. Plain text without marks is the summary.
    """
    draft = _read(text, known)
    if not draft.summary:
        draft.faults.append(Fault(line=0, text="", expected="SUM text"))
    update = {
        "summary": " ".join(draft.summary) or base.summary,
        "decisions": tuple(draft.decisions),
        "risks": tuple(draft.risks.values()),
        "next_steps": tuple(draft.steps),
    }
    return Parsed(artifact=base.model_copy(update=update), faults=tuple(draft.faults))


def patch(report: Report, text: str, known: frozenset[str]) -> Parsed[Report]:
    """Replace what the text names: the summary, a risk by id, all decisions, all next steps; `DEL R-01` removes."""
    gone = set(re.findall(r"^\s*DEL\s+(R-\d+)", text, re.MULTILINE))
    draft = _read(re.sub(r"(?m)^\s*DEL\s.*$", "", text), known)
    kept = {risk.id: risk for risk in report.risks if risk.id not in gone} | draft.risks
    update = {
        "summary": " ".join(draft.summary) or report.summary,
        "decisions": tuple(draft.decisions) or report.decisions,
        "risks": tuple(kept.values()),
        "next_steps": tuple(draft.steps) or report.next_steps,
    }
    return Parsed(artifact=report.model_copy(update=update), faults=tuple(draft.faults))


def write(report: Report) -> str:
    """The model's part of a report."""
    risks = [_risk(risk) for risk in report.risks]
    decisions = [f"D {decision}" for decision in report.decisions]
    return "\n".join([f"SUM {report.summary}", *decisions, *risks, *(f"N {step}" for step in report.next_steps)])


def items(report: Report, ids: frozenset[str] | set[str]) -> str:
    """Only these risks."""
    return "\n".join(_risk(risk) for risk in report.risks if risk.id in ids)


def _risk(risk: Risk) -> str:
    refs = f" [{joined(risk.refs)}]" if risk.refs else ""
    return f"{risk.id} {risk.impact} {risk.text}{refs}"


def _read(text: str, known: frozenset[str]) -> _Draft:
    draft = _Draft()
    for line in lines_of(text):
        mark, _, rest = line.text.partition(" ")
        risk = _RISK.match(line.text)
        if risk is not None:
            _read_risk(risk, line.number, known, draft)
        elif mark.rstrip(":") == "SUM":
            draft.summary.append(rest.strip())
        elif mark == "D":
            draft.decisions.append(rest.strip())
        elif mark == "N":
            draft.steps.append(rest.strip())
        elif re.match(r"R-\d", line.text):
            draft.faults.append(Fault(line=line.number, text=line.text, expected=_EXPECTED))
        elif not (draft.decisions or draft.risks or draft.steps):
            draft.summary.append(line.text)
    return draft


def _read_risk(match: re.Match[str], line: int, known: frozenset[str], draft: _Draft) -> None:
    refs = split_list(match[4] or "")
    for ref in refs:
        if ref not in known:
            draft.faults.append(Fault(line=line, text=ref, expected="the id of an item of this design"))
    impact = _IMPACT.get(match[2]) or cast(Literal["high", "medium", "low"], match[2].lower())
    number = f"R-{int(match[1][2:]):02d}"
    draft.risks[number] = Risk(id=number, text=match[3], impact=impact, refs=tuple(r for r in refs if r in known))
