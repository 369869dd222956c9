"""New names in statements that are not read for tables: views, triggers, grants, rows."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dure_spec.lint.reading.statements import Statement, statements_of
from dure_spec.lint.reading.tokens import Token, tokens_of
from dure_spec.lint.rewriting.edits import Edits
from dure_spec.lint.rewriting.matching import Pairing, TablePair
from dure_spec.lint.rewriting.renames import requoted
from dure_spec.lint.source import SourceSchema

_TABLE_BEFORE = frozenset("FROM JOIN INTO UPDATE TABLE TABLES ONLY TRUNCATE REFERENCES COPY EXISTS SETOF".split())
_LIST_END = frozenset(
    "WHERE GROUP ORDER HAVING LIMIT UNION SET SELECT ON USING JOIN LEFT RIGHT INNER OUTER CROSS NATURAL VALUES WITH ; "
    "FOR WINDOW RETURNING READ WRITE TO".split()
)
_NO_ALIAS = _LIST_END | frozenset("AS BEGIN EACH EXECUTE FOLLOWING FULL IS AND OR NOT IN WHEN THEN".split())
_OTHER_NAMES = frozenset({"AS", "::", "CONSTRAINT", "INDEX", "TRIGGER", "RULE", "VIEW", "FUNCTION", "SEQUENCE"})
_WORD = re.compile(r"\w+")
_HEAD = 4_000
_LONGEST = 400_000


@dataclass(slots=True, kw_only=True)
class _Scene:
    """The tables that one statement speaks of."""

    tokens: Sequence[Token]
    tables: dict[int, TablePair] = field(default_factory=dict[int, TablePair])
    """By the number of the token that names it."""
    aliases: dict[str, TablePair | None] = field(default_factory=dict[str, TablePair | None])
    """What stands for a table before a dot; `None` where it stands for several."""

    listed: dict[int, TablePair] = field(default_factory=dict[int, TablePair])
    """Tokens in the column list behind INSERT INTO or COPY."""

    def bind(self, name: str, pair: TablePair) -> None:
        """Let a name stand for a table."""
        known = self.aliases.setdefault(name.lower(), pair)
        if known is not pair:
            self.aliases[name.lower()] = None


def rename_elsewhere(source: SourceSchema, pairing: Pairing, edits: Edits) -> None:
    """Replace old names where they clearly name a renamed table or column, and note where they may."""
    by_name = {pair.old.name.lower(): pair for pair in pairing.pairs}
    changed = {name for name, pair in by_name.items() if _is_renamed(pair)}
    if not changed:
        return
    named = {naming.start for naming in source.namings}
    for start, end in _pieces(source, named):
        lower = source.text[start:end].lower()
        if any(name in lower for name in changed):
            tokens = tokens_of(source.text, start, end, source.dialect)
            _rename(_scene(tokens, by_name), named, source, edits, changed=changed)


def _is_renamed(pair: TablePair) -> bool:
    return pair.old.name != pair.new.name or any(
        pair.old.columns[before].name != pair.new.columns[after].name for before, after in pair.columns
    )


def _pieces(source: SourceSchema, named: set[int]) -> Iterator[tuple[int, int]]:
    """Statements whose names the reader has not told; of rows only the head."""
    starts = sorted(named)
    place = 0
    for statement in statements_of(source.text, source.dialect):
        while place < len(starts) and starts[place] < statement.start:
            place += 1
        if place < len(starts) and starts[place] < statement.end:
            continue
        end = _end(source.text, statement)
        if end - statement.start <= _LONGEST:
            yield statement.start, end
    at = source.text.find("/*!") if source.dialect == "mysql" else -1
    while at >= 0:
        close = source.text.find("*/", at)
        if close < 0:
            return
        yield at + 3, close
        at = source.text.find("/*!", close)


def _end(text: str, statement: Statement) -> int:
    if statement.kind != "rows":
        return statement.end
    head = text[statement.start : statement.start + _HEAD]
    if head[:4].upper() == "COPY":
        return statement.start + (head.find(";") if ";" in head else 0)
    if head[:6].upper() in ("INSERT", "REPLAC"):
        upper = head.upper()
        cut = upper.find("VALUES")
        return statement.start + cut if cut >= 0 else statement.end
    return statement.end


def _scene(tokens: Sequence[Token], by_name: Mapping[str, TablePair]) -> _Scene:
    scene = _Scene(tokens=tokens)
    listing = False
    head = {token.word for token in tokens[:8]}
    trigger, rule = "TRIGGER" in head, "RULE" in head
    also = _also_before(head)
    for at, token in enumerate(tokens):
        before = _before(tokens, at)
        if token.word in ("FROM", "TABLES", "TABLE", "TRUNCATE", "UPDATE"):
            listing = True
        elif token.word in _LIST_END:
            listing = False
        pair = by_name.get(token.value.lower()) if token.names else None
        sure = before in _TABLE_BEFORE or before in also or (listing and before in (",", "("))
        if pair is None or not sure:
            continue
        scene.tables[at] = pair
        scene.bind(token.value, pair)
        _take_alias(scene, at, pair)
        if before in ("INTO", "COPY"):
            _take_list(scene, at, pair)
        if (trigger and before == "ON") or (rule and before == "TO"):
            scene.bind("new", pair)
            scene.bind("old", pair)
            also = frozenset[str]()
    return scene


def _also_before(head: set[str]) -> frozenset[str]:
    """Words that a table follows in some statements only; elsewhere ON and BY begin conditions and lists."""
    if "RULE" in head:
        return frozenset({"TO"})
    if head & {"TRIGGER", "POLICY", "GRANT", "REVOKE", "STATISTICS"}:
        return frozenset({"ON"})
    return frozenset({"BY"}) if "SEQUENCE" in head else frozenset()


def _before(tokens: Sequence[Token], at: int) -> str:
    """The word before a name and its schemas."""
    at -= 1
    while at > 0 and tokens[at].word == ".":
        at -= 2
    return tokens[at].word if at >= 0 else ""


def _take_alias(scene: _Scene, at: int, pair: TablePair) -> None:
    after = scene.tokens[at + 1 : at + 3]
    if after and after[0].word == "AS":
        after = after[1:]
    if after and after[0].names and after[0].word not in _NO_ALIAS:
        scene.bind(after[0].value, pair)


def _take_list(scene: _Scene, at: int, pair: TablePair) -> None:
    if at + 1 >= len(scene.tokens) or scene.tokens[at + 1].word != "(":
        return
    for place in range(at + 2, len(scene.tokens)):
        if scene.tokens[place].word == ")":
            return
        scene.listed[place] = pair


def _rename(scene: _Scene, named: set[int], source: SourceSchema, edits: Edits, *, changed: set[str]) -> None:
    for at, token in enumerate(scene.tokens):
        if token.start in named:
            continue
        if token.kind == "string" and "\n" in token.value and not changed.isdisjoint(_words(token.value)):
            line = _line(source, token)
            edits.note(f"line {line}: the body of a function is left as it is; see whether it names what changed")
        if not token.names:
            continue
        new = _new_name(scene, at)
        if new is not None:
            if new != token.value:
                edits.replace(
                    token.start, token.end, requoted(source.text[token.start : token.end], new, source.dialect)
                )
        elif _may_be_old(scene, at):
            edits.note(f"line {_line(source, token)}: {token.value!r} is left as it is: it may mean something else")


def _new_name(scene: _Scene, at: int) -> str | None:
    """What a token is called now; `None` where it names nothing for sure."""
    token = scene.tokens[at]
    pair = scene.tables.get(at)
    if pair is not None:
        return pair.new.name
    if at in scene.listed:
        return _column_name(scene.listed[at], token)
    after = scene.tokens[at + 1].word if at + 1 < len(scene.tokens) else ""
    before = scene.tokens[at - 1].word if at else ""
    if after == ".":
        owner = scene.aliases.get(token.value.lower())
        return owner.new.name if owner and owner.old.name.lower() == token.value.lower() else None
    if before == ".":
        qualifier = scene.tokens[at - 2].value.lower() if at > 1 else ""
        owner = scene.aliases.get(qualifier)
        return _column_name(owner, token) if owner else None
    if after == "(" or before in _OTHER_NAMES:
        return None
    owners = {id(pair): pair for pair in scene.tables.values() if _column_name(pair, token) is not None}
    return _column_name(next(iter(owners.values())), token) if len(owners) == 1 else None


def _column_name(pair: TablePair, token: Token) -> str | None:
    for before, after in pair.columns:
        if pair.old.columns[before].name.lower() == token.value.lower():
            return pair.new.columns[after].name
    return None


def _may_be_old(scene: _Scene, at: int) -> bool:
    """Whether a token that is left is a renamed name of a table the statement speaks of."""
    token = scene.tokens[at]
    value = token.value.lower()
    if at and scene.tokens[at - 1].word in _OTHER_NAMES:
        return False
    if any(pair.old.name.lower() == value and pair.new.name != pair.old.name for pair in scene.tables.values()):
        return True
    names = (_column_name(pair, token) for pair in scene.tables.values())
    return any(name is not None and name.lower() != value for name in names)


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}


def _line(source: SourceSchema, token: Token) -> int:
    return source.text.count("\n", 0, token.start) + 1
