"""V04 NamingConvention: names that SQL, URLs and people can live with."""

import re
from collections.abc import Iterator, Sequence

from dure_spec.artifacts.erd import Table
from dure_spec.derive.types import MAX_IDENTIFIER_BYTES, is_valid_identifier
from dure_spec.derive.words import camel, kebab, plural, singular, snake
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.policy import Draft, Policy, Text, nearest

_ILLEGAL = Text(
    "쓸 수 없는 이름입니다(문자·숫자·_만, {max}바이트 이하): SQL이 실행되지 않습니다",
    "illegal name (letters, digits and _ only, at most {max} bytes): SQL does not run",
)
_TABLE_CASE = Text(
    "snake_case가 아닌 테이블 이름. 함께 바꿀 곳: {places}", "table is not snake_case; also change: {places}"
)
_COLUMN_CASE = Text("snake_case가 아닌 컬럼 이름", "column is not snake_case")
_COLUMNS_CASE = Text("snake_case가 아닌 컬럼이 많습니다: {columns}", "many columns are not snake_case: {columns}")
_PREFIX = Text("뜻이 없는 접두어입니다", "prefix without meaning")
_NUMBER = Text("단수·복수 이름이 섞여 있습니다", "singular and plural table names are mixed")
_GLOSSARY = Text("용어집에 없는 이름입니다", "name is not from the glossary")
_CAMEL = Text("속성 이름은 camelCase로 씁니다", "attribute is not camelCase")
_KEBAB = Text("경로는 kebab-case로 씁니다: {segment}", "path segment is not kebab-case: {segment}")

_SNAKE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_CAMEL_CASE = re.compile(r"[a-z][A-Za-z0-9]*")
_PREFIXES = ("tbl_", "t_", "tb_")


def check_naming(index: Index, policy: Policy) -> Iterator[Draft]:
    """Tables and columns, then attributes and paths."""
    for place in index.tables.values():
        yield from _table(index, place)
        yield from _columns(place, policy)
    yield from _mixed_number(index)
    for place in index.bos.values():
        for number, attribute in enumerate(place.bo.attrs):
            if not _CAMEL_CASE.fullmatch(attribute.name):
                yield Draft(
                    severity="minor",
                    stage="backend",
                    path=f"{place.path}/attrs/{number}/name",
                    ref=f"{place.bo.id}.{attribute.name}",
                    text=_CAMEL,
                    expected=camel(attribute.name),
                )
    yield from _paths(index)


def _table(index: Index, place: TablePlace) -> Iterator[Draft]:
    table = place.table
    wanted = _glossary_name(index, table) or snake(table.name)
    topic = f"name:{table.name}"
    path = f"{place.path}/name"
    if not is_valid_identifier(table.name):
        values = {"max": str(MAX_IDENTIFIER_BYTES)}
        yield Draft(
            severity="critical",
            stage="dba",
            path=path,
            ref=table.name,
            text=_ILLEGAL,
            values=values,
            expected=wanted,
            topic=topic,
        )
    elif not _SNAKE.fullmatch(table.name):
        values = {"places": ", ".join(_mentions(index, table)) or "-"}
        yield Draft(
            severity="major",
            stage="dba",
            path=path,
            ref=table.name,
            text=_TABLE_CASE,
            values=values,
            expected=wanted,
            topic=topic,
        )
    elif table.name.startswith(_PREFIXES):
        bare = table.name.partition("_")[2]
        yield Draft(severity="minor", stage="dba", path=path, ref=table.name, text=_PREFIX, expected=bare, topic=topic)
    yield from _off_glossary(index, place, topic)


def _off_glossary(index: Index, place: TablePlace, topic: str) -> Iterator[Draft]:
    table = place.table
    if not index.terms or table.kind != "entity":
        return
    english = {singular(snake(term.en)) for term in index.terms.values()}
    if singular(snake(table.name)) not in english:
        yield Draft(
            severity="minor",
            stage="dba",
            path=f"{place.path}/name",
            ref=table.name,
            text=_GLOSSARY,
            expected=_glossary_name(index, table),
            candidates=nearest(snake(table.name), sorted(plural(each) for each in english)),
            cause=topic,
        )


def _glossary_name(index: Index, table: Table) -> str:
    term = index.term_of(table)
    return plural(singular(snake(term.en))) if term else ""


def _mentions(index: Index, table: Table) -> Iterator[str]:
    """Places in the design that name the table too."""
    for other in index.tables.values():
        for key in other.keys:
            if key.target.lower() == table.name.lower():
                yield f"{other.table.name}.{key.columns[0]}"
    erd = index.artifacts.erd
    for number, relation in enumerate(erd.relations if erd else ()):
        for end, name in (("from", relation.from_), ("to", relation.to), ("via", relation.via)):
            if name == table.name:
                yield f"relations[{number}].{end}"


def _columns(place: TablePlace, policy: Policy) -> Iterator[Draft]:
    off: list[tuple[int, str]] = []
    for number, column in enumerate(place.table.columns):
        if not is_valid_identifier(column.name):
            yield Draft(
                severity="critical",
                stage="dba",
                path=f"{place.path}/columns/{number}/name",
                ref=f"{place.table.name}.{column.name}",
                text=_ILLEGAL,
                values={"max": str(MAX_IDENTIFIER_BYTES)},
                expected=snake(column.name),
            )
        elif not _SNAKE.fullmatch(column.name):
            off.append((number, column.name))
    yield from _off_style(place, off, policy)


def _off_style(place: TablePlace, off: Sequence[tuple[int, str]], policy: Policy) -> Iterator[Draft]:
    if len(off) > 1 and len(off) >= policy.column_style_share * len(place.table.columns):
        yield Draft(
            severity="major",
            stage="dba",
            path=f"{place.path}/columns",
            ref=place.table.name,
            text=_COLUMNS_CASE,
            values={"columns": ", ".join(name for _, name in off)},
            expected=", ".join(snake(name) for _, name in off),
        )
        return
    for number, name in off:
        yield Draft(
            severity="minor",
            stage="dba",
            path=f"{place.path}/columns/{number}/name",
            ref=f"{place.table.name}.{name}",
            text=_COLUMN_CASE,
            expected=snake(name),
        )


def _mixed_number(index: Index) -> Iterator[Draft]:
    plurals: list[TablePlace] = []
    singulars: list[TablePlace] = []
    for place in index.tables.values():
        name = snake(place.table.name)
        if place.table.kind != "entity" or not _SNAKE.fullmatch(place.table.name):
            continue
        if singular(name) != name:
            plurals.append(place)
        elif plural(name) != name and not name.endswith("s"):
            singulars.append(place)
    if not (plurals and singulars):
        return
    odd, wanted = (singulars, plural) if len(plurals) >= len(singulars) else (plurals, singular)
    for place in odd:
        name = place.table.name
        yield Draft(
            severity="minor",
            stage="dba",
            path=f"{place.path}/name",
            ref=name,
            text=_NUMBER,
            expected=wanted(name),
            cause=f"name:{name}",
        )


def _paths(index: Index) -> Iterator[Draft]:
    for place in index.all_ops():
        for segment in place.op.path.split("/"):
            if "_" in segment and not segment.startswith(("{", ":")):
                yield Draft(
                    severity="minor",
                    stage="backend",
                    path=f"{place.path}/path",
                    ref=place.op.id,
                    text=_KEBAB,
                    values={"segment": segment},
                    expected=kebab(segment),
                )
                break
