"""The lines of an ER diagram: one for each foreign key, and one for each relation that no key carries."""

from dataclasses import dataclass
from typing import Literal

from dure_spec.artifacts.erd import Erd, OnDelete
from dure_spec.derive.keys import foreign_keys, unique_keys


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """`parent` is the side that is referenced; for an N:M both sides are equal."""

    parent: str
    child: str
    card: Literal["1:1", "1:N", "N:M"]
    columns: tuple[str, ...] = ()
    """The foreign key's columns in the child; empty where no key carries the relation."""
    targets: tuple[str, ...] = ()
    optional: bool = False
    """A child may be without a parent."""
    on_delete: OnDelete | None = None


def er_edges(erd: Erd) -> tuple[Edge, ...]:
    """All lines between tables that exist, keys first; an N:M with its junction table is drawn by that table's keys."""
    names = {table.name.lower(): table.name for table in erd.tables}
    tables = {table.name.lower(): table for table in erd.tables}
    edges: list[Edge] = []
    for table in erd.tables:
        uniques = {frozenset(key) for key in unique_keys(table)}
        drawn: set[tuple[object, ...]] = set()
        for key in foreign_keys(table, tables):
            target = names.get(key.target.lower())
            mark = (key.columns, key.target.lower(), key.target_columns)
            if target is None or mark in drawn:
                continue
            drawn.add(mark)
            edges.append(
                Edge(
                    parent=target,
                    child=table.name,
                    card="1:1" if frozenset(key.columns) in uniques else "1:N",
                    columns=key.columns,
                    targets=key.target_columns,
                    optional=not key.required,
                    on_delete=key.on_delete,
                )
            )
    return (*edges, *_loose(erd, names, {frozenset((edge.parent, edge.child)) for edge in edges}))


def _loose(erd: Erd, names: dict[str, str], joined: set[frozenset[str]]) -> list[Edge]:
    loose: list[Edge] = []
    for relation in erd.relations:
        parent, child = names.get(relation.from_.lower()), names.get(relation.to.lower())
        if parent is None or child is None or frozenset((parent, child)) in joined:
            continue
        if relation.card == "N:M" and (relation.via or "").lower() in names:
            continue
        joined.add(frozenset((parent, child)))
        loose.append(Edge(parent=parent, child=child, card=relation.card, optional=relation.optional))
    return loose
