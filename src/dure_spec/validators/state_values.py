"""V02, states: the status column of a table lists exactly the states that the PRD gives its entity."""

import re
from collections.abc import Iterator

from dure_spec.artifacts.erd import Column, Table
from dure_spec.artifacts.findings import Change
from dure_spec.artifacts.prd import StateMachine
from dure_spec.derive.types import parse_type
from dure_spec.derive.words import parts
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.patches import replaced
from dure_spec.validators.policy import Draft, Text

_STATES = Text(
    "상태값이 PRD와 다릅니다: {found} (PRD: {wanted}). 화면과 API가 모르는 상태가 생깁니다",
    "state values differ from the PRD: {found} (PRD: {wanted}), so screens and API meet states that they do not know",
)
_NO_STATES = Text(
    "{entity}의 상태 컬럼에 값 목록이 없습니다: 아무 값이나 상태가 됩니다",
    "no column of {entity} lists its states, so anything can be one",
)
_STRAY = Text(
    "{entity}의 전이 {change}에 쓰인 상태 {state}이(가) 상태 목록에 없습니다",
    "transition {change} of {entity} uses {state}, which is none of its states",
)
_STATE_WORDS = frozenset({"status", "state", "phase"})
_NO_STATE = frozenset({"", "-", "*", "none", "null", "start", "initial"})
_LISTED = re.compile(r"\s*\(*\s*[\"`\w.]+\s+in\s*\(([^()]*)\)\s*\)*\s*", re.I)
_VALUE = re.compile(r"'((?:[^']|'')*)'")


def check_states(index: Index, machine: StateMachine) -> Iterator[Draft]:
    """The column of one state machine; an entity without a table is told elsewhere."""
    place = _table_of(index, machine)
    if place is None:
        return
    column = state_column(place.table, machine)
    if column is None:
        yield _no_states(place.path, place.table.name, machine, ())
        return
    path, ref = place.column_path(column.name), f"{place.table.name}.{column.name}"
    listed = column.enum or listed_in(column.check)
    if column.fk and not listed:  # a table of codes lists them
        return
    if not listed:
        yield _no_states(path, ref, machine, _repair(path, column, machine))
    elif set(listed) != set(machine.values):
        wanted = ", ".join(machine.values)
        yield Draft(
            severity="major",
            stage="dba",
            path=f"{path}/enum",
            ref=ref,
            text=_STATES,
            values={"found": ", ".join(listed), "wanted": wanted},
            expected=wanted,
            patch=_repair(path, column, machine),
        )


def check_transitions_known(number: int, machine: StateMachine) -> Iterator[Draft]:
    """A transition starts and ends in states that the machine has; a new record starts in none."""
    for place, transition in enumerate(machine.transitions):
        source, target = (*transition, "", "")[:2]
        for state in (source, target):
            if state.strip().lower() not in _NO_STATE and machine.values and state not in machine.values:
                yield Draft(
                    severity="major",
                    stage="ba",
                    path=f"/states/{number}/transitions/{place}",
                    ref=f"{machine.entity} {source}→{target}",
                    text=_STRAY,
                    values={"entity": machine.entity, "change": f"{source}→{target}", "state": state},
                    candidates=machine.values[:5],
                )


def state_column(table: Table, machine: StateMachine) -> Column | None:
    """The column that holds the states: the one with most of its values, then the one of such a name."""

    def fit(column: Column) -> tuple[int, int]:
        named = (
            2 if column.name == "status" else bool(_STATE_WORDS & set(parts(column.name))) or "상태" in column.logical
        )
        return len(set(column.enum or listed_in(column.check)) & set(machine.values)), int(named)

    best = max(table.columns, key=fit, default=None)
    return best if best is not None and any(fit(best)) else None


def listed_in(check: str | None) -> tuple[str, ...]:
    """The values that a check of the form `status in ('A', 'B')` allows; empty for any other check."""
    match = _LISTED.fullmatch(check or "")
    return tuple(value.replace("''", "'") for value in _VALUE.findall(match[1])) if match else ()


def _table_of(index: Index, machine: StateMachine) -> TablePlace | None:
    term = index.terms.get(machine.entity)
    table = index.term_tables.get(term.term if term else machine.entity)
    return index.tables.get(table.name.lower()) if table else None


def _no_states(path: str, ref: str, machine: StateMachine, patch: tuple[Change, ...]) -> Draft:
    return Draft(
        severity="major",
        stage="dba",
        path=path,
        ref=ref,
        text=_NO_STATES,
        values={"entity": machine.entity},
        expected=f"status {{{','.join(machine.values)}}}",
        patch=patch,
    )


def _repair(path: str, column: Column, machine: StateMachine) -> tuple[Change, ...]:
    """The PRD's states as the column's values, with room for the longest and a first state that is one of them."""
    parsed = parse_type(column.type)
    if parsed is None or parsed.family != "str" or parsed.array or column.fk or not machine.values:
        return ()
    old = None if column.enum is None else list(column.enum)
    steps = replaced("dba", f"{path}/enum", old, list(machine.values))
    steps = (*replaced("dba", f"{path}/name", column.name, column.name)[:1], *steps)
    if column.check and listed_in(column.check):
        steps = (*steps, *replaced("dba", f"{path}/check", column.check, None))
    longest = max(map(len, machine.values))
    if parsed.length is not None and parsed.length < longest:
        steps = (*steps, *replaced("dba", f"{path}/type", column.type, f"varchar({longest})"))
    default = column.default.strip("'") if isinstance(column.default, str) else None
    if default is not None and default not in machine.values:
        steps = (*steps, *replaced("dba", f"{path}/default", column.default, machine.values[0]))
    return steps
