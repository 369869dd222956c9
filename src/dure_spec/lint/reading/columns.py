"""A column's definition: name, type, and what is said of it behind the type."""

from itertools import pairwise

from dure_spec.artifacts.erd import Dialect
from dure_spec.lint.reading.cursor import Cursor, Unreadable
from dure_spec.lint.reading.keys import pass_index, read_check, read_reference, read_table_constraint
from dure_spec.lint.reading.parts import ColumnPart, Item, KeyPart, stretch
from dure_spec.lint.reading.tokens import Token

_SAID = frozenset(
    "CONSTRAINT NOT NULL DEFAULT PRIMARY UNIQUE CHECK REFERENCES COLLATE COMMENT AUTO_INCREMENT AUTOINCREMENT "
    "GENERATED AS IDENTITY ON CHARSET STORAGE COMPRESSION INVISIBLE VISIBLE VIRTUAL STORED PERSISTED ENCRYPT "
    "DEFERRABLE INITIALLY ENABLE DISABLE SORT COLUMN_FORMAT SRID ENFORCED USING RELY NORELY VALIDATE NOVALIDATE KEY "
    "SPARSE FIRST AFTER ROWGUIDCOL CLUSTERED NONCLUSTERED ASC DESC NO".split()
)
# words that go on with a type after its first word
_TYPE_WORDS = frozenset(
    "PRECISION VARYING CHARACTER CHAR VARCHAR RAW WITH WITHOUT LOCAL TIME ZONE UNSIGNED SIGNED ZEROFILL BIG INT "
    "INTEGER YEAR MONTH DAY HOUR MINUTE SECOND TO ARRAY BINARY BYTE LARGE OBJECT ROWTYPE TYPE NCHAR FLOAT "
    "DOUBLE".split()
)
_ONE_MORE = frozenset({"COLLATE", "CHARSET", "STORAGE", "COMPRESSION", "COLUMN_FORMAT", "SRID", "AFTER"})
_ALONE = frozenset(
    "INVISIBLE VISIBLE VIRTUAL STORED PERSISTED DEFERRABLE ENABLE DISABLE SORT ENFORCED RELY NORELY VALIDATE "
    "NOVALIDATE SPARSE FIRST ROWGUIDCOL CLUSTERED NONCLUSTERED ASC DESC ENCRYPT".split()
)
_TYPE_MARKS = frozenset({".", "[", "]", "%", "::"})
_TWO_WORDS = (("NOT", "DEFERRABLE"), ("NOT", "ENFORCED"), ("NOT", "VALID"), ("NO", "INHERIT"))


def read_item(tokens: list[Token], dialect: Dialect) -> Item:
    """One item between commas: a column or a key of the table; `odd` where a part of it says nothing known."""
    item = Item(place=stretch(tokens))
    cursor = Cursor(tokens)
    try:
        if not read_table_constraint(cursor, item, mysql=dialect == "mysql"):
            cursor.at = 0
            read_column(cursor, item, dialect)
        elif not cursor.done:
            _after_constraint(cursor, item)
    except Unreadable as fault:
        item.odd = fault.token if fault.token.end else tokens[-1]
    return item


def read_column(cursor: Cursor, item: Item, dialect: Dialect) -> None:
    """Read a column from its name on into the item. Raises `Unreadable`."""
    name = cursor.name()
    column = ColumnPart(name=name, place=item.place, type=_type(cursor))
    item.column = column
    if not column.type and dialect != "sqlite" and not cursor.sees("AS") and not cursor.sees("GENERATED"):
        item.odd = cursor.peek() if cursor.peek().end else name
    if not _plausible(column.type) and dialect != "sqlite":
        item.odd = column.type[1]
    while not cursor.done and _said(cursor, item, column):
        pass
    if not cursor.done:
        item.odd = item.odd or cursor.peek()


def _type(cursor: Cursor) -> tuple[Token, ...]:
    first = cursor.at
    while not cursor.done:
        token = cursor.peek()
        fresh = cursor.at == first
        if token.word == "CHARACTER" and cursor.peek(1).word == "SET":
            break
        if token.word in _SAID and not (fresh and token.word == "KEY"):
            break
        if token.word == "(":
            cursor.group()
            continue
        more = fresh or cursor.last.word not in (")", "]") or token.word in _TYPE_WORDS
        if not (token.word in _TYPE_MARKS or token.kind == "number" or (token.names and more)):
            break
        cursor.next()
    return tuple(cursor.tokens[first : cursor.at])


def _plausible(tokens: tuple[Token, ...]) -> bool:
    """Whether the words of a type can stand together; two columns without a comma cannot."""
    depth = 0
    for before, token in pairwise(tokens):
        depth += (before.word == "(") - (token.word == ")")
        if depth == 0 and token.names and before.word not in (".", "%") and token.word not in _TYPE_WORDS:
            return False
    return True


def _said(cursor: Cursor, item: Item, column: ColumnPart) -> bool:
    """One thing said of a column; false where nothing known comes. Raises `Unreadable`."""
    match cursor.peek().word:
        case "CONSTRAINT":
            cursor.next()
            if cursor.peek().word not in ("NOT", "NULL", "CHECK", "REFERENCES", "UNIQUE"):
                cursor.name()
        case "NOT" | "NULL" if cursor.take("NULL") or cursor.take("NOT", "NULL"):
            column.null = cursor.peek(-2).word != "NOT"
            _conflict(cursor)
        case "DEFAULT":
            cursor.next()
            column.default = _expression(cursor)
        case "COMMENT":
            cursor.next()
            column.comment = cursor.next().value
        case _:
            return _key_said(cursor, item, column) or _numbered(cursor, column) or _options(cursor)
    return True


def _key_said(cursor: Cursor, item: Item, column: ColumnPart) -> bool:
    """Keys, references and checks of one column. Raises `Unreadable`."""
    match cursor.peek().word:
        case "PRIMARY" | "KEY" if cursor.take("KEY") or cursor.take("PRIMARY", "KEY"):
            item.primary = KeyPart(columns=(column.name,), place=item.place)
            _conflict(cursor)
        case "UNIQUE":
            cursor.next()
            cursor.take("KEY")
            item.uniques.append(KeyPart(columns=(column.name,), place=item.place))
            _conflict(cursor)
        case "CHECK":
            cursor.next()
            item.checks.append(read_check(cursor))
        case "REFERENCES":
            start = cursor.next().start
            item.foreigns.append(read_reference(cursor, (column.name,), start))
        case _:
            return False
    return True


def _numbered(cursor: Cursor, column: ColumnPart) -> bool:
    """Identity and computed columns. Raises `Unreadable`."""
    if cursor.take_any("AUTO_INCREMENT", "AUTOINCREMENT"):
        column.null = False
        return True
    if cursor.take("GENERATED"):
        if not cursor.take("ALWAYS"):
            cursor.take("BY", "DEFAULT")
        cursor.take("ON", "NULL")
        if not cursor.take("AS"):
            raise Unreadable("AS", cursor.peek())
    elif cursor.take("AS"):
        if not cursor.sees("("):
            raise Unreadable("(", cursor.peek())
    elif not cursor.sees("IDENTITY"):
        return False
    if cursor.take("IDENTITY"):
        column.null = False
    cursor.skip_group()
    return True


def _options(cursor: Cursor) -> bool:
    """What says nothing about the schema. Raises `Unreadable`."""
    if cursor.take_any(*_ALONE):
        return True
    if cursor.take_any(*_ONE_MORE):
        cursor.take("=")
        return bool(cursor.qualified() if cursor.peek().names else cursor.next().end)
    if cursor.take("CHARACTER", "SET"):
        cursor.take("=")
        return bool(cursor.next().end)
    if cursor.take("USING", "INDEX"):
        pass_index(cursor)
        return True
    if cursor.take("ON", "UPDATE"):
        _expression(cursor)
        return True
    if cursor.take("INITIALLY"):
        return bool(cursor.take_any("DEFERRED", "IMMEDIATE"))
    return any(cursor.take(*words) for words in _TWO_WORDS)


def _conflict(cursor: Cursor) -> None:
    cursor.take_any("ASC", "DESC")
    if cursor.take("ON", "CONFLICT"):
        cursor.next()


def _expression(cursor: Cursor) -> tuple[Token, ...]:
    """Tokens of a value up to the next word that says something else. Raises `Unreadable`."""
    cursor.take("ON", "NULL")
    value = cursor.at
    while not cursor.done:
        word = cursor.peek().word
        if word == "(":
            cursor.group()
        elif cursor.at > value and (word in _SAID or cursor.sees("CHARACTER", "SET")):
            break
        else:
            cursor.next()
    if cursor.at == value:
        raise Unreadable("a value", cursor.peek())
    return tuple(cursor.tokens[value : cursor.at])


def _after_constraint(cursor: Cursor, item: Item) -> None:
    """Options behind a key; anything else is odd."""
    while not cursor.done:
        word = cursor.peek().word
        if cursor.take("WITH") or cursor.take("INCLUDE") or word == "(":
            if not cursor.skip_group():
                cursor.next()
        elif cursor.take("ON", "CONFLICT") or cursor.take_any("KEY_BLOCK_SIZE", "PARSER", "TABLESPACE", "COMMENT"):
            cursor.take("=")
            cursor.next()
        elif cursor.take("USING", "INDEX"):
            pass_index(cursor)
        elif cursor.take("USING"):
            cursor.next()
        elif cursor.sees("ON") and cursor.peek(1).kind == "quoted":
            cursor.at += 2
        elif not _options(cursor):
            item.odd = cursor.peek()
            return
