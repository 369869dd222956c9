"""V05 ReservedWord: no table or column that has to be quoted in every statement written by hand."""

from collections.abc import Iterator

from dure_spec.derive.words import plural, singular, snake
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.name_choice import NameChoice
from dure_spec.validators.patches import Repairs
from dure_spec.validators.policy import Draft, Policy, Text
from dure_spec.validators.table_number import in_number

_TABLE = Text(
    "'{word}': {dialect} 예약어라 모든 SQL에서 따옴표가 필요합니다. 대신: {instead}{glossary}",
    "'{word}' is reserved in {dialect}: all SQL needs quotes; use {instead}{glossary}",
)
_COLUMN = Text(
    "'{word}': {dialect} 예약어라 모든 SQL에서 따옴표가 필요합니다. 대신: {instead}",
    "'{word}' is reserved in {dialect}: all SQL needs quotes; use {instead}",
)


def check_reserved(index: Index, policy: Policy) -> Iterator[Draft]:
    """Names that the target dialect keeps for itself."""
    if index.artifacts.erd is None:
        return
    names, repairs = NameChoice(index, policy), Repairs(index)
    for place in index.tables.values():
        if names.is_reserved(place.table.name):
            yield _table(index, place, names, repairs)
        for number, column in enumerate(place.table.columns):
            if names.is_reserved(column.name):
                new = names.column_wish(place, column.name)
                yield Draft(
                    severity="minor",
                    stage="dba",
                    path=f"{place.path}/columns/{number}/name",
                    ref=f"{place.table.name}.{column.name}",
                    text=_COLUMN,
                    values={"word": column.name, "dialect": names.dialect, "instead": new or "-"},
                    expected=new,
                    patch=repairs.rename_columns(place, {column.name: new}),
                )


def _table(index: Index, place: TablePlace, names: NameChoice, repairs: Repairs) -> Draft:
    name = place.table.name
    own, term = snake(name), index.term_of(place.table)
    usual = names.numbers.usual
    app = f"app_{own}"
    wishes = (names.glossary_name(place), in_number(own, usual), plural(singular(own)), in_number(app, usual))
    wishes += (plural(singular(app)), app, f"{singular(own)}_records")
    free = names.tables(place, wishes)
    instead = free[0] if free else "-"
    known = bool(term) and snake(instead) == names.glossary_name(place)
    glossary = f" (glossary {term.term}={term.en})" if term and known else ""
    return Draft(
        severity="major",
        stage="dba",
        path=f"{place.path}/name",
        ref=name,
        text=_TABLE,
        values={"word": name, "dialect": names.dialect, "instead": instead, "glossary": glossary},
        expected=free[0] if free else "",
        candidates=free,
        topic=f"name:{name}",
        patch=repairs.rename_table(place, free[0]) if free else (),
    )
