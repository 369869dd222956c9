"""V14, last check: the API that the operations describe is a valid OpenAPI 3.1 document."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from dure_spec.derive.openapi import openapi_document
from dure_spec.validators.index import Index
from dure_spec.validators.policy import Draft, Policy, Text

_INVALID = Text("OpenAPI 3.1 문서가 올바르지 않습니다: {error}", "the OpenAPI 3.1 document is invalid: {error}")
_MOST = 5
_SHOWN = 160


def check_openapi(index: Index, policy: Policy) -> Iterator[Draft]:
    """Each fault of the document, at the operation that it comes from."""
    if index.artifacts.backend is None or not policy.openapi:
        return
    document = openapi_document(index.artifacts)
    for where, error in islice(document_errors(document), _MOST):
        op = _op_at(document, where)
        place = index.ops.get(op)
        yield Draft(
            severity="critical",
            stage="backend",
            path=place.path if place else "/bos",
            ref=op or "openapi",
            text=_INVALID,
            values={"error": error[:_SHOWN]},
        )


def document_errors(document: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Place and message of each fault; a reference to nothing is one, although the library raises it."""
    # the library takes a fifth of a second to load, and only this check needs it
    from openapi_spec_validator import OpenAPIV31SpecValidator
    from referencing.exceptions import Unresolvable

    try:
        for error in OpenAPIV31SpecValidator(dict(document)).iter_errors():
            yield tuple(str(step) for step in error.absolute_path), error.message
    except Unresolvable as error:
        yield (), str(error)


def _op_at(document: Mapping[str, Any], where: tuple[str, ...]) -> str:
    if len(where) < 3 or where[0] != "paths":
        return ""
    operation = document["paths"].get(where[1], {}).get(where[2], {})
    return str(operation.get("x-operation", ""))
