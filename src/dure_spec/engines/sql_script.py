"""A script taken apart into statements with their lines, and which of them a trial may run."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_PIECE = re.compile(
    r"""
    (?P<skipped>--[^\n]*|/\*.*?\*/)
  | (?P<kept>[eE]'(?:[^'\\]|''|\\.)*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\$(?P<tag>\w*)\$.*?\$(?P=tag)\$)
  | (?P<end>;)
  | (?P<copied>^\\\.[^\n]*$)
  | (?P<command>^\\[^\n]*$)
  | (?P<word>\w+)
  | (?P<other>.)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A statement without its semicolon; `line` counts from 1."""

    line: int
    sql: str


def split_script(text: str) -> Iterator[Statement]:
    """The statements of a script; comments, commands of psql and the data of COPY are left out."""
    begin, at = 0, 0
    while at < len(text):
        match = _PIECE.match(text, at)
        if match is None:
            break
        at = match.end()
        if match.lastgroup == "command" and not text[begin : match.start()].strip():
            begin = at
        if match["end"] is None:
            continue
        yield from _statement(text, begin, match.start())
        if _COPY.match(_bare(text[begin : match.start()])):
            data = _DATA.search(text, at)
            at = data.end() if data else len(text)
        begin = at
    yield from _statement(text, begin, len(text))


def _statement(text: str, begin: int, end: int) -> Iterator[Statement]:
    bare = _bare(text[begin:end])
    if bare.strip():
        lead = len(bare) - len(bare.lstrip())
        yield Statement(line=text.count("\n", 0, begin + lead) + 1, sql=bare.strip())


def _bare(sql: str) -> str:
    """The text with comments as spaces, so that every place stays where it was."""

    def blank(match: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", match.group()) if match["skipped"] else match.group()

    return _PIECE.sub(blank, sql)


def is_schema_statement(sql: str) -> bool:
    """Whether a trial runs it."""
    return _RUN.match(sql) is not None and not (_SETTINGS.search(sql) and sql.lstrip()[:5].upper() == "ALTER")


def without_schema(sql: str, schema: str) -> str:
    """The statement with names of a schema left to the search path."""
    pieces: list[str] = []
    at = 0
    named = re.compile(rf"(?:{re.escape(schema)}|\"{re.escape(schema)}\")\s*\.\s*(?=[\w\"])", re.IGNORECASE)
    while at < len(sql):
        found = named.match(sql, at)
        if found and (at == 0 or not (sql[at - 1].isalnum() or sql[at - 1] in "_.")):
            at = found.end()
            continue
        match = _PIECE.match(sql, at)
        if match is None:
            break
        pieces.append(match.group())
        at = match.end()
    return "".join(pieces)
