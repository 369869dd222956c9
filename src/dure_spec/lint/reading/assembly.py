"""The ERD that the drafts add up to, and where in the text each piece of it stands."""

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from dure_spec.artifacts.erd import Column, Dialect, Erd, Meta, Reference, Table
from dure_spec.lint.reading.catalogue import Catalogue, ColumnDraft, DomainDraft, TableDraft
from dure_spec.lint.reading.checks import joined_checks, with_checks
from dure_spec.lint.reading.cursor import Named
from dure_spec.lint.reading.kinds import with_kinds
from dure_spec.lint.reading.parts import ForeignPart, KeyPart
from dure_spec.lint.reading.tokens import Token
from dure_spec.lint.reading.values import check_text, default_value, enum_values, type_name, type_text
from dure_spec.lint.source import Naming, Outline, Span

_USUAL_SCHEMAS = frozenset({"public", "dbo", "main"})
_PATH = re.compile(r"\bsearch_path\b[^;]{0,200}+", re.IGNORECASE)


@dataclass(slots=True, kw_only=True)
class Assembly:
    """Builds the ERD table by table."""

    text: str
    catalogue: Catalogue
    dialect: Dialect
    names: dict[int, str] = field(default_factory=dict[int, str])
    """Names in the ERD by the identity of the draft; a name that two schemas use gets its schema before it."""
    spans: dict[str, Span] = field(default_factory=dict[str, Span])
    _lines: list[int] = field(default_factory=list[int])
    _schemas: set[str] = field(default_factory=set[str])
    """Lower-case names of the schemas that a table of the text can stand in."""
    _outside: dict[str, None] = field(default_factory=dict[str, None])

    def erd(self) -> Erd:
        """The whole ERD; call it once."""
        self._lines = line_starts(self.text)
        self._schemas = {*_USUAL_SCHEMAS, *_paths(self.text)}
        self._schemas |= {draft.schema for draft in self.catalogue.tables}
        taken: set[str] = set()
        for draft in self.catalogue.tables:
            name = (
                draft.name if draft.name.lower() not in taken else f"{draft.named.schema or draft.within}_{draft.name}"
            )
            taken.add(name.lower())
            self.names[id(draft)] = name
        tables = [self._table(number, draft) for number, draft in enumerate(self.catalogue.tables)]
        meta = Meta(
            dialect=self.dialect, pk="source", audit=(), fk_index="auto" if self.dialect == "mysql" else "explicit"
        )
        return Erd(meta=meta, tables=with_kinds(tables), relations=(), outside=tuple(self._outside))

    def outlines(self) -> tuple[Outline, ...]:
        """Where the parts of each table stand."""
        numbers = {id(draft): number for number, draft in enumerate(self.catalogue.tables)}
        return tuple(
            Outline(
                items=tuple(self._span(item.start, item.end) for item in draft.items),
                after=draft.after,
                schema=draft.named.schema,
                parents=tuple(numbers[id(parent)] for parent in draft.parents if id(parent) in numbers),
            )
            for draft in self.catalogue.tables
        )

    def namings(self) -> tuple[Naming, ...]:
        """Every token that names a table or a column of the ERD, in the order of the text."""
        numbers = {id(draft): number for number, draft in enumerate(self.catalogue.tables)}
        places = [{name: place for place, name in enumerate(draft.columns)} for draft in self.catalogue.tables]
        found: dict[int, Naming] = {}
        known: dict[tuple[str, str, str], TableDraft | None] = {}
        for naming in self.catalogue.namings:
            self.catalogue.within = naming.within
            key = (naming.table.schema, naming.table.token.value, naming.within)
            draft = known[key] if key in known else known.setdefault(key, self.catalogue.exact(naming.table))
            if draft is None:
                continue
            table, token = numbers[id(draft)], naming.token
            column = places[table].get(naming.column.lower()) if naming.column else None
            if column is None and (naming.column or token.value.lower() != draft.name.lower()):
                continue
            found[token.start] = Naming(start=token.start, end=token.end, table=table, column=column)
        return tuple(found[start] for start in sorted(found))

    def _span(self, start: int, end: int) -> Span:
        return Span(line=line_of(self._lines, start), start=start, end=end)

    def _mark(self, path: str, start: int, end: int) -> None:
        self.spans[path] = self._span(start, end)

    def _table(self, number: int, draft: TableDraft) -> Table:
        path = f"/tables/{number}"
        self._mark(path, draft.start, draft.end)
        self._mark(f"{path}/name", draft.named.token.start, draft.named.token.end)
        declared = self._primary(draft)
        primary = {name.lower() for name in declared}
        lost = declared if draft.primary and any(name not in draft.columns for name in primary) else ()
        groups = self._groups(draft, draft.uniques)
        single = {group[0].lower() for group, _ in groups if len(group) == 1} - (
            primary if len(primary) == 1 else set()
        )
        order = [*draft.columns.values(), *draft.repeated]
        columns = [self._column(column, primary, single) for column in order]
        refs = self._references(draft, columns, path)
        columns = with_checks(self.text, draft, columns)
        for place, read in enumerate(order):
            self._mark_column(f"{path}/columns/{place}", draft, read)
        known = {column.name.lower() for column in columns}
        many = [
            (group, part)
            for group, part in groups
            if {name.lower() for name in group} != primary and not (len(group) == 1 and group[0].lower() in known)
        ]
        indexes = self._groups(draft, draft.indexes)
        keys = [draft.primary] * len(lost) if draft.primary else []
        self._mark_keys(path, lost_key=keys, uniques=[part for _, part in many], indexes=[part for _, part in indexes])
        name = self.names[id(draft)]
        return Table(
            name=name,
            logical=" ".join(draft.comment.split()) or name,
            kind="entity",
            reqs=(),
            columns=tuple(columns),
            uniques=tuple(group for group, _ in many),
            indexes=tuple(group for group, _ in indexes),
            refs=refs,
            lost_key=lost,
        )

    def _primary(self, draft: TableDraft) -> tuple[str, ...]:
        """The primary key as it is declared, of a table that may have more columns only what is there of it."""
        part = draft.primary
        if part is None or any(draft.current(token.value).lower() in draft.gone for token in part.columns):
            return ()
        names = draft.spelt(part.columns)
        return tuple(name for name in names if name.lower() in draft.columns) if draft.open else names

    def _mark_keys(self, path: str, **kept: list[KeyPart]) -> None:
        for name, parts in kept.items():
            for place, part in enumerate(parts):
                self._mark(f"{path}/{name}/{place}", part.place.start, part.place.end)

    def _mark_column(self, path: str, draft: TableDraft, read: ColumnDraft) -> None:
        if read.inherited:
            self._mark(path, draft.start, draft.end)
            return
        self._mark(path, read.part.place.start, read.part.place.end)
        self._mark(f"{path}/name", read.part.name.start, read.part.name.end)
        if read.type:
            self._mark(f"{path}/type", read.type[0].start, read.type[-1].end)

    def _column(self, read: ColumnDraft, primary: set[str], single: set[str]) -> Column:
        domain = self._domain(read.type)
        written = type_text(read.type)
        enum: tuple[str, ...] | None = enum_values(read.type) or None
        if domain is not None and domain.values:
            enum, written = domain.values, f"varchar({max(len(value) for value in domain.values) or 1})"
        elif domain is not None:
            written = type_text(domain.type)
        null = read.null if read.null is not None else domain.null if domain else None
        key = read.name.lower() in primary
        implied = not key and "serial" not in written.lower()
        default = read.default if read.default is not None else domain.default if domain else None
        checks = [check_text(self.text, part.tokens, value=read.name) for part in domain.checks] if domain else []
        return Column(
            name=read.name,
            logical=" ".join(read.comment.split()) or read.name,
            type=written,
            pk=key,
            null=null if null is not None else implied,
            uq=read.name.lower() in single,
            default=default_value(default, written),
            enum=enum,
            check=joined_checks(checks),
        )

    def _domain(self, tokens: tuple[Token, ...]) -> DomainDraft | None:
        """The domain behind a type, and the one behind that; a circle ends."""
        found: DomainDraft | None = None
        seen: set[str] = set()
        name = type_name(tokens)
        while name in self.catalogue.domains and name not in seen:
            seen.add(name)
            found = self.catalogue.domains[name]
            name = type_name(found.type)
        return found

    def _groups(self, draft: TableDraft, parts: list[KeyPart]) -> list[tuple[tuple[str, ...], KeyPart]]:
        found: dict[tuple[str, ...], KeyPart] = {}
        for part in parts:
            if draft.keeps(part.columns):
                found.setdefault(draft.spelt(part.columns), part)
        return [(group, part) for group, part in found.items() if group]

    def _references(self, draft: TableDraft, columns: list[Column], path: str) -> tuple[Reference, ...]:
        """Single ordinary references go to their columns; what a column cannot say is returned."""
        refs: list[Reference] = []
        for part in draft.foreigns:
            if not draft.keeps(part.columns) or self._is_unread(part):
                continue
            table, targets = self._target(part, draft)
            names = draft.spelt(part.columns)
            at = next((n for n, column in enumerate(columns) if column.name == names[0]), None) if names else None
            plain = len(names) == len(targets) == 1 and not part.deferrable and at is not None
            if plain and at is not None and columns[at].fk is None:
                update = {"fk": f"{table}.{targets[0]}", "on_delete": part.on_delete}
                columns[at] = columns[at].model_copy(update=update)
                for said in ("fk", "on_delete"):
                    self._mark(f"{path}/columns/{at}/{said}", part.place.start, part.place.end)
                continue
            self._mark(f"{path}/refs/{len(refs)}", part.place.start, part.place.end)
            refs.append(
                Reference(
                    columns=names, table=table, targets=targets, on_delete=part.on_delete, deferrable=part.deferrable
                )
            )
        return tuple(refs)

    def _target(self, part: ForeignPart, draft: TableDraft) -> tuple[str, tuple[str, ...]]:
        named = part.target
        if not named.schema and draft.schema:
            near = self.catalogue.find(Named(schema=draft.schema, token=named.token))
            target = near or self.catalogue.find(named)
        else:
            target = self.catalogue.find(named)
        written = tuple(token.value for token in part.targets) or ("id",)
        if self._is_outside(named, target):
            name = f"{named.schema}.{named.name}" if named.schema else named.name
            self._outside[name] = None
            return name, written
        if target is None:
            return named.name, written
        name = self.names[id(target)]
        if part.targets:
            return name, target.spelt(part.targets)
        return name, self._primary(target) or written

    def _is_unread(self, part: ForeignPart) -> bool:
        """Whether the reference goes to a column that may stand in what was not read of its table."""
        target = self.catalogue.find(part.target)
        return target is not None and target.open and not target.keeps(part.targets)

    def _is_outside(self, named: Named, target: TableDraft | None) -> bool:
        """Whether a table is defined in another file: in a schema that has none in this one, or by a query."""
        if not named.schema:
            return target is None and named.name.lower() in self.catalogue.unread
        if target is not None and (target.named.schema or self.dialect != "postgresql"):
            return False
        return named.schema.lower() not in self._schemas


def _paths(text: str) -> set[str]:
    """Every word that a search path of PostgreSQL is set to."""
    return {word.lower() for match in _PATH.finditer(text) for word in re.findall(r"\w+", match.group())}


def line_starts(text: str) -> list[int]:
    """Where each line begins."""
    starts = [0]
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts


def line_of(starts: list[int], place: int) -> int:
    """The line of a character, counted from 1."""
    return bisect_right(starts, place)
