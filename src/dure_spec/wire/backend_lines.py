"""Single lines of the backend text, read and written: an object, an operation, an attribute that differs."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, get_args

from dure_spec.artifacts.backend import Attribute, Bo, Method, Op, OpError, OpKind
from dure_spec.artifacts.erd import Erd
from dure_spec.derive.schema_view import same_word
from dure_spec.derive.words import kebab
from dure_spec.wire.backend_defaults import (
    STANDARD,
    Head,
    default_errors,
    default_writes,
    standard_path,
    virtual_required,
)
from dure_spec.wire.text import joined, split_list

OBJECT_SYNTAX: Final = "@name table_name [+attribute:type(how it is computed)] [has BO-child]"
OP_SYNTAX: Final = (
    "list|read|create|update|delete A1 FR-001, or key kind METHOD /path A1 FR-001; then in:a,b BR-01 w:tables !409 CODE"
)
ATTRIBUTE_SYNTAX: Final = ". name[!][~] =table.column :type (how it is computed), or . -name"
_OBJECT = re.compile(r"^@\s*(?:BO-)?([\w-]+)\s+(\w+)(.*)$")
_VIRTUAL = re.compile(r"\+(\w+):([\w\[\]-]+)(?:\(((?:[^()]|\([^()]*\))*)\))?")
_CHILD = re.compile(r"\bBO-[a-z0-9-]+")
_OPTION = re.compile(r"in:\s*([\w, ]*?\w)(?=\s+(?:BR-|w:|!|->|$)|$)|w:\s*([\w,-]+)|!\s*(\d{3}\s+\w+|none)|->\s*(\S+)")
_OVERRIDE = re.compile(
    r"^\.\s*(\w+)(!)?(~)?(?:\s*=\s*([\w.]+))?(?:\s*:\s*([\w\[\]-]+))?(?:\s*\((.*?)\))?(?:\s+join=(.+))?$"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Override:
    """An attribute as it is, or not at all."""

    attribute: Attribute
    removed: bool = False


def read_object(text: str, erd: Erd) -> tuple[Head, str | None, tuple[Attribute, ...]] | None:
    """Head, name and attributes without a column."""
    match = _OBJECT.match(text)
    if match is None:
        return None
    rest = match[3]
    quoted = re.search(r'"([^"]+)"', rest)
    table = next((t.name for t in erd.tables if t.name == match[2] or same_word(t.name, match[2])), match[2])
    has = rest.partition(" has ")[2]
    virtuals = tuple(
        Attribute(name=name, type=kind, computed=how or None) for name, kind, how in _VIRTUAL.findall(rest)
    )
    head = Head(short=kebab(match[1]), table=table, children=tuple(_CHILD.findall(has)), ops=())
    return head, quoted[1] if quoted else None, virtuals


def read_op(text: str, short: str, table: str) -> Op | None:
    """An operation, or `None` where the line is none."""
    words = text.split()
    custom = len(words) > 3 and words[1] in get_args(OpKind) and words[2].upper() in get_args(Method)
    if custom:
        key, kind, method, path = words[0], words[1], words[2].upper(), words[3]
        rest = text.split(None, 4)[4] if len(words) > 4 else ""
    elif words and words[0] in STANDARD:
        kind, method, one = STANDARD[words[0]]
        key, path = words[0], standard_path(short, one=one)
        rest = text.partition(" ")[2]
    else:
        return None
    found: dict[str, object] = {
        "id": f"OP-{short}.{'get' if key == 'read' else kebab(key)}",
        "kind": kind,
        "method": method,
        "path": path,
        **_options(rest, kind, table),
    }
    found.setdefault("out", f"BO-{short}[]" if kind == "list" else f"BO-{short}")
    try:
        return Op.model_validate(found)
    except ValueError:
        return None


def _options(rest: str, kind: str, table: str) -> dict[str, object]:
    head = re.split(r"\s(?=in:|w:|!|->)|^(?=in:|w:|!|->)", rest, maxsplit=1)[0]
    errors = [error.model_dump() for error in default_errors(_kind(kind))]
    found: dict[str, object] = {
        "roles": ("*",) if re.match(r"\*(\s|$)", head) else tuple(re.findall(r"\bA\d+\b", head)),
        "reqs": tuple(re.findall(r"\bFR-\d{3}\b", head)),
        "rules": tuple(re.findall(r"\bBR-\d{2}\b", rest)),
        "writes": default_writes(_kind(kind), table),
    }
    for inputs, writes, error, out in _OPTION.findall(rest):
        if inputs:
            found["in"] = tuple(split_list(inputs))
        elif writes:
            found["writes"] = tuple(name for name in split_list(writes) if name != "-")
        elif error == "none":
            errors = []
        elif error:
            http, code = error.split()
            errors.append(OpError(http=int(http), code=code).model_dump())
        elif out:
            found["out"] = out
    return {**found, "errors": errors}


def _kind(kind: str) -> OpKind:
    return next(known for known in get_args(OpKind) if known == kind)


def read_override(text: str) -> Override | None:
    """An attribute line."""
    removed = re.match(r"^\.\s*-(\w+)$", text)
    if removed:
        return Override(attribute=Attribute(name=removed[1]), removed=True)
    match = _OVERRIDE.match(text)
    if match is None:
        return None
    name, req, ro, col, kind, how, join = match.groups()
    found = Attribute(name=name, col=col, type=kind, req=bool(req), ro=bool(ro), computed=how or None, join=join)
    return Override(attribute=found)


def write_bo(bo: Bo, defaults: Sequence[Attribute], logical: str) -> list[str]:
    """An object with its operations and the attributes that are not as expected."""
    short = bo.id.removeprefix("BO-")
    virtuals = [attribute for attribute in bo.attrs if attribute.col is None]
    name = f' "{bo.name}"' if bo.name != logical else ""
    plus = "".join(f" +{a.name}:{a.type}{f'({a.computed})' if a.computed else ''}" for a in virtuals if a.type)
    children = f" has {joined(bo.children)}" if bo.children else ""
    expected = {attribute.name: attribute for attribute in defaults}
    for attribute in virtuals:
        plain = Attribute(name=attribute.name, type=attribute.type, computed=attribute.computed)
        expected[attribute.name] = plain.model_copy(update={"req": virtual_required(attribute.name, bo.ops)})
    actual = {attribute.name: attribute for attribute in bo.attrs}
    lines = [f"@{short} {bo.table}{name}{plus}{children}"]
    lines += [f". -{missing}" for missing in expected if missing not in actual]
    lines += [_override(a) for a in bo.attrs if expected.get(a.name) != a]
    return [*lines, *(_op(op, short, bo.table) for op in bo.ops)]


def _override(attribute: Attribute) -> str:
    flags = f"{'!' if attribute.req else ''}{'~' if attribute.ro else ''}"
    parts = [f". {attribute.name}{flags}"]
    parts += [f"={attribute.col}"] if attribute.col else []
    parts += [f":{attribute.type}"] if attribute.type else []
    parts += [f"({attribute.computed})"] if attribute.computed else []
    parts += [f"join={attribute.join}"] if attribute.join else []
    return " ".join(parts)


def _op(op: Op, short: str, table: str) -> str:
    key = op.id.partition(".")[2]
    name = "read" if key == "get" else key
    standard = STANDARD.get(name)
    usual = standard is not None and (op.kind, op.method, op.path) == (
        standard[0],
        standard[1],
        standard_path(short, one=standard[2]),
    )
    parts = [name] if usual else [name, op.kind, op.method, op.path]
    parts += [joined(op.roles), joined(op.reqs)]
    parts += [f"in:{joined(op.in_)}"] if op.in_ else []
    parts += [joined(op.rules)] if op.rules else []
    if op.writes != default_writes(op.kind, table):
        parts.append(f"w:{joined(op.writes) or '-'}")
    parts += _errors(op)
    if op.out != (f"BO-{short}[]" if op.kind == "list" else f"BO-{short}"):
        parts.append(f"->{op.out}")
    return " ".join(part for part in parts if part)


def _errors(op: Op) -> list[str]:
    expected = default_errors(op.kind)
    if expected and op.errors[: len(expected)] != expected:
        return ["!none", *(f"!{error.http} {error.code}" for error in op.errors)]
    return [f"!{error.http} {error.code}" for error in op.errors[len(expected) :]]
