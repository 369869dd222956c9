"""The report as JSON for programs; `version` changes when a key goes or means something else."""

import json
from typing import Any

from dure_spec.artifacts.findings import Severity
from dure_spec.lint.report import Judged, LintFinding, LintReport

VERSION = 1


def json_text(report: LintReport, *, fail_on: Severity) -> str:
    """All findings, and each schema or design with its score."""
    document = {
        "version": VERSION,
        "exit_code": report.exit_code(fail_on),
        "worst": report.worst(),
        "judged": [_judged(each) for each in report.judged],
        "unusable": list(report.unusable),
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _judged(judged: Judged) -> dict[str, Any]:
    return {
        "files": list(judged.files),
        "kind": judged.kind,
        "dialect": judged.dialect,
        "dialect_guessed": judged.guessed,
        "items": judged.items,
        "score": judged.score,
        "counts": judged.counts(),
        "ignored": judged.ignored,
        "findings": [_finding(each) for each in judged.findings],
        "fixes": [
            {"id": fix.validator, "severity": fix.severity, "ref": fix.ref, "done": fix.done} for fix in judged.fixes
        ],
        "notes": list(judged.notes),
    }


def _finding(finding: LintFinding) -> dict[str, Any]:
    region = finding.place.region
    return {
        "id": finding.rule,
        "number": finding.number,
        "name": finding.name,
        "severity": finding.severity,
        "file": finding.place.file,
        "line": region.line,
        "column": region.column,
        "end_line": region.end_line,
        "end_column": region.end_column,
        "ref": finding.ref,
        "message": finding.message,
        "expected": finding.expected,
        "candidates": list(finding.candidates),
        "caused_by": finding.caused_by,
        "fixable": finding.fixable,
    }
