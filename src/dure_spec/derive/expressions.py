"""SQL expressions of checks as tokens: which columns and functions they name, and how columns are quoted in them."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from dure_spec.artifacts.erd import Dialect
from dure_spec.derive.identifiers import quote

Kind = Literal["text", "quoted", "number", "word", "sign", "bad"]

_TOKEN = re.compile(
    r"""
    (?P<space>\s+|--[^\n]*|/\*.*?\*/)
  | (?P<text>(?:[eEnNbBxX]|[uU]&)?'(?:[^']|'')*')
  | (?P<quoted>"(?:[^"]|"")*"|`[^`]*`)
  | (?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+)
  | (?P<word>[^\W\d][\w$]*)
  | (?P<sign>::|<=|>=|<>|!=|\|\||!~~\*?|!~\*?|~~\*?|~\*|->>|->|\#>>|\#>|@>|<@|\?\||\?&|&&|:=|=>
      |[-+*/%<>=~^&|\#(),.\[\]?@!:])
  | (?P<bad>.)
    """,
    re.VERBOSE | re.DOTALL,
)

_COMMENT = re.compile(r"(?P<kept>'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`)|--[^\n]*|/\*.*?\*/", re.DOTALL)

# words of the language, not names; each engine's own are harmless in the others
KEYWORDS = frozenset(
    """
    and or not in is null isnull notnull like ilike between true false unknown case when then else end distinct from
    any some all exists similar to escape regexp rlike regexp_like glob match collate at time zone interval array row
    symmetric asymmetric overlaps cast as extract position substring trim overlay both leading trailing for using div
    mod xor binary select where current_date current_time current_timestamp localtime localtimestamp current_user
    session_user user current_role current_schema current_catalog system_user sysdate systimestamp default values json
    document content empty of member contains placing over partition by filter within group order asc desc nulls first
    last on sounds prior rownum rowid sysdate uid only limit offset union except intersect having with recursive
    """.split()
)
# words that stand before a parenthesis and are no function
_NOT_CALLED = frozenset(
    "and or not in is like ilike between when then else any some all exists values case array row cast extract "
    "position substring trim overlay to escape regexp rlike select where from as over filter div mod xor collate "
    "on using by interval similar distinct".split()
)
_TYPE_WORDS = frozenset("varying precision with without time zone local unsigned signed character set".split())
_FIELDS = frozenset("year month day hour minute second week quarter".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One piece of an expression; `lower` is how words are compared."""

    kind: Kind
    text: str
    start: int

    @property
    def lower(self) -> str:
        """The token in lower case, a quoted name without its quotes."""
        if self.kind == "quoted":
            mark = self.text[0]
            return self.text[1:-1].replace(mark * 2, mark).lower()
        return self.text.lower()

    @property
    def end(self) -> int:
        """Where the next character stands."""
        return self.start + len(self.text)


@lru_cache(maxsize=1024)
def tokens_of(text: str) -> tuple[Token, ...]:
    """The tokens of an expression, without spaces and comments; what is no SQL comes as `bad`."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "space":
            continue
        found.append(Token(kind=_kind(kind), text=match.group(), start=match.start()))
    return tuple(found)


def _kind(group: str | None) -> Kind:
    match group:
        case "text" | "quoted" | "number" | "word" | "sign":
            return group
        case _:
            return "bad"


def named_columns(tokens: Sequence[Token], table: str, columns: Collection[str]) -> Iterator[Token]:
    """The tokens that name a column: one of `columns` (lower case), or a word that can be nothing else.

    `_` stands for the column that the check belongs to and counts as known.
    """
    types = _type_places(tokens)
    for at, token in enumerate(tokens):
        if token.kind not in ("word", "quoted") or at in types:
            continue
        before = tokens[at - 1] if at else None
        after = tokens[at + 1] if at + 1 < len(tokens) else None
        if _is_followed_as_other(token, after) or _is_behind_other(tokens, at, before, after, table):
            continue
        if token.kind == "quoted" or token.text == "_" or token.lower in columns or token.lower not in KEYWORDS:
            yield token


def _is_followed_as_other(token: Token, after: Token | None) -> bool:
    """A function, an owner of what comes behind a dot, or a type before its text (DATE '2026-01-01')."""
    if after is None:
        return False
    return after.text in ("(", ".") or (after.kind == "text" and token.kind == "word" and after.text[0] == "'")


def _is_behind_other(tokens: Sequence[Token], at: int, before: Token | None, after: Token | None, table: str) -> bool:
    """Another table's column, a collation, a unit of an interval, a field of EXTRACT."""
    if before is None:
        return False
    if before.text == ".":
        return at < 2 or tokens[at - 2].lower != table.lower()
    if before.lower == "collate" or (before.kind == "text" and tokens[at].lower in _FIELDS):
        return True
    extracting = before.text == "(" and at > 1 and tokens[at - 2].lower == "extract"
    return extracting and after is not None and after.lower == "from"


def _type_places(tokens: Sequence[Token]) -> set[int]:
    """Where words of types stand, behind `::` and AS."""
    places: set[int] = set()
    at = 0
    while at < len(tokens):
        at += 1
        if tokens[at - 1].text != "::" and tokens[at - 1].lower != "as":
            continue
        while at < len(tokens) and (
            tokens[at - 1].text in ("::", ".") or tokens[at - 1].lower == "as" or tokens[at].text == "."
        ):
            places.add(at)
            at += 1
        while at < len(tokens) and tokens[at].lower in _TYPE_WORDS:
            places.add(at)
            at += 1
    return places


def called_functions(tokens: Sequence[Token]) -> Iterator[Token]:
    """The functions that are called, without operators and types that look like one."""
    types = _type_places(tokens)
    for at, token in enumerate(tokens[:-1]):
        called = token.kind == "word" and tokens[at + 1].text == "("
        if called and token.lower not in _NOT_CALLED and at not in types:
            yield token


def foreign_owners(tokens: Sequence[Token], table: str) -> Iterator[Token]:
    """Words before a dot that are not the table's own name, where a column follows."""
    for at, token in enumerate(tokens[:-2]):
        named = token.kind in ("word", "quoted") and tokens[at + 1].text == "." and tokens[at + 2].kind != "sign"
        called = at + 3 < len(tokens) and tokens[at + 3].text in ("(", ".")
        typed = at > 0 and tokens[at - 1].text in ("::", ".")
        if named and not called and not typed and token.lower != table.lower():
            yield token


def quoted_columns(text: str, own: str, table: str, columns: Mapping[str, str], dialect: Dialect) -> str:
    """The expression with its columns as the dialect must have them, and `_` as the column `own`.

    `columns` leads from lower-case names to the names as they are written.
    """
    text = _COMMENT.sub(lambda match: match["kept"] or " ", text)
    tokens = tokens_of(text)
    pieces: list[str] = []
    done = 0
    cases = any(token.lower == "case" for token in tokens)
    for token in named_columns(tokens, table, columns):
        name = own if token.text == "_" else columns.get(token.lower)
        if name is None or (cases and token.lower in ("end", "when", "then", "else")):
            continue
        pieces += [text[done : token.start], quote(name, dialect)]
        done = token.end
    return "".join([*pieces, text[done:]])
