"""An ERD written as lines."""

from dure_spec.artifacts.erd import Erd, Relation, Table
from dure_spec.wire.erd_column import write_column
from dure_spec.wire.erd_finish import META, relations_of
from dure_spec.wire.text import joined


def written(erd: Erd, only: frozenset[str] | None = None) -> str:
    """All lines, or those of some tables. The plain `id` key and relations that follow from keys are left out."""
    lines: list[str] = []
    if only is None and erd.meta != META:
        meta = erd.meta
        audit = joined(meta.audit)
        lines.append(
            f"meta dialect={meta.dialect} pk={meta.pk.replace(' ', '_')} audit={audit} fk_index={meta.fk_index}"
        )
    for table in erd.tables:
        if only is None or table.name in only:
            lines += _table(table)
    if only is None:
        implied = set(relations_of(erd.tables))
        lines += [_relation(relation) for relation in erd.relations if relation not in implied]
    return "\n".join(lines)


def _table(table: Table) -> list[str]:
    lines = [f"@{table.name} {table.logical} {table.kind} {joined(table.reqs)}".rstrip()]
    keys = [column for column in table.columns if column.pk]
    for column in table.columns:
        plain = len(keys) == 1 and column.pk and column.name == "id" and column.type == "bigint" and not column.fk
        lines += [] if plain else [write_column(column)]
    lines += [f"uq({joined(columns)})" for columns in table.uniques]
    lines += [f"ix({joined(columns)})" for columns in table.indexes]
    return lines


def _relation(relation: Relation) -> str:
    optional = " ?" if relation.optional else ""
    return f"R {relation.from_} {relation.card} {relation.to}{f' {relation.via}' if relation.via else ''}{optional}"
