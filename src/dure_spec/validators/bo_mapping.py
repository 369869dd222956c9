"""V13 BoColumnMapping: every attribute has its column, and a create sets every column that must be set."""

from collections.abc import Iterator

from dure_spec.artifacts.backend import Attribute, OpKind
from dure_spec.artifacts.erd import Table
from dure_spec.derive.keys import split_reference
from dure_spec.derive.words import kebab, singular, snake
from dure_spec.validators.create_inputs import check_create, missing_attribute
from dure_spec.validators.index import BoPlace, Index, OpPlace
from dure_spec.validators.policy import Draft, Policy, Text, backend_draft, nearest
from dure_spec.validators.secrets import answered, is_secret

_TABLE = Text("없는 테이블 {name}", "unknown table {name}")
_COLUMN = Text("없는 컬럼 {name}", "unknown column {name}")
_CHILD = Text("없는 업무객체 {name}", "unknown business object {name}")
_INPUT = Text("입력 {name}: {bo}에 없는 속성입니다", "input {name} is no attribute of {bo}")
_READ_ONLY = Text("읽기 전용 속성을 입력으로 받습니다: {name}", "read-only attribute as input: {name}")
_WRITES = Text("없는 테이블 {name}에 씁니다", "writes to unknown table {name}")
_NO_BO = Text(
    "테이블을 다루는 업무객체가 없고 infra_tables에도 없습니다",
    "no business object handles the table, and it is none of infra_tables",
)
_NO_TYPE = Text("컬럼이 없는 속성에 타입이 없습니다", "attribute without a column has no type")
_NO_JOIN = Text("다른 테이블의 컬럼인데 join이 없습니다: {name}", "column of another table without a join: {name}")
_SECRET = Text("비밀 컬럼 {name}이(가) 응답에 드러납니다", "secret column {name} is exposed in responses")

_CHANGING: frozenset[OpKind] = frozenset({"create", "update", "transition", "action"})


def check_mapping(index: Index, policy: Policy) -> Iterator[Draft]:
    """Objects against tables; nothing to say before the tables exist."""
    if index.artifacts.erd is None or index.artifacts.backend is None:
        return
    shown = answered(index)
    for place in index.bos.values():
        yield from _object(index, place)
        for number, attribute in enumerate(place.bo.attrs):
            path = f"{place.path}/attrs/{number}"
            yield from _attribute(index, place, attribute, path)
            if place.bo.id in shown and attribute.col and is_secret(index, attribute.col):
                yield backend_draft(path, _ref(place, attribute), _SECRET, {"name": attribute.col})
    for place in index.all_ops():
        yield from _operation(index, place)
        if place.op.kind == "create":
            yield from check_create(index, place)
    yield from _uncovered(index)


def _object(index: Index, place: BoPlace) -> Iterator[Draft]:
    table = place.bo.table
    if table.lower() not in index.tables:
        topic = f"bo-table:{table.lower()}"
        likely = _likely_tables(index, place)
        yield backend_draft(
            f"{place.path}/table", place.bo.id, _TABLE, {"name": table}, likely, topic=topic, cause=topic
        )
    for number, child in enumerate(place.bo.children):
        if child not in index.bos:
            yield _no_object(index, f"{place.path}/children/{number}", place.bo.id, child)


def _no_object(index: Index, path: str, ref: str, name: str) -> Draft:
    """All that refer to one object that is not there are one mistake."""
    mark = f"no-object:{name}"
    return backend_draft(path, ref, _CHILD, {"name": name}, nearest(name, index.bos), topic=mark, cause=mark)


def _likely_tables(index: Index, place: BoPlace) -> tuple[str, ...]:
    """Tables that an object with an unknown table may mean: of the same Korean name, then of a similar English one."""
    tables = [each.table for each in index.tables.values()]
    same = [table.name for table in tables if table.logical == place.bo.name]
    return tuple(dict.fromkeys([*same, *nearest(place.bo.table, [table.name for table in tables])]))


def _attribute(index: Index, place: BoPlace, attribute: Attribute, path: str) -> Iterator[Draft]:
    if not attribute.col:
        held = (attribute.type or "").removesuffix("[]")
        if not held:
            yield backend_draft(path, _ref(place, attribute), _NO_TYPE, {}, severity="major")
        elif held.startswith("BO-") and held not in index.bos:
            yield _no_object(index, f"{path}/type", _ref(place, attribute), held)
        return
    table = (split_reference(attribute.col) or (place.bo.table, ""))[0]
    if index.column(attribute.col) is None:
        candidates = _columns_like(index, place, attribute)
        wanted = candidates[0].lower() if candidates else attribute.col.lower()
        yield backend_draft(
            f"{path}/col",
            _ref(place, attribute),
            _COLUMN,
            {"name": attribute.col},
            candidates,
            topic=f"unset:{wanted}",
            cause=f"bo-table:{table.lower()}",
        )
    elif table.lower() != place.bo.table.lower() and not attribute.join:
        cause = f"bo-table:{place.bo.table.lower()}"
        yield backend_draft(
            path, _ref(place, attribute), _NO_JOIN, {"name": attribute.col}, severity="major", cause=cause
        )


def _columns_like(index: Index, place: BoPlace, attribute: Attribute) -> tuple[str, ...]:
    table, column = split_reference(attribute.col or "") or (place.bo.table, snake(attribute.name))
    owner = index.tables.get(table.lower()) or index.tables.get(place.bo.table.lower())
    if owner is None:
        return ()
    taken = {(other.col or "").lower() for other in place.bo.attrs}
    names = [each.name for each in owner.columns.values()]
    free = [name for name in names if f"{owner.table.name}.{name}".lower() not in taken]
    found = nearest(column, free) or nearest(snake(attribute.name), free) or nearest(column, names)
    return tuple(f"{owner.table.name}.{name}" for name in found)


def _operation(index: Index, place: OpPlace) -> Iterator[Draft]:
    op = place.op
    attributes = index.bos[place.bo.id].attributes
    for number, name in enumerate(op.in_):
        attribute = attributes.get(name)
        path = f"{place.path}/in/{number}"
        if f"{{{name}}}" in op.path or f":{name}" in op.path.split("/"):
            continue
        if attribute is None and op.kind not in ("list", "read"):
            topic = f"unset:{_meant(index, place, name)}".lower()
            patch = missing_attribute(index, place, name)
            values = {"name": name, "bo": place.bo.id}
            yield backend_draft(
                path, op.id, _INPUT, values, nearest(name, attributes), topic=topic, cause=topic, patch=patch
            )
        elif attribute is not None and _is_closed(index, attribute, place):
            yield backend_draft(path, op.id, _READ_ONLY, {"name": name}, severity="major")
    for number, name in enumerate(op.writes):
        if name.lower() not in index.tables:
            names = tuple(each.table.name for each in index.tables.values())
            cause = f"bo-table:{name.lower()}"
            yield backend_draft(
                f"{place.path}/writes/{number}", op.id, _WRITES, {"name": name}, nearest(name, names), cause=cause
            )


def _meant(index: Index, place: OpPlace, name: str) -> str:
    """The column behind an input that is no attribute: of its name, else of the nearest attribute that is not given."""
    table, attributes = index.tables.get(place.bo.table.lower()), index.bos[place.bo.id].attributes
    own = f"{place.bo.table}.{snake(name)}"
    if table and snake(name) in table.columns:
        return own
    near = (attributes[each] for each in nearest(name, attributes) if each not in place.op.in_)
    return next((attribute.col for attribute in near if attribute.col), own)


def _is_closed(index: Index, attribute: Attribute, place: OpPlace) -> bool:
    """Whether the operation would let a client write what only the program writes.

    The key of a record and the state that a transition leads to say which record and which state are meant.
    """
    column = index.column(attribute.col) if attribute.col else None
    if not attribute.ro or place.op.kind not in _CHANGING:
        return False
    if place.op.kind in ("create", "update") or column is None:
        return True
    return not column.pk and not (place.op.kind == "transition" and column.enum)


def _uncovered(index: Index) -> Iterator[Draft]:
    backend = index.artifacts.backend
    handled = {place.bo.table.lower() for place in index.bos.values()}
    handled |= {name.lower() for name in (backend.infra_tables if backend else ())}
    misnamed: dict[str, str] = {}
    for number, name in enumerate(backend.infra_tables if backend else ()):
        if name.lower() not in index.tables:
            likely, mark = nearest(name, index.tables), f"bo-table:{name.lower()}"
            misnamed.update({likely[0]: mark} if likely else {})
            yield backend_draft(f"/infra_tables/{number}", name, _TABLE, {"name": name}, likely, topic=mark, cause=mark)
    for place in index.bos.values():
        if place.bo.table.lower() not in index.tables:
            for name in _likely_tables(index, place)[:1]:
                misnamed[name.lower()] = f"bo-table:{place.bo.table.lower()}"
    written = {name.lower() for place in index.all_ops() for name in place.op.writes}
    for key, owner in index.tables.items():
        if key not in handled and not (owner.table.kind == "junction" and key in written):
            cause = misnamed.get(key) or _unserved(index, owner.table)
            yield backend_draft("/bos", owner.table.name, _NO_BO, {}, severity="major", cause=cause)


def _unserved(index: Index, table: Table) -> str:
    """The topic of an object that others name and that would be the table's, or of a requirement without operation."""
    wish = f"BO-{kebab(singular(table.name))}"
    if wish not in index.bos and any(wish in (*each.bo.children, *_held(each)) for each in index.bos.values()):
        return f"no-object:{wish}"
    served = index.coverage.get("op", {})
    return next((f"op:{name}" for name in table.reqs if name in index.requirements and not served.get(name)), "")


def _held(place: BoPlace) -> list[str]:
    return [(attr.type or "").removesuffix("[]") for attr in place.bo.attrs]


def _ref(place: BoPlace, attribute: Attribute) -> str:
    return f"{place.bo.id}.{attribute.name}"
