"""What both readers of an ERD add by convention: keys, types of references, labels, kinds, requirements, relations."""

import re
from collections.abc import Sequence

from dure_spec.artifacts.erd import Column, Erd, Meta, Relation, Table, TableKind
from dure_spec.artifacts.prd import Prd
from dure_spec.derive.labels import column_label, glossary_words
from dure_spec.derive.schema_view import table_named, term_of_table
from dure_spec.derive.words import singular

META = Meta(dialect="postgresql", pk="bigint identity", audit=("created_at", "updated_at"))
_HISTORY = re.compile(r"_(history|histories|logs?|audits?|events?)$")


def finish(tables: Sequence[Table], *, prd: Prd | None, meta: Meta = META, relations: Sequence[Relation] = ()) -> Erd:
    """An ERD from tables; the given relations win over those that follow from the foreign keys."""
    keyed = [with_key(table, prd) for table in tables]
    typed = typed_references(keyed)
    return Erd(meta=meta, tables=tuple(typed), relations=relations_of(typed, relations))


def with_key(table: Table, prd: Prd | None) -> Table:
    """The table with an `id` where it declares no key; a `bigint` key has no default and is never null."""
    if any(column.pk for column in table.columns):
        return table
    label = column_label("id", lang=prd.project.lang if prd else "ko", own=table.logical)
    key = Column(name="id", logical=label.text, type="bigint", pk=True)
    rest = tuple(column for column in table.columns if column.name != "id")
    return table.model_copy(update={"columns": (key, *rest)})


def typed_references(tables: Sequence[Table]) -> list[Table]:
    """Each foreign key column has exactly the type of what it refers to; chains of keys are followed."""
    types = {f"{table.name}.{column.name}": column.type for table in tables for column in table.columns}
    links = {f"{t.name}.{c.name}": c.fk for t in tables for c in t.columns if c.fk}

    def resolved(name: str) -> str | None:
        seen: set[str] = set()
        while name in links and name not in seen:
            seen.add(name)
            name = links[name]
        return types.get(name)

    def fixed(table: Table, column: Column) -> Column:
        found = resolved(f"{table.name}.{column.name}") if column.fk else None
        return column.model_copy(update={"type": found}) if found else column

    return [
        table.model_copy(update={"columns": tuple(fixed(table, column) for column in table.columns)})
        for table in tables
    ]


def relations_of(tables: Sequence[Table], given: Sequence[Relation] = ()) -> tuple[Relation, ...]:
    """One relation per foreign key, an N:M over each junction, and what was said besides."""
    names = {table.name for table in tables}
    said = {(relation.from_, relation.to): relation for relation in given}
    found: dict[tuple[str, str], Relation] = {}
    for table in tables:
        for column in table.columns:
            target = column.fk.partition(".")[0] if column.fk else ""
            if target in names and (target, table.name) not in found:
                found[(target, table.name)] = said.pop((target, table.name), None) or _one(table, column, target)
        for relation in _many(table, names):
            pair = (relation.from_, relation.to)
            found.setdefault(pair, said.pop(pair, None) or relation)
    return (*found.values(), *said.values())


def _one(table: Table, column: Column, target: str) -> Relation:
    unique = column.uq or (column.pk and sum(c.pk for c in table.columns) == 1)
    found = {"from": target, "to": table.name, "card": "1:1" if unique else "1:N", "optional": column.null}
    return Relation.model_validate(found)


def _many(table: Table, names: set[str]) -> list[Relation]:
    """The N:M that a junction carries."""
    ends = [c.fk.partition(".")[0] for c in table.columns if c.fk]
    if table.kind != "junction" or len(ends) != 2 or ends[0] == ends[1] or not set(ends) <= names:
        return []
    return [Relation.model_validate({"from": ends[0], "to": ends[1], "card": "N:M", "via": table.name})]


def guessed_kind(name: str, columns: Sequence[Column]) -> TableKind:
    """History and log by name; a junction has two references and little else; all others are entities."""
    if _HISTORY.search(name):
        return "history" if "histor" in name else "log"
    references = [column for column in columns if column.fk]
    own = [column for column in columns if not column.fk and not (column.pk and column.name == "id")]
    plain = [column for column in own if column.name not in ("created_at", "updated_at")]
    two_ends = len({column.fk for column in references}) == 2 and len(references) == 2
    if two_ends and not plain:
        return "junction"
    code = {column.name for column in columns} <= {"id", "code", "name", "sort_order", "is_active"}
    return "code" if code and not references and any(column.name == "code" for column in columns) else "entity"


def table_label(table: Table, prd: Prd) -> str:
    """The glossary's word for a table, else its name put together word by word."""
    term = term_of_table(table, prd)
    if term is not None:
        return term.term
    return column_label(singular(table.name), lang=prd.project.lang, glossary=glossary_words(prd)).text


def served_by(table: Table, prd: Prd, erd_tables: Sequence[Table]) -> tuple[str, ...]:
    """Requirements that name the table's term; a table without a term serves what its neighbours serve."""
    term = term_of_table(table, prd)
    if term is not None:
        named = tuple(req.id for req in prd.reqs if term.term in req.entities)
        if named:
            return named
    terms = _near_terms(table, prd, erd_tables)
    near = [req for name in terms for req in prd.reqs if name in req.entities]
    moving = [req.id for req in near if req.kind == "workflow"]
    if table.kind in ("history", "log") and moving:
        return tuple(dict.fromkeys(moving))
    shared = [req.id for req in near if set(terms) <= set(req.entities)]
    return tuple(dict.fromkeys(shared)) or tuple(req.id for req in (*near, *prd.reqs))[:1]


def _near_terms(table: Table, prd: Prd, tables: Sequence[Table]) -> list[str]:
    """Terms of the tables that this one belongs to; who did something is not what it belongs to."""
    erd = Erd(meta=META, tables=tuple(tables), relations=())
    owners = [c for c in table.columns if c.fk and not re.search(r"_by(_id)?$", c.name)]
    targets = [table_named((c.fk or "").partition(".")[0], erd) for c in owners]
    sources = [one for one in tables if any((c.fk or "").partition(".")[0] == table.name for c in one.columns)]
    near = [one for one in (targets or sources) if one is not None and one.name != table.name]
    return [found.term for one in near for found in [term_of_table(one, prd)] if found is not None]
