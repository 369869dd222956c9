"""The standard shape of each kind of operation: key, method, path and the errors that it can always meet."""

import re
from dataclasses import dataclass, field

from dure_spec.artifacts.backend import OpKind
from dure_spec.artifacts.erd import Erd, Table
from dure_spec.artifacts.prd import Requirement
from dure_spec.derive.op_drafts import Draft
from dure_spec.derive.picks import OpAction
from dure_spec.derive.schema_view import targets
from dure_spec.derive.verbs import state_verb
from dure_spec.derive.words import kebab, plural

_ORDER: tuple[OpKind, ...] = ("login", "list", "read", "create", "update", "delete", "transition", "action")
_ACTIONS = {
    "notification": ("notify", "notifications"),
    "integration": ("synchronize", "synchronizations"),
    "batch": ("run", "runs"),
}


def base_path(table: Table) -> str:
    """`/purchase-orders` for `purchase_orders`."""
    return f"/{kebab(plural(table.name)) or 'items'}"


@dataclass(kw_only=True, slots=True)
class OpBook:
    """The operations of a whole backend by table and key, in the order in which they were asked for."""

    erd: Erd
    drafts: dict[tuple[str, str], Draft] = field(default_factory=dict[tuple[str, str], Draft])

    def of(self, table: Table) -> list[Draft]:
        found = (draft for (name, _), draft in self.drafts.items() if name == table.name)
        return sorted(found, key=lambda draft: _ORDER.index(draft.kind))

    def get(self, table: Table, key: str) -> Draft | None:
        return self.drafts.get((table.name, key))

    def ask(self, table: Table, action: OpAction, req: Requirement | None, to_state: str | None = None) -> Draft:
        """The operation for an action on a table, made when it is first asked for."""
        draft = _new(table, action, req, to_state)
        known = self.drafts.get((table.name, draft.key))
        if known is not None:
            return known
        if draft.kind == "delete" and self._is_referenced(table):
            draft.fail(409, "IN_USE")
        self.drafts[(table.name, draft.key)] = draft
        return draft

    def _is_referenced(self, table: Table) -> bool:
        keys = (pair for other in self.erd.tables for pair in targets(other, self.erd))
        return any(target.name == table.name and column.on_delete != "CASCADE" for column, target in keys)


def _new(table: Table, action: OpAction, req: Requirement | None, to_state: str | None) -> Draft:
    base = base_path(table)
    one = f"{base}/{{id}}"
    match action:
        case "list" | "report":
            return Draft(table=table.name, key="list", kind="list", method="GET", path=base, many=True)
        case "read":
            return _missing(Draft(table=table.name, key="get", kind="read", method="GET", path=one))
        case "create":
            return Draft(table=table.name, key="create", kind="create", method="POST", path=base, writes=[table.name])
        case "update":
            draft = Draft(table=table.name, key="update", kind="update", method="PATCH", path=one, writes=[table.name])
            return _missing(draft)
        case "delete":
            draft = Draft(table=table.name, key="delete", kind="delete", method="DELETE", path=one, writes=[table.name])
            return _missing(draft)
        case "login":
            return _login(table)
        case "transition":
            return _transition(table, one, to_state)
        case "action":
            return _action(table, base, req)


def _missing(draft: Draft) -> Draft:
    draft.fail(404, "NOT_FOUND")
    return draft


def _login(table: Table) -> Draft:
    draft = Draft(table=table.name, key="login", kind="login", method="POST", path="/auth/login", writes=[table.name])
    draft.fail(401, "BAD_CREDENTIALS")
    if any(column.name.startswith("locked") for column in table.columns):
        draft.fail(423, "LOCKED")
    return draft


def _transition(table: Table, one: str, to_state: str | None) -> Draft:
    verb = state_verb(to_state) if to_state else "change-status"
    key = re.sub(r"[^a-z0-9]+", "-", verb)
    draft = Draft(table=table.name, key=key, kind="transition", method="POST", path=f"{one}/{key}", writes=[table.name])
    return _missing(draft)


def _action(table: Table, base: str, req: Requirement | None) -> Draft:
    key, noun = _ACTIONS.get(req.kind if req else "", ("process", "processings"))
    return Draft(table=table.name, key=key, kind="action", method="POST", path=f"{base}/{noun}", writes=[table.name])
