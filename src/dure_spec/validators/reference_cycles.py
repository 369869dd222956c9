"""V09 RelationshipShape on foreign keys alone: circles of tables, and rows that need themselves."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from dure_spec.derive.keys import ForeignKey
from dure_spec.derive.words import name_words, singular, snake
from dure_spec.validators.circles import circles, shortest_way_round
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.policy import Draft, Policy, Text

_CIRCLE = Text(
    "{way}: 순환하는 외래키가 모두 NOT NULL이라 첫 행을 넣을 수 없습니다. {column}을(를) NULL 허용으로 바꾸거나, "
    "계산할 수 있는 값이면 없애십시오{deferrable}",
    "{way}: all foreign keys of this cycle are NOT NULL, so no first row can be inserted; "
    "make {column} nullable, or drop it where it can be derived{deferrable}",
)
_DEFERRABLE = Text(" (아니면 DEFERRABLE로)", ", or declare it deferrable")
_OPEN_CIRCLE = Text(
    "{way}: 테이블이 서로를 참조합니다. 행을 넣고 지우는 순서를 따로 정해야 합니다({column}은(는) 나중에)",
    "{way}: the tables reference one another; rows can be inserted, but only in a certain order ({column} comes later)",
)
_SELF = Text(
    "자기 테이블을 가리키는 외래키가 NOT NULL이라 맨 위의 행을 넣을 수 없습니다",
    "a NOT NULL reference to its own table: the topmost row cannot be inserted",
)
_OWN_KEY = Text(
    "외래키가 같은 행의 자기 자신을 가리킵니다: 늘 참이라 아무것도 연결하지 않습니다",
    "the foreign key references the very same column, so it always holds and connects nothing",
)
# what points at one of many rows that come later: never needed when its own row is inserted
_LATER = frozenset(
    """
    last latest recent current newest first main primary default representative featured best manager head leader chief
    captain active preferred winner accepted selected cover thumbnail
    """.split()
)
_LATER_KO = ("최근", "최종", "마지막", "현재", "대표", "기본", "책임", "관리자", "팀장", "부서장")

_Edges = Mapping[str, Mapping[str, tuple[TablePlace, ForeignKey]]]


def check_cycles(index: Index, policy: Policy) -> Iterator[Draft]:
    """Tables of which none can have a first row."""
    required = _edges(index, lambda key: key.required and not key.deferrable)
    every = _edges(index, lambda key: True)
    closed = circles(required)
    dialect = policy.dialect or (index.artifacts.erd.meta.dialect if index.artifacts.erd else None)
    for part in closed:
        yield _circle(index, policy, required, part, severity_minor=False, deferrable=dialect != "mysql")
    for part in circles(every):
        if not any(set(inner) <= set(part) for inner in closed):
            yield _circle(index, policy, every, part, severity_minor=True, deferrable=False)
    for place in index.tables.values():
        yield from _self_references(place)


def _edges(index: Index, counts: Callable[[ForeignKey], bool]) -> _Edges:
    """Which table references which other, by lower-case names; only keys whose columns and target exist."""
    edges: dict[str, dict[str, tuple[TablePlace, ForeignKey]]] = {name: {} for name in index.tables}
    for name, place in index.tables.items():
        for key in place.keys:
            target = key.target.lower()
            whole = all(column.lower() in place.columns for column in key.columns)
            if target in index.tables and target != name and whole and counts(key):
                known = edges[name].get(target)
                if known is None or _needed(index, place, known[1]) < _needed(index, place, key):
                    edges[name][target] = (place, key)
    return edges


def _circle(
    index: Index, policy: Policy, edges: _Edges, part: Sequence[str], *, severity_minor: bool, deferrable: bool
) -> Draft:
    way = shortest_way_round(edges, part)
    steps = [edges[name][way[(number + 1) % len(way)]] for number, name in enumerate(way)]
    loose = [step for step in steps if not step[1].required or step[1].deferrable] if severity_minor else steps
    place, key = min(loose or steps, key=lambda step: _needed(index, step[0], step[1]))
    column = f"{place.table.name}.{', '.join(key.columns)}"
    names = [index.tables[name].table.name for name in (*way, way[0])]
    return Draft(
        severity="minor" if severity_minor else "critical",
        stage="dba",
        path=f"{place.path}{key.path}",
        ref="<->".join(index.tables[name].table.name for name in part),
        text=_OPEN_CIRCLE if severity_minor else _CIRCLE,
        values={
            "way": " → ".join(names),
            "column": column,
            "deferrable": _DEFERRABLE.write(policy.lang, {}) if deferrable else "",
        },
        expected="" if severity_minor else f"{column} null=true",
        candidates=() if severity_minor else _ways_out(index, steps, column),
    )


def _ways_out(index: Index, steps: Sequence[tuple[TablePlace, ForeignKey]], best: str) -> tuple[str, ...]:
    ordered = sorted(steps, key=lambda step: _needed(index, step[0], step[1]))
    columns = (f"{place.table.name}.{', '.join(key.columns)}" for place, key in ordered)
    return tuple(dict.fromkeys(f"{column} null=true" for column in (best, *columns)))


def _needed(index: Index, place: TablePlace, key: ForeignKey) -> int:
    """How much a row needs this reference when it is inserted; the least needed one can wait."""
    child, parent = place.table.name.lower(), key.target.lower()
    words = [singular(word) for name in key.columns for word in name_words(name)]
    column = place.columns.get(key.columns[0].lower())
    later = bool(_LATER & set(words)) or (column is not None and column.logical.startswith(_LATER_KO))
    erd = index.artifacts.erd
    declared = any(
        (relation.from_.lower(), relation.to.lower()) == (parent, child) for relation in (erd.relations if erd else ())
    )
    plain = snake(key.columns[0]) == f"{singular(snake(key.target))}_id"
    unique = column is not None and column.uq
    return (2 if key.required else 0) + (-4 if later else 0) + (3 if declared else 0) + _bound(key) + plain - unique


def _bound(key: ForeignKey) -> int:
    """A part dies with its whole, and does not come before it."""
    return {"CASCADE": 3, "SET NULL": -2}.get(key.on_delete or "", 0)


def _self_references(place: TablePlace) -> Iterator[Draft]:
    own = place.table.name.lower()
    for key in place.keys:
        present = all(name.lower() in place.columns for name in key.columns)
        if key.target.lower() != own or not present:
            continue
        same = [a.lower() == b.lower() for a, b in zip(key.columns, key.target_columns, strict=False)]
        if same and all(same):
            text, expected = _OWN_KEY, ""
        elif key.required and not key.deferrable:
            text, expected = _SELF, f"{', '.join(key.columns)} null=true"
        else:
            continue
        yield Draft(
            severity="critical",
            stage="dba",
            path=f"{place.path}{key.path}",
            ref=f"{place.table.name}.{', '.join(key.columns)}",
            text=text,
            expected=expected,
        )
