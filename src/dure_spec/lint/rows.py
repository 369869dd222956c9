"""Tables whose rows a script inserts without naming the columns, so that one more column would break it."""

import re
from collections.abc import Iterable, Iterator

from dure_spec.artifacts.erd import Dialect
from dure_spec.artifacts.findings import Finding

_NAME = r"(?P<name>(?:(?:`[^`]+`|\"[^\"]+\"|\[[^\]]+\]|[\w$#]+)\s*\.\s*)*(?:`[^`]+`|\"[^\"]+\"|\[[^\]]+\]|[\w$#]+))"
_ROWS = re.compile(
    rf"\b(?:(?P<insert>(?:INSERT|REPLACE)(?:\s+(?:OR\s+)?(?:IGNORE|REPLACE|LOW_PRIORITY|DELAYED))*\s+INTO)|COPY)\s+{_NAME}\s*"
    r"(?:VALUES\b|SELECT\b|FROM\b)",
    re.IGNORECASE,
)
_LAST_PART = re.compile(r"(?:^|\.)\s*[`\"\[]?([^`\"\[\].]+)[`\"\]]?\s*$")


def closed_tables(text: str, dialect: Dialect) -> tuple[frozenset[str], frozenset[str]]:
    """Lower-case names of tables that take no new column in front, and of those that take none at all.

    PostgreSQL fills what an INSERT leaves out at the end; nobody else does, and COPY does not either.
    """
    front: set[str] = set()
    behind: set[str] = set()
    for match in _ROWS.finditer(text):
        last = _LAST_PART.search(match["name"])
        name = last[1].lower() if last else match["name"].lower()
        front.add(name)
        if match["insert"] is None or dialect != "postgresql":
            behind.add(name)
    return frozenset(front), frozenset(behind)


def breaking(findings: Iterable[Finding], text: str, dialect: Dialect) -> tuple[Finding, ...]:
    """Findings whose repair adds a column to a table that takes none there."""
    front, behind = closed_tables(text, dialect)
    if not front:
        return ()
    return tuple(finding for finding in findings if any(_closes(finding, front, behind)))


def _closes(finding: Finding, front: frozenset[str], behind: frozenset[str]) -> Iterator[bool]:
    table = next((str(step.value).lower() for step in finding.patch if step.op == "test" and _is_name(step.path)), "")
    for step in finding.patch:
        if step.op == "add" and "/columns/" in step.path:
            yield table in (behind if step.path.endswith("/-") else front)


def _is_name(path: str) -> bool:
    return path.count("/") == 3 and path.endswith("/name")
