"""Which expressions of other engines SQLite takes as they stand, and the others in words that it can be taught."""

from collections.abc import Sequence

from dure_spec.derive.expressions import Token, called_functions

NOW = "2026-06-15 12:00:00"
TODAY = "2026-06-15"
"""What the clock says to a check that is only tried: the same answer every time."""

_PLAIN_FUNCTIONS = frozenset(
    "abs round lower upper trim ltrim rtrim length replace coalesce nullif substr instr ifnull iif typeof hex min "
    "max date time datetime julianday strftime json_valid json_type json_extract json_array_length json".split()
)
_REGEX = frozenset({"~", "~*", "!~", "!~*", "rlike", "regexp"})
# what has no counterpart in SQLite
_STRANGE = frozenset(
    "array any some all similar overlaps position substring overlay interval extract at row document content member "
    "placing symmetric asymmetric both leading trailing select exists sounds xor div".split()
)
_STRANGE_SIGNS = frozenset("@> <@ ?| ?& && #> #>> ? ^ [ @ ~~ !~~ ~~* !~~* :".split())
_CLOCK = frozenset("current_date current_time current_timestamp localtime localtimestamp sysdate systimestamp".split())
_PEOPLE = frozenset("current_user session_user user current_role system_user".split())
_TYPED = frozenset({"date", "timestamp", "time", "timestamptz"})
_COLLATIONS = frozenset({"binary", "nocase", "rtrim"})
_TYPE_TAIL = frozenset({"varying", "precision", "with", "without", "time", "zone"})


def runs_in_sqlite(tokens: Sequence[Token]) -> bool:
    """Whether a CHECK of these tokens may stand in a table of a plain SQLite."""
    for at, token in enumerate(tokens):
        after = tokens[at + 1] if at + 1 < len(tokens) else None
        typed = token.kind == "word" and token.lower in _TYPED and after is not None and after.kind == "text"
        odd = token.lower in _STRANGE | _REGEX | _CLOCK | _PEOPLE or token.text in _STRANGE_SIGNS
        collated = token.lower == "collate" and (after is None or after.lower not in _COLLATIONS)
        if typed or odd or collated or token.text == "::" or token.lower in ("ilike", "match"):
            return False
        if token.kind == "text" and token.text[0] not in "'xX":
            return False
    return all(function.lower in _PLAIN_FUNCTIONS for function in called_functions(tokens))


def taught_sql(tokens: Sequence[Token]) -> str | None:
    """The expression for an SQLite that knows other engines' functions; `None` where there are no words for it."""
    pieces: list[str] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        after = tokens[at + 1] if at + 1 < len(tokens) else None
        at += 1
        if token.lower in _STRANGE | _PEOPLE or token.text in _STRANGE_SIGNS:
            return None
        if token.text == "::":
            at = _behind_type(tokens, at)
        elif token.lower == "collate" and after is not None and after.lower not in _COLLATIONS:
            at += 1
        elif token.kind == "word" and token.lower in _TYPED and after is not None and after.kind == "text":
            continue
        elif token.text in ("~*", "!~*") and after is not None and after.kind == "text":
            pieces += [_word(token), _word(after).replace("'", "'(?i)", 1)]
            at += 1
        else:
            pieces.append(_word(token))
    return " ".join(pieces)


def _word(token: Token) -> str:
    if token.lower in _REGEX:
        return "NOT REGEXP" if token.text.startswith("!") else "REGEXP"
    if token.kind == "text" and token.text[0] not in "xX":
        return token.text[token.text.index("'") :]
    if token.kind == "word" and token.lower in _CLOCK:
        return f"'{TODAY if token.lower == 'current_date' else NOW}'"
    return "LIKE" if token.lower == "ilike" else token.text


def _behind_type(tokens: Sequence[Token], at: int) -> int:
    """The place behind a type's words, its size and its brackets."""
    while at + 1 < len(tokens) and tokens[at + 1].text == ".":
        at += 2
    at += 1
    while at < len(tokens) and tokens[at].lower in _TYPE_TAIL:
        at += 1
    if at + 1 < len(tokens) and tokens[at].text == "(" and tokens[at + 1].kind == "number":
        while at < len(tokens) and tokens[at].text != ")":
            at += 1
        at += 1
    while at < len(tokens) and tokens[at].text in ("[", "]"):
        at += 1
    return at
