"""Attributes of a business object: which a person writes, which the program writes, which never leave."""

import re
from dataclasses import dataclass

from dure_spec.artifacts.backend import Attribute
from dure_spec.artifacts.erd import Column, Erd, Table
from dure_spec.artifacts.prd import Prd
from dure_spec.derive.schema_view import is_secret, machine_of, status_column, targets
from dure_spec.derive.types import family_of
from dure_spec.derive.words import camel, kebab, plural, singular

_BY_PERSON = re.compile(r"(_by|_by_id)$")
_BY_PROGRAM = re.compile(
    r"^(failed|login|retry|view|read)_count$|^locked_until$|^last_\w+_at$|^(created|updated|deleted)_at$"
)
_MARKED = re.compile(r"(ed|paid|sent|done|begun|lent)_at$")
_NUMBER = re.compile(r"_(no|number)$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A child table that is written with its parent."""

    table: Table
    attribute: str
    required: bool


def bo_id(table: Table) -> str:
    """`BO-order-item` for `order_items`."""
    return f"BO-{kebab(singular(table.name)) or 'object'}"


def line_name(child: Table, parent: Table) -> str:
    """`items` for the order items of an order."""
    owner = set(singular(parent.name).split("_"))
    words = child.name.split("_")
    kept = [word for word in words if singular(word) not in owner]
    return camel(plural("_".join(kept or words)))


def attributes(
    table: Table,
    *,
    prd: Prd,
    erd: Erd,
    parent: Table | None,
    lines: tuple[Line, ...],
    numbered: bool,
    login: bool,
) -> tuple[Attribute, ...]:
    """One attribute per column, a write-only one per secret, one list per line table.

    `numbered` says that the program numbers new records; `login` that people log in with this table.
    """
    by_program = _by_program(table, prd, erd, parent, numbered)
    found = [_attribute(table, column, column.name in by_program) for column in table.columns]
    if login and not any(is_secret(column) and "passw" in column.name for column in table.columns):
        found.append(Attribute(name="password", type="string", computed="checked by the identity provider"))
    taken = {attribute.name for attribute in found}
    for line in lines:
        if line.attribute not in taken:
            found.append(Attribute(name=line.attribute, type=f"{bo_id(line.table)}[]", req=line.required))
    return tuple(found)


def _attribute(table: Table, column: Column, by_program: bool) -> Attribute:
    backed = f"{table.name}.{column.name}"
    if is_secret(column):
        return _secret(column, backed)
    required = not by_program and not column.null and column.default is None
    return Attribute(name=camel(column.name), col=backed, req=required, ro=by_program)


def _secret(column: Column, backed: str) -> Attribute:
    if re.search(r"passw|pwd", column.name):
        how = f"argon2id -> {backed}"
        return Attribute(name="password", type="string", req=not column.null, computed=how)
    name = camel(re.sub(r"_(hash|digest)$", "", column.name))
    return Attribute(name=name, type="string", ro=True, computed=f"generated -> {backed}")


def _by_program(table: Table, prd: Prd, erd: Erd, parent: Table | None, numbered: bool) -> set[str]:
    machine = machine_of(table, prd, erd)
    state = status_column(table, machine.values) if machine else None
    names = {column.name for column in table.columns if _is_kept(column, table, numbered)}
    if state is not None:
        names.add(state.name)
        names |= {c.name for c in table.columns if c.null and family_of(c.type) == "time" and _MARKED.search(c.name)}
    if parent is not None:
        names |= {column.name for column, target in targets(table, erd) if target.name == parent.name}
    return names


def _is_kept(column: Column, table: Table, numbered: bool) -> bool:
    """Whether the program fills the column without being told."""
    name = column.name
    if column.pk:
        return not column.fk and family_of(column.type) in ("int", "uuid")
    if column.derived or _BY_PROGRAM.search(name) or (column.fk and _BY_PERSON.search(name)):
        return True
    if isinstance(column.default, str) and column.default.endswith("()"):
        return True
    own = singular(table.name).rpartition("_")[2]
    return numbered and column.uq and bool(_NUMBER.search(name)) and name.startswith(own)
