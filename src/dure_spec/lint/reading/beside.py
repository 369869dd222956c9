"""What stands beside the tables: indexes, comments, own types and domains, tables that are dropped or renamed."""

from dataclasses import dataclass

from dure_spec.lint.reading.catalogue import Catalogue, DomainDraft, TableDraft
from dure_spec.lint.reading.cursor import Cursor, Named, Unreadable, parts_of
from dure_spec.lint.reading.keys import key_columns, read_check
from dure_spec.lint.reading.parts import CheckPart, KeyPart, Stretch, stretch
from dure_spec.lint.reading.tokens import Token


def read_index(tokens: list[Token], catalogue: Catalogue, *, after: int) -> None:
    """CREATE INDEX; a partial or an expression's unique index is no key. Raises `Unreadable`."""
    cursor = Cursor(tokens)
    cursor.take("CREATE")
    unique = cursor.take("UNIQUE")
    cursor.take_any("BITMAP", "FULLTEXT", "SPATIAL")
    cursor.take("INDEX")
    cursor.take("CONCURRENTLY")
    cursor.take("IF", "NOT", "EXISTS")
    name = None if cursor.sees("ON") and cursor.peek(1).names else cursor.qualified()
    if cursor.take("USING"):
        cursor.next()
    if not cursor.take("ON"):
        raise Unreadable("ON", cursor.peek())
    cursor.take("ONLY")
    named = cursor.qualified()
    if cursor.take("USING"):
        cursor.next()
    group = cursor.group()
    index = _Index(name=name, unique=unique, columns=key_columns(group), place=stretch(tokens))
    draft = catalogue.exact(named)
    if draft is None:
        whole = catalogue.find(named)
        if whole is not None:  # dumps name the index of each partition
            whole.indexes.append(index.key)
        return
    draft.after = max(draft.after, after)
    catalogue.name_table(named)
    words = _predicate(cursor)
    catalogue.name_within(named, group)
    catalogue.name_within(named, words)
    _put_index(index, draft, catalogue, words={token.word for token in words}, parts=len(parts_of(group)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Index:
    name: Named | None
    unique: bool
    columns: tuple[Token, ...]
    place: Stretch

    @property
    def key(self) -> KeyPart:
        return KeyPart(columns=self.columns, place=self.place)


def _put_index(index: _Index, draft: TableDraft, catalogue: Catalogue, *, words: set[str], parts: int) -> None:
    """Give the table its index, whose predicate has these words; one that leaves rows out serves no reference."""
    if words and (index.unique or {"IS", "NOT", "NULL"} - words):
        return
    if not index.unique:
        draft.indexes += [index.key] if index.columns else []
    elif len(index.columns) == parts:
        draft.uniques.append(index.key)
        if index.name is not None:
            catalogue.uniques[index.name.name.lower()] = index.key


def _predicate(cursor: Cursor) -> list[Token]:
    while not cursor.done:
        if cursor.next().word == "WHERE":
            return list(cursor.tokens[cursor.at :])
    return []


def read_comment(tokens: list[Token], catalogue: Catalogue) -> None:
    """COMMENT ON TABLE or COLUMN. Raises `Unreadable`."""
    cursor = Cursor(tokens)
    cursor.take("COMMENT")
    cursor.take("ON")
    if cursor.take("TABLE"):
        named = cursor.qualified()
        draft = catalogue.exact(named)
        if draft is not None:
            catalogue.name_table(named)
            draft.comment = _words(cursor)
        return
    if not cursor.take("COLUMN"):
        return
    path = [cursor.name()]
    while cursor.take("."):
        path.append(cursor.name())
    if len(path) < 2:
        raise Unreadable("table.column", path[0])
    named = Named(schema=path[-3].value if len(path) > 2 else "", token=path[-2])
    draft = catalogue.exact(named)
    if draft is not None:
        catalogue.name_table(named)
        catalogue.name_columns(named, (path[-1],))
        column = draft.columns.get(path[-1].value.lower())
        words = _words(cursor)
        if column is not None:
            column.comment = words


def _words(cursor: Cursor) -> str:
    if not cursor.take("IS"):
        raise Unreadable("IS", cursor.peek())
    token = cursor.next()
    return token.value if token.kind == "string" else ""


def read_type(tokens: list[Token], catalogue: Catalogue) -> None:
    """CREATE TYPE … AS ENUM; other kinds of types say nothing here. Raises `Unreadable`."""
    cursor = Cursor(tokens)
    cursor.at = 2
    if cursor.sees("IF", "NOT", "EXISTS"):
        cursor.at += 3
    name = cursor.qualified().name
    if cursor.take("AS", "ENUM"):
        values = tuple(part[0].value for part in parts_of(cursor.group()) if part)
        catalogue.domains[name.lower()] = DomainDraft(values=values)


def read_domain(tokens: list[Token], catalogue: Catalogue) -> None:
    """CREATE DOMAIN. Raises `Unreadable`."""
    cursor = Cursor(tokens)
    cursor.at = 2
    name = cursor.qualified().name
    cursor.take("AS")
    first = cursor.at
    while not cursor.done and cursor.peek().word not in ("CONSTRAINT", "NOT", "NULL", "DEFAULT", "CHECK", "COLLATE"):
        cursor.next()
    draft = DomainDraft(type=tuple(cursor.tokens[first : cursor.at]))
    checks: list[CheckPart] = []
    while not cursor.done:
        if cursor.take("NOT", "NULL"):
            draft.null = False
        elif cursor.take("CHECK"):
            checks.append(read_check(cursor))
        elif cursor.take("DEFAULT"):
            value = cursor.at
            while not cursor.done and cursor.peek().word not in ("CONSTRAINT", "NOT", "NULL", "CHECK"):
                if not cursor.skip_group():
                    cursor.next()
            draft.default = tuple(cursor.tokens[value : cursor.at])
        else:
            cursor.next()
    draft.checks = tuple(checks)
    catalogue.domains[name.lower()] = draft


def read_drop(tokens: list[Token], catalogue: Catalogue) -> None:
    """DROP TABLE: what was made before it is gone. Raises `Unreadable`."""
    cursor = Cursor(tokens)
    cursor.at = 2
    cursor.take("IF", "EXISTS")
    for part in parts_of(tokens[cursor.at :]):
        if not part:
            continue
        named = Cursor(part).qualified()
        draft = catalogue.exact(named)
        catalogue.name_table(named)
        if draft is not None:
            catalogue.drop(draft)


def read_rename(tokens: list[Token], catalogue: Catalogue) -> None:
    """MySQL's RENAME TABLE a TO b. Raises `Unreadable`."""
    for part in parts_of(tokens[2:]):
        cursor = Cursor(part)
        draft = catalogue.exact(cursor.qualified())
        if draft is not None and cursor.take("TO"):
            catalogue.rename(draft, cursor.qualified().token)
            catalogue.name_table(draft.named)
