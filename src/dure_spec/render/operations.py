"""The operations of the backend as people read them: inputs with types, answers, errors, who may call."""

from collections.abc import Mapping
from dataclasses import dataclass

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.backend import Attribute, Bo, Op
from dure_spec.artifacts.erd import Column
from dure_spec.derive.op_labels import button_labels, language_of, op_label


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRow:
    """One attribute of an object, or one input of an operation."""

    name: str
    logical: str
    type: str
    required: bool
    read_only: bool = False
    column: str = ""
    note: str = ""
    enum: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OpRow:
    """One operation."""

    op: Op
    label: str
    inputs: tuple[FieldRow, ...]
    out_bo: str
    """Id of the answered object, empty where it is unknown."""
    many: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BoGroup:
    """A business object with its attributes and operations."""

    bo: Bo
    fields: tuple[FieldRow, ...]
    ops: tuple[OpRow, ...]


def bo_groups(artifacts: Artifacts) -> tuple[BoGroup, ...]:
    """All objects in the order of the artifact; none without a backend."""
    bos = artifacts.backend.bos if artifacts.backend else ()
    columns = columns_of(artifacts)
    names = {bo.id: bo.name for bo in bos}
    lang, buttons = language_of(artifacts), button_labels(artifacts)
    groups: list[BoGroup] = []
    for bo in bos:
        fields = {attr.name: field_row(attr, columns, names) for attr in reversed(bo.attrs)}
        rows = tuple(
            OpRow(
                op=op,
                label=op_label(op, bo, lang=lang, buttons=buttons),
                inputs=tuple(fields.get(name) or _unknown(name) for name in op.in_),
                out_bo=op.out.removesuffix("[]") if op.out.removesuffix("[]") in names else "",
                many=op.out.endswith("[]"),
            )
            for op in bo.ops
        )
        groups.append(BoGroup(bo=bo, fields=tuple(fields[name] for name in reversed(fields)), ops=rows))
    return tuple(groups)


def columns_of(artifacts: Artifacts) -> dict[str, Column]:
    """Every column by `table.column`."""
    tables = artifacts.erd.tables if artifacts.erd else ()
    return {f"{table.name}.{column.name}": column for table in tables for column in table.columns}


def field_row(attr: Attribute, columns: Mapping[str, Column], names: Mapping[str, str]) -> FieldRow:
    """An attribute with what its column, or the object that it holds, says about it."""
    column = columns.get(attr.col or attr.join or "")
    if column is not None:
        logical, kind, enum = column.logical, column.type, column.enum or ()
    else:
        kind, enum = attr.type or "", ()
        logical = names.get(kind.removesuffix("[]"), "")
    return FieldRow(
        name=attr.name,
        logical=logical,
        type=kind,
        required=attr.req,
        read_only=attr.ro,
        column=attr.col or "",
        note=attr.computed or "",
        enum=enum,
    )


def _unknown(name: str) -> FieldRow:
    return FieldRow(name=name, logical="", type="", required=False)
