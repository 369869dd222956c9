"""Words, names, strings and marks of SQL text with their places, as each dialect quotes them."""

import re
from functools import lru_cache
from itertools import islice
from typing import Literal, NamedTuple

from dure_spec.artifacts.erd import Dialect

TokenKind = Literal["word", "quoted", "string", "number", "mark"]

_BACKSLASH_STRING = r"'(?:[^'\\]|\\.|'')*+'"
_PLAIN_STRING = r"'(?:[^']|'')*+'"
_PREFIXED_STRING = rf"[eE]{_BACKSLASH_STRING}|(?:[nNbBxX]|[uU]&)?{_PLAIN_STRING}"
_ORACLE_STRING = (
    r"[nN]?[qQ]'(?:\[.{0,4000}?\]'|\(.{0,4000}?\)'|\{.{0,4000}?\}'|<.{0,4000}?>'|!.{0,4000}?!'|\|.{0,4000}?\|')"
)
_DOUBLE = r'"(?:[^"]|"")*+"'
_ESCAPED_DOUBLE = r'"(?:[^"\\]|\\.|"")*+"'
_BACKTICK = r"`(?:[^`]|``)*+`"
_BRACKET = r"\[[^\]\n]{1,200}+\]"
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
MOST_TOKENS = 200_000
"""No table has more; what goes on longer is no statement."""


class Token(NamedTuple):
    """One token; `word` is a bare word in capitals or a mark, and empty for what is quoted."""

    kind: TokenKind
    value: str
    """Without quotes and escapes."""
    word: str
    start: int
    end: int

    @property
    def names(self) -> bool:
        """Whether it can be a name."""
        return self.kind in ("word", "quoted")


def string_pattern(dialect: Dialect) -> str:
    """What a string literal looks like."""
    if dialect == "mysql":
        return rf"[nNbBxX]?{_BACKSLASH_STRING}"
    return rf"{_ORACLE_STRING}|{_PREFIXED_STRING}" if dialect == "oracle" else _PREFIXED_STRING


def name_pattern(dialect: Dialect) -> str:
    """What a quoted name looks like; double quotes and backticks in every dialect, since files mix them."""
    double = _ESCAPED_DOUBLE if dialect == "mysql" else _DOUBLE
    return "|".join([double, _BACKTICK, *([_BRACKET] if dialect == "sqlite" else [])])


def comment_pattern(dialect: Dialect) -> str:
    """What is skipped: `--` and `/* */`, in MySQL `#` too."""
    return r"--[^\n]*+|/\*.*?\*/" + (r"|\#[^\n]*+" if dialect == "mysql" else "")


def tokens_of(text: str, start: int, end: int, dialect: Dialect) -> list[Token]:
    """The first `MOST_TOKENS` tokens of a piece of the text, comments left out; a quote never closed is a mark."""
    found: list[Token] = []
    add = found.append
    for match in islice(_pattern(dialect).finditer(text, start, end), MOST_TOKENS):
        kind = match.lastgroup
        if kind == "word":
            value = match.group()
            add(Token("word", value, value.upper(), match.start(), match.end()))
        elif kind == "mark":
            value = match.group()
            add(Token("mark", value, value, match.start(), match.end()))
        elif kind == "number":
            add(Token("number", match.group(), "", match.start(), match.end()))
        elif kind == "quoted":
            add(Token("quoted", _name(match.group(), dialect), "", match.start(), match.end()))
        elif kind == "string":
            add(Token("string", _string(match.group(), dialect), "", match.start(), match.end()))
    return found


@lru_cache(maxsize=8)
def _pattern(dialect: Dialect) -> re.Pattern[str]:
    dollars = r"|(?<![\w$])\$(?P<tag>\w*)\$.*?\$(?P=tag)\$" if dialect == "postgresql" else ""
    return re.compile(
        rf"(?P<skip>\s++|{comment_pattern(dialect)})"
        rf"|(?P<string>{string_pattern(dialect)}{dollars})"
        rf"|(?P<quoted>{name_pattern(dialect)})"
        r"|(?P<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?(?![\w$]))"
        r"|(?P<word>[\w$][\w$#]*+)"
        r"|(?P<mark>::|.)",
        re.DOTALL,
    )


def _name(text: str, dialect: Dialect) -> str:
    mark, body = text[-1], text[1:-1]
    if mark == '"' and dialect == "mysql":
        body = _ESCAPE.sub(lambda match: match[1], body)
    return body.replace(mark * 2, mark) if mark != "]" else body


def _string(text: str, dialect: Dialect) -> str:
    if text[0] == "$":
        tag = text[: text.index("$", 1) + 1]
        return text[len(tag) : -len(tag)]
    head, _, rest = text.partition("'")
    body = rest[:-1]
    if head.lower().endswith("q"):
        return body[1:-1]
    if dialect == "mysql" or head.lower() == "e":
        body = _ESCAPE.sub(lambda match: match[1], body)
    return body.replace("''", "'")
