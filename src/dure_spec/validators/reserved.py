"""V05 ReservedWord: no table or column that has to be quoted in every statement written by hand."""

from collections.abc import Iterator

from dure_spec.artifacts.erd import Dialect
from dure_spec.derive.words import plural, singular, snake
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.policy import Draft, Policy, Text

_TABLE = Text(
    "'{word}': {dialect} 예약어라 모든 SQL에서 따옴표가 필요합니다",
    "'{word}' is reserved in {dialect}: all SQL needs quotes",
)
_COLUMN = Text("'{word}': {dialect} 예약어입니다", "'{word}' is reserved in {dialect}")
_INSTEAD = {
    "order": "sort_order",
    "desc": "description",
    "limit": "max_count",
    "offset": "start_offset",
    "default": "is_default",
    "primary": "is_primary",
    "check": "is_checked",
    "when": "occurred_at",
    "end": "ends_at",
    "from": "starts_from",
    "to": "ends_at",
    "key": "key_name",
    "index": "position",
}


def check_reserved(index: Index, policy: Policy) -> Iterator[Draft]:
    """Bare names that the dialect keeps for itself."""
    erd = index.artifacts.erd
    if erd is None:
        return
    dialect = policy.dialect or erd.meta.dialect
    words = policy.reserved_in(dialect)
    for place in index.tables.values():
        if place.table.name.lower() in words:
            yield _table(index, place, dialect, words)
        for number, column in enumerate(place.table.columns):
            if column.name.lower() in words:
                yield Draft(
                    severity="minor",
                    stage="dba",
                    path=f"{place.path}/columns/{number}/name",
                    ref=f"{place.table.name}.{column.name}",
                    text=_COLUMN,
                    values={"word": column.name, "dialect": dialect},
                    expected=_column_name(place.table.name, column.name, words),
                )


def _table(index: Index, place: TablePlace, dialect: Dialect, words: frozenset[str]) -> Draft:
    name = place.table.name
    term = index.term_of(place.table)
    english = singular(snake(term.en)) if term else singular(name.lower())
    wishes = (plural(english), plural(singular(name.lower())), f"app_{plural(singular(name.lower()))}")
    free = tuple(dict.fromkeys(wish for wish in wishes if wish not in words))
    return Draft(
        severity="major",
        stage="dba",
        path=f"{place.path}/name",
        ref=name,
        text=_TABLE,
        values={"word": name, "dialect": dialect},
        expected=free[0],
        candidates=free,
        topic=f"name:{name}",
    )


def _column_name(table: str, column: str, words: frozenset[str]) -> str:
    wishes = (_INSTEAD.get(column.lower(), ""), f"{singular(snake(table))}_{column.lower()}")
    return next(wish for wish in (*wishes, f"{column.lower()}_value") if wish and wish not in words)
