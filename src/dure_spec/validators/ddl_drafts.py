"""Findings of V12 as drafts: all of them on the DBA's artifact, named `ddl:…`."""

from dure_spec.artifacts.findings import Change, Severity
from dure_spec.validators.policy import Draft, Text


def ddl_draft(
    path: str,
    ref: str,
    text: Text,
    values: dict[str, str],
    *,
    severity: Severity = "critical",
    candidates: tuple[str, ...] = (),
    topic: str = "",
    cause: str = "",
    patch: tuple[Change, ...] = (),
) -> Draft:
    """A finding on a piece of the schema; the first candidate is what is expected."""
    return Draft(
        severity=severity,
        stage="dba",
        path=path,
        ref=f"ddl:{ref}",
        text=text,
        values=values,
        expected=candidates[0] if candidates else "",
        candidates=candidates,
        topic=topic,
        cause=cause,
        patch=patch,
    )
