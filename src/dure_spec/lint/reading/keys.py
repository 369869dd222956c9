"""Keys, references, checks and indexes as they are written inside or behind a table."""

from collections.abc import Sequence

from dure_spec.artifacts.erd import OnDelete
from dure_spec.lint.reading.cursor import Cursor, Unreadable, parts_of
from dure_spec.lint.reading.parts import CheckPart, ForeignPart, Item, KeyPart, Stretch
from dure_spec.lint.reading.tokens import Token

_ORDER = frozenset({"ASC", "DESC", "NULLS", "FIRST", "LAST", "COLLATE"})
_INDEX_KINDS = frozenset({"KEY", "INDEX", "FULLTEXT", "SPATIAL"})
_STARTS = frozenset(
    {"CONSTRAINT", "PRIMARY", "FOREIGN", "CHECK", "UNIQUE", "EXCLUDE", "LIKE", "PERIOD", "SUPPLEMENTAL"}
)
# of Oracle's indexes: with a value behind it, alone, and what comes behind them
_INDEX_VALUED = frozenset({"PCTFREE", "PCTUSED", "INITRANS", "MAXTRANS", "TABLESPACE"})
_INDEX_SAID = _INDEX_VALUED | frozenset(
    "COMPUTE STATISTICS STORAGE LOGGING NOLOGGING COMPRESS NOCOMPRESS REVERSE ONLINE LOCAL GLOBAL PARALLEL NOPARALLEL "
    "SORT NOSORT".split()
)
_STATES = frozenset("ENABLE DISABLE VALIDATE NOVALIDATE RELY NORELY DEFERRABLE INITIALLY NOT CONSTRAINT".split())
_EXPRESSION = frozenset({"(", ".", "+", "-", "*", "/", "|", "::"})


def read_table_constraint(cursor: Cursor, item: Item, *, mysql: bool) -> bool:
    """Read a key or check of a table into the item; false where a column starts here. Raises `Unreadable`."""
    if cursor.peek().word not in _STARTS and not (mysql and cursor.peek().word in _INDEX_KINDS):
        return False
    if cursor.take("CONSTRAINT") and not _starts_key(cursor):
        cursor.name()
    if cursor.take("PRIMARY", "KEY"):
        _primary(cursor, item)
    elif cursor.sees("FOREIGN", "KEY"):
        _foreign(cursor, item)
    elif cursor.sees("CHECK", "(") or cursor.sees("CHECK", "NOT"):
        cursor.next()
        item.checks.append(read_check(cursor))
    elif cursor.sees("UNIQUE"):
        _unique(cursor, item)
    elif mysql and cursor.peek().word in _INDEX_KINDS:
        _index(cursor, item)
    else:
        return _passed_over(cursor, item, mysql=mysql)
    return True


def _passed_over(cursor: Cursor, item: Item, *, mysql: bool) -> bool:
    """LIKE, and what is no column and says nothing of keys either. Raises `Unreadable`."""
    if cursor.sees("LIKE") and cursor.peek(1).names:
        cursor.next()
        item.like = cursor.qualified()
        item.like_keys = mysql or _includes_keys(cursor)
    elif not (
        (cursor.sees("EXCLUDE") and cursor.peek(1).word in ("(", "USING"))
        or cursor.sees("PERIOD", "FOR")
        or cursor.sees("SUPPLEMENTAL", "LOG")
        or (cursor.sees("DEFAULT") and cursor.peek(-2).word == "CONSTRAINT")  # SQL Server names its defaults
    ):
        return False
    cursor.at = len(cursor.tokens)
    return True


def _includes_keys(cursor: Cursor) -> bool:
    """Whether PostgreSQL's options behind LIKE take indexes over, and with them the keys."""
    included = False
    while not cursor.done:
        option, what = cursor.next().word, cursor.next().word
        if what in ("ALL", "INDEXES"):
            included = option == "INCLUDING"
    return included


def read_reference(cursor: Cursor, columns: tuple[Token, ...], start: int) -> ForeignPart:
    """`REFERENCES t (c) …` from behind the word REFERENCES on. Raises `Unreadable`."""
    target = cursor.qualified()
    targets = key_columns(cursor.group()) if cursor.sees("(") else ()
    on_delete: OnDelete | None = None
    deferrable = False
    while True:
        if cursor.take("MATCH"):
            cursor.next()
        elif cursor.take("ON", "DELETE"):
            on_delete = _action(cursor)
        elif cursor.take("ON", "UPDATE"):
            _action(cursor)
        elif cursor.take("NOT", "DEFERRABLE"):
            deferrable = False
        elif cursor.take("DEFERRABLE") or cursor.take("INITIALLY", "DEFERRED"):
            deferrable = True
        elif not cursor.take("INITIALLY", "IMMEDIATE"):
            break
    place = Stretch(start=start, end=cursor.last.end)
    return ForeignPart(
        columns=columns, target=target, targets=targets, on_delete=on_delete, deferrable=deferrable, place=place
    )


def read_check(cursor: Cursor) -> CheckPart:
    """The expression of a CHECK. Raises `Unreadable`."""
    start = cursor.peek().start
    tokens = tuple(cursor.group())
    return CheckPart(tokens=tokens, place=Stretch(start=start, end=cursor.last.end))


def key_columns(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The columns of a key or index up to the first that is an expression."""
    found: list[Token] = []
    for part in parts_of(tokens):
        if not part or not (part[0].names or part[0].kind == "string"):
            break
        named = Cursor(part)
        name = named.name()
        rest = part[named.at :]
        prefix = len(rest) == 3 and rest[0].word == "(" and rest[1].kind == "number"
        if rest and not prefix and rest[0].word in _EXPRESSION:
            break
        found.append(name)
    return tuple(found)


def pass_index(cursor: Cursor) -> None:
    """Step over what Oracle says of a key's index behind USING INDEX. Raises `Unreadable`."""
    if cursor.peek().names and cursor.peek().word not in _INDEX_SAID and cursor.peek().word not in _STATES:
        cursor.qualified()
    while cursor.sees("(") or cursor.peek().word in _INDEX_SAID:
        if not cursor.skip_group() and cursor.next().word in _INDEX_VALUED:
            cursor.next()


def _starts_key(cursor: Cursor) -> bool:
    """Whether a nameless `CONSTRAINT` is followed by its key."""
    return any(
        cursor.sees(*words)
        for words in (("PRIMARY", "KEY"), ("FOREIGN", "KEY"), ("UNIQUE", "("), ("UNIQUE", "KEY"), ("CHECK", "("))
    )


def _columns(cursor: Cursor) -> tuple[Token, ...]:
    group = cursor.group()
    columns = key_columns(group)
    return columns if len(columns) == len(parts_of(group)) else ()


def _primary(cursor: Cursor, item: Item) -> None:
    if cursor.take("USING", "INDEX"):
        item.primary_index = cursor.name()
        return
    while not cursor.sees("(") and not cursor.done:
        cursor.next()
    item.primary = KeyPart(columns=_columns(cursor), place=item.place)


def _unique(cursor: Cursor, item: Item) -> None:
    cursor.next()
    cursor.take_any("KEY", "INDEX")
    if cursor.take("NULLS"):
        cursor.take("NOT")
        cursor.take("DISTINCT")
    if cursor.peek().names and not cursor.sees("USING"):
        if cursor.peek(1).word == "USING" and cursor.peek(2).word == "INDEX":
            return
        cursor.next()
    if cursor.sees("USING", "INDEX"):
        cursor.at = len(cursor.tokens)
        return
    if cursor.take("USING"):
        cursor.next()
    columns = _columns(cursor)
    if columns:
        item.uniques.append(KeyPart(columns=columns, place=item.place))


def _index(cursor: Cursor, item: Item) -> None:
    while not cursor.sees("(") and not cursor.done:
        cursor.next()
    columns = key_columns(cursor.group())
    if columns:
        item.indexes.append(KeyPart(columns=columns, place=item.place))


def _foreign(cursor: Cursor, item: Item) -> None:
    start = cursor.peek().start
    cursor.take("FOREIGN", "KEY")
    if not cursor.sees("("):
        cursor.name()
    columns = key_columns(cursor.group())
    if not cursor.take("REFERENCES"):
        raise Unreadable("REFERENCES", cursor.peek())
    item.foreigns.append(read_reference(cursor, columns, start))


def _action(cursor: Cursor) -> OnDelete | None:
    if cursor.take("CASCADE"):
        return "CASCADE"
    if cursor.take("RESTRICT"):
        return "RESTRICT"
    if cursor.take("NO", "ACTION"):
        return "NO ACTION"
    if cursor.take("SET", "NULL"):
        cursor.skip_group()
        return "SET NULL"
    if cursor.take("SET", "DEFAULT"):
        cursor.skip_group()
        return None
    raise Unreadable("CASCADE, RESTRICT, NO ACTION, SET NULL or SET DEFAULT", cursor.peek())
