"""A script taken apart into statements with their lines, and which of them a trial may run."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

_PIECE = re.compile(
    r"""
    (?P<skipped>--[^\n]*|/\*.*?\*/)
  | (?P<kept>[eE]'(?:[^'\\]|''|\\.)*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\$(?P<tag>\w*)\$.*?\$(?P=tag)\$)
  | (?P<end>;)
  | (?P<copied>^\\\.[^\n]*$)
  | (?P<command>^\\[^\n]*$)
  | (?P<word>\w+)
  | (?P<other>[^\w'"`$;\\/\n-]+|.)
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_COPY = re.compile(r"\s*COPY\b.*\bFROM\s+STDIN\b", re.IGNORECASE | re.DOTALL)
_DATA = re.compile(r"^\\\.[^\n]*$", re.MULTILINE)
# what a trial runs: the schema and its rows; never what ends a transaction or reaches beyond the schema
_RUN = re.compile(
    r"\s*(?:CREATE\s+(?:OR\s+REPLACE\s+|UNIQUE\s+|GLOBAL\s+|LOCAL\s+|TEMP(?:ORARY)?\s+|UNLOGGED\s+|RECURSIVE\s+|"
    r"CONSTRAINT\s+|MATERIALIZED\s+)*"
    r"(?:TABLE|INDEX|VIEW|SEQUENCE|TYPE|DOMAIN|FUNCTION|PROCEDURE|TRIGGER|AGGREGATE|CAST|OPERATOR|RULE|STATISTICS)\b|"
    r"ALTER\s+(?:TABLE|INDEX|VIEW|SEQUENCE|TYPE|DOMAIN)\b|"
    r"DROP\s+(?:TABLE|INDEX|VIEW|SEQUENCE|TYPE|DOMAIN|FUNCTION|TRIGGER)\b|"
    r"COMMENT\b|INSERT\b|UPDATE\b|DELETE\b|WITH\b)",
    re.IGNORECASE,
)
_SETTINGS = re.compile(r"\b(?:OWNER\s+TO|OWNED\s+BY\s+NONE|SET\s+TABLESPACE|(?:EN|DIS)ABLE\s+TRIGGER)\b", re.IGNORECASE)

_NAME = r"(?P<name>\w+|\"(?:[^\"]|\"\")+\")"
_QUALIFIER = re.compile(rf"{_NAME}\s*\.\s*(?=[\w\"])")
_IF_NEW = r"(?:IF\s+NOT\s+EXISTS\s+)?"
_SCHEMA = re.compile(rf"\s*CREATE\s+SCHEMA\s+{_IF_NEW}{_NAME}", re.IGNORECASE)
_MADE_IN = re.compile(
    rf"\s*CREATE\s+(?:\w+\s+)*?(?:TABLE|VIEW|SEQUENCE|TYPE|DOMAIN|FUNCTION)\s+{_IF_NEW}{_NAME}\s*\.", re.IGNORECASE
)
_SEARCH_PATH = re.compile(r"\s*SET\s+(?:LOCAL\s+|SESSION\s+)?search_path\s*(?:=|\bTO\b)\s*(?P<list>.+)", re.I | re.S)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A statement without its semicolon; `line` counts from 1."""

    line: int
    sql: str


def split_script(text: str) -> Iterator[Statement]:
    """The statements of a script; comments, commands of psql and the data of COPY are left out."""
    begin, at, line = 0, 0, 1
    while at < len(text):
        match = _PIECE.match(text, at)
        if match is None:
            break
        at = match.end()
        if match.lastgroup == "command" and not text[begin : match.start()].strip():
            line += text.count("\n", begin, at)
            begin = at
        if match["end"] is None:
            continue
        ended = tuple(_statement(text[begin : match.start()], line))
        yield from ended
        if ended and _COPY.match(ended[0].sql):
            data = _DATA.search(text, at)
            at = data.end() if data else len(text)
        line += text.count("\n", begin, at)
        begin = at
    yield from _statement(text[begin:], line)


def _statement(text: str, line: int) -> Iterator[Statement]:
    bare = _bare(text)
    if bare.strip():
        lead = len(bare) - len(bare.lstrip())
        yield Statement(line=line + text.count("\n", 0, lead), sql=bare.strip())


def _bare(sql: str) -> str:
    """The text with comments as spaces, so that every place stays where it was."""

    def blank(match: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", match.group()) if match["skipped"] else match.group()

    return _PIECE.sub(blank, sql)


def is_schema_statement(sql: str) -> bool:
    """Whether a trial runs it."""
    return _RUN.match(sql) is not None and not (_SETTINGS.search(sql) and sql.lstrip()[:5].upper() == "ALTER")


def with_schemas(sql: str, schemas: Mapping[str, str]) -> str:
    """The statement with `name.` of each schema (lower case) replaced by another, or by nothing where that is empty."""
    pieces: list[str] = []
    at = 0
    while at < len(sql):
        found = _QUALIFIER.match(sql, at)
        begins = at == 0 or not (sql[at - 1].isalnum() or sql[at - 1] in "_.")
        name = found["name"].strip('"').lower() if found and begins else ""
        if found and name in schemas:
            pieces.append(f"{schemas[name]}." if schemas[name] else "")
            at = found.end()
            continue
        match = _PIECE.match(sql, at)
        if match is None:
            break
        pieces.append(match.group())
        at = match.end()
    return "".join(pieces)


def schemas_named(statements: Iterable[Statement]) -> tuple[str, ...]:
    """Schemas that the statements create, or create something in; lower case, in order."""
    found: dict[str, None] = {}
    for statement in statements:
        for pattern in (_SCHEMA, _MADE_IN):
            match = pattern.match(statement.sql)
            if match:
                found[match["name"].strip('"').lower()] = None
    return tuple(found)


def search_path_of(sql: str) -> tuple[str, ...] | None:
    """The schemas of a SET search_path, lower case; `None` for any other statement."""
    match = _SEARCH_PATH.match(sql)
    return tuple(part.strip().strip("'\"").lower() for part in match["list"].split(",")) if match else None
