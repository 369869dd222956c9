"""Types, defaults and checks as the tokens of a source say them, brought to what an ERD holds."""

import re
from collections.abc import Iterable, Mapping, Sequence

from dure_spec.derive.types import family_of
from dure_spec.lint.reading.cursor import Cursor, parts_of
from dure_spec.lint.reading.tokens import Token
from dure_spec.wire.erd_column import typed_default

_TIGHT_AFTER = frozenset({"(", ".", "[", "%", "-"})
_TIGHT_BEFORE = frozenset({"(", ")", ",", ".", "[", "]", "%"})
_NOW = frozenset(
    {
        "NOW",
        "CURRENT_TIMESTAMP",
        "LOCALTIMESTAMP",
        "SYSDATE",
        "SYSTIMESTAMP",
        "GETDATE",
        "STATEMENT_TIMESTAMP",
        "TRANSACTION_TIMESTAMP",
        "CLOCK_TIMESTAMP",
        "STRFTIME",
        "DATETIME",
        "UTC_TIMESTAMP",
    }
)
_TODAY = frozenset({"CURRENT_DATE", "CURDATE"})
_NEW_UUID = frozenset({"GEN_RANDOM_UUID", "UUID_GENERATE_V4", "UUID", "NEWID", "SYS_GUID"})
_CAST_WORDS = frozenset({"VARYING", "PRECISION", "WITH", "WITHOUT", "TIME", "ZONE"})
_TYPELESS = "any"
_VALUE = re.compile(r"\bVALUE\b", re.IGNORECASE)


def type_text(tokens: Sequence[Token]) -> str:
    """A type as the source spells it, without schema and without `CHAR` or `BYTE` behind a length.

    A column without a type, as SQLite has them, holds `any` value.
    """
    tokens = _without_schema(tokens)
    if not tokens:
        return _TYPELESS
    values = enum_values(tokens)
    if values:
        return f"varchar({max(len(value) for value in values) or 1})"
    if tokens[0].word == "SET" and len(tokens) > 1:
        words = [token.value for token in tokens if token.kind == "string"]
        return f"varchar({len(','.join(words)) or 1})"
    text, before = "", ""
    for token in _plain_lengths(tokens):
        word = token.word
        text += token.value if not text or before in _TIGHT_AFTER or word in _TIGHT_BEFORE else f" {token.value}"
        before = word or token.value
        if before == ",":
            before = "("
    return text


def enum_values(tokens: Sequence[Token]) -> tuple[str, ...]:
    """The values of ENUM('a', 'b'); empty for other types."""
    if not tokens or tokens[0].word != "ENUM":
        return ()
    return tuple(token.value for token in tokens[1:] if token.kind in ("string", "quoted"))


def type_name(tokens: Sequence[Token]) -> str:
    """The lower-case name by which a type of the schema's own is found; empty where it is none."""
    plain = _without_schema(tokens)
    return plain[0].value.lower() if len(plain) == 1 and plain[0].names else ""


def _without_schema(tokens: Sequence[Token]) -> Sequence[Token]:
    while len(tokens) > 2 and tokens[1].word == ".":
        tokens = tokens[2:]
    return tokens


def _plain_lengths(tokens: Sequence[Token]) -> Iterable[Token]:
    depth = 0
    for token in tokens:
        depth += (token.word == "(") - (token.word == ")")
        if depth and token.word in ("CHAR", "BYTE"):
            continue
        yield token._replace(value="38") if depth and token.word == "*" else token


def default_value(tokens: Sequence[Token] | None, sql_type: str) -> bool | int | float | str | None:
    """A default as an ERD holds it: a value, or a function that every engine has; `None` for any other expression."""
    plain = bare(tokens or ())
    if not plain:
        return None
    first = plain[0]
    if first.word in ("-", "+") and len(plain) == 2 and plain[1].kind == "number":
        return typed_default(first.word.replace("+", "") + plain[1].value, sql_type)
    if first.kind in ("string", "quoted", "number"):
        return typed_default(first.value, sql_type) if len(plain) == 1 else None
    if first.word in ("TRUE", "FALSE"):
        return first.word == "TRUE"
    return _function(first.word, alone=len(plain) == 1, sql_type=sql_type)


def _function(word: str, *, alone: bool, sql_type: str) -> str | None:
    if word in _NOW and (alone or family_of(sql_type) != "str" or word in ("STRFTIME", "DATETIME")):
        return "now()"
    if word in _TODAY:
        return "current_date()"
    return "gen_random_uuid()" if word in _NEW_UUID else None


def bare(tokens: Sequence[Token]) -> list[Token]:
    """Tokens without casts and parentheses."""
    cursor = Cursor(tokens)
    found: list[Token] = []
    while not cursor.done:
        if cursor.take("::"):
            _skip_cast(cursor)
            continue
        token = cursor.next()
        if token.word not in ("(", ")"):
            found.append(token)
    return found


def _skip_cast(cursor: Cursor) -> None:
    cursor.next()
    while cursor.sees("."):
        cursor.at += 2
    while cursor.peek().word in _CAST_WORDS:
        cursor.next()
    if cursor.sees("(") and cursor.peek(1).kind == "number":
        while not cursor.done and not cursor.take(")"):
            cursor.next()
    while cursor.take("["):
        while not cursor.done and not cursor.take("]"):
            cursor.next()
    while cursor.peek().word in _CAST_WORDS:
        cursor.next()


def listed_values(tokens: Sequence[Token]) -> tuple[str, tuple[str, ...]] | None:
    """The column and the strings of `c IN ('a', 'b')` or `c = ANY (ARRAY['a', 'b'])`."""
    plain = bare(tokens)
    if len(plain) < 3 or not plain[0].names:
        return None
    if plain[1].word == "IN":
        rest = plain[2:]
    elif [token.word for token in plain[1:5]] == ["=", "ANY", "ARRAY", "["] and plain[-1].word == "]":
        rest = plain[5:-1]
    else:
        return None
    parts = parts_of(rest)
    if not all(len(part) == 1 and part[0].kind == "string" for part in parts):
        return None
    return plain[0].value, tuple(part[0].value for part in parts)


def check_text(
    text: str, tokens: Sequence[Token], *, value: str = "", renamed: Mapping[Token, str] | None = None
) -> str:
    """The expression as it stands, in one line and without doubled parentheses.

    `value` names what a domain checks; `renamed` has other names for tokens.
    """
    outer = _doubled(tokens)
    tokens = tokens[outer : len(tokens) - outer]
    if not tokens:
        return ""
    pieces: list[str] = []
    place = tokens[0].start
    for token, name in sorted((renamed or {}).items(), key=lambda pair: pair[0].start):
        pieces += [text[place : token.start], name]
        place = token.end
    plain = " ".join("".join([*pieces, text[place : tokens[-1].end]]).split())
    return _VALUE.sub(lambda _: value, plain) if value else plain


def _doubled(tokens: Sequence[Token]) -> int:
    """How many pairs of parentheses stand round all the tokens."""
    closing: dict[int, int] = {}
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token.word == "(":
            opened.append(at)
        elif token.word == ")" and opened:
            closing[opened.pop()] = at
    last = len(tokens) - 1
    return next(count for count in range(len(tokens) + 1) if closing.get(count) != last - count)
