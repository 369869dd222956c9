"""Which operations each requirement asks for, before they have inputs, rules and errors."""

from collections.abc import Mapping

from dure_spec.artifacts.erd import Erd, Table
from dure_spec.artifacts.prd import Prd, Requirement, StateMachine
from dure_spec.derive.picks import OpAction, OpPick
from dure_spec.derive.schema_view import (
    line_parent,
    machine_of,
    table_named,
    table_of,
    table_of_term,
    user_table,
)
from dure_spec.derive.subjects import deed_of, deletes, target_state, terms_of


def main_tables(prd: Prd, erd: Erd, picks: Mapping[str, OpPick]) -> frozenset[str]:
    """Tables that some requirement is about."""
    picked = {pick.table for pick in picks.values() if table_named(pick.table, erd)}
    found = (table_of(req, prd, erd) for req in prd.reqs if req.id not in picks)
    return frozenset(picked | {table.name for table in found if table is not None})


def decide(req: Requirement, prd: Prd, erd: Erd, picks: Mapping[str, OpPick]) -> list[OpPick]:
    """The model's pick where it names a table that exists, else what kind, title and states say."""
    pick = picks.get(req.id)
    if pick is not None and table_named(pick.table, erd) is not None:
        return [pick, *_moves(req, prd, erd, pick)]
    table = table_of(req, prd, erd)
    if table is None:
        return []
    deed = deed_of(req, prd)
    if deed == "login" or (deed == "create" and req.kind == "auth"):
        people = user_table(erd) or table
        return [OpPick(action="login" if deed == "login" else "create", table=people.name)]
    if deed == "manage":
        return _managed(req, prd, erd, table)
    moves = _moves(req, prd, erd, None)
    if deed == "transition":
        return moves or [OpPick(action="transition", table=table.name, to_state=target_state(req))]
    actions: tuple[OpAction, ...] = ("list", "read") if deed in ("list", "read") else (deed,)
    return [*(OpPick(action=action, table=table.name) for action in actions), *moves]


def _managed(req: Requirement, prd: Prd, erd: Erd, table: Table) -> list[OpPick]:
    """Everything one does with a record; other entities that only this requirement names are managed with it."""
    mains = main_tables(prd, erd, {})
    tables = [table]
    for term in terms_of(req, prd):
        other = table_of_term(term, erd)
        alone = other is not None and other.name not in mains and line_parent(other, erd, mains) is None
        if other is not None and alone and other not in tables and other.kind not in ("history", "log"):
            tables.append(other)
    actions: tuple[OpAction, ...] = ("list", "read", "create", "update", *(("delete",) if deletes(req) else ()))
    found = [OpPick(action=action, table=one.name) for one in tables for action in actions]
    return [*found, *_moves(req, prd, erd, None)]


def _moves(req: Requirement, prd: Prd, erd: Erd, pick: OpPick | None) -> list[OpPick]:
    """Transitions that the state machines give to the requirement and that no creation performs already."""
    creates = pick.action == "create" if pick else deed_of(req, prd) == "create"
    main = table_named(pick.table, erd) if pick else table_of(req, prd, erd)
    found: list[OpPick] = []
    for machine in prd.states:
        owner = _owner(machine, prd, erd)
        if owner is None:
            continue
        goals = _goals(machine, req)
        if creates and main is not None:
            goals = goals[1:] if main.name != owner.name else [goal for goal in goals if goal not in machine.values[:1]]
        picked = pick is not None and pick.action == "transition" and pick.table == owner.name
        if not (picked and len(goals) <= 1):
            found += [OpPick(action="transition", table=owner.name, to_state=goal) for goal in goals]
    return found


def absorbed(req: Requirement, table: Table, prd: Prd, erd: Erd) -> list[Table]:
    """Tables whose state a creation in another table changes at once (a shipment ships its order)."""
    owners = [(machine, _owner(machine, prd, erd)) for machine in prd.states]
    return [
        owner for machine, owner in owners if owner is not None and owner.name != table.name and _goals(machine, req)
    ]


def _owner(machine: StateMachine, prd: Prd, erd: Erd) -> Table | None:
    return next((table for table in erd.tables if machine_of(table, prd, erd) == machine), None)


def _goals(machine: StateMachine, req: Requirement) -> list[str]:
    moves = (row for row in machine.transitions if len(row) == 3 and row[2] == req.id and row[0] != row[1])
    return list(dict.fromkeys(row[1] for row in moves))


def starts(table: Table, to_state: str, prd: Prd, erd: Erd) -> list[str]:
    """States from which a state can be reached."""
    machine = machine_of(table, prd, erd)
    rows = machine.transitions if machine else ()
    return list(dict.fromkeys(row[0] for row in rows if len(row) == 3 and row[1] == to_state and row[0]))
