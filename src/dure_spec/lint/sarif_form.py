"""The report as SARIF 2.1.0, in the shape that services of code scanning read."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from dure_spec.artifacts.findings import Severity
from dure_spec.artifacts.shared import Language
from dure_spec.lint.report import LintFinding, LintReport
from dure_spec.lint.rules import RULES, Rule

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Mapping[Severity, str] = {"critical": "error", "major": "warning", "minor": "note"}
_NUMBERS = {rule.id: number for number, rule in enumerate(RULES)}


def sarif_text(report: LintReport, *, lang: Language, version: str) -> str:
    """One run with all rules and all results."""
    run = {
        "tool": {
            "driver": {
                "name": "dure",
                "semanticVersion": version,
                "rules": [_rule(rule, lang) for rule in RULES],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding) for judged in report.judged for finding in judged.findings],
        "invocations": [
            {
                "executionSuccessful": not report.unusable,
                "toolExecutionNotifications": [
                    {"level": "error", "message": {"text": message}} for message in report.unusable
                ],
            }
        ],
    }
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _rule(rule: Rule, lang: Language) -> dict[str, Any]:
    short, help_ = rule.short.write(lang, {}), rule.help.write(lang, {})
    return {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": short},
        "fullDescription": {"text": f"{short}. {help_}"},
        "help": {"text": help_, "markdown": help_},
        "defaultConfiguration": {"level": "warning"},
        "properties": {"tags": ["schema", "design"]},
    }


def _result(finding: LintFinding) -> dict[str, Any]:
    region, expected = finding.place.region, f" → {finding.expected}" if finding.expected else ""
    return {
        "ruleId": finding.rule,
        "ruleIndex": _NUMBERS[finding.rule],
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{finding.ref}: {finding.message}{expected}"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": _uri(finding.place.file)},
                    "region": {
                        "startLine": region.line,
                        "startColumn": region.column,
                        "endLine": region.end_line,
                        "endColumn": region.end_column,
                    },
                },
                "logicalLocations": [{"fullyQualifiedName": finding.ref}],
            }
        ],
        "partialFingerprints": {"dure/v1": _fingerprint(finding)},
        "properties": {"severity": finding.severity, "number": finding.number, "fixable": finding.fixable}
        | ({"causedBy": finding.caused_by} if finding.caused_by else {}),
    }


def _uri(name: str) -> str:
    """Relative to the working folder where the file lies below it."""
    if name == "-":
        return "stdin"
    path = Path(name)
    if path.is_absolute():
        try:
            path = path.relative_to(Path.cwd())
        except (ValueError, OSError):
            return path.as_uri()
    return quote(path.as_posix())


def _fingerprint(finding: LintFinding) -> str:
    """The same as long as the defect is, wherever its lines move."""
    said = "\0".join((finding.rule, finding.place.file, finding.ref, finding.severity))
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:32]
