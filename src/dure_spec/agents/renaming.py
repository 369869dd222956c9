"""Tables that come back under another name: the rest of the schema follows, as nobody writes all of it again."""

from collections.abc import Collection, Iterable
from typing import Any

from dure_spec.artifacts import Artifacts, Erd
from dure_spec.artifacts.erd import Table
from dure_spec.artifacts.findings import Change, Finding
from dure_spec.validators.index import build_index
from dure_spec.validators.patches import Repairs

_ALIKE = 0.8
"""Share of their columns that two tables have in common, from which on one is the other."""
_PROPOSED = 0.5
"""The same, where a finding proposes the new name."""


def with_new_names(before: Erd, after: Erd, failing: Collection[str], findings: Iterable[Finding]) -> Erd:
    """`before` with the names that failing tables got in `after`, here and wherever they are named."""
    proposed = {value for finding in findings for value in (finding.expected, *finding.candidates)}
    old = {table.name: table for table in before.tables}
    new = {table.name: table for table in after.tables}
    fresh = [table for name, table in new.items() if name not in old]
    erd = before
    for name in failing:
        if name in old and new.get(name) in (None, old[name]):
            shares = [(_common(old[name], table), table) for table in fresh]
            fitting = [pair for pair in shares if pair[0] >= (_PROPOSED if pair[1].name in proposed else _ALIKE)]
            if fitting:
                table = max(fitting, key=lambda pair: pair[0])[1]
                fresh.remove(table)
                erd = _renamed(erd, name, table.name)
    return erd


def _common(one: Table, other: Table) -> float:
    mine, theirs = ({column.name for column in table.columns if not column.pk} for table in (one, other))
    return len(mine & theirs) / (len(mine | theirs) or 1)


def _renamed(erd: Erd, old: str, new: str) -> Erd:
    index = build_index(Artifacts(erd=erd))
    document = erd.model_dump(mode="json", by_alias=True)
    for step in Repairs(index).rename_table(index.tables[old.lower()], new):
        if step.op == "replace":
            _replace(document, step)
    return Erd.model_validate(document)


def _replace(document: dict[str, Any], step: Change) -> None:
    holder: Any = document
    *way, last = (int(part) if part.isdigit() else part for part in step.path.strip("/").split("/"))
    for part in way:
        holder = holder[part]
    holder[last] = step.value
