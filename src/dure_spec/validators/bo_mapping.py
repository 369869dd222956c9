"""V13 BoColumnMapping: every attribute has its column, and a create sets every column that must be set."""

from collections.abc import Iterator

from dure_spec.artifacts.backend import Attribute
from dure_spec.artifacts.erd import Column
from dure_spec.derive.ddl import is_generated_key
from dure_spec.derive.keys import audit_columns, split_reference
from dure_spec.derive.words import camel, parts, snake
from dure_spec.validators.index import BoPlace, Index, OpPlace
from dure_spec.validators.policy import Draft, Policy, Text, backend_draft, nearest

_TABLE = Text("없는 테이블 {name}", "unknown table {name}")
_COLUMN = Text("없는 컬럼 {name}", "unknown column {name}")
_CHILD = Text("없는 업무객체 {name}", "unknown business object {name}")
_UNSET = Text(
    "NOT NULL 컬럼 {name}을(를) 채우지 않아 등록이 항상 실패합니다",
    "NOT NULL column {name} is never set, so every create fails",
)
_INPUT = Text("입력 {name}: 이 업무객체에 없는 속성입니다", "input {name} is no attribute of the object")
_READ_ONLY = Text("읽기 전용 속성을 입력으로 받습니다: {name}", "read-only attribute as input: {name}")
_WRITES = Text("없는 테이블 {name}에 씁니다", "writes to unknown table {name}")
_NO_BO = Text("테이블을 다루는 업무객체가 없습니다", "no business object handles the table")
_NO_TYPE = Text("컬럼이 없는 속성에 타입이 없습니다", "attribute without a column has no type")
_NO_JOIN = Text("다른 테이블의 컬럼인데 join이 없습니다: {name}", "column of another table without a join: {name}")
_SECRET = Text("비밀 컬럼 {name}이(가) 응답에 드러납니다", "secret column {name} is exposed in responses")

_SECRET_WORDS = frozenset({"password", "passwd", "pwd", "secret", "salt"})
_TOKEN_KINDS = frozenset({"access", "refresh", "reset", "api", "auth"})


def check_mapping(index: Index, policy: Policy) -> Iterator[Draft]:
    """Objects against tables; nothing to say before the tables exist."""
    if index.artifacts.erd is None or index.artifacts.backend is None:
        return
    exposed = {place.op.out.removesuffix("[]") for place in index.all_ops()}
    for place in index.bos.values():
        yield from _object(index, place)
        for number, attribute in enumerate(place.bo.attrs):
            path = f"{place.path}/attrs/{number}"
            yield from _attribute(index, place, attribute, path)
            if place.bo.id in exposed and attribute.col and not attribute.computed and _is_secret(attribute.col):
                yield backend_draft(path, _ref(place, attribute), _SECRET, {"name": attribute.col})
    for place in index.all_ops():
        yield from _operation(index, place)
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
            yield backend_draft(
                f"{place.path}/children/{number}", place.bo.id, _CHILD, {"name": child}, nearest(child, index.bos)
            )


def _likely_tables(index: Index, place: BoPlace) -> tuple[str, ...]:
    """Tables that an object with an unknown table may mean: of the same Korean name, then of a similar English one."""
    tables = [each.table for each in index.tables.values()]
    same = [table.name for table in tables if table.logical == place.bo.name]
    return tuple(dict.fromkeys([*same, *nearest(place.bo.table, [table.name for table in tables])]))


def _attribute(index: Index, place: BoPlace, attribute: Attribute, path: str) -> Iterator[Draft]:
    if not attribute.col:
        if not attribute.type:
            yield backend_draft(path, _ref(place, attribute), _NO_TYPE, {}, severity="major")
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
        if attribute is None and not (op.kind in ("list", "read") or f"{{{name}}}" in op.path):
            topic = f"unset:{place.bo.table}.{snake(name)}".lower()
            yield backend_draft(path, op.id, _INPUT, {"name": name}, nearest(name, attributes), topic=topic)
        elif attribute is not None and attribute.ro and op.kind in ("create", "update"):
            yield backend_draft(path, op.id, _READ_ONLY, {"name": name}, severity="major")
    for number, name in enumerate(op.writes):
        if name.lower() not in index.tables:
            names = tuple(each.table.name for each in index.tables.values())
            cause = f"bo-table:{name.lower()}"
            yield backend_draft(
                f"{place.path}/writes/{number}", op.id, _WRITES, {"name": name}, nearest(name, names), cause=cause
            )
    if op.kind == "create":
        yield from _unset(index, place)


def _unset(index: Index, place: OpPlace) -> Iterator[Draft]:
    """Columns that the create leaves empty; read-only and computed attributes are set by the program."""
    erd, table = index.artifacts.erd, index.tables.get(place.bo.table.lower())
    if erd is None or table is None:
        return
    kept = {column.name for column in audit_columns(erd, table.table)}
    named = {(attr.col or "").lower(): attr for attr in place.bo.attrs}
    computed = " ".join(attr.computed or "" for attr in place.bo.attrs).lower()
    for column in table.columns.values():
        reference = f"{table.table.name}.{column.name}"
        optional = column.null or column.default is not None or column.derived or column.name in kept
        if optional or is_generated_key(erd, table.table, column) or _is_own_uuid(column):
            continue
        attribute = named.get(reference.lower())
        by_program = attribute is not None and (attribute.ro or attribute.computed is not None)
        by_user = attribute is not None and (attribute.name in place.op.in_ or f"{{{attribute.name}}}" in place.op.path)
        if not (by_program or by_user or reference.lower() in computed):
            yield backend_draft(
                f"{place.path}/in",
                place.op.id,
                _UNSET,
                {"name": reference},
                (attribute.name if attribute else camel(column.name),),
                cause=f"unset:{reference.lower()}",
            )


def _is_own_uuid(column: Column) -> bool:
    return column.pk and column.fk is None and column.type.strip().lower() == "uuid"


def _uncovered(index: Index) -> Iterator[Draft]:
    backend = index.artifacts.backend
    handled = {place.bo.table.lower() for place in index.bos.values()}
    handled |= {name.lower() for name in (backend.infra_tables if backend else ())}
    for number, name in enumerate(backend.infra_tables if backend else ()):
        if name.lower() not in index.tables:
            yield backend_draft(
                f"/infra_tables/{number}", name, _TABLE, {"name": name}, cause=f"bo-table:{name.lower()}"
            )
    misnamed: dict[str, str] = {}
    for place in index.bos.values():
        if place.bo.table.lower() not in index.tables:
            for name in _likely_tables(index, place)[:1]:
                misnamed[name.lower()] = f"bo-table:{place.bo.table.lower()}"
    for key, owner in index.tables.items():
        if owner.table.kind == "entity" and key not in handled:
            yield backend_draft("/bos", owner.table.name, _NO_BO, {}, severity="major", cause=misnamed.get(key, ""))


def _is_secret(reference: str) -> bool:
    words = set(parts(reference.rpartition(".")[2]))
    return bool(words & _SECRET_WORDS) or ("token" in words and bool(words & _TOKEN_KINDS))


def _ref(place: BoPlace, attribute: Attribute) -> str:
    return f"{place.bo.id}.{attribute.name}"
