"""V04 NamingConvention: names of tables and columns that SQL, URLs and people can live with."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dure_spec.derive.types import MAX_IDENTIFIER_BYTES
from dure_spec.derive.words import name_words, plural, singular, snake
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.name_choice import NameChoice
from dure_spec.validators.name_style import in_style
from dure_spec.validators.patches import Repairs
from dure_spec.validators.policy import Draft, Policy, Text
from dure_spec.validators.table_number import in_number, is_habit, number_of, pair_topic

_ILLEGAL = Text(
    "쓸 수 없는 이름입니다(문자·숫자·_만, {max}바이트 이하): 따옴표 없는 SQL은 실행되지 않습니다. "
    "함께 바꿀 곳: {places}",
    "illegal name (letters, digits and _ only, at most {max} bytes): SQL does not run without quotes; "
    "also change: {places}",
)
_TABLE_CASE = Text("{style}가 아닌 테이블 이름. 함께 바꿀 곳: {places}", "table is not {style}; also change: {places}")
_COLUMN_CASE = Text("{style}가 아닌 컬럼 이름. 함께 바꿀 곳: {places}", "column is not {style}; also change: {places}")
_COLUMNS_CASE = Text("{style}가 아닌 컬럼이 많습니다: {columns}", "many columns are not {style}: {columns}")
_PREFIX = Text("뜻이 없는 접두어입니다. 함께 바꿀 곳: {places}", "prefix without meaning; also change: {places}")
_NUMBER = Text(
    "단수·복수 이름이 섞여 있습니다: 대부분 {usual}. 함께 바꿀 곳: {places}",
    "singular and plural table names are mixed: most are {usual}; also change: {places}",
)
_NUMBERS = Text(
    "단수·복수 이름이 섞여 있습니다: {count}개 가운데 {others}만 다릅니다",
    "singular and plural table names are mixed: of {count} only {others} differ",
)
_GLOSSARY = Text(
    "용어집의 이름이 아닙니다({term}={en}). 함께 바꿀 곳: {places}",
    "name is not from the glossary ({term}={en}); also change: {places}",
)
_SHOWN = 8


def check_naming(index: Index, policy: Policy) -> Iterator[Draft]:
    """Names of tables, of their columns, and the number of the former."""
    names, repairs = NameChoice(index, policy), Repairs(index)
    for place in index.tables.values():
        yield from _table(place, names, repairs)
        yield from _off_glossary(index, place, names, repairs)
        yield from _columns(place, names, repairs, policy)
    yield from _mixed_number(index, names, repairs)


def _table(place: TablePlace, names: NameChoice, repairs: Repairs) -> Iterator[Draft]:
    name = place.table.name
    bare = names.bare(name)
    if not names.is_legal(name):
        severity, text = "critical", _ILLEGAL
    elif not names.is_styled(name):
        severity, text = "major", _TABLE_CASE
    elif bare:
        severity, text = "minor", _PREFIX
    else:
        return
    glossary = names.glossary_name(place)
    own = bare or snake(name) or in_style(name, "snake_case")
    numbered = in_number(own, names.numbers.usual) if names.counts_number and number_of(name) else own
    free = names.tables(place, (glossary, numbered, own, plural(singular(own)), f"app_{own}"))
    yield Draft(
        severity=severity,
        stage="dba",
        path=f"{place.path}/name",
        ref=name,
        text=text,
        values={"max": str(MAX_IDENTIFIER_BYTES), "style": names.style, "places": _places(repairs, name)},
        expected=free[0] if free else "",
        candidates=free,
        topic=f"name:{name}",
        patch=repairs.rename_table(place, free[0]) if free else (),
    )


def _places(repairs: Repairs, table: str) -> str:
    labels = list(dict.fromkeys(mention.label for mention in repairs.mentions_of(table)))
    more = f", +{len(labels) - _SHOWN}" if len(labels) > _SHOWN else ""
    return ", ".join(labels[:_SHOWN]) + more or "-"


def _off_glossary(index: Index, place: TablePlace, names: NameChoice, repairs: Repairs) -> Iterator[Draft]:
    """A table that the glossary calls otherwise, unless another has that name; what it does not know is not judged."""
    table = place.table
    term = index.term_of(table)
    glossary = names.glossary_name(place)
    same = (
        term is None or singular(snake(table.name)) == singular(snake(term.en)) or table.name == plural(snake(term.en))
    )
    if term is None or same or (glossary in index.tables and glossary != table.name.lower()):
        return
    free = names.tables(place, (glossary,))
    yield Draft(
        severity="minor",
        stage="dba",
        path=f"{place.path}/name",
        ref=table.name,
        text=_GLOSSARY,
        values={"term": term.term, "en": term.en, "places": _places(repairs, table.name)},
        expected=free[0] if free else "",
        candidates=free,
        cause=f"name:{table.name}",
        patch=repairs.rename_table(place, free[0]) if free else (),
    )


def _columns(place: TablePlace, names: NameChoice, repairs: Repairs, policy: Policy) -> Iterator[Draft]:
    off: list[tuple[int, str]] = []
    seen: set[str] = set()
    for number, column in enumerate(place.table.columns):
        if column.name.lower() in seen:
            continue  # declared twice, which V06 tells
        seen.add(column.name.lower())
        if not names.is_legal(column.name):
            new = names.column_wish(place, column.name)
            yield Draft(
                severity="critical",
                stage="dba",
                path=f"{place.path}/columns/{number}/name",
                ref=f"{place.table.name}.{column.name}",
                text=_ILLEGAL,
                values={"max": str(MAX_IDENTIFIER_BYTES), "places": "-"},
                expected=new,
                patch=repairs.rename_columns(place, {column.name: new}),
            )
        elif not names.is_styled(column.name):
            off.append((number, column.name))
    many = len(off) > 1 and len(off) >= policy.column_style_share * len(place.table.columns)
    yield from (_many if many else _each)(place, off, names, repairs)


def _many(place: TablePlace, off: Sequence[tuple[int, str]], names: NameChoice, repairs: Repairs) -> Iterator[Draft]:
    wanted = {name: names.column_wish(place, name) for _, name in off}
    distinct = len({new.lower() for new in wanted.values()}) == len(wanted)
    yield Draft(
        severity="major",
        stage="dba",
        path=f"{place.path}/columns",
        ref=place.table.name,
        text=_COLUMNS_CASE,
        values={"columns": ", ".join(name for _, name in off), "style": names.style},
        expected=", ".join(filter(None, wanted.values())),
        patch=repairs.rename_columns(place, wanted) if distinct else (),
    )


def _each(place: TablePlace, off: Sequence[tuple[int, str]], names: NameChoice, repairs: Repairs) -> Iterator[Draft]:
    for number, name in off:
        new = names.column_wish(place, name)
        patch = repairs.rename_columns(place, {name: new})
        places = [step.path for step in patch if step.op == "replace"][1:]
        yield Draft(
            severity="minor",
            stage="dba",
            path=f"{place.path}/columns/{number}/name",
            ref=f"{place.table.name}.{name}",
            text=_COLUMN_CASE,
            values={"style": names.style, "places": ", ".join(places[:_SHOWN]) or "-"},
            expected=new,
            patch=patch,
        )


def _mixed_number(index: Index, names: NameChoice, repairs: Repairs) -> Iterator[Draft]:
    """Each table that stands out; in somebody else's schema one finding, and only where both are a habit."""
    numbers = names.numbers
    if not names.counts_number:
        if is_habit(numbers):
            first = numbers.others[0]
            others = ", ".join(place.table.name for place in numbers.others)
            values = {"count": str(numbers.count), "others": others}
            yield _number(first, _NUMBERS, values)
        return
    for place in numbers.others:
        name = place.table.name
        free = names.tables(place, (in_number(snake(name) if name_words(name) else "", numbers.usual),))
        values = {"usual": numbers.usual or "", "places": _places(repairs, name)}
        twins = {singular(snake(name)), plural(singular(snake(name)))} - {name.lower()}
        cause = pair_topic(name) if twins & index.tables.keys() else f"name:{name}"
        yield replace(_number(place, _NUMBER, values, free, repairs), cause=cause)


def _number(
    place: TablePlace,
    text: Text,
    values: dict[str, str],
    free: tuple[str, ...] = (),
    repairs: Repairs | None = None,
) -> Draft:
    return Draft(
        severity="minor",
        stage="dba",
        path=f"{place.path}/name",
        ref=place.table.name,
        text=text,
        values=values,
        expected=free[0] if free else "",
        candidates=free,
        cause=f"name:{place.table.name}",
        patch=repairs.rename_table(place, free[0]) if repairs and free else (),
    )
