"""Forms of an expression that a dialect's parser does not take, found on its tokens."""

from collections.abc import Sequence

from dure_spec.artifacts.erd import Dialect
from dure_spec.derive.expressions import KEYWORDS, Token

COMPARING = frozenset({"=", "<>", "!=", "<", ">", "<=", ">="})
# operators of other engines
_FOREIGN: dict[Dialect, frozenset[str]] = {
    "postgresql": frozenset("regexp rlike glob match xor div".split()),
    "mysql": frozenset("ilike similar glob :: ~* !~ !~* @> <@ #> #>>".split()),
    "oracle": frozenset("regexp rlike glob match xor div ilike similar :: ~ ~* !~ !~* && % @> <@ -> ->>".split()),
    "sqlite": frozenset("ilike similar regexp rlike match xor div :: ~* !~ !~* && @> <@ #> #>> any".split()),
}
_FOREIGN_TO_ALL = frozenset({":=", "=>"})
_BOUNDS = frozenset("and or not case when then else end between".split())


def form_fault(tokens: Sequence[Token]) -> str:
    """What no SQL parser takes, as the piece it stands at; empty where nothing was found."""
    if not tokens:
        return "()"
    open_at: list[str] = []
    for token in tokens:
        if token.kind == "bad" or token.text == ";" or token.text in _FOREIGN_TO_ALL:
            return token.text
        if token.text in ("(", "["):
            open_at.append(token.text)
        elif token.text in (")", "]") and (not open_at or open_at.pop() != {")": "(", "]": "["}[token.text]):
            return token.text
    return open_at[0] if open_at else ""


def dialect_fault(tokens: Sequence[Token], dialect: Dialect) -> str:
    """What the dialect's parser stops at though another would not; empty where nothing was found."""
    for at, token in enumerate(tokens):
        following = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if token.kind != "text" and token.lower in _FOREIGN[dialect] and following != "(":
            return token.text
        if token.text == "~" and dialect in ("mysql", "sqlite") and at and _ends_operand(tokens[at - 1]):
            return "~"
        if dialect == "sqlite":
            continue
        if token.text == following == "=":
            return "=="
        if token.lower == "in" and [each.text for each in tokens[at + 1 : at + 3]] == ["(", ")"]:
            return "IN ()"
    return _chained(tokens) if dialect in ("postgresql", "oracle") else ""


def _ends_operand(token: Token) -> bool:
    return token.text in (")", "]") or (token.kind != "sign" and token.lower not in KEYWORDS)


def _chained(tokens: Sequence[Token]) -> str:
    """The second of two comparisons in a row (0 < a < 5)."""
    compared = [False]
    for token in tokens:
        if token.text in ("(", "["):
            compared.append(False)
        elif token.text in (")", "]") and len(compared) > 1:
            compared.pop()
        elif token.lower in _BOUNDS or token.text == ",":
            compared[-1] = False
        elif token.text in COMPARING:
            if compared[-1]:
                return token.text
            compared[-1] = True
    return ""
