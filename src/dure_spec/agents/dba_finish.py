"""What follows from the PRD and the plan is put into the tables by code: states, keys, known types and names."""

from dure_spec.agents.dba_plan import PlannedTable
from dure_spec.artifacts import Erd, Prd
from dure_spec.artifacts.erd import Column, Relation, Table
from dure_spec.artifacts.prd import StateMachine
from dure_spec.derive.types import family_of
from dure_spec.derive.words import singular

_STATE_LABEL = {"ko": "{term}상태", "en": "{term} status"}


def finished(erd: Erd, prd: Prd, plan: tuple[PlannedTable, ...]) -> Erd:
    """The ERD with states as enums, foreign keys that the plan knows, and the types and labels of known columns."""
    planned = {one.name: one for one in plan}
    named = {table.name: table for table in erd.tables}
    machines = {term.en: machine for term in prd.glossary for machine in prd.states if machine.entity == term.term}
    tables = tuple(_finished(table, planned.get(table.name), named, machines, prd) for table in erd.tables)
    return erd.model_copy(update={"tables": tables, "relations": _relations(erd.relations, tables)})


def _finished(
    table: Table,
    plan: PlannedTable | None,
    named: dict[str, Table],
    machines: dict[str, StateMachine],
    prd: Prd,
) -> Table:
    columns = list(table.columns)
    if plan is not None:
        columns = [_known(column, plan) for column in columns]
        for target in plan.refers:
            if target in named and not any((column.fk or "").startswith(f"{target}.") for column in columns):
                columns.insert(1, _reference(target, table, named))
    columns = _without_shadows(columns)
    machine = machines.get(singular(table.name))
    if machine is not None:
        columns = _with_states(columns, machine, prd)
    return table.model_copy(update={"columns": tuple(columns)})


def _known(column: Column, plan: PlannedTable) -> Column:
    """A column of which the catalogue knows type and name; a key keeps the type of what it refers to."""
    hint = next((hint for hint in plan.hints if hint.name == column.name), None)
    if hint is None or column.pk or column.fk:
        return column
    wished, *flags = hint.ddl.rsplit(" unique", 1)
    update: dict[str, object] = {"logical": hint.ko if _is_korean(plan) else column.logical}
    if family_of(wished) != family_of(column.type):
        update["type"] = wished
    if flags:
        update["uq"] = True
    return column.model_copy(update=update)


def _without_shadows(columns: list[Column]) -> list[Column]:
    """No `product_code` beside a foreign key to products: it would be a second, undeclared way to the same row."""
    targets = {singular((column.fk or "").partition(".")[0]) for column in columns if column.fk}
    shadows = {f"{target}_{ending}" for target in targets for ending in ("id", "no", "code")}
    return [column for column in columns if column.fk or column.pk or column.name not in shadows]


def _is_korean(plan: PlannedTable) -> bool:
    return any("가" <= letter <= "힣" for letter in plan.term.term)


def _reference(target: str, table: Table, named: dict[str, Table]) -> Column:
    other = named[target]
    key = next((column for column in other.columns if column.pk), other.columns[0])
    label = f"{other.logical}ID" if any("가" <= letter <= "힣" for letter in other.logical) else f"{other.logical} id"
    return Column(
        name=f"{singular(target)}_id",
        logical=label,
        type=key.type,
        fk=f"{target}.{key.name}",
        null=target == table.name,
    )


def _with_states(columns: list[Column], machine: StateMachine, prd: Prd) -> list[Column]:
    """The status column holds exactly the states of the requirement document, and begins with the first."""
    longest = max(len(value) for value in machine.values)
    label = _STATE_LABEL[prd.project.lang].format(term=machine.entity)
    status = Column(
        name="status",
        logical=label,
        type=f"varchar({max(20, longest)})",
        default=machine.values[0],
        enum=machine.values,
        rule=next((rule.id for rule in prd.rules if rule.kind == "state" and machine.entity in rule.entities), None),
    )
    at = next((i for i, column in enumerate(columns) if column.name in ("status", "state")), None)
    if at is None:
        return [*columns, status]
    return [*columns[:at], status, *columns[at + 1 :]]


def _relations(relations: tuple[Relation, ...], tables: tuple[Table, ...]) -> tuple[Relation, ...]:
    """The relations, and one more for each foreign key that none of them speaks of."""
    known = {(one.from_, one.to) for one in relations} | {(one.to, one.from_) for one in relations}
    known |= {(one.from_, one.via) for one in relations if one.via} | {
        (one.to, one.via) for one in relations if one.via
    }
    added = list(relations)
    for table in tables:
        for column in table.columns:
            target = (column.fk or "").partition(".")[0]
            if target and (target, table.name) not in known:
                known.add((target, table.name))
                card = "1:1" if column.uq else "1:N"
                added.append(
                    Relation.model_validate({"from": target, "to": table.name, "card": card, "optional": column.null})
                )
    return tuple(added)
