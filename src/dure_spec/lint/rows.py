"""Tables whose rows a script inserts without naming the columns, so that one more column would break it."""

import re

from dure_spec.artifacts.erd import Dialect
from dure_spec.artifacts.findings import Finding

_NAME = r"(?P<name>(?:(?:`[^`]+`|\"[^\"]+\"|\[[^\]]+\]|[\w$#]+)\s*\.\s*)*(?:`[^`]+`|\"[^\"]+\"|\[[^\]]+\]|[\w$#]+))"
_ROWS = re.compile(
    rf"\b(?:(?P<insert>(?:INSERT|REPLACE)(?:\s+(?:OR\s+)?(?:IGNORE|REPLACE|LOW_PRIORITY|DELAYED))*\s+INTO)|COPY)\s+{_NAME}\s*"
    r"(?:VALUES\b|SELECT\b|FROM\b)",
    re.IGNORECASE,
)
_LAST_PART = re.compile(r"(?:^|\.)\s*[`\"\[]?([^`\"\[\].]+)[`\"\]]?\s*$")


class ClosedTables:
    """Tables by their lower-case names: those that take no new column in front, and those that take none at all.

    PostgreSQL fills what an INSERT leaves out at the end; nobody else does, and COPY does not either.
    """

    def __init__(self, text: str, dialect: Dialect) -> None:
        self._front: set[str] = set()
        self._behind: set[str] = set()
        for match in _ROWS.finditer(text):
            last = _LAST_PART.search(match["name"])
            name = last[1].lower() if last else match["name"].lower()
            self._front.add(name)
            if match["insert"] is None or dialect != "postgresql":
                self._behind.add(name)

    def __bool__(self) -> bool:
        return bool(self._front)

    def refuse(self, finding: Finding) -> bool:
        """Whether its repair adds a column to a table that takes none there."""
        if not self._front:
            return False
        names = (str(step.value).lower() for step in finding.patch if step.op == "test" and _is_name(step.path))
        table = next(names, "")
        added = (step.path for step in finding.patch if step.op == "add" and "/columns/" in step.path)
        return any(table in (self._behind if path.endswith("/-") else self._front) for path in added)


def _is_name(path: str) -> bool:
    return path.count("/") == 3 and path.endswith("/name")
