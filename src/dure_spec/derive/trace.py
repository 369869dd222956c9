"""The trace matrix: what serves each requirement, and what is missing."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, get_args

from dure_spec.artifacts.bundle import Artifacts
from dure_spec.artifacts.prd import Requirement
from dure_spec.artifacts.report import TraceRow

Need = Literal["screen", "table", "op", "component"]
NEEDS: tuple[Need, ...] = get_args(Need)

_FACELESS = frozenset({"integration", "batch", "notification"})

Coverage = Mapping[Need, Mapping[str, tuple[str, ...]]]
"""For each kind of thing: requirement id -> names of those that serve it, in order of appearance."""


def needs_of(requirement: Requirement) -> tuple[Need, ...]:
    """What must serve the requirement.

    One without entities stores nothing and so needs no table or operation; one of priority W is not built.
    """
    if requirement.pri == "W":
        return ()
    faced = requirement.kind not in _FACELESS
    stored = bool(requirement.entities)
    wanted: dict[Need, bool] = {"screen": faced, "table": stored, "op": stored, "component": faced}
    return tuple(need for need in NEEDS if wanted[need])


def coverage(artifacts: Artifacts) -> Coverage:
    """Who serves what; a kind whose artifact does not exist yet is absent."""
    found: dict[Need, Mapping[str, tuple[str, ...]]] = {}
    if artifacts.ia:
        found["screen"] = _served((screen.id, screen.reqs) for screen in artifacts.ia.screens)
    if artifacts.erd:
        found["table"] = _served((table.name, table.reqs) for table in artifacts.erd.tables)
    if artifacts.backend:
        found["op"] = _served((op.id, op.reqs) for bo in artifacts.backend.bos for op in bo.ops)
    if artifacts.frontend:
        found["component"] = _served((each.id, each.reqs) for each in artifacts.frontend.components)
    return found


def trace_rows(artifacts: Artifacts) -> tuple[TraceRow, ...]:
    """One row for each requirement; what no artifact can say yet is no gap."""
    if artifacts.prd is None:
        return ()
    found = coverage(artifacts)
    return tuple(_row(requirement, found) for requirement in artifacts.prd.reqs)


def _row(requirement: Requirement, found: Coverage) -> TraceRow:
    def names(need: Need) -> tuple[str, ...]:
        return found.get(need, {}).get(requirement.id, ())

    wanted: list[Need] = [need for need in needs_of(requirement) if need in found]
    gaps: tuple[Need, ...] = tuple(need for need in wanted if not names(need))
    status: Literal["full", "partial", "missing"] = "full"
    if gaps:
        status = "missing" if len(gaps) == len(wanted) else "partial"
    return TraceRow(
        req=requirement.id,
        pri=requirement.pri,
        screens=names("screen"),
        tables=names("table"),
        ops=names("op"),
        components=names("component"),
        acs=tuple(criterion.id for criterion in requirement.ac),
        status=status,
        gaps=gaps,
    )


def _served(items: Iterable[tuple[str, Iterable[str]]]) -> dict[str, tuple[str, ...]]:
    served: dict[str, dict[str, None]] = {}
    for requirement, name in _pairs(items):
        served.setdefault(requirement, {})[name] = None
    return {requirement: tuple(names) for requirement, names in served.items()}


def _pairs(items: Iterable[tuple[str, Iterable[str]]]) -> Iterator[tuple[str, str]]:
    return ((requirement, name) for name, requirements in items for requirement in requirements)
