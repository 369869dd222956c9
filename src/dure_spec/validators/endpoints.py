"""V14 EndpointConsistency: every operation has its own place, the right verb, and an answer that exists."""

from collections.abc import Container, Iterator, Mapping

from dure_spec.artifacts.backend import Method, OpKind
from dure_spec.validators.endpoint_paths import (
    PARAMETER,
    free_path,
    known_nouns,
    noun_path,
    spot_of,
    taken_spots,
    usual_path,
    wrong_segment,
)
from dure_spec.validators.index import Index, OpPlace
from dure_spec.validators.patches import replaced
from dure_spec.validators.policy import Draft, Policy, Text, backend_draft, nearest

_DUPLICATE_ID = Text("같은 id의 오퍼레이션이 두 번 있습니다", "operation id is used twice")
_DUPLICATE_BO = Text("같은 id의 업무객체가 두 번 있습니다", "business object id is used twice")
_SAME_PLACE = Text("{other}와(과) 메서드·경로가 같습니다: {place}", "same method and path as {other}: {place}")
_OUT = Text("없는 응답 타입 {name}", "unknown response type {name}")
_ROLE = Text("없는 역할 {name}", "unknown role {name}")
_RULE = Text("없는 업무규칙 {name}", "unknown business rule {name}")
_NO_PARAMETER = Text("경로 변수가 없어 대상을 고를 수 없습니다: {path}", "no path parameter, so no target: {path}")
_METHOD = Text("{path}: {kind}에 {method}은(는) 맞지 않습니다", "{path}: method {method} does not fit {kind}")
_ARRAY = Text("목록인데 응답이 배열이 아닙니다: {name}", "list does not answer an array: {name}")
_VERB = Text("경로 {path}에 동사나 대문자가 있습니다: {segment}", "verb or upper case in the path {path}: {segment}")
_CONFLICT = Text("상태 전이에 충돌 오류(409)가 없습니다", "transition without a conflict error (409)")

_METHODS: Mapping[OpKind, tuple[Method, ...]] = {
    "list": ("GET",),
    "read": ("GET",),
    "create": ("POST",),
    "update": ("PATCH", "PUT"),
    "delete": ("DELETE",),
    "transition": ("POST", "PATCH", "PUT"),
    "action": ("POST", "PUT", "PATCH"),
    "login": ("POST",),
}
_TARGETED = frozenset({"read", "update", "delete"})
_OWN = frozenset({"me", "my", "mine", "self", "current"})
"""Steps of a path whose target is whoever calls."""
_NOTHING = frozenset({"", "-", "none", "void", "null"})


def check_endpoints(index: Index, policy: Policy) -> Iterator[Draft]:
    """Operations one by one, then against one another."""
    spots = taken_spots(index)
    nouns = known_nouns(index)
    yield from _duplicates(index)
    for place in index.all_ops():
        yield from _names(index, place)
        yield from _shape(place, index.bos, spots, nouns)
        yield from _path(place, spots, nouns)


def _duplicates(index: Index) -> Iterator[Draft]:
    objects: set[str] = set()
    backend = index.artifacts.backend
    for number, bo in enumerate(backend.bos if backend else ()):
        if bo.id in objects:
            yield backend_draft(f"/bos/{number}/id", bo.id, _DUPLICATE_BO, {})
        objects.add(bo.id)
    ids: set[str] = set()
    twice: set[str] = set()
    spots: dict[str, OpPlace] = {}
    for place in index.all_ops():
        if place.op.id in ids:
            twice.add(place.op.id)
            yield backend_draft(f"{place.path}/id", place.op.id, _DUPLICATE_ID, {}, topic=f"op-id:{place.op.id}")
        ids.add(place.op.id)
        spot = spot_of(place.op.method, place.op.path)
        if spot in spots:
            values = {"other": spots[spot].op.id, "place": f"{place.op.method} {place.op.path}"}
            yield backend_draft(
                f"{place.path}/path",
                place.op.id,
                _SAME_PLACE,
                values,
                (usual_path(place),),
                cause=f"op-id:{place.op.id}" if place.op.id in twice else f"path:{place.path}",
            )
        spots.setdefault(spot, place)


def _names(index: Index, place: OpPlace) -> Iterator[Draft]:
    op = place.op
    out = op.out.removesuffix("[]")
    if out not in index.bos and not (op.kind in ("delete", "action", "transition") and out.lower() in _NOTHING):
        array = "[]" if op.kind == "list" else ""
        candidates = tuple(dict.fromkeys(f"{name}{array}" for name in (place.bo.id, *nearest(out, index.bos))))
        mark = f"no-object:{out}"
        yield backend_draft(f"{place.path}/out", op.id, _OUT, {"name": op.out}, candidates, topic=mark, cause=mark)
    if index.artifacts.prd is None:
        return
    for number, role in enumerate(op.roles):
        if role != "*" and role not in index.actors:
            yield backend_draft(
                f"{place.path}/roles/{number}", op.id, _ROLE, {"name": role}, tuple(sorted(index.actors))
            )
    for number, rule in enumerate(op.rules):
        if rule not in index.rules:
            yield backend_draft(f"{place.path}/rules/{number}", op.id, _RULE, {"name": rule}, tuple(index.rules)[:5])


def _shape(place: OpPlace, bos: Container[str], spots: Container[str], nouns: Container[str]) -> Iterator[Draft]:
    op = place.op
    if op.kind in _TARGETED and not PARAMETER.search(op.path) and _OWN.isdisjoint(op.path.split("/")):
        better = free_path(place, f"{op.path.rstrip('/')}/{{id}}", spots)
        broken = bool(better) and wrong_segment(better, nouns) is not None
        yield backend_draft(
            f"{place.path}/path",
            op.id,
            _NO_PARAMETER,
            {"path": op.path},
            tuple(dict.fromkeys(each for each in (better, usual_path(place)) if each)),
            cause=f"path:{place.path}",
            patch=replaced("backend", f"{place.path}/path", op.path, better) if better and not broken else (),
        )
    reading = op.kind == "action" and op.method == "GET" and not op.writes
    if op.method not in _METHODS[op.kind] and not reading:
        values = {"kind": op.kind, "method": op.method, "path": op.path}
        fitting = _METHODS[op.kind]
        free = next((method for method in fitting if spot_of(method, op.path) not in spots), None)
        patch = replaced("backend", f"{place.path}/method", op.method, free) if free else ()
        yield backend_draft(f"{place.path}/method", op.id, _METHOD, values, fitting, severity="major", patch=patch)
    if op.kind == "list" and op.out in bos:
        yield backend_draft(f"{place.path}/out", op.id, _ARRAY, {"name": op.out}, (f"{op.out}[]",), severity="major")
    if op.kind == "transition" and not any(error.http in (409, 412, 422, 423) for error in op.errors):
        yield backend_draft(f"{place.path}/errors", op.id, _CONFLICT, {}, ("409",), severity="major")


def _path(place: OpPlace, spots: Container[str], nouns: Container[str]) -> Iterator[Draft]:
    """One finding for a path, however many of its segments are wrong."""
    segment = wrong_segment(place.op.path, nouns)
    if segment is None:
        return
    better = free_path(place, noun_path(place, nouns), spots)
    patch = replaced("backend", f"{place.path}/path", place.op.path, better) if better else ()
    values = {"segment": segment, "path": place.op.path}
    candidates = tuple(dict.fromkeys(each for each in (better, usual_path(place)) if each))
    yield backend_draft(f"{place.path}/path", place.op.id, _VERB, values, candidates, severity="major", patch=patch)
