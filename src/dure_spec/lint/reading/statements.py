"""A file cut into statements: what is read is told apart from what is only stepped over."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from dure_spec.artifacts.erd import Dialect
from dure_spec.lint.reading.tokens import comment_pattern, name_pattern, string_pattern

StatementKind = Literal["schema", "routine", "rows", "other"]

_SCHEMA = re.compile(
    r"CREATE\s+(?:OR\s+REPLACE\s+)?(?:GLOBAL\s+|LOCAL\s+|PRIVATE\s+|SHARDED\s+)?(?:TEMP(?:ORARY)?\s+)?(?:UNLOGGED\s+)?TABLE\b"
    r"|CREATE\s+(?:UNIQUE\s+|BITMAP\s+|FULLTEXT\s+|SPATIAL\s+)?INDEX\b|CREATE\s+TYPE\b(?!\s+BODY)|CREATE\s+DOMAIN\b"
    r"|ALTER\s+(?:FOREIGN\s+)?TABLE\b|COMMENT\s+ON\b|DROP\s+TABLE\b|RENAME\s+TABLE\b"
    r"|CREATE\s+SCHEMA\b|SET\s+search_path\b|USE\b",
    re.IGNORECASE,
)
_WITH_TABLES = re.compile(r"CREATE\s+SCHEMA\b", re.IGNORECASE)
_ROUTINE = re.compile(
    r"CREATE\s+(?:OR\s+REPLACE\s+)?(?:DEFINER\s*=\s*\S+\s+)?(?:(?:NON)?EDITIONABLE\s+)?(?:TEMP(?:ORARY)?\s+)?"
    r"(?:CONSTRAINT\s+)?(?:AGGREGATE\s+)?(?:FUNCTION|PROCEDURE|TRIGGER|PACKAGE|EVENT|TYPE\s+BODY)\b"
    r"|DECLARE\b|BEGIN\b(?!\s*(?:;|TRAN|WORK|IMMEDIATE|DEFERRED|EXCLUSIVE|ISOLATION|READ|\Z))",
    re.IGNORECASE,
)
_ROWS = re.compile(r"(?:INSERT|REPLACE|UPDATE|DELETE|MERGE|SELECT|WITH|VALUES|CALL|LOCK|UNLOCK)\b", re.IGNORECASE)
_COPY = re.compile(r"COPY\b(?>[^;]*?\bFROM\s+STDIN\b)[^;]*+;[^\n]*+\n", re.IGNORECASE)
_CLIENT_LINE = re.compile(
    r"(?:REM(?:ARK)?|PROMPT|SPOOL|WHENEVER|GO|\\|@|\.[a-z])(?![\w]*\s*=)[^\n]*+"
    r"|(?:SET|DEFINE|UNDEFINE|COLUMN|SHOW|CONNECT|CONN|EXIT|QUIT|ACCEPT|CLEAR|PAUSE|USE)\b[^\n;]*+(?=\n|\Z)"
    r"|/[ \t]*(?=\r?\n|\Z)",
    re.IGNORECASE,
)
_DELIMITER = re.compile(r"DELIMITER[ \t]+(\S+)[^\n]*+", re.IGNORECASE)
_NEXT_TABLE = re.compile(r"^[ \t]*(?=CREATE\s+(?:\w+\s+)?TABLE\b)", re.IGNORECASE | re.MULTILINE)
_MOST_RESUMED = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A statement: `text[start:end]` without what ends it, `after` behind that."""

    kind: StatementKind
    start: int
    end: int
    after: int
    broken: bool = False
    """Something in it is opened and never closed."""
    ended: bool = True
    """Whether a terminator stands behind it."""


def statements_of(text: str, dialect: Dialect) -> Iterator[Statement]:
    """Every statement in order; lines for a client program, comments and data blocks are left out."""
    delimiter, at, resumed = ";", 0, 0
    skip = _skipped(dialect)
    while True:
        at = _end_of(skip, text, at)
        if at >= len(text):
            return
        if text.startswith(delimiter, at):
            at += len(delimiter)
            continue
        change = _DELIMITER.match(text, at) if dialect == "mysql" else None
        line = change or _CLIENT_LINE.match(text, at)
        if line is not None:
            delimiter = change[1] if change else delimiter
            at = max(line.end(), at + 1)
            continue
        found = _data(text, at) or _statement(text, at, dialect, delimiter)
        resume = _NEXT_TABLE.search(text, found.start + 1) if found.broken and resumed < _MOST_RESUMED else None
        resumed += found.broken
        yield found
        at = max(resume.end(), found.start + 1) if resume else found.after


def _data(text: str, at: int) -> Statement | None:
    """A COPY with its rows, which a line with `\\.` ends."""
    head = _COPY.match(text, at)
    if head is None:
        return None
    close = text.find("\n\\.", head.end() - 1)
    after = len(text) if close < 0 else close + 3
    return Statement(kind="rows", start=at, end=after, after=after, broken=close < 0, ended=close >= 0)


def _statement(text: str, at: int, dialect: Dialect, delimiter: str) -> Statement:
    if _ROUTINE.match(text, at):
        return _routine(text, at, dialect, delimiter)
    whole = _WITH_TABLES.match(text, at) is not None
    kind: StatementKind = "schema" if _SCHEMA.match(text, at) else "rows" if _ROWS.match(text, at) else "other"
    quick = _rows(dialect).match(text, at) if kind == "rows" and delimiter == ";" else None
    if quick:
        return Statement(kind=kind, start=at, end=quick.end() - 1, after=quick.end())
    place = at
    while match := _special(dialect, delimiter).search(text, place):
        place = match.end()
        match match.lastgroup:
            case "end":
                return Statement(kind=kind, start=at, end=match.start(), after=match.end())
            case "next" if kind == "schema" and match.start() > at and not whole:
                return Statement(kind=kind, start=at, end=match.start(), after=match.start(), ended=False)
            case "open":
                return _open(kind, at, match.start(), len(text))
            case "dollar":
                place = _behind_dollars(text, match)
                if place < 0:
                    return _open(kind, at, match.start(), len(text))
            case _:
                pass
    return Statement(kind=kind, start=at, end=len(text), after=len(text), ended=False)


def _behind_dollars(text: str, opening: re.Match[str]) -> int:
    """Behind the closing `$tag$`; -1 where there is none."""
    close = text.find(opening.group(), opening.end())
    return close + len(opening.group()) if close >= 0 else -1


def _open(kind: StatementKind, start: int, end: int, after: int) -> Statement:
    return Statement(kind=kind, start=start, end=end, after=after, broken=True, ended=False)


def _routine(text: str, at: int, dialect: Dialect, delimiter: str) -> Statement:
    """A function or trigger: to its own delimiter, to a line with `/`, or to the `;` outside BEGIN and END."""
    if dialect == "oracle":
        line = re.compile(r"^/[ \t]*\r?$", re.MULTILINE).search(text, at)
        end, after = (line.start(), line.end()) if line else (len(text), len(text))
        return Statement(kind="routine", start=at, end=end, after=after)
    pattern = _routine_special(dialect, delimiter)
    place, depth = at, 0
    while match := pattern.search(text, place):
        place = match.end()
        match match.lastgroup:
            case "open":
                return _open("routine", at, match.start(), len(text))
            case "dollar":
                place = _behind_dollars(text, match)
                if place < 0:
                    return _open("routine", at, match.start(), len(text))
            case "begin":
                depth += 1
            case "close":
                depth = max(0, depth - 1)
            case "end" if depth == 0 or delimiter != ";":
                return Statement(kind="routine", start=at, end=match.start(), after=match.end())
            case _:
                pass
    return Statement(kind="routine", start=at, end=len(text), after=len(text), ended=False)


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


@lru_cache(maxsize=8)
def _skipped(dialect: Dialect) -> re.Pattern[str]:
    return re.compile(rf"(?:[\s\x00\ufeff]++|{comment_pattern(dialect)})*+", re.DOTALL)


@lru_cache(maxsize=8)
def _rows(dialect: Dialect) -> re.Pattern[str]:
    plain = r"[^;'\"`\-/#$]++"
    return re.compile(
        rf"(?:{plain}|{string_pattern(dialect)}|{name_pattern(dialect)}|{comment_pattern(dialect)}|[\-/#])*+;",
        re.DOTALL,
    )


def _quotes(dialect: Dialect) -> str:
    """What may hold a terminator without ending anything; then what opens and never closes."""
    dollar = r"|(?P<dollar>(?<![\w$])\$\w*+\$)" if dialect == "postgresql" else ""
    return (
        rf"{string_pattern(dialect)}|{name_pattern(dialect)}|{comment_pattern(dialect)}{dollar}"
        r"|(?P<open>['\"`]|/\*)"
    )


@lru_cache(maxsize=32)
def _special(dialect: Dialect, delimiter: str) -> re.Pattern[str]:
    slash = r"|^/[ \t]*\r?$" if dialect == "oracle" else ""
    batch = r"|^[Gg][Oo][ \t]*\r?$"
    return re.compile(
        rf"{_quotes(dialect)}|(?P<end>{re.escape(delimiter)}{slash}{batch})"
        r"|(?P<next>^[ \t]*CREATE\s+(?:(?:TEMP|TEMPORARY|UNLOGGED|GLOBAL)\s+)*TABLE\b)",
        re.DOTALL | re.MULTILINE | re.IGNORECASE,
    )


@lru_cache(maxsize=32)
def _routine_special(dialect: Dialect, delimiter: str) -> re.Pattern[str]:
    return re.compile(
        rf"{_quotes(dialect)}|(?P<end>{re.escape(delimiter)})|(?P<begin>\b(?:BEGIN|CASE)\b)"
        r"|\bEND\s+(?:IF|LOOP|WHILE|REPEAT|FOR)\b|(?P<close>\bEND\b(?:\s+CASE\b)?)",
        re.DOTALL | re.MULTILINE | re.IGNORECASE,
    )
