"""Findings that a team does not want to hear of: a whole validator, or one at places that match a pattern."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from dure_spec.artifacts.findings import Finding
from dure_spec.validators.registry import VALIDATORS

_PATTERN = re.compile(r"(V\d\d)(?::(.+))?")
_IDS = tuple(validator.id for validator in VALIDATORS)
_BY = "dure.toml"


def check_pattern(text: str) -> str:
    """The pattern as it is written.

    Raises:
        ValueError: it names no validator.
    """
    match = _PATTERN.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no pattern; write V11, or V04:legacy_* for some places")
    if match[1] not in _IDS:
        raise ValueError(f"there is no validator {match[1]}; those are {_IDS[0]} … {_IDS[-1]}")
    return text


@dataclass(frozen=True, slots=True)
class Ignore:
    """Patterns such as `V11` or `V04:legacy_*`; a place is a table, a column, or what else the finding names."""

    patterns: tuple[str, ...] = ()

    def covers(self, finding: Finding) -> bool:
        """Whether nobody wants to hear of it."""
        return any(self._matches(pattern, finding) for pattern in self.patterns)

    def marked(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings, ignored ones waived so that they weigh nothing and are not repaired."""
        return tuple(
            finding.model_copy(update={"waived_by": _BY}) if self.covers(finding) else finding for finding in findings
        )

    def _matches(self, pattern: str, finding: Finding) -> bool:
        validator, _, place = pattern.partition(":")
        if validator != finding.validator:
            return False
        table = re.split(r"[.(~<]", finding.ref, maxsplit=1)[0]
        return not place or any(fnmatchcase(name.lower(), place.lower()) for name in (finding.ref, table))
