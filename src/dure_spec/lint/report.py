"""What linting found: findings at places in files, and how each schema or design stands as a whole."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal

from dure_spec.artifacts.erd import Dialect
from dure_spec.artifacts.findings import Fix, Severity
from dure_spec.lint.positions import Region

SEVERITIES: tuple[Severity, ...] = ("critical", "major", "minor")
"""Worst first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A region of a file."""

    file: str
    region: Region


@dataclass(frozen=True, slots=True, kw_only=True)
class LintFinding:
    """One defect; `number` is its own (`V07-1`), `rule` its validator's id (`V07`)."""

    number: str
    rule: str
    name: str
    severity: Severity
    place: Place
    ref: str
    """What a person calls the place: `orders.customer_id`."""
    message: str
    expected: str = ""
    candidates: tuple[str, ...] = ()
    caused_by: str | None = None
    """Number of the finding that it follows from; it then weighs nothing."""
    fixable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One schema, or one design, and what was found in it."""

    files: tuple[str, ...]
    kind: Literal["schema", "design"]
    dialect: Dialect | None
    guessed: bool = False
    """Whether nobody named the dialect."""
    items: int
    """Tables of a schema, artifacts of a design."""
    score: float
    findings: tuple[LintFinding, ...] = ()
    """In the order of files and lines."""
    ignored: int = 0
    """Findings that the configuration ignores."""
    fixes: tuple[Fix, ...] = ()
    """What `--fix` changed; the findings are those that are left."""
    notes: tuple[str, ...] = ()
    """What a person should look at."""

    @property
    def name(self) -> str:
        """The files as one name: the folder where there are several in one."""
        folders = {str(PurePath(file).parent) for file in self.files}
        return folders.pop() if len(self.files) > 1 and len(folders) == 1 else ", ".join(self.files)

    def counts(self) -> dict[Severity, int]:
        """Findings of each severity, worst first."""
        counted = Counter(finding.severity for finding in self.findings)
        return {severity: counted[severity] for severity in SEVERITIES}


@dataclass(frozen=True, slots=True, kw_only=True)
class LintReport:
    """All that was judged, and what could not be."""

    judged: tuple[Judged, ...] = ()
    unusable: tuple[str, ...] = ()
    """One line for each file that cannot be linted."""

    def worst(self) -> Severity | None:
        """The worst severity of all."""
        found = {finding.severity for each in self.judged for finding in each.findings}
        return next((severity for severity in SEVERITIES if severity in found), None)

    def exit_code(self, fail_on: Severity) -> int:
        """0 nothing of this weight, 1 something, 3 something critical, 2 a file that cannot be linted."""
        if self.unusable:
            return 2
        worst = self.worst()
        if worst is None or SEVERITIES.index(worst) > SEVERITIES.index(fail_on):
            return 0
        return 3 if worst == "critical" else 1


def in_order(findings: Iterable[LintFinding]) -> tuple[LintFinding, ...]:
    """By file, line, column and weight."""

    def rank(finding: LintFinding) -> tuple[str, int, int, int, str]:
        region = finding.place.region
        weight = SEVERITIES.index(finding.severity)
        return finding.place.file, region.line, region.column, weight, finding.number

    return tuple(sorted(findings, key=rank))
