"""V13, creations: every column that must have a value gets one, from the caller or from the program."""

import re
from collections.abc import Iterator

from dure_spec.artifacts.backend import Attribute, Bo
from dure_spec.artifacts.erd import Column
from dure_spec.artifacts.findings import Change
from dure_spec.derive.ddl_columns import is_generated_key
from dure_spec.derive.keys import audit_columns
from dure_spec.derive.words import camel, snake
from dure_spec.validators.index import Index, OpPlace, TablePlace
from dure_spec.validators.list_steps import appended
from dure_spec.validators.policy import Draft, Text, backend_draft
from dure_spec.validators.secrets import is_secret_name

_UNSET = Text(
    "{table}의 NOT NULL 컬럼 {name}을(를) 채우지 않아 등록이 항상 실패합니다 (속성이 없는 필수 컬럼: {unmapped})",
    "NOT NULL column {name} of {table} is never set, so every create fails; required columns without an attribute: "
    "{unmapped}",
)
_NONE = "-"


def check_create(index: Index, place: OpPlace) -> Iterator[Draft]:
    """Columns that the creation leaves empty, in its own table and in those of the lines that come with it."""
    named = index.bos[place.bo.id]
    yield from _unset(index, place, place.bo, f"{place.path}/in", own=True)
    for name in dict.fromkeys(place.op.in_):
        attribute = named.attributes.get(name)
        line = index.bos.get((attribute.type or "").removesuffix("[]")) if attribute else None
        if line is not None and line.bo.id != place.bo.id:
            yield from _unset(index, place, line.bo, f"{line.path}/attrs", own=False)


def missing_attribute(index: Index, place: OpPlace, name: str) -> tuple[Change, ...]:
    """The attribute that an input speaks of, where its table has a column of that name and nothing else shows it."""
    table = index.tables.get(place.bo.table.lower())
    column = table.columns.get(snake(name)) if table else None
    if table is None or column is None or is_secret_name(name) or _attribute_of(place.bo, table, column) is not None:
        return ()
    return _added(index, place.bo, table, column, name)


def _unset(index: Index, place: OpPlace, bo: Bo, path: str, *, own: bool) -> Iterator[Draft]:
    table = index.tables.get(bo.table.lower())
    if table is None:
        return
    needed = list(_needed(index, table))
    unmapped = [column.name for column in needed if _attribute_of(bo, table, column) is None]
    for column in needed:
        reference = f"{table.table.name}.{column.name}"
        attribute = _attribute_of(bo, table, column)
        if _is_set(place, bo, table, column, attribute, own=own):
            continue
        wish = attribute.name if attribute else camel(column.name)
        others = tuple(camel(name) for name in unmapped if name != column.name)
        yield backend_draft(
            path,
            place.op.id,
            _UNSET,
            {"name": reference, "table": table.table.name, "unmapped": ", ".join(unmapped) or _NONE},
            (wish, *others)[:5],
            topic="" if own else f"unset:{reference.lower()}",
            cause=f"unset:{reference.lower()}",
            patch=_repair(index, place, bo, table, column, attribute, own=own),
        )


def _needed(index: Index, table: TablePlace) -> Iterator[Column]:
    """Columns that an INSERT must name: no default, no NULL, and the program does not fill them by itself."""
    erd = index.artifacts.erd
    if erd is None:
        return
    kept = {column.name for column in audit_columns(erd, table.table)}
    for column in table.columns.values():
        optional = column.null or column.default is not None or column.derived or column.name in kept
        own_uuid = column.pk and column.fk is None and column.type.strip().lower() == "uuid"
        if not (optional or own_uuid or is_generated_key(erd, table.table, column)):
            yield column


def _attribute_of(bo: Bo, table: TablePlace, column: Column) -> Attribute | None:
    reference = f"{table.table.name}.{column.name}".lower()
    return next((attr for attr in bo.attrs if (attr.col or "").lower() == reference), None)


def _is_set(
    place: OpPlace, bo: Bo, table: TablePlace, column: Column, attribute: Attribute | None, *, own: bool
) -> bool:
    """By the caller, or by the program: read-only and computed attributes are its business, and so is the key of a
    parent. What is computed from an input needs the input."""
    if attribute is not None:
        by_program = attribute.ro or attribute.computed is not None
        return by_program or not own or _is_given(place, attribute)
    full, bare = re.escape(f"{table.table.name}.{column.name}"), re.escape(column.name)
    said = re.compile(rf"(?<![\w.]){full}(?!\w)|(?<![\w.]){bare}\s*[-+*/]?=|->\s*{bare}(?!\w)", re.I)
    for other in bo.attrs:
        if said.search(other.computed or ""):
            return other.ro or other.col is not None or not own or _is_given(place, other)
    return False


def _is_given(place: OpPlace, attribute: Attribute) -> bool:
    in_path = f"{{{attribute.name}}}" in place.op.path or f":{attribute.name}" in place.op.path.split("/")
    return in_path or attribute.name in place.op.in_


def _repair(
    index: Index, place: OpPlace, bo: Bo, table: TablePlace, column: Column, attribute: Attribute | None, *, own: bool
) -> tuple[Change, ...]:
    """The attribute, where there is none, and for the object's own table the input."""
    name = attribute.name if attribute else camel(column.name)
    if attribute is None and (is_secret_name(column.name) or any(each.name == name for each in bo.attrs)):
        return ()
    steps = () if attribute else _added(index, bo, table, column, name)
    if own and name not in place.op.in_:
        steps = (*steps, *appended("backend", f"{place.path}/in", place.op.in_, name))
    return steps


def _added(index: Index, bo: Bo, table: TablePlace, column: Column, name: str) -> tuple[Change, ...]:
    new = Attribute(
        name=name,
        col=f"{table.table.name}.{column.name}",
        req=not column.null and column.default is None,
        ro=column.derived is not None,
    )
    old = [attr.model_dump(mode="json", by_alias=True) for attr in bo.attrs]
    path = f"{index.bos[bo.id].path}/attrs"
    return appended("backend", path, old, new.model_dump(mode="json", by_alias=True))
