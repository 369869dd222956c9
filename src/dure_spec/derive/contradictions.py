"""Checks that no value can pass, found only where every kind of value can be tried."""

import re
from collections.abc import Iterator, Sequence

from dure_spec.artifacts.erd import Column, Table
from dure_spec.derive.check_bench import CheckBench, bench_sql
from dure_spec.derive.expressions import Token, tokens_of
from dure_spec.derive.literals import SqlValue
from dure_spec.derive.type_limits import number_range
from dure_spec.derive.types import SqlType, parse_type

_LOGIC = frozenset("and or not between in is null".split())
_SIGNS = frozenset({"=", "<", ">", "<=", ">=", "<>", "!=", "(", ")", ",", "-", "+"})
_LENGTH = frozenset({"length", "char_length", "character_length"})
_MOST_LENGTH = 10_000


def never_true(column: Column, table: Table, bench: CheckBench) -> bool:
    """Whether no value of the column passes its check; false where that cannot be told."""
    expression = bench_sql(column, table)
    parsed = parse_type(column.type)
    if expression is None or parsed is None or parsed.array:
        return False
    values = tuple(_all_kinds(column, parsed, tokens_of(column.check or "")))
    return bool(values) and all(bench.holds(expression, {column.name: value}) is False for value in values)


def _all_kinds(column: Column, parsed: SqlType, tokens: Sequence[Token]) -> Iterator[SqlValue]:
    """One value of each kind that the check can tell apart; nothing where there are other kinds."""
    own = frozenset({"_", column.name.lower()})
    if column.enum and parsed.family == "str":
        yield from column.enum
    elif parsed.family == "bool" and not any(token.kind == "text" for token in tokens):
        yield from (True, False)
    elif parsed.family in ("int", "dec", "float") and _tells_only(tokens, own, frozenset()):
        yield from _numbers(parsed, tokens)
    elif parsed.free_text and _tells_only(tokens, own, _LENGTH) and any(token.lower in _LENGTH for token in tokens):
        yield from _lengths(parsed, tokens)
    elif parsed.free_text and _tells_only(tokens, own, frozenset()) and not _orders(tokens):
        texts = dict.fromkeys(token.text[1:-1].replace("''", "'") for token in tokens if token.kind == "text")
        yield from (*texts, "no text of the check")


def _tells_only(tokens: Sequence[Token], own: frozenset[str], functions: frozenset[str]) -> bool:
    """Whether the check compares the column, or what `functions` say of it, with constants and does nothing else."""
    bare = False
    for at, token in enumerate(tokens):
        if token.lower in own:
            bare = bare or not (at > 1 and tokens[at - 2].lower in functions)
        elif not _compares(tokens, at, functions):
            return False
    return not (functions and bare)


def _compares(tokens: Sequence[Token], at: int, functions: frozenset[str]) -> bool:
    token = tokens[at]
    match token.kind:
        case "word":
            return token.lower in _LOGIC | functions
        case "sign":
            return token.text in _SIGNS and (token.text not in "+-" or _is_mark(tokens, at))
        case "text" | "number":
            return True
        case _:
            return False


def _is_mark(tokens: Sequence[Token], at: int) -> bool:
    """Whether a + or - belongs to a number instead of adding."""
    if at == 0:
        return True
    before = tokens[at - 1]
    return before.lower in _LOGIC or (before.kind == "sign" and before.text != ")")


def _orders(tokens: Sequence[Token]) -> bool:
    return any(token.text in ("<", ">", "<=", ">=") or token.lower == "between" for token in tokens)


def _constants(tokens: Sequence[Token]) -> list[float]:
    found: list[float] = []
    for at, token in enumerate(tokens):
        text = token.text.strip("'") if token.kind == "text" else token.text
        if token.kind in ("number", "text") and re.fullmatch(r"-?\d+(\.\d+)?", text):
            negative = at > 0 and tokens[at - 1].text == "-"
            found.append(-float(text) if negative else float(text))
    return sorted(set(found))


def _numbers(parsed: SqlType, tokens: Sequence[Token]) -> Iterator[SqlValue]:
    """Every constant, what lies between two of them, and what lies beyond; within what the type holds."""
    constants = _constants(tokens)
    if not constants:
        return
    step = 1.0 if parsed.family == "int" else 10.0 ** -(parsed.size[1] if len(parsed.size) > 1 else 0)
    step = step if parsed.family == "int" or parsed.size else 1e-6
    least, most = number_range(parsed) or (float("-inf"), float("inf"))
    points = [point for each in constants for point in (each - step, each, each + step)]
    points += [least, most, 0.0] if least > float("-inf") else [0.0]
    for point in points:
        if least <= point <= most:
            yield int(point) if parsed.family == "int" and point.is_integer() else point


def _lengths(parsed: SqlType, tokens: Sequence[Token]) -> Iterator[SqlValue]:
    most = parsed.length if parsed.length is not None else _MOST_LENGTH
    wanted = {0, min(most, _MOST_LENGTH)}
    for each in _constants(tokens):
        wanted |= {int(each) - 1, int(each), int(each) + 1}
    yield from ("a" * size for size in sorted(wanted) if 0 <= size <= min(most, _MOST_LENGTH))
