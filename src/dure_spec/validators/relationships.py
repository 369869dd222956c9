"""V09 RelationshipShape: what is declared about two tables is what their keys say."""

from collections.abc import Iterator

from dure_spec.artifacts.erd import Relation
from dure_spec.derive.keys import ForeignKey
from dure_spec.derive.words import singular, snake
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.junctions import check_junctions, holds_unique, is_half_written, joining_tables, key_to
from dure_spec.validators.patches import with_unique
from dure_spec.validators.policy import Draft, Policy, Text, nearest
from dure_spec.validators.reference_cycles import check_cycles

_NO_TABLE = Text(
    "관계가 없는 테이블 {table}을(를) 가리킵니다", "the relation names table {table}, which does not exist"
)
_NO_JUNCTION = Text(
    "N:M 관계에 교차 테이블이 없어 어느 쪽 테이블도 상대를 여럿 가질 수 없습니다",
    "N:M without a junction table: neither table can hold many of the other",
)
_NO_KEY = Text(
    "선언된 관계를 담을 외래키가 {child}에 없습니다{turned}",
    "no foreign key in {child} carries the declared relation{turned}",
)
_TURNED = Text(
    " (반대로 {parent}이(가) {child}을(를) 참조합니다)", " (the other way round {parent} references {child})"
)
_NOT_ONE = Text(
    "1:1 관계인데 {child}의 ({columns})에 UNIQUE가 없어 한 {parent}에 여러 행이 생길 수 있습니다",
    "1:1, but ({columns}) of {child} is not unique, so one row of {parent} may get several",
)


def check_relationships(index: Index, policy: Policy) -> Iterator[Draft]:
    """Relations, junctions and cycles of the tables."""
    erd = index.artifacts.erd
    if erd is None:
        return
    for number, relation in enumerate(erd.relations):
        yield from _relation(index, policy, relation, f"/relations/{number}")
    yield from check_junctions(index)
    yield from check_cycles(index, policy)


def _relation(index: Index, policy: Policy, relation: Relation, path: str) -> Iterator[Draft]:
    ends = (("from", relation.from_), ("to", relation.to))
    lost = [(field, name) for field, name in ends if name.lower() not in index.tables]
    for field, name in lost:
        yield _draft(
            relation,
            f"{path}/{field}",
            _NO_TABLE,
            values={"table": name},
            candidates=nearest(name, (place.table.name for place in index.tables.values())),
            cause=f"table:{name.lower()}",
        )
    if lost:
        return
    first, second = (index.tables[name.lower()] for _, name in ends)
    if is_half_written(second, first) or is_half_written(first, second):
        return
    if relation.card == "N:M":
        yield from _many_to_many(index, relation, path, first, second)
    elif relation.card == "1:1":
        yield from _one_to_one(index, policy, relation, path, first, second)
    elif key_to(second, first) is None:
        yield _without_key(index, policy, relation, path, first, second)


def _many_to_many(
    index: Index, relation: Relation, path: str, first: TablePlace, second: TablePlace
) -> Iterator[Draft]:
    if relation.via and relation.via.lower() in index.tables:
        return  # what the junction says is judged with the junctions
    known = joining_tables(index, first, second)
    names = [f"{singular(snake(place.table.name))}_id" for place in (first, second)]
    proposed = f"{singular(snake(first.table.name))}_{snake(second.table.name)}({', '.join(names)})"
    candidates = tuple(f"via={name}" for name in known) or (proposed,)
    cause = f"table:{relation.via.lower()}" if relation.via else ""
    topic = _topic(first, second)
    yield _draft(relation, f"{path}/via", _NO_JUNCTION, candidates=candidates, topic=topic, cause=cause, critical=True)


def _one_to_one(
    index: Index, policy: Policy, relation: Relation, path: str, first: TablePlace, second: TablePlace
) -> Iterator[Draft]:
    sides = ((second, first), (first, second))
    found = [(child, parent, key) for child, parent in sides for key in _keys_to(child, parent)]
    if not found:
        yield _without_key(index, policy, relation, path, first, second)
        return
    if any(holds_unique(child.table, key.columns) for child, _, key in found):
        return
    child, parent, key = found[0]
    columns = ", ".join(key.columns)
    where = child.column_path(key.columns[0]) if len(key.columns) == 1 else child.path
    yield Draft(
        severity="major",
        stage="dba",
        path=f"{where}/uq" if where != child.path else f"{child.path}/uniques",
        ref=f"{_named(relation)}({columns})",
        text=_NOT_ONE,
        values={"child": child.table.name, "parent": parent.table.name, "columns": columns},
        expected=f"{child.table.name}({columns}) unique",
        candidates=(f"unique ({columns})", "card=1:N"),
        patch=with_unique(child, tuple(key.columns)),
    )


def _keys_to(child: TablePlace, parent: TablePlace) -> list[ForeignKey]:
    """Foreign keys whose columns the table has."""
    name = parent.table.name.lower()
    return [
        key
        for key in child.keys
        if key.target.lower() == name and all(column.lower() in child.columns for column in key.columns)
    ]


def _without_key(
    index: Index, policy: Policy, relation: Relation, path: str, parent: TablePlace, child: TablePlace
) -> Draft:
    turned = key_to(parent, child) is not None and parent is not child
    names = {"parent": parent.table.name, "child": child.table.name}
    own = f"{singular(snake(parent.table.name))}_id"
    key = next((column.name for column in parent.table.columns if column.pk), "id")
    return _draft(
        relation,
        path,
        _NO_KEY,
        values={**names, "turned": _TURNED.write(policy.lang, names) if turned else ""},
        candidates=(f"{child.table.name}.{own} fk={parent.table.name}.{key}",),
        topic=_topic(parent, child),
        cause=_cause(index, parent, child),
    )


def _cause(index: Index, parent: TablePlace, child: TablePlace) -> str:
    """What else explains it: a reference that leads nowhere, or an undeclared one."""
    for key in child.keys:
        meant = snake(key.columns[0]).removesuffix("_id") == singular(snake(parent.table.name))
        if meant and key.target.lower() not in index.tables:
            return f"table:{key.target.lower()}"
    return f"implied:{child.table.name.lower()}:{parent.table.name.lower()}"


def _topic(first: TablePlace, second: TablePlace) -> str:
    return f"relation:{first.table.name.lower()}:{second.table.name.lower()}"


def _named(relation: Relation) -> str:
    return f"{relation.from_}~{relation.to}"


def _draft(
    relation: Relation,
    path: str,
    text: Text,
    *,
    values: dict[str, str] | None = None,
    candidates: tuple[str, ...] = (),
    topic: str = "",
    cause: str = "",
    critical: bool = False,
) -> Draft:
    return Draft(
        severity="critical" if critical else "major",
        stage="dba",
        path=path,
        ref=_named(relation),
        text=text,
        values=values or {},
        expected=candidates[0] if candidates else "",
        candidates=candidates,
        topic=topic,
        cause=cause,
    )
