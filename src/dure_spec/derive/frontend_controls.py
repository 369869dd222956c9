"""Controls for attributes: the kind by column type, the limits by length and check, the label by logical name."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from dure_spec.artifacts.backend import Attribute, Backend, Bo, Op
from dure_spec.artifacts.erd import Column, Erd
from dure_spec.artifacts.frontend import Control, ControlKind
from dure_spec.artifacts.shared import Language
from dure_spec.derive.labels import column_label
from dure_spec.derive.schema_view import table_named
from dure_spec.derive.types import family_of, parse_type

_MONEY = re.compile(
    r"(^|_)(amount|price|fee|cost|total|balance|salary|wage|budget|deposit|tuition|charge|discount)($|_)"
)
_CHECK = re.compile(r"^\s*(\w+)\s*(>=?)\s*(-?\d+(?:\.\d+)?)\s*$")
_LONG = 500
_OWN_WORDS: dict[Language, dict[str, str]] = {"ko": {"password": "비밀번호"}, "en": {"password": "Password"}}


@dataclass(frozen=True, kw_only=True, slots=True)
class Shelf:
    """What controls are made from."""

    erd: Erd
    backend: Backend
    lang: Language

    def column(self, attribute: Attribute) -> Column | None:
        name, _, column = (attribute.col or "").partition(".")
        table = table_named(name, self.erd)
        return next((c for c in table.columns if c.name == column), None) if table else None

    def bo(self, bo_id: str) -> Bo | None:
        return next((bo for bo in self.backend.bos if bo.id == bo_id), None)

    def bo_of(self, table: str) -> Bo | None:
        return next((bo for bo in self.backend.bos if bo.table == table), None)

    def list_op(self, table: str) -> Op | None:
        bo = self.bo_of(table)
        return next((op for op in bo.ops if op.kind == "list"), None) if bo else None


MayCall = Callable[[Op], bool]


def is_shown(attribute: Attribute) -> bool:
    """Whether a value may be read back: secrets and inputs of the moment may not."""
    return attribute.col is not None or (attribute.type or "").startswith("BO-")


def input_control(attribute: Attribute, shelf: Shelf, may_call: MayCall) -> Control:
    """The control with which a person writes an attribute."""
    column = shelf.column(attribute)
    if column is None:
        return _virtual(attribute, shelf, may_call, editable=True)
    source = _source(column, shelf, may_call)
    kind = _kind(column, source is not None)
    return Control(
        kind=kind,
        label=_label(column),
        bind=attribute.name,
        req=attribute.req,
        min=_minimum(column),
        max=_maximum(column) if kind in ("text", "textarea") else None,
        source=source,
        options="enum" if column.enum else None,
    )


def output_control(attribute: Attribute, shelf: Shelf, may_call: MayCall) -> Control:
    """The control that shows an attribute."""
    column = shelf.column(attribute)
    if column is None:
        return _virtual(attribute, shelf, may_call, editable=False)
    source = _source(column, shelf, may_call)
    kind: ControlKind = "badge" if column.enum else _kind(column, source is not None)
    return Control(kind=kind, label=_label(column), bind=attribute.name, ro=True, source=source)


def _virtual(attribute: Attribute, shelf: Shelf, may_call: MayCall, *, editable: bool) -> Control:
    label = _OWN_WORDS[shelf.lang].get(attribute.name)
    child = shelf.bo((attribute.type or "").removesuffix("[]"))
    if child is not None:
        source = _line_source(child, shelf, may_call) if editable else None
        return Control(
            kind="lines", label=child.name, bind=attribute.name, req=attribute.req and editable, ro=not editable,
            source=source,
        )  # fmt: skip
    kind: ControlKind = "password" if attribute.name == "password" else "number" if _is_number(attribute) else "text"
    text = label or column_label(attribute.name, lang=shelf.lang).text
    return Control(kind=kind, label=text, bind=attribute.name, req=attribute.req and editable, ro=not editable)


def _is_number(attribute: Attribute) -> bool:
    return attribute.type in ("integer", "number")


def _line_source(child: Bo, shelf: Shelf, may_call: MayCall) -> str | None:
    for attribute in child.attrs:
        column = shelf.column(attribute)
        source = _source(column, shelf, may_call) if column is not None and not attribute.ro else None
        if source is not None:
            return source
    return None


def _source(column: Column, shelf: Shelf, may_call: MayCall) -> str | None:
    op = shelf.list_op(column.fk.partition(".")[0]) if column.fk else None
    return op.id if op is not None and may_call(op) else None


def _label(column: Column) -> str:
    if not column.fk:
        return column.logical
    short = re.sub(r"\s*(ID|아이디)$", "", column.logical)
    return short or column.logical


def _kind(column: Column, selectable: bool) -> ControlKind:
    if selectable or column.enum:
        return "select"
    parsed = parse_type(column.type)
    match family_of(column.type):
        case "bool":
            return "switch"
        case "time":
            return "date" if parsed is not None and parsed.name == "date" else "datetime"
        case "int" | "dec" | "float":
            return "money" if not column.fk and _MONEY.search(column.name) else "number"
        case "bin":
            return "file"
        case "json":
            return "textarea"
        case _:
            length = parsed.length if parsed else None
            long = parsed is not None and (parsed.name == "text" or (length or 0) >= _LONG)
            return "textarea" if long else "text"


def _maximum(column: Column) -> float | None:
    parsed = parse_type(column.type)
    return float(parsed.length) if parsed is not None and parsed.length else None


def _minimum(column: Column) -> float | None:
    """The lower bound that a check of the form `x >= 0` gives; the smallest step above for `x > 0`."""
    match = _CHECK.match(column.check or "")
    if match is None or match[1] != column.name:
        return None
    bound = float(match[3])
    if match[2] == ">=":
        return bound
    parsed = parse_type(column.type)
    digits = parsed.size[1] if parsed is not None and len(parsed.size) == 2 else 0
    return round(bound + 10**-digits, digits)
