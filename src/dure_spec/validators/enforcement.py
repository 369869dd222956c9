"""V02, second half: rules are enforced, states agree with the PRD, transitions happen, every entity has a home."""

from collections.abc import Iterator, Sequence

from dure_spec.artifacts.prd import StateMachine
from dure_spec.derive.verbs import state_verb
from dure_spec.derive.words import parts
from dure_spec.validators.index import Index, OpPlace
from dure_spec.validators.policy import Draft, Policy, Text, nearest
from dure_spec.validators.state_values import check_states, check_transitions_known, state_column

_RULE = Text(
    "업무규칙 '{text}': 이를 지키는 컬럼이나 오퍼레이션이 없습니다", "business rule '{text}' is enforced nowhere"
)
_UNKNOWN_RULE = Text(
    "PRD에 없는 업무규칙 {id}: 무엇을 지키는 컬럼인지 알 수 없습니다",
    "unknown business rule {id}: nobody knows what the column keeps",
)
_TRANSITION = Text(
    "{change} 전이를 수행할 오퍼레이션이 없습니다 ({req}의 오퍼레이션: {ops})",
    "no operation performs {change} (operations of {req}: {ops})",
)
_NO_TABLE = Text("용어 '{term}'의 테이블이 없습니다", "no table for the term '{term}'")
_READING = frozenset({"list", "read", "login"})
_STEM = 4


def check_enforcement(index: Index, policy: Policy) -> Iterator[Draft]:
    """What the PRD decides must be found again in tables and operations."""
    yield from _rules(index)
    prd = index.artifacts.prd
    for number, machine in enumerate(prd.states if prd else ()):
        yield from check_transitions_known(number, machine)
        if index.artifacts.erd:
            yield from check_states(index, machine)
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
                        severity="critical",
                        stage="dba",
                        path=place.column_path(column.name),
                        ref=f"{place.table.name}.{column.name}",
                        text=_UNKNOWN_RULE,
                        values={"id": rule},
                        candidates=nearest(rule, index.rules) or tuple(index.rules)[:5],
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


def _transitions(index: Index, machine: StateMachine) -> Iterator[Draft]:
    """Each change of state has an operation that writes and serves its requirement."""
    moves: dict[str, dict[str, str]] = {}
    for transition in machine.transitions:
        source, target, requirement = (*transition, "", "", "")[:3]
        if requirement in index.requirements and source != target:
            moves.setdefault(requirement, {}).setdefault(target, source)
    for requirement, goals in moves.items():
        serving = [place for place in index.all_ops() if requirement in place.op.reqs]
        writing = [place for place in serving if place.op.kind not in _READING]
        for goal in _unmoved(index, machine, tuple(goals), writing):
            near = _candidates(index, machine)
            yield Draft(
                severity="major",
                stage="backend",
                path="/bos",
                ref=f"{requirement} {goals[goal]}→{goal}",
                text=_TRANSITION,
                values={
                    "change": f"{machine.entity} {goals[goal]}→{goal}",
                    "req": requirement,
                    "ops": ", ".join(place.op.id for place in serving) or "-",
                },
                candidates=near,
                cause=_astray(index) if serving else f"op:{requirement}",
            )


def _astray(index: Index) -> str:
    """The topic of an operation that traces a requirement which is not there."""
    unknown = ((req, names) for req, names in index.coverage.get("op", {}).items() if req not in index.requirements)
    return next((f"trace:{name}:{req}" for req, names in unknown for name in names), "")


def _unmoved(index: Index, machine: StateMachine, goals: Sequence[str], writing: Sequence[OpPlace]) -> tuple[str, ...]:
    """States that none of the operations can lead to: one leads to the state it is named after, or to the state it
    is given; any other leads to one state, whichever."""
    if any(_takes_state(index, machine, place) for place in writing):
        return ()
    named = {goal: [place for place in writing if _leads_to(place, goal)] for goal in goals}
    known = {place.op.id for places in named.values() for place in places}
    spare = sum(place.op.id not in known for place in writing)
    open_goals = [goal for goal in goals if not named[goal]]
    return tuple(open_goals[spare:])


def _leads_to(place: OpPlace, goal: str) -> bool:
    """Whether an operation is called after a state: `deliver` or `mark-delivered` after DELIVERED."""
    words = {*parts(place.op.id.rpartition(".")[2]), *parts(place.op.path.rpartition("/")[2])}
    wanted = {*parts(state_verb(goal)), *parts(goal)} - {"mark", "change", "status", "state"}
    return any(one == other or (len(one) > _STEM and one[:_STEM] == other[:_STEM]) for one in words for other in wanted)


def _takes_state(index: Index, machine: StateMachine, place: OpPlace) -> bool:
    """Whether the caller says which state it is to be."""
    owner = index.tables.get(place.bo.table.lower())
    column = state_column(owner.table, machine) if owner else None
    if owner is None or column is None:
        return False
    backed = f"{owner.table.name}.{column.name}".lower()
    return any(attr.name in place.op.in_ and (attr.col or "").lower() == backed for attr in place.bo.attrs)


def _candidates(index: Index, machine: StateMachine) -> tuple[str, ...]:
    """Operations of the entity that write, and so could serve the requirement."""
    term = index.terms.get(machine.entity)
    table = index.term_tables.get(term.term if term else machine.entity)
    places = [place for place in index.all_ops() if table and place.bo.table == table.name]
    return tuple(place.op.id for place in places if place.op.kind not in _READING)[:3]


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
