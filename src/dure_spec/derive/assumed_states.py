"""State machines that the titles of workflow requirements imply, for a model that named none."""

from dure_spec.artifacts.prd import Prd, Requirement, StateMachine, Term
from dure_spec.derive.subjects import deed_of, main_term, target_state
from dure_spec.derive.verbs import title_verb

_CREATED = {
    "order": "PLACED",
    "주문": "PLACED",
    "place": "PLACED",
    "발주": "ORDERED",
    "예약": "RESERVED",
    "book": "RESERVED",
    "reserve": "RESERVED",
    "제출": "SUBMITTED",
    "submit": "SUBMITTED",
    "신청": "REQUESTED",
    "request": "REQUESTED",
    "apply": "REQUESTED",
    "접수": "RECEIVED",
    "작성": "DRAFT",
    "write": "DRAFT",
}
_EN_CREATED = {"order": "PLACED", "reservation": "RESERVED", "appointment": "RESERVED", "booking": "RESERVED"}
_ENDS = frozenset({"CANCELLED", "REJECTED", "WITHDRAWN", "DISCARDED", "SUSPENDED", "ON_HOLD"})
_RANK = [
    "RECEIVED",
    "REVIEWED",
    "CONFIRMED",
    "APPROVED",
    "ASSIGNED",
    "PAID",
    "CHECKED_IN",
    "IN_PROGRESS",
    "BORROWED",
    "EXTENDED",
    "SHIPPED",
    "DELIVERED",
    "RESOLVED",
    "PUBLISHED",
    "COMPLETED",
    "CHECKED_OUT",
    "RETURNED",
    "REFUNDED",
    "CLOSED",
]


def assume_states(prd: Prd) -> tuple[StateMachine, ...]:
    """The machines of the PRD, and one more for each other entity whose workflow titles change a state."""
    found = list(prd.states)
    given = {machine.entity for machine in prd.states}
    for term in prd.glossary:
        reqs = [req for req in prd.reqs if req.kind == "workflow" and main_term(req, prd) == term]
        machine = _machine(term, reqs, prd) if term.term not in given else None
        if machine is not None:
            found.append(machine)
    return tuple(found)


def _machine(term: Term, reqs: list[Requirement], prd: Prd) -> StateMachine | None:
    creates = [req for req in reqs if deed_of(req, prd) == "create"]
    moves = [(state, req.id) for req in reqs for state in [_goal(req, prd)] if state is not None]
    first = _initial(term, creates)
    moves = [(state, req) for state, req in moves if state != first]
    if not moves:
        return None
    steady = sorted((move for move in moves if move[0] not in _ENDS), key=lambda move: _rank(move[0]))
    rows: list[tuple[str, ...]] = []
    state = first
    for to_state, req in steady:
        if to_state != state:
            rows.append((state, to_state, req))
        elif rows:
            rows.append((rows[-1][0], to_state, req))
        state = to_state
    rows += [(first, to_state, req) for to_state, req in moves if to_state in _ENDS]
    values = tuple(dict.fromkeys([first, *(row[1] for row in rows)]))
    return StateMachine(entity=term.term, values=values, transitions=tuple(rows))


def _goal(req: Requirement, prd: Prd) -> str | None:
    return target_state(req) if deed_of(req, prd) == "transition" else None


def _initial(term: Term, creates: list[Requirement]) -> str:
    """How a new one begins: as its word says, as the verb that makes it says, else REQUESTED or REGISTERED."""
    by_word = _EN_CREATED.get(term.en.rpartition("_")[2])
    if by_word:
        return by_word
    for req in creates:
        verb = title_verb(req.title)
        if verb is not None:
            return verb.state or _CREATED.get(verb.word, "REGISTERED")
    return "REQUESTED"


def _rank(state: str) -> int:
    return _RANK.index(state) if state in _RANK else len(_RANK)
