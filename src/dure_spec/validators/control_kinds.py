"""Which control can show or take the values of an attribute."""

from dure_spec.artifacts.backend import Attribute
from dure_spec.artifacts.frontend import ControlKind
from dure_spec.derive.types import Family, SqlType, parse_type
from dure_spec.derive.words import parts
from dure_spec.validators.index import Index

Kinds = frozenset[ControlKind]

_CHOICE: Kinds = frozenset({"select", "radio", "badge"})
_OF_FAMILY: dict[Family, Kinds] = {
    "int": frozenset({"number", "money", "select", "radio"}),
    "dec": frozenset({"number", "money"}),
    "float": frozenset({"number", "money"}),
    "str": frozenset({"text", "textarea", "password", "select", "radio", "badge", "file"}),
    "time": frozenset({"date", "datetime"}),
    "bool": frozenset({"switch", "checkbox", "radio", "select", "badge"}),
    "uuid": frozenset({"text", "select"}),
    "json": frozenset({"textarea", "lines", "text", "file"}),
    "bin": frozenset({"file"}),
}
_SHOWN: Kinds = frozenset({"text", "badge", "textarea"})
_LINES: Kinds = frozenset({"lines", "select", "checkbox", "file"})
_MANY: Kinds = frozenset({"lines", "select", "checkbox", "file", "textarea", "text"})
_PASSWORD_WORDS = frozenset({"password", "passwd", "pwd", "passcode"})
_BUTTON: Kinds = frozenset({"button"})
_TEXT: Kinds = frozenset({"text"})
_PASSWORD: Kinds = frozenset({"password"})
_TYPED = frozenset({"time", "interval", "year"})
"""Times that no calendar can pick; they are written."""


def allowed_kinds(index: Index, attribute: Attribute, *, read_only: bool) -> Kinds:
    """Kinds of control for the attribute; empty where nothing is known of its type."""
    kinds = _by_type(index, attribute)
    if not kinds:
        return kinds
    if read_only:
        return kinds | _BUTTON | _SHOWN
    hidden = "password" in kinds and _PASSWORD_WORDS & set(parts(attribute.name))
    return (_PASSWORD if hidden else kinds) | _BUTTON


def max_length(index: Index, attribute: Attribute) -> int | None:
    """Greatest number of characters that the attribute's column or type holds."""
    column = index.column(attribute.col) if attribute.col else None
    parsed = parse_type(column.type if column else attribute.type or "")
    return parsed.length if parsed else None


def _by_type(index: Index, attribute: Attribute) -> Kinds:
    if not attribute.col:
        return _virtual(attribute.type or "")
    column = index.column(attribute.col)
    parsed = parse_type(column.type) if column else None
    if column is None or parsed is None:
        return frozenset()
    if parsed.array:
        return _MANY
    if column.enum:
        return _CHOICE
    kinds = _of(parsed)
    return kinds | _CHOICE if column.fk else kinds


def _virtual(name: str) -> Kinds:
    if name.startswith("BO-"):
        return _LINES
    if name.endswith("[]"):
        return _MANY
    parsed = parse_type(name)
    return _of(parsed) if parsed else frozenset()


def _of(sql_type: SqlType) -> Kinds:
    kinds = _OF_FAMILY[sql_type.family]
    return kinds | _TEXT if sql_type.name in _TYPED else kinds
