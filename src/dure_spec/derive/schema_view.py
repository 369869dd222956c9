"""Questions that proposals ask of an ERD: whose table is it, whose lines are they, who logs in, what is secret."""

import re
from collections.abc import Sequence

from dure_spec.artifacts.erd import Column, Erd, Table
from dure_spec.artifacts.prd import Prd, Requirement, StateMachine, Term
from dure_spec.derive.subjects import main_term, terms_of
from dure_spec.derive.words import plural, singular, snake

_LINES = frozenset({"item", "line", "detail", "entry", "row"})
_PEOPLE = re.compile(
    r"(^|_)(user|member|account|employee|staff|admin|customer|student|player|patient|teacher)s?$|people$"
)
_SECRET = re.compile(r"passw(or)?d|(^|_)pwd($|_)|_hash$|(^|_)secret|(^|_)salt$|_token$")
_LOGIN_NAMES = ("email", "login_id", "username", "user_name", "user_id", "account", "phone", "nickname", "name")


def table_named(name: str, erd: Erd) -> Table | None:
    return next((table for table in erd.tables if table.name == name), None)


def table_of_term(term: Term, erd: Erd) -> Table | None:
    """The table of a glossary entry: by its English name, else by its logical name."""
    word = singular(snake(term.en))
    by_name = next((table for table in erd.tables if singular(snake(table.name)) == word), None)
    if by_name is not None:
        return by_name
    names = {term.term, *term.synonyms}
    return next((table for table in erd.tables if table.logical in names), None)


def term_of_table(table: Table, prd: Prd) -> Term | None:
    word = singular(snake(table.name))
    named = next((term for term in prd.glossary if singular(snake(term.en)) == word), None)
    return named or next((term for term in prd.glossary if table.logical in (term.term, *term.synonyms)), None)


def table_of(req: Requirement, prd: Prd, erd: Erd) -> Table | None:
    """The table that a requirement is about; what no word decides goes to a table that traces it, then to the first."""
    term = main_term(req, prd)
    for candidate in (term, *terms_of(req, prd)):
        table = table_of_term(candidate, erd) if candidate else None
        if table is not None:
            return table
    traced = next((table for table in erd.tables if req.id in table.reqs), None)
    return traced or next(iter(_by_weight(erd)), None)


def _by_weight(erd: Erd) -> list[Table]:
    return sorted(erd.tables, key=lambda table: table.kind in ("history", "log", "config", "code"))


def targets(table: Table, erd: Erd) -> list[tuple[Column, Table]]:
    """Foreign keys with the tables that they lead to; one over several columns stands at its first column."""
    found: list[tuple[Column, Table]] = []
    for column in table.columns:
        target = table_named(column.fk.partition(".")[0], erd) if column.fk else None
        if target is not None:
            found.append((column, target))
        for reference in table.refs:
            target = table_named(reference.table, erd)
            if target is not None and reference.columns[:1] == (column.name,):
                found.append((column.model_copy(update={"on_delete": reference.on_delete}), target))
    return found


def line_parent(table: Table, erd: Erd, mains: frozenset[str]) -> Table | None:
    """The table whose record this one completes (order ← order items); `None` for a record of its own.

    `mains` are the tables that some requirement is about.
    """
    if table.name in mains:
        return None
    joins = table.kind == "junction" or any(relation.via == table.name for relation in erd.relations)
    if not joins and singular(table.name).rpartition("_")[2] not in _LINES:
        return None
    owners = [(c, t) for c, t in targets(table, erd) if not c.null and t.name != table.name and t.kind == "entity"]
    cascading = [target for column, target in owners if column.on_delete == "CASCADE"]
    named = [target for _, target in owners if singular(target.name).rpartition("_")[2] in table.name]
    return next(iter([*cascading, *named, *(target for _, target in owners)]), None)


def histories(table: Table, erd: Erd) -> list[Table]:
    """History and log tables that keep the changes of a table."""
    return [
        other
        for other in erd.tables
        if other.kind in ("history", "log") and any(target.name == table.name for _, target in targets(other, erd))
    ]


def is_secret(column: Column) -> bool:
    """Whether a value must never leave the server."""
    return bool(_SECRET.search(column.name))


def user_table(erd: Erd) -> Table | None:
    """Where the people who log in are kept."""
    with_password = [table for table in erd.tables if any("passw" in column.name for column in table.columns)]
    people = [table for table in erd.tables if _PEOPLE.search(table.name)]
    return next(iter([*with_password, *people]), None)


def login_column(table: Table) -> Column | None:
    """What a person types beside the password."""
    plain = [column for column in table.columns if not column.pk and not column.fk and not is_secret(column)]
    by_name = {column.name: column for column in plain}
    known = [by_name[name] for name in _LOGIN_NAMES if name in by_name]
    return next(iter([*known, *(column for column in plain if column.uq), *plain]), None)


def machine_of(table: Table, prd: Prd, erd: Erd) -> StateMachine | None:
    """The state machine whose states a table's status column holds."""
    terms = {term.term: term for term in prd.glossary}
    for machine in prd.states:
        term = terms.get(machine.entity)
        owner = table_of_term(term, erd) if term else None
        if owner is not None and owner.name == table.name:
            return machine
    return None


def status_column(table: Table, values: Sequence[str] = ()) -> Column | None:
    """The column that holds the state: the one with these values, else one called status or state."""
    same = next(
        (column for column in table.columns if values and column.enum and set(column.enum) == set(values)), None
    )
    return same or next((c for c in table.columns if re.search(r"(^|_)(status|state)$", c.name)), None)


def same_word(one: str, other: str) -> bool:
    """Whether two names differ only in case style and number."""
    return plural(singular(snake(one))) == plural(singular(snake(other)))
