"""The ERD as lines: `@orders 주문 entity FR-004`, then a column each: `status 상태 varchar(10) =PLACED {PLACED,…}`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast, get_args

from dure_spec.artifacts.erd import Erd, Meta, Relation, Table, TableKind
from dure_spec.artifacts.prd import Prd
from dure_spec.wire.erd_column import ColumnSyntax, read_column
from dure_spec.wire.erd_finish import META, finish, relations_of, typed_references, with_key
from dure_spec.wire.erd_text import written
from dure_spec.wire.parsed import Fault, Parsed
from dure_spec.wire.text import Line, lines_of, split_list

_TABLE = re.compile(
    r"^@\s*([A-Za-z_]\w*)\s+(.*?)\s*\b(entity|junction|code|history|log|config)\b\s*((?:FR-\d+[,\s]*)*)$"
)
_GROUP = re.compile(r"^(uq|ix)\s*\(([^)]*)\)$", re.IGNORECASE)
_RELATION = re.compile(r"^R\s+(\w+)\s+(1:1|1:N|N:M)\s+(\w+)(?:\s+(?!\?)(\w+))?\s*(\?)?$")
_META = re.compile(r"^meta\s+(.+)$")


@dataclass(kw_only=True, slots=True)
class _Draft:
    prd: Prd | None
    meta: Meta = META
    tables: dict[str, Table] = field(default_factory=dict[str, Table])
    relations: list[Relation] = field(default_factory=list[Relation])
    deleted: set[str] = field(default_factory=set[str])
    current: str | None = None
    faults: list[Fault] = field(default_factory=list[Fault])


def parse(text: str, prd: Prd | None = None) -> Parsed[Erd]:
    """Read a whole ERD; the PRD tells derivation rules from others and gives the language."""
    draft = _Draft(prd=prd)
    for line in lines_of(text):
        _read(line, draft)
    if not draft.tables:
        draft.faults.append(Fault(line=0, text="", expected="@table_name label entity FR-001"))
    erd = finish(list(draft.tables.values()), prd=prd, meta=draft.meta, relations=draft.relations)
    return Parsed(artifact=erd, faults=tuple(draft.faults))


def patch(erd: Erd, text: str, prd: Prd | None = None) -> Parsed[Erd]:
    """Take whole tables (`@name …` with all its columns) and relations into an ERD; `DEL table` removes one."""
    draft = _Draft(prd=prd, meta=erd.meta)
    for line in lines_of(text):
        _read(line, draft)
    missing = draft.deleted - {table.name for table in erd.tables}
    draft.faults += [Fault(line=0, text=f"DEL {name}", expected="DEL with a table that exists") for name in missing]
    touched = draft.deleted.union(draft.tables, *((each.from_, each.to) for each in draft.relations))
    kept = [draft.tables.pop(table.name, table) for table in erd.tables if table.name not in draft.deleted]
    tables = typed_references([with_key(table, prd) for table in [*kept, *draft.tables.values()]])
    relations = _relations(erd, tables, draft, touched)
    return Parsed(artifact=Erd(meta=draft.meta, tables=tuple(tables), relations=relations), faults=tuple(draft.faults))


def _relations(before: Erd, tables: Sequence[Table], draft: _Draft, touched: set[str]) -> tuple[Relation, ...]:
    """Those of before, and around tables that were written those that follow now."""
    changed = {(relation.from_, relation.to) for relation in draft.relations}
    holding = [r for r in before.relations if (r.from_, r.to) not in changed and _holds(r, before, tables)]
    found = relations_of(tables, [*holding, *draft.relations])
    right = [each for each in before.relations if touched.isdisjoint((each.from_, each.to, each.via or ""))]
    right += [each for each in found if not touched.isdisjoint((each.from_, each.to, each.via or ""))]
    old = [each for each in before.relations if each in right]
    return (*old, *(each for each in right if each not in old))


def write(erd: Erd) -> str:
    """The whole ERD as lines."""
    return written(erd)


def items(erd: Erd, ids: frozenset[str] | set[str]) -> str:
    """Only these tables; an id is a table or `table.column`."""
    return written(erd, frozenset(name.partition(".")[0] for name in ids))


def _holds(relation: Relation, before: Erd, tables: Sequence[Table]) -> bool:
    """Whether a relation of before still has its foreign key (or its junction)."""
    if relation.via is not None:
        return {relation.from_, relation.to, relation.via} <= {table.name for table in tables}
    one, other = (relation.from_, relation.to), (relation.to, relation.from_)
    old, new = _links(before.tables), _links(tables)
    return one in new if one in old else other in new


def _links(tables: Sequence[Table]) -> set[tuple[str, str]]:
    """Each table that is referenced, with the one that references it."""
    links = {(column.fk.partition(".")[0], table.name) for table in tables for column in table.columns if column.fk}
    return links | {(reference.table, table.name) for table in tables for reference in table.refs}


def _read(line: Line, draft: _Draft) -> None:
    if line.text.startswith("@"):
        _read_table(line, draft)
    elif line.text.startswith("DEL "):
        draft.deleted.add(line.text[4:].strip())
    elif line.text.startswith("R ") and _RELATION.match(line.text):
        _read_relation(line, draft)
    elif _META.match(line.text) and draft.current is None:
        _read_meta(line, draft)
    elif draft.current is not None:
        _read_member(line, draft)


def _read_table(line: Line, draft: _Draft) -> None:
    match = _TABLE.match(line.text)
    if match is None:
        draft.current = None
        expected = "@table_name label entity|junction|code|history|log|config FR-001"
        draft.faults.append(Fault(line=line.number, text=line.text, expected=expected))
        return
    name, logical, kind, reqs = match.groups()
    draft.tables[name] = Table(
        name=name,
        logical=logical or name,
        kind=cast(TableKind, kind),
        reqs=tuple(re.findall(r"FR-\d{3}\b", reqs)),
        columns=(),
    )
    draft.current = name


def _read_member(line: Line, draft: _Draft) -> None:
    table = draft.tables[draft.current or ""]
    group = _GROUP.match(line.text)
    if group is not None:
        key = "uniques" if group[1].lower() == "uq" else "indexes"
        before = table.uniques if key == "uniques" else table.indexes
        draft.tables[table.name] = table.model_copy(update={key: (*before, tuple(split_list(group[2])))})
        return
    derivations = {rule.id for rule in draft.prd.rules if rule.kind == "derivation"} if draft.prd else set[str]()
    column = read_column(line.text, derivations)
    if column is None:
        fault = Fault(line=line.number, text=line.text, expected=ColumnSyntax)
        draft.faults.append(fault)
        return
    kept = tuple(one for one in table.columns if one.name != column.name)
    draft.tables[table.name] = table.model_copy(update={"columns": (*kept, column)})


def _read_relation(line: Line, draft: _Draft) -> None:
    match = _RELATION.match(line.text)
    if match is not None:
        one, card, other, via, optional = match.groups()
        found = {"from": one, "card": card, "to": other, "via": via, "optional": optional is not None}
        draft.relations.append(Relation.model_validate(found))


def _read_meta(line: Line, draft: _Draft) -> None:
    pairs = dict(re.findall(r"(\w+)=(\S+)", line.text))
    found = {
        "dialect": pairs.get("dialect", META.dialect),
        "pk": pairs.get("pk", META.pk).replace("_", " "),
        "audit": tuple(split_list(pairs.get("audit", ""))) if "audit" in pairs else META.audit,
        "fk_index": pairs.get("fk_index", META.fk_index),
    }
    if found["dialect"] in get_args(Meta.model_fields["dialect"].annotation) and found["fk_index"] in (
        "auto",
        "explicit",
    ):
        draft.meta = Meta.model_validate(found)
    else:
        draft.faults.append(
            Fault(line=line.number, text=line.text, expected="meta dialect=postgresql pk=bigint_identity")
        )
