"""ALTER TABLE: keys and columns that come later, changes of columns, partitions that are attached."""

from dataclasses import replace

from dure_spec.artifacts.erd import Dialect
from dure_spec.lint.reading.catalogue import Catalogue, ColumnDraft, TableDraft, merge_partition
from dure_spec.lint.reading.columns import read_item
from dure_spec.lint.reading.create import Oddity, inherit, read_items, take
from dure_spec.lint.reading.cursor import Cursor, Named, Unreadable, parts_of
from dure_spec.lint.reading.parts import ColumnPart
from dure_spec.lint.reading.tokens import Token

# actions that say nothing about the schema
_OTHER = frozenset(
    "OWNER SET RESET ENABLE DISABLE CLUSTER NO VALIDATE DETACH REPLICA FORCE OF NOT ENGINE AUTO_INCREMENT DEFAULT "
    "CONVERT COMMENT CHARACTER CHARSET COLLATE ORDER PARTITION TRUNCATE COALESCE REORGANIZE EXCHANGE CHECK OPTIMIZE "
    "REBUILD IMPORT DISCARD ALGORITHM LOCK ROW_FORMAT KEY_BLOCK_SIZE MOVE LOGGING NOLOGGING PARALLEL NOPARALLEL CACHE "
    "NOCACHE SHRINK READ SPLIT MERGE COMPRESS PCTFREE WITH WITHOUT INMEMORY ROW STORAGE MONITORING NOMONITORING "
    "UPGRADE".split()
)


def read_alter_table(tokens: list[Token], catalogue: Catalogue, dialect: Dialect, *, after: int) -> Oddity | None:
    """Take an ALTER TABLE into the catalogue; what is not understood is told. Raises `Unreadable`."""
    cursor = Cursor(tokens)
    cursor.take("ALTER")
    cursor.take("FOREIGN")
    if not cursor.take("TABLE"):
        raise Unreadable("TABLE", cursor.peek())
    cursor.take("IF", "EXISTS")
    cursor.take("ONLY")
    named = cursor.qualified()
    cursor.take("*")
    if cursor.done:
        raise Unreadable("an action behind the name", cursor.peek())
    draft = catalogue.exact(named)
    if draft is None:
        _of_partition(cursor, named, catalogue, dialect)
        return None
    catalogue.name_table(named)
    draft.after = max(draft.after, after)
    return _actions(list(tokens[cursor.at :]), draft, catalogue, dialect)


def _actions(tokens: list[Token], draft: TableDraft, catalogue: Catalogue, dialect: Dialect) -> Oddity | None:
    odd: Oddity | None = None
    for part in _joined(parts_of(tokens)):
        if not part:
            found = Oddity(table=draft.name, token=tokens[-1], expected="an action between the commas")
        else:
            found = _action(Cursor(part), draft, catalogue, dialect)
        odd = odd or found
    return odd


def _joined(parts: list[list[Token]]) -> list[list[Token]]:
    """Lists behind SET, ORDER BY and PARTITION BY are one action."""
    if len(parts) == 1 or not parts[0] or parts[0][0].word not in ("SET", "ORDER", "PARTITION"):
        return parts
    return [[token for part in parts for token in part]]


def _action(cursor: Cursor, draft: TableDraft, catalogue: Catalogue, dialect: Dialect) -> Oddity | None:
    first = cursor.peek()
    if cursor.sees("WITH", "CHECK") or cursor.sees("WITH", "NOCHECK"):
        cursor.at += 2
    if cursor.take("ADD"):
        return _add(cursor, draft, catalogue, dialect)
    if cursor.take("ALTER"):
        return _alter_column(cursor, draft, catalogue)
    if cursor.take_any("MODIFY", "CHANGE"):
        return _modify(cursor, draft, catalogue, dialect, renames=first.word == "CHANGE")
    if cursor.take("DROP"):
        _drop(cursor, draft)
    elif cursor.take("RENAME"):
        _rename(cursor, draft, catalogue)
    elif cursor.take("INHERIT"):
        inherit(cursor.qualified(), draft, catalogue)
    elif cursor.take("ATTACH", "PARTITION"):
        _attach(cursor, draft, catalogue)
    elif first.word not in _OTHER:
        return Oddity(table=draft.name, token=first)
    return None


def _add(cursor: Cursor, draft: TableDraft, catalogue: Catalogue, dialect: Dialect) -> Oddity | None:
    if cursor.take("PARTITION"):
        return None
    cursor.take("COLUMN")
    cursor.take("IF", "NOT", "EXISTS")
    if cursor.sees("("):
        placed = list(draft.items)
        odd = read_items(cursor.group(), draft, catalogue, dialect)
        draft.items = placed
        return odd
    rest = list(cursor.tokens[cursor.at :])
    if not rest:
        raise Unreadable("a column or a key", cursor.peek())
    item = read_item(_without_place(rest), dialect)
    take(item, draft, catalogue)
    return Oddity(table=draft.name, token=item.odd) if item.odd else None


def _without_place(tokens: list[Token]) -> list[Token]:
    """Without `AFTER x` and `FIRST`, which MySQL writes behind a column."""
    if len(tokens) > 3 and tokens[-2].word == "AFTER":
        return tokens[:-2]
    return tokens[:-1] if len(tokens) > 2 and tokens[-1].word == "FIRST" else tokens


def _alter_column(cursor: Cursor, draft: TableDraft, catalogue: Catalogue) -> Oddity | None:
    if cursor.take_any("INDEX", "CONSTRAINT", "CHECK"):
        return None
    cursor.take("COLUMN")
    name = cursor.name()
    catalogue.name_columns(draft.named, (name,))
    column = draft.columns.get(name.value.lower())
    if column is None:
        return None
    if cursor.take("SET", "NOT", "NULL"):
        column.null = False
    elif cursor.take("DROP", "NOT", "NULL"):
        column.null = True
    elif cursor.take("SET", "DEFAULT"):
        column.default = tuple(cursor.tokens[cursor.at :])
    elif cursor.take("DROP", "DEFAULT"):
        column.default = None
    elif cursor.take("TYPE") or cursor.take("SET", "DATA", "TYPE"):
        rest = cursor.tokens[cursor.at :]
        end = next((at for at, token in enumerate(rest) if token.word in ("USING", "COLLATE")), len(rest))
        column.type = tuple(rest[:end])
    elif cursor.take("ADD", "GENERATED"):
        column.null = False
    return None


def _modify(
    cursor: Cursor, draft: TableDraft, catalogue: Catalogue, dialect: Dialect, *, renames: bool
) -> Oddity | None:
    """MySQL says the whole column again; Oracle only what changes, several in parentheses."""
    cursor.take("COLUMN")
    groups = parts_of(cursor.group()) if cursor.sees("(") else [list(cursor.tokens[cursor.at :])]
    odd: Oddity | None = None
    for tokens in groups:
        if not tokens:
            raise Unreadable("a column", cursor.peek())
        if tokens[0].word == "CONSTRAINT":
            continue
        old = tokens[0]
        item = read_item(_without_place(tokens[1:] if renames and len(tokens) > 1 else tokens), dialect)
        column = draft.columns.get(old.value.lower())
        if item.column is None or column is None:
            continue
        partial = dialect == "oracle" or not item.column.type
        if item.odd is not None and not (partial and not item.column.type):
            odd = odd or Oddity(table=draft.name, token=item.odd)
        catalogue.name_columns(draft.named, (item.column.name,))
        _replace(draft, column, item.column, partial=partial)
        rest = replace(item, column=None)
        take(rest, draft, catalogue)
    return odd


def _replace(draft: TableDraft, column: ColumnDraft, part: ColumnPart, *, partial: bool) -> None:
    changed = replace(
        column,
        name=part.name.value,
        type=part.type or column.type,
        null=part.null if part.null is not None or not partial else column.null,
        default=part.default if part.default is not None or not partial else column.default,
        comment=part.comment or column.comment,
    )
    old = column.name.lower()
    if changed.name.lower() != old:
        draft.renamed[old] = changed.name
    draft.columns = {
        (changed.name.lower() if name == old else name): (changed if name == old else each)
        for name, each in draft.columns.items()
    }


def _drop(cursor: Cursor, draft: TableDraft) -> None:
    if cursor.take("PRIMARY", "KEY"):
        draft.primary = None
        return
    if cursor.take_any("CONSTRAINT", "INDEX", "KEY", "FOREIGN", "PARTITION", "CHECK", "DEFAULT", "UNIQUE"):
        return
    cursor.take("COLUMN")
    cursor.take("IF", "EXISTS")
    for part in parts_of(cursor.group()) if cursor.sees("(") else [[cursor.name()]]:
        if part and draft.columns.pop(part[0].value.lower(), None) is not None:
            draft.gone.add(part[0].value.lower())


def _rename(cursor: Cursor, draft: TableDraft, catalogue: Catalogue) -> None:
    if cursor.take("TO") or cursor.take("AS"):
        catalogue.rename(draft, cursor.qualified().token)
        catalogue.name_table(draft.named)
        return
    if cursor.take_any("CONSTRAINT", "INDEX", "KEY", "PARTITION"):
        return
    cursor.take("COLUMN")
    old = cursor.name()
    if not cursor.take("TO"):
        raise Unreadable("TO", cursor.peek())
    new = cursor.name()
    column = draft.columns.get(old.value.lower())
    if column is not None:
        _replace(draft, column, replace(column.part, name=new), partial=True)
        catalogue.name_columns(draft.named, (new,))


def _of_partition(cursor: Cursor, named: Named, catalogue: Catalogue, dialect: Dialect) -> None:
    """What is added to a partition holds of the whole, which dumps do not say again."""
    whole = catalogue.find(named)
    if whole is None:
        return
    for part in parts_of(cursor.tokens[cursor.at :]):
        action = Cursor(part)
        if action.take("ADD") and not action.done:
            merge_partition(read_item(part[action.at :], dialect).foreigns, (), whole)


def _attach(cursor: Cursor, draft: TableDraft, catalogue: Catalogue) -> None:
    """A partition that was made as a table of its own is none."""
    named = cursor.qualified()
    child = catalogue.exact(named)
    if child is not None and child is not draft:
        merge_partition(child.foreigns, child.indexes, draft)
        catalogue.drop(child)
    if named.name.lower() != draft.name.lower():
        catalogue.merged[named.name.lower()] = draft.named
