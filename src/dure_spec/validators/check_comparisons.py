"""Operands of another kind than their operator or function takes: PostgreSQL has none for them, others convert."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dure_spec.artifacts.erd import Column, Dialect
from dure_spec.derive.defaults import reads_as
from dure_spec.derive.expression_forms import COMPARING
from dure_spec.derive.expressions import Token
from dure_spec.derive.types import Family, SqlType, parse_type

_ALIKE = frozenset({"like", "ilike", "~", "~*", "!~", "!~*"})
_BINDING = frozenset(
    {"+", "-", "*", "/", "%", "||", "->", "->>", "#>", "#>>", "::", ".", "^", "&", "|", "[", "(", "at"}
)
_ENDS = frozenset({"and", "or", ")"})
_GROUPS: dict[Family, str] = {"int": "number", "dec": "number", "float": "number"}
_OF_TEXT = frozenset("lower upper char_length character_length ltrim rtrim btrim initcap reverse left right".split())
_OF_NUMBERS = frozenset("abs round floor ceil ceiling sqrt mod sign trunc".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfit:
    """An operand, its type, and what it cannot be used with."""

    what: str
    type: str
    other: str


def misfit_comparisons(
    tokens: Sequence[Token], own: Column, known: Mapping[str, Column], dialect: Dialect
) -> Iterator[Misfit]:
    """The operands of an expression that PostgreSQL would refuse; nothing in other dialects."""
    if dialect != "postgresql":
        return
    for at, token in enumerate(tokens):
        column = _column(token, own, known)
        parsed = parse_type(column.type) if column else None
        if column is not None and parsed is not None and not parsed.array:
            other = _other(tokens, at, parsed, own, known)
            if other:
                yield Misfit(what=column.name, type=column.type, other=other)
        elif token.kind in ("text", "number") and _stands_alone(tokens, at):
            yield Misfit(what=token.text, type="text" if token.kind == "text" else "numeric", other="AND/OR")


def _column(token: Token, own: Column, known: Mapping[str, Column]) -> Column | None:
    if token.text == "_":
        return own
    return known.get(token.lower) if token.kind in ("word", "quoted") else None


def _other(tokens: Sequence[Token], at: int, parsed: SqlType, own: Column, known: Mapping[str, Column]) -> str:
    """What stands beside the column and does not go with it; empty where all does."""
    before = tokens[at - 1] if at else None
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    called = tokens[at - 2].lower if at > 1 and before is not None and before.text == "(" else ""
    if called in _OF_TEXT and parsed.family not in ("str", "bin"):
        return f"{called}()"
    if called == "length" and parsed.family not in ("str", "bin"):
        return "length()"
    if called in _OF_NUMBERS and parsed.family == "str":
        return f"{called}()"
    if before is not None and before.text in _BINDING - {"("}:
        return ""
    if _stands_alone(tokens, at) and parsed.family != "bool":
        return "AND/OR" if len(tokens) > 1 else "CHECK"
    if after is not None and after.lower in _ALIKE and parsed.family != "str":
        return after.text.upper()
    other = _compared_with(tokens, at)
    if other is None:
        return ""
    column = _column(other, own, known)
    fits = _columns_fit(parsed, column) if column is not None else _fits(parsed, other)
    return "" if fits else other.text


def _stands_alone(tokens: Sequence[Token], at: int) -> bool:
    """Whether it is a whole operand of AND or OR, or the whole expression."""
    before = tokens[at - 1].lower if at else ""
    after = tokens[at + 1].lower if at + 1 < len(tokens) else ""
    if len(tokens) == 1:
        return True
    begins = before in ("or", "and") and not (before == "and" and _in_between(tokens, at - 1))
    return (begins and after in ("", *_ENDS)) or (not before and after in ("and", "or"))


def _in_between(tokens: Sequence[Token], at: int) -> bool:
    """Whether the AND at this place belongs to a BETWEEN."""
    for token in reversed(tokens[:at]):
        if token.lower in ("and", "or"):
            return False
        if token.lower == "between":
            return True
    return False


def _compared_with(tokens: Sequence[Token], at: int) -> Token | None:
    """The operand to the right of a column, if it stands alone there."""
    following = list(tokens[at + 1 : at + 5])
    if following and following[0].lower == "not":
        following = following[1:]
    if len(following) < 2:
        return None
    if following[0].lower == "in" and following[1].text == "(" and len(following) > 2:
        operand, after = following[2], following[3:]
    elif following[0].text in COMPARING or following[0].lower == "between":
        operand, after = following[1], following[2:]
    else:
        return None
    return None if after and (after[0].lower in _BINDING or after[0].kind == "text") else operand


def _columns_fit(parsed: SqlType, column: Column) -> bool:
    other = parse_type(column.type)
    if other is None or other.array:
        return True
    return _GROUPS.get(parsed.family, parsed.family) == _GROUPS.get(other.family, other.family)


def _fits(parsed: SqlType, operand: Token) -> bool:
    if operand.kind == "number":
        return parsed.family in _GROUPS
    if operand.kind == "text":
        return operand.text[0] != "'" or reads_as(operand.text[1:-1].replace("''", "'"), parsed, "postgresql")
    return operand.lower not in ("true", "false") or parsed.family == "bool"
