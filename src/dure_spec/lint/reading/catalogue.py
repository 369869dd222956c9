"""The schema while it is being read: tables by name, and every place in the text that names one."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from dure_spec.lint.reading.cursor import Named
from dure_spec.lint.reading.parts import CheckPart, ColumnPart, ForeignPart, Item, KeyPart, Stretch
from dure_spec.lint.reading.tokens import Token


@dataclass(slots=True, kw_only=True)
class ColumnDraft:
    """A column as it stands after what has been read."""

    name: str
    part: ColumnPart
    type: tuple[Token, ...]
    null: bool | None
    default: tuple[Token, ...] | None
    comment: str = ""
    inherited: bool = False
    """It stands in the text of another table."""


@dataclass(slots=True, kw_only=True, eq=False)
class TableDraft:
    """A table as it stands after what has been read."""

    named: Named
    name: str
    start: int
    end: int
    columns: dict[str, ColumnDraft] = field(default_factory=dict[str, ColumnDraft])
    """By lower-case name."""
    repeated: list[ColumnDraft] = field(default_factory=list[ColumnDraft])
    """Columns whose name the table has already."""
    primary: KeyPart | None = None
    uniques: list[KeyPart] = field(default_factory=list[KeyPart])
    indexes: list[KeyPart] = field(default_factory=list[KeyPart])
    foreigns: list[ForeignPart] = field(default_factory=list[ForeignPart])
    checks: list[CheckPart] = field(default_factory=list[CheckPart])
    comment: str = ""
    items: list[Stretch] = field(default_factory=list[Stretch])
    """What stands between its parentheses."""
    parents: list["TableDraft"] = field(default_factory=list["TableDraft"])
    """Whose columns it inherits."""
    after: int = 0
    """Behind its last statement."""
    within: str = ""
    """The schema that was in use where it was made."""
    open: bool = False
    """It may have more columns than were read."""
    renamed: dict[str, str] = field(default_factory=dict[str, str])
    """New names of columns by lower-case old ones."""
    gone: set[str] = field(default_factory=set[str])
    """Lower-case names of columns that were dropped, and their keys with them."""

    def add(self, item: Item) -> None:
        """Take in what an item says."""
        column = item.column
        if column is not None:
            draft = ColumnDraft(
                name=column.name.value,
                part=column,
                type=column.type,
                null=column.null,
                default=column.default,
                comment=column.comment,
            )
            if draft.name.lower() in self.columns:
                self.repeated.append(draft)
            else:
                self.columns[draft.name.lower()] = draft
        self.primary = item.primary or self.primary
        self.uniques += item.uniques
        self.indexes += item.indexes
        self.foreigns += item.foreigns
        self.checks += item.checks

    @property
    def schema(self) -> str:
        """In lower case what its name is qualified with, else the schema that was in use."""
        return (self.named.schema or self.within).lower()

    def spelt(self, tokens: Sequence[Token]) -> tuple[str, ...]:
        """Column names as the table itself has them now; of a column that is not there as they are written."""
        return tuple(self.columns[name].name if name in self.columns else said for name, said in self._now(tokens))

    def keeps(self, tokens: Sequence[Token]) -> bool:
        """Whether a key over these columns is still the table's: none was dropped, none stands in what was not read."""
        lost = [name for name, _ in self._now(tokens) if name not in self.columns]
        return not lost or not (self.open or any(name in self.gone for name in lost))

    def _now(self, tokens: Sequence[Token]) -> list[tuple[str, str]]:
        """Each name in lower case and as it is written, after all renames."""
        return [(name.lower(), name) for name in (self.current(token.value) for token in tokens)]

    def current(self, name: str) -> str:
        """What a column is called after all renames."""
        seen: set[str] = set()
        while name.lower() not in self.columns and name.lower() in self.renamed and name.lower() not in seen:
            seen.add(name.lower())
            name = self.renamed[name.lower()]
        return name


def merge_partition(foreigns: Sequence[ForeignPart], indexes: Sequence[KeyPart], whole: TableDraft) -> None:
    """Give a table the references and indexes of a partition that it does not have itself."""
    known = {_written(part) for part in whole.foreigns}
    whole.foreigns += [part for part in foreigns if _written(part) not in known]
    whole.indexes += indexes


def _written(part: ForeignPart) -> tuple[str, ...]:
    return (*(token.value.lower() for token in part.columns), part.target.name.lower())


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """A token that names a table, or a column of one."""

    token: Token
    table: Named
    column: str = ""
    within: str = ""
    """The schema in use."""


@dataclass(slots=True, kw_only=True)
class DomainDraft:
    """A type of the schema's own: an enumeration, or another type with rules."""

    values: tuple[str, ...] = ()
    type: tuple[Token, ...] = ()
    null: bool | None = None
    default: tuple[Token, ...] | None = None
    checks: tuple[CheckPart, ...] = ()


@dataclass(slots=True, kw_only=True)
class Catalogue:
    """Everything read so far."""

    tables: list[TableDraft] = field(default_factory=list[TableDraft])
    domains: dict[str, DomainDraft] = field(default_factory=dict[str, DomainDraft])
    merged: dict[str, Named] = field(default_factory=dict[str, Named])
    """Partitions by lower-case name, and the table that they are part of."""
    uniques: dict[str, KeyPart] = field(default_factory=dict[str, KeyPart])
    """Unique indexes by lower-case name."""
    namings: list[Naming] = field(default_factory=list[Naming])
    within: str = ""
    """The schema in use: of USE, of the search path, of the CREATE SCHEMA that holds the tables."""
    unread: set[str] = field(default_factory=set[str])
    """Lower-case names of tables that are there but whose columns cannot be read from the text."""

    _by_name: dict[str, list[TableDraft]] = field(default_factory=dict[str, list[TableDraft]])

    def find(self, named: Named) -> TableDraft | None:
        """The table by a name, in any schema where the name says none; a partition is its parent."""
        seen: set[str] = set()
        while named.name.lower() in self.merged and named.name.lower() not in seen:
            seen.add(named.name.lower())
            named = self.merged[named.name.lower()]
        return self.exact(named)

    def exact(self, named: Named) -> TableDraft | None:
        """The table by a name, partitions as tables of their own."""
        found = self._by_name.get(named.name.lower(), [])
        schema = named.schema.lower()
        same = (table for table in found if table.schema == (schema or self.within.lower()))
        loose = (table for table in found if not schema or not table.named.schema)
        return next(same, None) or next(loose, None)

    def open(self, name: str) -> None:
        """Note that the tables of a name may have more than was read."""
        for table in self._by_name.get(name.lower(), []):
            table.open = True

    def put(self, table: TableDraft) -> None:
        """Add a table."""
        self.tables.append(table)
        self._by_name.setdefault(table.name.lower(), []).append(table)

    def drop(self, table: TableDraft) -> None:
        """Take a table out again."""
        self.tables.remove(table)
        self._by_name[table.name.lower()].remove(table)

    def rename(self, table: TableDraft, token: Token) -> None:
        """Give a table another name."""
        self._by_name[table.name.lower()].remove(table)
        table.name = token.value
        table.named = Named(schema=table.named.schema, token=token)
        self._by_name.setdefault(table.name.lower(), []).append(table)

    def name_table(self, named: Named) -> None:
        """Remember that a token names a table."""
        self.namings.append(Naming(token=named.token, table=named, within=self.within))

    def name_columns(self, named: Named, columns: tuple[Token, ...]) -> None:
        """Remember that tokens name columns of a table."""
        self.namings += [Naming(token=token, table=named, column=token.value, within=self.within) for token in columns]

    def name_within(self, named: Named, tokens: Sequence[Token]) -> None:
        """Remember the tokens of an expression that can name a table's columns, or the table before a dot."""
        for at, token in enumerate(tokens):
            after = tokens[at + 1].word if at + 1 < len(tokens) else ""
            before = tokens[at - 1].word if at else ""
            if not token.names or after == "(" or before == "::":
                continue
            if after != ".":
                self.namings.append(Naming(token=token, table=named, column=token.value, within=self.within))
            elif token.value.lower() == named.name.lower():
                self.namings.append(Naming(token=token, table=named, within=self.within))
