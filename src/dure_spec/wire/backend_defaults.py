"""What a backend text need not say: names and flags of attributes, standard paths, outputs, writes and errors."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dure_spec.artifacts.backend import Attribute, Bo, Method, Op, OpError, OpKind
from dure_spec.artifacts.erd import Column, Erd
from dure_spec.derive.schema_view import is_secret, table_named
from dure_spec.derive.words import camel, plural, singular

STANDARD: dict[str, tuple[OpKind, Method, bool]] = {
    "list": ("list", "GET", False),
    "read": ("read", "GET", True),
    "create": ("create", "POST", False),
    "update": ("update", "PATCH", True),
    "delete": ("delete", "DELETE", True),
}
NOT_FOUND = OpError(http=404, code="NOT_FOUND")
_WRITING = ("create", "update", "delete", "transition", "action", "login")


@dataclass(frozen=True, kw_only=True, slots=True)
class Head:
    """An object before its attributes: short name (`order`), table, children and operations."""

    short: str
    table: str
    children: tuple[str, ...]
    ops: tuple[Op, ...]


def standard_path(short: str, *, one: bool) -> str:
    return f"/{plural(short)}{'/{id}' if one else ''}"


def default_writes(kind: OpKind, table: str) -> tuple[str, ...]:
    return (table,) if kind in _WRITING else ()


def default_errors(kind: OpKind) -> tuple[OpError, ...]:
    return (NOT_FOUND,) if kind in ("read", "update", "delete") else ()


def head_of(bo: Bo) -> Head:
    return Head(short=bo.id.removeprefix("BO-"), table=bo.table, children=bo.children, ops=bo.ops)


def default_attributes(head: Head, heads: Iterable[Head], erd: Erd) -> tuple[Attribute, ...]:
    """An attribute per column that is no secret: required where a creation must be given it, read-only where no
    operation takes it."""
    table = table_named(head.table, erd)
    known = list(heads)
    shorts = {other.table: other.short for other in known}
    parent = next((other.table for other in known if f"BO-{head.short}" in other.children), None)
    columns = table.columns if table else ()
    return tuple(_attribute(column, head, shorts, parent) for column in columns if not is_secret(column))


def _attribute(column: Column, head: Head, shorts: Mapping[str, str], parent: str | None) -> Attribute:
    name = attribute_name(column, shorts)
    needed = not column.null and column.default is None
    backed = f"{head.table}.{column.name}"
    if parent is not None and not head.ops:
        kept = (column.pk and not column.fk) or (column.fk or "").partition(".")[0] == parent
        return Attribute(name=name, col=backed, req=needed and not kept, ro=kept)
    taken = {one for op in head.ops for one in op.in_}
    asked = {one for op in head.ops if op.kind in ("create", "login") for one in op.in_}
    return Attribute(name=name, col=backed, req=needed and name in asked, ro=name not in taken)


def attribute_name(column: Column, shorts: Mapping[str, str]) -> str:
    """camelCase; a reference is named after the object that it leads to (`orderId` for BO-order)."""
    target = (column.fk or "").partition(".")[0]
    if target in shorts and column.name == f"{singular(target)}_id":
        return f"{camel(shorts[target])}Id"
    return camel(column.name)


def virtual_required(name: str, ops: Iterable[Op]) -> bool:
    """Whether an attribute without a column must be given: a creation or a login takes it."""
    return any(name in op.in_ for op in ops if op.kind in ("create", "login"))


def infra_tables(erd: Erd, used: Iterable[str]) -> tuple[str, ...]:
    """Histories, logs and settings without an object."""
    handled = set(used)
    return tuple(t.name for t in erd.tables if t.name not in handled and t.kind in ("history", "log", "config"))
