"""V02, second half: rules are enforced, states agree with the PRD, every entity has a home."""

from collections.abc import Iterator

from dure_spec.artifacts.erd import Column, Table
from dure_spec.artifacts.prd import StateMachine
from dure_spec.derive.words import parts
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.policy import Draft, Policy, Text, nearest

_RULE = Text(
    "업무규칙 '{text}': 이를 지키는 컬럼이나 오퍼레이션이 없습니다", "business rule '{text}' is enforced nowhere"
)
_UNKNOWN_RULE = Text("PRD에 없는 업무규칙 {id}", "unknown business rule {id}")
_STATES = Text("상태값이 PRD와 다릅니다: {found}", "state values differ from the PRD: {found}")
_NO_STATES = Text("{entity}의 상태 컬럼에 값 목록이 없습니다", "no column of {entity} lists its states")
_TRANSITION = Text("{change} 전이를 수행할 오퍼레이션이 없습니다", "no operation performs {change}")
_NO_TABLE = Text("용어 '{term}'의 테이블이 없습니다", "no table for the term '{term}'")
_STATE_WORDS = frozenset({"status", "state", "phase"})


def check_enforcement(index: Index, policy: Policy) -> Iterator[Draft]:
    """What the PRD decides must be found again in tables and operations."""
    yield from _rules(index)
    prd = index.artifacts.prd
    for machine in prd.states if prd else ():
        if index.artifacts.erd:
            yield from _states(index, machine)
        if index.artifacts.backend:
            yield from _transitions(index, machine)
    if index.artifacts.erd:
        yield from _homeless_terms(index)


def _rules(index: Index) -> Iterator[Draft]:
    used: set[str] = set()
    for place in index.tables.values():
        for column in place.table.columns:
            for rule in (column.rule, column.derived):
                if rule and index.artifacts.prd and rule not in index.rules:
                    yield Draft(
                        severity="major",
                        stage="dba",
                        path=place.column_path(column.name),
                        ref=f"{place.table.name}.{column.name}",
                        text=_UNKNOWN_RULE,
                        values={"id": rule},
                        candidates=tuple(index.rules)[:5],
                    )
                used.add(rule or "")
    if not (index.artifacts.erd and index.artifacts.backend):
        return
    for place in index.all_ops():
        used.update(place.op.rules)
    for rule in index.rules.values():
        if rule.id not in used:
            tables = {index.term_tables[term].name for term in rule.entities if term in index.term_tables}
            ops = tuple(place.op.id for place in index.all_ops() if place.bo.table in tables and place.op.writes)
            yield Draft(
                severity="major",
                stage="backend",
                path="/bos",
                ref=rule.id,
                text=_RULE,
                values={"text": rule.text},
                candidates=ops[:3],
            )


def _states(index: Index, machine: StateMachine) -> Iterator[Draft]:
    term = index.terms.get(machine.entity)
    table = index.term_tables.get(term.term if term else machine.entity)
    place = index.tables.get(table.name.lower()) if table else None
    if table is None or place is None:
        return
    column = _state_column(table, machine)
    if column is None or (column.fk and not column.enum):
        if column is None:
            yield _no_states(place, place.path, table.name, machine)
        return
    ref, path = f"{table.name}.{column.name}", place.column_path(column.name)
    if not column.enum:
        yield _no_states(place, path, ref, machine)
    elif set(column.enum) != set(machine.values):
        yield Draft(
            severity="major",
            stage="dba",
            path=f"{path}/enum",
            ref=ref,
            text=_STATES,
            values={"found": ", ".join(column.enum)},
            expected=", ".join(machine.values),
        )


def _no_states(place: TablePlace, path: str, ref: str, machine: StateMachine) -> Draft:
    return Draft(
        severity="major",
        stage="dba",
        path=path,
        ref=ref,
        text=_NO_STATES,
        values={"entity": machine.entity},
        expected=f"status {{{','.join(machine.values)}}}",
    )


def _state_column(table: Table, machine: StateMachine) -> Column | None:
    def fit(column: Column) -> tuple[int, int]:
        named = (
            2 if column.name == "status" else bool(_STATE_WORDS & set(parts(column.name))) or "상태" in column.logical
        )
        return len(set(column.enum or ()) & set(machine.values)), int(named)

    best = max(table.columns, key=fit, default=None)
    return best if best is not None and any(fit(best)) else None


def _transitions(index: Index, machine: StateMachine) -> Iterator[Draft]:
    for transition in machine.transitions:
        source, target, requirement = (*transition, "", "", "")[:3]
        if requirement in index.requirements and not index.coverage["op"].get(requirement):
            yield Draft(
                severity="major",
                stage="backend",
                path="/bos",
                ref=f"{requirement} {source}→{target}",
                text=_TRANSITION,
                values={"change": f"{machine.entity} {source}→{target}"},
                cause=f"op:{requirement}",
            )


def _homeless_terms(index: Index) -> Iterator[Draft]:
    seen: set[str] = set()
    names = tuple(place.table.name for place in index.tables.values())
    for requirement in index.requirements.values():
        if requirement.pri == "W":
            continue
        for entity in requirement.entities:
            term = index.terms.get(entity)
            if term is None or term.term in index.term_tables or term.term in seen:
                continue
            seen.add(term.term)
            yield Draft(
                severity="minor",
                stage="dba",
                path="/tables",
                ref=f"{requirement.id} {term.term}",
                text=_NO_TABLE,
                values={"term": term.term},
                expected=term.en,
                candidates=nearest(term.en, names),
                cause=f"table:{requirement.id}",
            )
