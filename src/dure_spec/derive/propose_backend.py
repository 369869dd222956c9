"""Business objects and operations that follow from requirements, screens and tables; a model picks what differs."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from dure_spec.artifacts.backend import Attribute, Backend, Bo
from dure_spec.artifacts.erd import Erd, Table
from dure_spec.artifacts.ia import Ia
from dure_spec.artifacts.prd import Prd, Requirement
from dure_spec.derive.bo_attributes import Line, attributes, bo_id, line_name
from dure_spec.derive.op_completion import (
    attach_rules,
    fill_conflicts,
    fill_inputs,
    fill_writes,
    serve_screens,
    serve_selections,
    serve_tables,
)
from dure_spec.derive.op_decisions import decide, main_tables, starts
from dure_spec.derive.picks import OpPick
from dure_spec.derive.schema_view import line_parent, login_column, table_named, table_of_term
from dure_spec.derive.standard_ops import OpBook
from dure_spec.derive.subjects import deed_of, roles_of
from dure_spec.derive.words import camel, constant

_NONE: Mapping[str, OpPick] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True, slots=True)
class _Shape:
    """Tables with an object, who is whose line, and where people log in."""

    tables: tuple[Table, ...]
    parents: Mapping[str, Table]
    lines: dict[str, tuple[Line, ...]]
    logins: frozenset[str]


def propose_backend(prd: Prd, ia: Ia, erd: Erd, picks: Mapping[str, OpPick] = _NONE) -> Backend:
    """An object per table that people work with, standard operations per requirement, transitions from the states,
    and every rule kept by some operation. `picks` (by requirement id) are the model's decisions."""
    book = OpBook(erd=erd)
    for req in prd.reqs:
        _ask_all(book, req, prd, erd, picks)
    shape = _shape(book, prd, erd, picks)
    found = {table.name: _attributes(table, book, shape, prd, erd) for table in shape.tables}
    serve_screens(book, ia, prd, erd, shape.tables)
    serve_tables(book, prd, shape.tables, frozenset(shape.parents))
    fill_inputs(book, found, {name: _login_inputs(name, found, erd) for name in shape.logins})
    serve_selections(book, erd, found, shape.lines)
    fill_writes(book, prd, erd, shape.lines)
    attach_rules(book, prd, erd)
    fill_conflicts(book, erd, found)
    bos = tuple(_bo(table, book, shape, found, prd) for table in shape.tables)
    kept = {table.name for table in shape.tables}
    return Backend(bos=bos, infra_tables=tuple(table.name for table in erd.tables if table.name not in kept))


def _ask_all(book: OpBook, req: Requirement, prd: Prd, erd: Erd, picks: Mapping[str, OpPick]) -> None:
    open_to_all = req.kind == "auth" and deed_of(req, prd) in ("login", "create")
    for pick in decide(req, prd, erd, picks):
        table = table_named(pick.table, erd)
        if table is None:
            continue
        draft = book.ask(table, pick.action, req, pick.to_state)
        draft.serve(reqs=(req.id,), roles=("*",) if open_to_all or pick.action == "login" else roles_of([req], prd))
        if draft.kind == "transition" and pick.to_state:
            sources = starts(table, pick.to_state, prd, erd)
            draft.fail(409, f"NOT_{constant(sources[0])}" if len(sources) == 1 else "INVALID_STATE")


def _shape(book: OpBook, prd: Prd, erd: Erd, picks: Mapping[str, OpPick]) -> _Shape:
    mains = main_tables(prd, erd, picks) | {name for name, _ in book.drafts}
    tables = tuple(t for t in erd.tables if t.kind not in ("history", "log") or t.name in mains)
    parents = {t.name: owner for t in tables for owner in [line_parent(t, erd, mains)] if owner is not None}
    lines: dict[str, tuple[Line, ...]] = {}
    for table in tables:
        owner = parents.get(table.name)
        if owner is not None:
            required = any(table.name in names for names in _created_with(owner, prd, erd))
            line = Line(table=table, attribute=line_name(table, owner), required=required)
            lines[owner.name] = (*lines.get(owner.name, ()), line)
    logins = frozenset(draft.table for draft in book.drafts.values() if draft.kind == "login")
    return _Shape(tables=tables, parents=parents, lines=lines, logins=logins)


def _created_with(owner: Table, prd: Prd, erd: Erd) -> list[set[str]]:
    """For each requirement that creates the owner: the tables that it names."""
    from_terms = {term.term: term for term in prd.glossary}
    found: list[set[str]] = []
    for req in prd.reqs:
        if deed_of(req, prd) == "create":
            named = [table_of_term(from_terms[name], erd) for name in req.entities if name in from_terms]
            names = {table.name for table in named if table is not None}
            found += [names] if owner.name in names else []
    return found


def _attributes(table: Table, book: OpBook, shape: _Shape, prd: Prd, erd: Erd) -> tuple[Attribute, ...]:
    create = book.get(table, "create")
    reqs = [req for req in prd.reqs if create is not None and req.id in create.reqs]
    return attributes(
        table,
        prd=prd,
        erd=erd,
        parent=shape.parents.get(table.name),
        lines=shape.lines.get(table.name, ()),
        numbered=any(req.kind == "workflow" for req in reqs),
        login=table.name in shape.logins,
    )


def _login_inputs(name: str, found: Mapping[str, tuple[Attribute, ...]], erd: Erd) -> tuple[str, ...]:
    table = table_named(name, erd)
    column = login_column(table) if table else None
    names = {attribute.name for attribute in found[name]}
    wanted = (camel(column.name) if column else "", "password")
    return tuple(one for one in wanted if one in names)


def _bo(table: Table, book: OpBook, shape: _Shape, found: Mapping[str, tuple[Attribute, ...]], prd: Prd) -> Bo:
    name = bo_id(table)
    order = tuple(actor.id for actor in prd.actors)
    return Bo(
        id=name,
        name=table.logical,
        table=table.name,
        children=tuple(bo_id(line.table) for line in shape.lines.get(table.name, ())),
        attrs=found[table.name],
        ops=tuple(draft.op(name, order) for draft in book.of(table) if draft.reqs),
    )
