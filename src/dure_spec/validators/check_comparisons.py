"""Comparisons of a column with a constant of another kind, which PostgreSQL has no operator for."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dure_spec.artifacts.erd import Column, Dialect
from dure_spec.derive.expressions import Token
from dure_spec.derive.types import Family, parse_type

_COMPARING = frozenset({"=", "<>", "!=", "<", ">", "<=", ">="})
_ALIKE = frozenset({"like", "ilike", "~", "~*", "!~", "!~*"})
_BINDING = frozenset({"+", "-", "*", "/", "%", "||", "->", "->>", "#>", "#>>", "::", ".", "^", "&", "|"})
_NUMBER = re.compile(r"'\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*'", re.IGNORECASE)
_TRUTH = re.compile(r"'\s*(true|false|t|f|yes|no|y|n|on|off|1|0)\s*'", re.IGNORECASE)
_NUMERIC: frozenset[Family] = frozenset({"int", "dec", "float"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfit:
    """A column and the constant that it cannot be compared with."""

    column: Column
    literal: str


def misfit_comparisons(
    tokens: Sequence[Token], own: Column, known: Mapping[str, Column], dialect: Dialect
) -> Iterator[Misfit]:
    """The comparisons of an expression that PostgreSQL has no operator for; nothing in other dialects."""
    if dialect != "postgresql":
        return
    for at, token in enumerate(tokens):
        column = own if token.text == "_" else known.get(token.lower) if token.kind in ("word", "quoted") else None
        if column is None or (at and tokens[at - 1].text in _BINDING):
            continue
        literal = _compared_with(tokens, at)
        if literal is not None and not _fits(column, literal):
            yield Misfit(column=column, literal=literal.text)
        elif at + 1 < len(tokens) and tokens[at + 1].lower in _ALIKE and not _is_text(column):
            yield Misfit(column=column, literal=tokens[at + 1].text.upper())


def _compared_with(tokens: Sequence[Token], at: int) -> Token | None:
    """The constant to the right of a column, if it stands alone there."""
    following = list(tokens[at + 1 : at + 5])
    if following and following[0].lower == "not":
        following = following[1:]
    if len(following) < 2:
        return None
    if following[0].lower == "in" and following[1].text == "(" and len(following) > 2:
        literal, after = following[2], following[3:]
    elif following[0].text in _COMPARING or following[0].lower == "between":
        literal, after = following[1], following[2:]
    else:
        return None
    constant = literal.kind in ("number", "text") or literal.lower in ("true", "false")
    return literal if constant and not (after and after[0].text in _BINDING) else None


def _is_text(column: Column) -> bool:
    parsed = parse_type(column.type)
    return parsed is None or parsed.family == "str" or parsed.array


def _fits(column: Column, literal: Token) -> bool:
    parsed = parse_type(column.type)
    if parsed is None or parsed.array:
        return True
    if literal.kind == "number":
        return parsed.family in _NUMERIC
    if literal.kind == "text":
        if literal.text[0] != "'":
            return True
        if parsed.family in _NUMERIC:
            return _NUMBER.fullmatch(literal.text) is not None
        return parsed.family != "bool" or _TRUTH.fullmatch(literal.text) is not None
    return parsed.family == "bool"
