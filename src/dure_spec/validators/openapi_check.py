"""V14, last check: the API that the operations describe is a valid OpenAPI 3.1 document."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from dure_spec.derive.openapi import openapi_document
from dure_spec.validators.document_rules import as_object
from dure_spec.validators.index import Index, OpPlace
from dure_spec.validators.openapi_rules import document_errors
from dure_spec.validators.policy import Draft, Policy, Text, backend_draft

_INVALID = Text("OpenAPI 3.1 문서가 올바르지 않습니다: {error}", "the OpenAPI 3.1 document is invalid: {error}")
_PATH = Text(
    "경로 {path}은(는) OpenAPI 3.1의 경로가 아닙니다 ({why}): 문서도 서버도 이 주소를 만들 수 없습니다",
    "{path} is no path of OpenAPI 3.1 ({why}): neither the document nor a server can have it",
)
_STATUS = Text("{http}은(는) HTTP 상태 코드가 아닙니다 ({code})", "{http} is no HTTP status code ({code})")
_WHY: Mapping[str, Text] = {
    "slash": Text("/로 시작하지 않음", "does not begin with /"),
    "query": Text("쿼리나 #가 있음", "has a query or a #"),
    "space": Text("빈칸이 있음", "has a space"),
    "braces": Text("중괄호가 맞지 않음", "its braces do not match"),
    "twice": Text("같은 변수가 두 번", "has a parameter twice"),
}
_PARAMETER = re.compile(r"\{([^{}/]+)\}|(?<=/):(\w+)")
_MOST = 5
_SHOWN = 160


def check_openapi(index: Index, policy: Policy) -> Iterator[Draft]:
    """What the document cannot say as it is written, then each fault of the derived one, where it comes from."""
    if index.artifacts.backend is None:
        return
    for place in index.all_ops():
        yield from _path(place, policy)
        yield from _statuses(place)
    document = openapi_document(index.artifacts)
    for where, error in islice(document_errors(document), _MOST):
        op = _op_at(document, where)
        place = index.ops.get(op)
        yield backend_draft(place.path if place else "/bos", op or "openapi", _INVALID, {"error": error[:_SHOWN]})


def _path(place: OpPlace, policy: Policy) -> Iterator[Draft]:
    """The derived document has a sound path in place of a broken one; what is meant, nobody knows."""
    path = place.op.path
    names = [first or second for first, second in _PARAMETER.findall(path)]
    rest = _PARAMETER.sub("", path)
    reasons = {
        "slash": not path.startswith("/"),
        "query": "?" in path or "#" in path,
        "space": any(letter.isspace() for letter in path),
        "braces": "{" in rest or "}" in rest,
        "twice": len(set(names)) < len(names),
    }
    why = next((name for name, there in reasons.items() if there), None)
    if why is not None:
        values = {"path": path, "why": _WHY[why].write(policy.lang, {})}
        topic = f"path:{place.path}"
        yield backend_draft(f"{place.path}/path", place.op.id, _PATH, values, _sound(path, names), topic=topic)


def _sound(path: str, names: list[str]) -> tuple[str, ...]:
    """The path that was probably meant; nothing where a parameter's name would have to be made up."""
    bare = "/" + re.split(r"[?#]", path.strip(), maxsplit=1)[0].strip("/")
    closed = re.sub(r"\{(\w+)(?=/|$)", r"{\1}", re.sub(r"(?<=/)(\w+)\}", r"{\1}", bare))
    return () if len(set(names)) < len(names) or re.search(r"\s", closed) else (closed,)


def _statuses(place: OpPlace) -> Iterator[Draft]:
    for number, error in enumerate(place.op.errors):
        if not 100 <= error.http <= 599:
            values = {"http": str(error.http), "code": error.code}
            yield backend_draft(f"{place.path}/errors/{number}/http", place.op.id, _STATUS, values)


def _op_at(document: Mapping[str, object], where: tuple[str, ...]) -> str:
    found: object = document
    for name in where[:3]:
        found = (as_object(found) or {}).get(name)
    return str((as_object(found) or {}).get("x-operation", "")) if where[:1] == ("paths",) else ""
