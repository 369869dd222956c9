"""The ERD as DBML, with notes, enumerations, indexes and references."""

import re

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.erd import Column, Dialect, Erd, Table
from dure_spec.derive.er_edges import Edge, er_edges
from dure_spec.derive.keys import primary_key, referencing
from dure_spec.derive.labelled_columns import labelled_columns
from dure_spec.derive.op_labels import language_of
from dure_spec.derive.types import family_of

_DIALECTS: dict[Dialect, str] = {
    "postgresql": "PostgreSQL",
    "sqlite": "SQLite",
    "mysql": "MySQL",
    "oracle": "Oracle",
}
_SIGNS = {"1:1": "-", "1:N": ">", "N:M": "<>"}
_SIMPLE_TYPE = re.compile(r"[A-Za-z_]\w*(\(\d+(,\s*\d+)?\))?(\[\])?")


def dbml_source(artifacts: Artifacts) -> str:
    """The whole schema; a run without an ERD gives an empty project."""
    project, erd = artifacts.prd.project if artifacts.prd else None, artifacts.erd
    blocks = [_project(project.name if project else "design", project.summary if project else "", erd)]
    if erd:
        blocks += [block for table in erd.tables for block in _enums(table)]
        lang = language_of(artifacts)
        blocks += [_table(table, labelled_columns(erd, table, lang=lang)) for table in erd.tables]
        blocks += [_reference(edge) for edge in er_edges(erd) if edge.columns]
    return "\n\n".join(blocks) + "\n"


def _project(name: str, summary: str, erd: Erd | None) -> str:
    lines = [f"Project {_name(name)} {{"]
    if erd:
        lines.append(f"  database_type: {_text(_DIALECTS[erd.meta.dialect])}")
    if summary:
        lines.append(f"  Note: {_text(summary)}")
    return "\n".join([*lines, "}"])


def _enums(table: Table) -> list[str]:
    blocks: list[str] = []
    for column in table.columns:
        if column.enum:
            values = "\n".join(f"  {_name(value)}" for value in dict.fromkeys(column.enum))
            blocks.append(f"Enum {_name(_enum_name(table, column))} {{\n{values}\n}}")
    return blocks


def _table(table: Table, columns: tuple[Column, ...]) -> str:
    lines = [f"Table {_name(table.name)} {{"]
    single = len(primary_key(table)) == 1
    lines += [_column(table, column, single=single) for column in columns]
    indexes = [] if single or not primary_key(table) else [f"    {_columns(primary_key(table))} [pk]"]
    indexes += [f"    {_columns(key)} [unique]" for key in table.uniques if key]
    indexes += [f"    {_columns(key)}" for key in table.indexes if key]
    if indexes:
        lines += ["", "  indexes {", *indexes, "  }"]
    return "\n".join([*lines, "", f"  Note: {_text(table.logical)}", "}"])


def _column(table: Table, column: Column, *, single: bool) -> str:
    settings: list[str] = []
    if column.pk and single:
        settings.append("pk")
        if family_of(column.type) == "int" and column.name not in referencing(table):
            settings.append("increment")
    elif not column.null:
        settings.append("not null")
    if column.uq:
        settings.append("unique")
    if column.default is not None:
        settings.append(f"default: {_default(column.default)}")
    rule = column.rule or column.derived
    note = " · ".join(part for part in (column.logical, rule, column.check) if part)
    settings.append(f"note: {_text(note)}")
    kind = _name(_enum_name(table, column)) if column.enum else _type(column.type)
    return f"  {_name(column.name)} {kind} [{', '.join(settings)}]"


def _reference(edge: Edge) -> str:
    setting = f" [delete: {edge.on_delete.lower()}]" if edge.on_delete else ""
    child, parent = f"{_name(edge.child)}.{_columns(edge.columns)}", f"{_name(edge.parent)}.{_columns(edge.targets)}"
    return f"Ref: {child} {_SIGNS[edge.card]} {parent}{setting}"


def _enum_name(table: Table, column: Column) -> str:
    return f"{table.name}_{column.name}"


def _columns(names: tuple[str, ...]) -> str:
    return _name(names[0]) if len(names) == 1 else f"({', '.join(_name(name) for name in names)})"


def _type(text: str) -> str:
    compact = " ".join(text.split())
    return compact.replace(", ", ",") if _SIMPLE_TYPE.fullmatch(compact) else _name(compact)


def _default(value: float | str) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    if value.endswith(")") or value.upper().startswith("CURRENT_"):
        return f"`{value.replace('`', '')}`"
    return _text(value[1:-1] if len(value) > 1 and value[0] == value[-1] == "'" else value)


def _name(text: str) -> str:
    return '"' + " ".join(text.replace("\\", "").replace('"', "'").split()) + '"'


def _text(text: str) -> str:
    return "'" + " ".join(text.split()).replace("\\", "\\\\").replace("'", "\\'") + "'"
