"""CREATE TABLE, with what it takes from other tables."""

from dataclasses import dataclass, replace

from dure_spec.artifacts.erd import Dialect
from dure_spec.lint.reading.catalogue import Catalogue, TableDraft
from dure_spec.lint.reading.columns import read_item
from dure_spec.lint.reading.cursor import Cursor, Named, Unreadable, parts_of
from dure_spec.lint.reading.parts import Item
from dure_spec.lint.reading.tokens import Token

_TEMPORARY = frozenset({"TEMP", "TEMPORARY", "PRIVATE"})
_KINDS = frozenset({"OR", "REPLACE", "GLOBAL", "LOCAL", "UNLOGGED", "SHARDED"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Oddity:
    """A place that the reader does not understand."""

    table: str
    token: Token | None
    expected: str = ""
    broken: bool = False
    """The statement breaks off."""
    repeated: bool = False
    """The table is there already."""


def read_create_table(tokens: list[Token], catalogue: Catalogue, dialect: Dialect, *, after: int) -> Oddity | None:
    """Take a CREATE TABLE into the catalogue; what is not understood is told. Raises `Unreadable`."""
    cursor = Cursor(tokens)
    cursor.take("CREATE")
    temporary = False
    while word := cursor.take_any(*_KINDS, *_TEMPORARY):
        temporary = temporary or word in _TEMPORARY
    if not cursor.take("TABLE"):
        raise Unreadable("TABLE", cursor.peek())
    lenient = cursor.take("IF", "NOT", "EXISTS")
    named = cursor.qualified()
    if temporary:
        return None
    if cursor.take("PARTITION", "OF"):
        catalogue.merged[named.name.lower()] = cursor.qualified()
        return None
    there = catalogue.exact(named)
    apart = there is not None and there.schema != (named.schema or catalogue.within).lower() != ""
    if there is not None and not apart:
        return None if lenient else Oddity(table=named.name, token=named.token, repeated=True)
    draft = TableDraft(
        named=named, name=named.name, start=tokens[0].start, end=tokens[-1].end, after=after, within=catalogue.within
    )
    return _body(cursor, draft, catalogue, dialect)


def _body(cursor: Cursor, draft: TableDraft, catalogue: Catalogue, dialect: Dialect) -> Oddity | None:
    if cursor.take("LIKE"):
        _take_over(cursor.qualified(), draft, catalogue, keys=True)
        catalogue.put(draft)
        return None
    if cursor.take("OF"):
        cursor.qualified()
        draft.open = True
    if not cursor.sees("("):
        if "SELECT" in {token.word for token in cursor.tokens[cursor.at :]} or cursor.sees("AS"):
            catalogue.unread.add(draft.name.lower())
            return None
        raise Unreadable("(", cursor.peek())
    if cursor.peek(1).word in ("SELECT", "WITH"):
        catalogue.unread.add(draft.name.lower())
        return None
    group, closed = _open_group(cursor)
    catalogue.put(draft)
    catalogue.name_table(draft.named)
    odd = read_items(group, draft, catalogue, dialect)
    _behind_body(cursor, draft, catalogue)
    if not closed:
        return Oddity(table=draft.name, token=None, broken=True)
    return odd


def _open_group(cursor: Cursor) -> tuple[list[Token], bool]:
    """The body; of one that breaks off everything but its last, half item."""
    start = cursor.at
    try:
        return cursor.group(), True
    except Unreadable:
        rest = list(cursor.tokens[start + 1 :])
        return [token for part in parts_of(rest)[:-1] for token in [*part, _comma(part)] if part][:-1], False


def _comma(part: list[Token]) -> Token:
    end = part[-1].end if part else 0
    return Token("mark", ",", ",", end, end + 1)


def read_items(group: list[Token], draft: TableDraft, catalogue: Catalogue, dialect: Dialect) -> Oddity | None:
    """Take the items of a body or of ADD (…) into a table; the first thing not understood is told."""
    odd: Oddity | None = None
    for part in parts_of(group):
        if not part:
            token = group[-1] if group else None
            odd = odd or Oddity(table=draft.name, token=token, expected="a column or a key between the commas")
            continue
        item = read_item(part, dialect)
        draft.items.append(item.place)
        take(item, draft, catalogue)
        if item.odd is not None:
            odd = odd or Oddity(table=draft.name, token=item.odd)
    return odd


def take(item: Item, draft: TableDraft, catalogue: Catalogue) -> None:
    """Take an item into a table, and remember what its tokens name."""
    draft.add(item)
    if item.like is not None:
        _take_over(item.like, draft, catalogue, keys=item.like_keys)
    if item.primary_index is not None:
        draft.primary = catalogue.uniques.get(item.primary_index.value.lower())
    if item.column is not None:
        catalogue.name_columns(draft.named, (item.column.name,))
    own = item.column.name if item.column else None
    for key in (item.primary, *item.uniques, *item.indexes):
        if key is not None and key.columns and key.columns[0] is not own:
            catalogue.name_columns(draft.named, key.columns)
    for foreign in item.foreigns:
        if foreign.columns and foreign.columns[0] is not own:
            catalogue.name_columns(draft.named, foreign.columns)
        catalogue.name_table(foreign.target)
        catalogue.name_columns(foreign.target, foreign.targets)
    for check in item.checks:
        catalogue.name_within(draft.named, check.tokens)


def _behind_body(cursor: Cursor, draft: TableDraft, catalogue: Catalogue) -> None:
    """PostgreSQL's INHERITS, where the parents' columns come first and their keys stay behind; MySQL's COMMENT."""
    while not cursor.done:
        if cursor.take("INHERITS"):
            for part in parts_of(cursor.group()):
                inherit(Cursor(part).qualified(), draft, catalogue)
        elif cursor.take("COMMENT"):
            cursor.take("=")
            draft.comment = cursor.next().value
        elif not cursor.skip_group():
            cursor.next()


def inherit(named: Named, draft: TableDraft, catalogue: Catalogue) -> None:
    """Take a parent's columns, which stay the parent's."""
    parent = catalogue.find(named)
    draft.parents += [parent] if parent is not None and parent is not draft else []
    _take_over(named, draft, catalogue, keys=False)


def _take_over(named: Named, draft: TableDraft, catalogue: Catalogue, *, keys: bool) -> None:
    catalogue.name_table(named)
    parent = catalogue.find(named)
    if parent is None:
        draft.open = True
        return
    draft.open = draft.open or parent.open
    taken = {name: replace(column, inherited=True) for name, column in parent.columns.items()}
    draft.columns = {**taken, **draft.columns}
    if keys:
        draft.primary = parent.primary or draft.primary
        draft.uniques += parent.uniques
        draft.indexes += parent.indexes
