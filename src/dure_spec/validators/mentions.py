"""Every place of the artifacts that names a table or a column, by the name it gives."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dure_spec.artifacts.backend import Backend, Bo
from dure_spec.artifacts.erd import Erd, Table
from dure_spec.artifacts.shared import Stage
from dure_spec.derive.keys import split_reference
from dure_spec.validators.index import Index

_WORD = re.compile(r"[^\W\d][\w$#]*")
_QUALIFIED = re.compile(r"([^\W\d]\w*)\.([^\W\d]\w*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A text that names something; `label` is what a person calls the place."""

    stage: Stage
    path: str
    text: str
    label: str


ColumnName = tuple[str, str]
"""Table and column, both in lower case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions:
    """Mentions by lower-case name; the declaration itself is not among them."""

    tables: dict[str, list[Mention]]
    columns: dict[ColumnName, list[Mention]]


def find_mentions(index: Index) -> Mentions:
    """Read the tables and the business objects once."""
    found = Mentions(tables={}, columns={})
    erd, backend = index.artifacts.erd, index.artifacts.backend
    for names, mention in _all(erd, backend):
        for table, column in names:
            if column:
                found.columns.setdefault((table, column), []).append(mention)
            else:
                found.tables.setdefault(table, []).append(mention)
    return found


_Named = tuple[tuple[ColumnName, ...], Mention]


def _all(erd: Erd | None, backend: Backend | None) -> Iterator[_Named]:
    for number, table in enumerate(erd.tables if erd else ()):
        yield from _columns(table, f"/tables/{number}")
        yield from _groups(table, f"/tables/{number}")
    for number, relation in enumerate(erd.relations if erd else ()):
        for end, name in (("from", relation.from_), ("to", relation.to), ("via", relation.via)):
            if name:
                yield _table("dba", f"/relations/{number}/{end}", name, f"relations[{number}].{end}")
    for number, bo in enumerate(backend.bos if backend else ()):
        yield from _object(bo, f"/bos/{number}")
    for number, name in enumerate(backend.infra_tables if backend else ()):
        yield _table("backend", f"/infra_tables/{number}", name, f"infra_tables[{number}]")


def _columns(table: Table, path: str) -> Iterator[_Named]:
    own = {column.name.lower() for column in table.columns}
    for number, column in enumerate(table.columns):
        label = f"{table.name}.{column.name}"
        if column.fk:
            yield from _pair("dba", f"{path}/columns/{number}/fk", column.fk, label)
        if column.check:
            names = [(table.name.lower(), word) for word in _words(column.check) if word in own]
            names += [(name, "") for name, _ in _qualified(column.check)]
            names += [(table.name.lower(), name) for name in own if not _WORD.fullmatch(name)]
            place = f"{path}/columns/{number}/check"
            yield tuple(names), Mention(stage="dba", path=place, text=column.check, label=f"{label} check")


def _groups(table: Table, path: str) -> Iterator[_Named]:
    groups = [("uniques", number, group) for number, group in enumerate(table.uniques)]
    groups += [("indexes", number, group) for number, group in enumerate(table.indexes)]
    for field, number, group in groups:
        for position, name in enumerate(group):
            place = f"{path}/{field}/{number}/{position}"
            yield _column("dba", place, table.name, name, f"{table.name}.{field}[{number}]")
    for number, reference in enumerate(table.refs):
        place, label = f"{path}/refs/{number}", f"{table.name}({', '.join(reference.columns)})"
        yield _table("dba", f"{place}/table", reference.table, label)
        for position, name in enumerate(reference.columns):
            yield _column("dba", f"{place}/columns/{position}", table.name, name, label)
        for position, name in enumerate(reference.targets):
            yield _column("dba", f"{place}/targets/{position}", reference.table, name, label)


def _object(bo: Bo, path: str) -> Iterator[_Named]:
    yield _table("backend", f"{path}/table", bo.table, f"{bo.id}.table")
    for number, attribute in enumerate(bo.attrs):
        place, label = f"{path}/attrs/{number}", f"{bo.id}.{attribute.name}"
        for field, value in (("col", attribute.col), ("join", attribute.join)):
            if value:
                yield from _pair("backend", f"{place}/{field}", value, label)
        if attribute.computed:
            qualified = _qualified(attribute.computed)
            names = [(name, "") for name, _ in qualified] + list(qualified)
            names += [(bo.table.lower(), word) for word in _words(attribute.computed)]
            mention = Mention(stage="backend", path=f"{place}/computed", text=attribute.computed, label=label)
            yield tuple(dict.fromkeys(names)), mention
    for number, op in enumerate(bo.ops):
        for position, name in enumerate(op.writes):
            yield _table("backend", f"{path}/ops/{number}/writes/{position}", name, f"{op.id}.writes")


def _table(stage: Stage, path: str, name: str, label: str) -> _Named:
    return ((name.strip().lower(), ""),), Mention(stage=stage, path=path, text=name, label=label)


def _column(stage: Stage, path: str, table: str, name: str, label: str) -> _Named:
    return ((table.lower(), name.lower()),), Mention(stage=stage, path=path, text=name, label=label)


def _pair(stage: Stage, path: str, text: str, label: str) -> Iterator[_Named]:
    pair = split_reference(text)
    if pair:
        table, column = pair[0].lower(), pair[1].lower()
        yield ((table, ""), (table, column)), Mention(stage=stage, path=path, text=text, label=label)


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}


def _qualified(text: str) -> list[ColumnName]:
    return [(table.lower(), column.lower()) for table, column in _QUALIFIED.findall(text)]
