"""What every set of operations still needs: lists behind screens and selections, rules, errors and written tables."""

from dure_spec.artifacts.backend import Attribute
from dure_spec.artifacts.erd import Erd, Table
from dure_spec.artifacts.ia import Ia
from dure_spec.artifacts.prd import Prd, Requirement, Rule
from dure_spec.derive.bo_attributes import Line
from dure_spec.derive.op_decisions import absorbed
from dure_spec.derive.op_drafts import Draft
from dure_spec.derive.schema_view import histories, table_named, table_of_term
from dure_spec.derive.screen_tables import table_of_screen
from dure_spec.derive.standard_ops import OpBook
from dure_spec.derive.subjects import deed_of, roles_of
from dure_spec.derive.words import constant

_WRITING = ("create", "update", "delete", "transition", "action", "login")


def serve_screens(book: OpBook, ia: Ia, prd: Prd, erd: Erd, tables: tuple[Table, ...]) -> None:
    """Each screen can load what it shows, for each of its roles."""
    names = {table.name for table in tables}
    for screen in ia.screens:
        table = table_of_screen(screen, prd, erd)
        if table is None or table.name not in names or screen.type in ("auth", "modal"):
            continue
        listed = screen.type in ("list", "report", "dashboard")
        edits = book.get(table, "update") is not None and ":" in screen.route
        if listed or screen.type == "detail" or (screen.type in ("form", "wizard") and edits):
            draft = book.ask(table, "list" if listed else "read", None)
            own = tuple(req.id for req in prd.reqs if req.id in screen.reqs)
            known = bool(draft.reqs)
            draft.serve(reqs=() if known else own, roles=screen.roles)


def serve_selections(
    book: OpBook, erd: Erd, bos: dict[str, tuple[Attribute, ...]], lines: dict[str, tuple[Line, ...]]
) -> None:
    """Whoever fills in a reference may list what it can refer to."""
    for draft in list(book.drafts.values()):
        if draft.kind == "login":
            continue
        columns = [a.col for a in bos[draft.table] if a.name in draft.inputs and a.col]
        for line in lines.get(draft.table, ()):
            if line.attribute in draft.inputs:
                columns += [a.col for a in bos[line.table.name] if a.col and not a.ro]
        for column in columns:
            target = _target(column, erd)
            if target is not None and target.name in bos:
                source = book.ask(target, "list", None)
                source.serve(reqs=() if source.reqs else tuple(draft.reqs), roles=tuple(draft.roles))


def _target(backed: str, erd: Erd) -> Table | None:
    name, _, column = backed.partition(".")
    table = table_named(name, erd)
    found = next((c for c in table.columns if c.name == column), None) if table else None
    return table_named(found.fk.partition(".")[0], erd) if found and found.fk else None


def serve_tables(book: OpBook, prd: Prd, tables: tuple[Table, ...], children: frozenset[str]) -> None:
    """A table that nobody asked for can at least be listed by those whose requirements need it."""
    for table in tables:
        reqs = [req for req in prd.reqs if req.id in table.reqs]
        if table.name not in children and not book.of(table) and reqs:
            book.ask(table, "list", None).serve(reqs=tuple(req.id for req in reqs), roles=roles_of(reqs, prd))


def fill_inputs(book: OpBook, bos: dict[str, tuple[Attribute, ...]], login: dict[str, tuple[str, ...]]) -> None:
    """What each operation takes: a creation all that a person writes, a change the same without secrets and lines."""
    for draft in book.drafts.values():
        written = [attribute for attribute in bos[draft.table] if not attribute.ro]
        match draft.kind:
            case "create":
                draft.inputs = tuple(a.name for a in written if a.col or a.req or (a.type or "").startswith("BO-"))
            case "update":
                draft.inputs = tuple(a.name for a in written if a.col)
            case "login":
                draft.inputs = login.get(draft.table, ())
            case _:
                draft.inputs = ()


def fill_writes(book: OpBook, prd: Prd, erd: Erd, lines: dict[str, tuple[Line, ...]]) -> None:
    """Tables that change in the same transaction: lines, histories, and what a rule of the requirement guards."""
    reqs = {req.id: req for req in prd.reqs}
    for draft in book.drafts.values():
        table = table_named(draft.table, erd)
        if table is None or draft.kind not in ("create", "transition"):
            continue
        served = [reqs[name] for name in draft.reqs if name in reqs]
        draft.write(*(line.table.name for line in lines.get(table.name, ()) if line.attribute in draft.inputs))
        guarded = {t.name: t for req in served for t in _guarded(req, table, prd, erd)}
        draft.write(*guarded)
        kept = [history for one in (table, *guarded.values()) for history in histories(one, erd)]
        draft.write(*(history.name for history in kept))


def _guarded(req: Requirement, table: Table, prd: Prd, erd: Erd) -> list[Table]:
    """Tables other than its own that a workflow requirement changes."""
    if req.kind != "workflow":
        return []
    rules = [rule for rule in prd.rules if rule.id in req.rules and rule.kind == "constraint"]
    terms = [term for term in prd.glossary if term.term in req.entities]
    named = [term for term in terms if any(term.term in rule.entities for rule in rules)]
    found = [table_of_term(term, erd) for term in named]
    moved = absorbed(req, table, prd, erd) if deed_of(req, prd) == "create" else []
    return [one for one in (*found, *moved) if one is not None and one.name != table.name]


def attach_rules(book: OpBook, prd: Prd, erd: Erd) -> None:
    """Every business rule is kept by the operations of its requirements, or by those of its tables."""
    for rule in prd.rules:
        owners = {req.id for req in prd.reqs if rule.id in req.rules}
        serving = [draft for draft in book.drafts.values() if owners & set(draft.reqs)]
        writing = [draft for draft in serving if _can_break(draft, rule)]
        tables = _tables_of(rule, erd, prd)
        about = [draft for draft in writing if tables & {draft.table, *draft.writes}]
        for draft in about or writing or _by_table(rule, book, prd, erd) or serving[:1]:
            _enforce(draft, rule)


def _can_break(draft: Draft, rule: Rule) -> bool:
    """Whether the operation could violate the rule; a deletion breaks no constraint on what rows hold."""
    return draft.kind in _WRITING and not (draft.kind == "delete" and rule.kind == "constraint")


def _by_table(rule: Rule, book: OpBook, prd: Prd, erd: Erd) -> list[Draft]:
    tables = _tables_of(rule, erd, prd)
    near = [draft for draft in book.drafts.values() if draft.table in tables]
    writing = [draft for draft in near if _can_break(draft, rule)]
    everywhere = [draft for draft in book.drafts.values() if draft.kind in _WRITING]
    return writing or near[:1] or everywhere[:1] or list(book.drafts.values())[:1]


def _tables_of(rule: Rule, erd: Erd, prd: Prd) -> set[str]:
    terms = [term for term in prd.glossary if term.term in rule.entities]
    return {table.name for term in terms for table in [table_of_term(term, erd)] if table is not None}


def _enforce(draft: Draft, rule: Rule) -> None:
    draft.enforce(rule.id)
    if rule.kind == "constraint" and draft.kind in ("create", "update", "action", "transition"):
        draft.fail(422, f"{constant(rule.id)}_VIOLATED")
    moves = draft.kind in ("create", "update", "delete", "transition")
    if rule.kind == "state" and moves and not any(error.http == 409 for error in draft.errors):
        draft.fail(409, "INVALID_STATE")
    if rule.kind == "permission" and draft.kind != "login":
        draft.fail(403, "FORBIDDEN")


def fill_conflicts(book: OpBook, erd: Erd, bos: dict[str, tuple[Attribute, ...]]) -> None:
    """A creation meets rows that are there already; a transition meets the wrong state."""
    for draft in book.drafts.values():
        table = table_named(draft.table, erd)
        if draft.kind == "transition" and not any(error.http == 409 for error in draft.errors):
            draft.fail(409, "INVALID_STATE")
        if table is None or draft.kind != "create":
            continue
        inputs = {a.col for a in bos[draft.table] if a.name in draft.inputs}
        for column in table.columns:
            if column.uq and f"{table.name}.{column.name}" in inputs:
                draft.fail(409, f"DUPLICATE_{constant(column.name)}")
        if any({f"{table.name}.{name}" for name in key} <= inputs for key in table.uniques):
            draft.fail(409, "ALREADY_EXISTS")
