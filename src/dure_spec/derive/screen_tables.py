"""Which table a screen is about: its route says so, else the requirements on it."""

from dure_spec.artifacts.erd import Erd, Table
from dure_spec.artifacts.ia import Screen
from dure_spec.artifacts.prd import Prd
from dure_spec.derive.ia_screens import entity_path
from dure_spec.derive.schema_view import same_word, table_of, table_of_term, user_table


def table_of_screen(screen: Screen, prd: Prd, erd: Erd) -> Table | None:
    """The table of a screen; `None` where the design has no table at all."""
    if screen.type == "auth":
        return user_table(erd) or _by_requirements(screen, prd, erd)
    return _by_route(screen, prd, erd) or _by_requirements(screen, prd, erd)


def _by_route(screen: Screen, prd: Prd, erd: Erd) -> Table | None:
    fixed = [part for part in screen.route.split("/") if part and not part.startswith(":") and part != "new"]
    for part in reversed(fixed):
        for term in prd.glossary:
            if entity_path(term.term, prd) == f"/{part}":
                return table_of_term(term, erd)
        table = next((table for table in erd.tables if same_word(table.name, part)), None)
        if table is not None:
            return table
    return None


def _by_requirements(screen: Screen, prd: Prd, erd: Erd) -> Table | None:
    """The table that most of its requirements are about."""
    votes = [table_of(req, prd, erd) for req in prd.reqs if req.id in screen.reqs]
    names = [table.name for table in votes if table is not None]
    best = max(dict.fromkeys(names), key=names.count, default=None)
    return next((table for table in erd.tables if table.name == best), None) or next(iter(erd.tables), None)
