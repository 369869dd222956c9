"""OpenAPI 3.1 for the documents that are derived here: a small part of the standard, and all of it exactly.

A tenth of a percent of the time that a general library takes, which stands beside it in the tests as the judge.
"""

import re
from collections.abc import Iterator, Mapping

from dure_spec.validators.document_rules import (
    Fault,
    Rule,
    Where,
    anything,
    as_list,
    as_object,
    each,
    fields,
    flag,
    mapping,
    matching,
    one_of,
    or_reference,
    text,
)
from dure_spec.validators.schema_rules import schema

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_TEMPLATE = re.compile(r"\{([^{}]*)\}")
_NESTED = (dict, list)
_VALUES = frozenset({"default", "enum", "const", "example", "examples"})

_CONTENT = mapping(fields({"schema": schema, "example": anything}))
_SECURITY = each(mapping(each(text)))
_PARAMETER_FIELDS: Mapping[str, Rule] = {
    "name": text,
    "in": one_of("query", "header", "path", "cookie"),
    "description": text,
    "required": flag,
    "deprecated": flag,
    "schema": schema,
}
_PARAMETER = fields(_PARAMETER_FIELDS, ("name", "in", "schema"))
_PATH_PARAMETER = fields(
    {**_PARAMETER_FIELDS, "name": matching(r"[^/#?]+$"), "required": one_of(True)}, ("name", "in", "schema", "required")
)


def _parameter(value: object, at: Where) -> Iterator[Fault]:
    found = as_object(value) or {}
    yield from (_PATH_PARAMETER if found.get("in") == "path" else _PARAMETER)(value, at)


_RESPONSE = or_reference(fields({"description": text, "content": _CONTENT}, ("description",)))
_CODES = mapping(_RESPONSE, r"^(default|[1-5](?:[0-9]{2}|XX))$")


def _responses(value: object, at: Where) -> Iterator[Fault]:
    yield from _CODES(value, at)
    if not [name for name in as_object(value) or () if not name.startswith("x-")]:
        yield at, "no response"


_OPERATION = fields(
    {
        "tags": each(text),
        "summary": text,
        "description": text,
        "operationId": text,
        "parameters": each(or_reference(_parameter)),
        "requestBody": or_reference(fields({"description": text, "content": _CONTENT, "required": flag}, ("content",))),
        "responses": _responses,
        "deprecated": flag,
        "security": _SECURITY,
    }
)
_ITEM = fields({"summary": text, "description": text, **dict.fromkeys(METHODS, _OPERATION)})
_NAMED = r"^[a-zA-Z0-9._-]+$"
_SCHEME = fields({"type": one_of("http"), "description": text, "scheme": text}, ("type", "scheme"))
_BEARER = fields(
    {"type": one_of("http"), "description": text, "scheme": text, "bearerFormat": text}, ("type", "scheme")
)


def _scheme(value: object, at: Where) -> Iterator[Fault]:
    bearer = str((as_object(value) or {}).get("scheme")).lower() == "bearer"
    yield from (_BEARER if bearer else _SCHEME)(value, at)


_DOCUMENT = fields(
    {
        "openapi": matching(r"^3\.1\.\d+(-.+)?$"),
        "info": fields({"title": text, "version": text, "summary": text, "description": text}, ("title", "version")),
        "tags": each(fields({"name": text, "description": text}, ("name",))),
        "security": _SECURITY,
        "paths": mapping(_ITEM, "^/"),
        "components": fields(
            {
                "schemas": mapping(schema, _NAMED),
                "responses": mapping(_RESPONSE, _NAMED),
                "securitySchemes": mapping(_scheme, _NAMED),
            }
        ),
    },
    ("openapi", "info", "paths"),
)


def document_errors(document: Mapping[str, object]) -> Iterator[Fault]:
    """Place and message of each fault of a derived document: its form, then what its parts say of one another."""
    sound = True
    for fault in _DOCUMENT(document, ()):
        sound = False
        yield fault
    if sound:  # what follows takes the form for granted
        yield from _twice_tagged(document)
        yield from _operations(document)
    if not all(_resolves(reference, document) for reference in _referred(document)):
        yield from _references(document, document, ())


def _twice_tagged(document: Mapping[str, object]) -> Iterator[Fault]:
    seen: set[object] = set()
    for place, tag in enumerate(as_list(document.get("tags")) or ()):
        name = (as_object(tag) or {}).get("name")
        if name in seen:
            yield ("tags", str(place), "name"), f"the tag {name!r} is there twice"
        seen.add(name)


def _operations(document: Mapping[str, object]) -> Iterator[Fault]:
    ids: set[object] = set()
    for path, item in (as_object(document["paths"]) or {}).items():
        for method, operation in (as_object(item) or {}).items():
            found = as_object(operation) if method in METHODS else None
            if found is None:
                continue
            at: Where = ("paths", path, method)
            name = found.get("operationId")
            if name is not None and name in ids:
                yield (*at, "operationId"), f"the operationId {name!r} is used twice"
            ids.add(name)
            yield from _parameters(path, found, at)


def _parameters(path: str, operation: Mapping[str, object], at: Where) -> Iterator[Fault]:
    wanted = {name for name in _TEMPLATE.findall(path) if name}
    declared: set[tuple[object, object]] = set()
    for place, parameter in enumerate(as_list(operation.get("parameters")) or ()):
        found = as_object(parameter) or {}
        key = (found.get("name"), found.get("in"))
        if key in declared:
            yield (*at, "parameters", str(place)), f"the parameter {key[0]!r} is there twice"
        declared.add(key)
    given = {name for name, kind in declared if kind == "path"}
    for name in sorted(wanted ^ given, key=str):
        yield (*at, "parameters"), f"the path parameter {name!r} is {'not declared' if name in wanted else 'not used'}"


def _referred(document: Mapping[str, object]) -> set[str]:
    """Every reference in the document; values of the user's own are none."""
    found: set[str] = set()
    waiting: list[object] = [document]
    while waiting:
        value = waiting.pop()
        items = as_list(value)
        inside = items if items is not None else _inside(as_object(value) or {}, found)
        waiting += [item for item in inside if isinstance(item, _NESTED)]
    return found


def _inside(value: Mapping[str, object], found: set[str]) -> list[object]:
    """The values of an object that may hold references; its own reference is taken down."""
    own = value.get("$ref")
    if isinstance(own, str):
        found.add(own)
    return [item for name, item in value.items() if name not in _VALUES]


def _references(value: object, document: Mapping[str, object], at: Where) -> Iterator[Fault]:
    """References to nothing, each with its place."""
    items = as_list(value)
    if items is not None:
        for place, item in enumerate(items):
            yield from _references(item, document, (*at, str(place)))
        return
    for name, item in (as_object(value) or {}).items():
        if name == "$ref" and isinstance(item, str):
            if not _resolves(item, document):
                yield (*at, name), f"{item!r} refers to nothing"
        elif name not in _VALUES:
            yield from _references(item, document, (*at, name))


def _resolves(reference: str, document: Mapping[str, object]) -> bool:
    if not reference.startswith("#/"):
        return False
    found: object = document
    for part in reference[2:].split("/"):
        found = (as_object(found) or {}).get(part.replace("~1", "/").replace("~0", "~"))
        if found is None:
            return False
    return True
