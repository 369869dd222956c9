"""What comes to a table: columns, keys, indexes, foreign keys."""

from dataclasses import dataclass, field

from dure_spec.artifacts.erd import Column, Dialect, Erd
from dure_spec.derive.ddl_columns import column_line
from dure_spec.derive.identifiers import quote
from dure_spec.derive.keys import primary_key, split_reference
from dure_spec.derive.types import MAX_IDENTIFIER_BYTES
from dure_spec.lint.rewriting.edits import Edits
from dure_spec.lint.rewriting.layout import Layout
from dure_spec.lint.rewriting.matching import Pairing, TablePair
from dure_spec.lint.rewriting.renames import bare_name
from dure_spec.lint.source import SourceSchema


@dataclass(slots=True, kw_only=True)
class Additions:
    """Writes what a table did not have."""

    source: SourceSchema
    fixed: Erd
    pairing: Pairing
    edits: Edits
    names: set[str] = field(default_factory=set[str])
    """Names given to indexes, in lower case."""

    def write(self, pair: TablePair) -> None:
        """Write columns and keys between the parentheses, and indexes behind the table."""
        outline = self.source.outlines[pair.number]
        layout = Layout(text=self.source.text, dialect=self.dialect, items=outline.items)
        keys = [*self._primary(pair), *self._uniques(pair)]
        if outline.items:
            groups = self._columns(pair, layout)
            groups.setdefault(len(outline.items) - 1, []).extend(keys)
            for place, lines in groups.items():
                layout.add(lines, behind=place, edits=self.edits)
        else:
            lines = [column_line(self.fixed, pair.new, pair.new.columns[number], self.dialect) for number in pair.added]
            self._behind(pair, [f"ALTER TABLE {self._table(pair)} ADD {line};" for line in [*lines, *keys]])
        self._behind(pair, [*self._foreign_keys(pair), *self._indexes(pair)])

    @property
    def dialect(self) -> Dialect:
        """What the file is written in."""
        return self.source.dialect

    def _table(self, pair: TablePair) -> str:
        schema = self.source.outlines[pair.number].schema
        prefix = f"{quote(schema, self.dialect)}." if schema else ""
        span = self.source.spans.get(f"/tables/{pair.number}/name")
        quoted = span is not None and self.source.text[span.start : span.start + 1] in ('"', "`", "[")
        name = pair.new.name
        return prefix + (quote(name, self.dialect) if quoted else bare_name(name, self.dialect))

    def _names(self, names: tuple[str, ...]) -> str:
        return ", ".join(bare_name(name, self.dialect) for name in names)

    def _columns(self, pair: TablePair, layout: Layout) -> dict[int | None, list[str]]:
        """New columns by the item that stands before them in the corrected table."""
        places = self._places(pair, layout)
        groups: dict[int | None, list[str]] = {}
        behind: int | None = None
        for number, column in enumerate(pair.new.columns):
            if number in places:
                behind = places[number]
            elif number in pair.added:
                groups.setdefault(behind, []).append(self._line(pair, column))
        return groups

    def _places(self, pair: TablePair, layout: Layout) -> dict[int, int]:
        """Columns of the corrected table by number, and the item of the text that each one is."""
        starts = {item.start: place for place, item in enumerate(layout.items)}
        spans = self.source.spans
        found: dict[int, int] = {}
        for before, after in pair.columns:
            span = spans.get(f"/tables/{pair.number}/columns/{before}")
            if span is not None and span.start in starts:
                found[after] = starts[span.start]
        return found

    def _line(self, pair: TablePair, column: Column) -> str:
        return column_line(self.fixed, pair.new, column, self.dialect)

    def _primary(self, pair: TablePair) -> list[str]:
        old, new = primary_key(pair.old), primary_key(pair.new)
        kept = {pair.new.columns[after].name for before, after in pair.columns if pair.old.columns[before].pk}
        added = {pair.new.columns[number].name for number in pair.added}
        if set(new) == kept or (len(new) == 1 and set(new) <= added):
            return []
        if old:
            self.edits.note(f"{pair.new.name}: another primary key than the one that is there is not written")
            return []
        return [f"PRIMARY KEY ({self._names(new)})"]

    def _uniques(self, pair: TablePair) -> list[str]:
        known = {self._moved(pair, group) for group in pair.old.uniques}
        if known - set(pair.new.uniques):
            self.edits.note(f"{pair.new.name}: taking a key away is not written")
        return [f"UNIQUE ({self._names(group)})" for group in pair.new.uniques if group not in known]

    def _indexes(self, pair: TablePair) -> list[str]:
        known = {self._moved(pair, group) for group in pair.old.indexes}
        if known - set(pair.new.indexes):
            self.edits.note(f"{pair.new.name}: taking an index away is not written")
        return [
            f"CREATE INDEX {self._index_name(pair, group)} ON {self._table(pair)} ({self._names(group)});"
            for group in dict.fromkeys(pair.new.indexes)
            if group not in known
        ]

    def _index_name(self, pair: TablePair, columns: tuple[str, ...]) -> str:
        """A name that the file does not use yet."""
        base = "_".join(("ix", pair.new.name, *columns)).replace(" ", "_")
        while len(base.encode()) > MAX_IDENTIFIER_BYTES - 3:
            base = base[:-1]
        name, count = base, 1
        while name.lower() in self.names or name.lower() in self.source.text.lower():
            count += 1
            name = f"{base}_{count}"
        self.names.add(name.lower())
        return bare_name(name, self.dialect)

    def _foreign_keys(self, pair: TablePair) -> list[str]:
        lines: list[str] = []
        for before, after in pair.columns:
            old, new = pair.old.columns[before], pair.new.columns[after]
            target = split_reference(new.fk) if new.fk and not old.fk else None
            if target is None:
                continue
            if self.dialect == "sqlite":
                self.edits.note(f"{pair.new.name}.{new.name}: a foreign key cannot be added to a table of SQLite")
                continue
            action = f" ON DELETE {new.on_delete}" if new.on_delete else ""
            lines.append(
                f"ALTER TABLE {self._table(pair)} ADD FOREIGN KEY ({self._names((new.name,))}) "
                f"REFERENCES {bare_name(target[0], self.dialect)} ({self._names(target[1:])}){action};"
            )
        if len(pair.new.refs) != len(pair.old.refs):
            self.edits.note(f"{pair.new.name}: other foreign keys over several columns are not written")
        return lines

    def _moved(self, pair: TablePair, names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(self.pairing.renamed_column(pair.old.name, name) for name in names)

    def _behind(self, pair: TablePair, statements: list[str]) -> None:
        """Put statements behind the table's last one, and behind the comment on its line."""
        if not statements:
            return
        text, after = self.source.text, self.source.outlines[pair.number].after
        line_end = text.find("\n", after)
        line_end = len(text) if line_end < 0 else line_end
        rest = text[after:line_end].strip()
        place = line_end if not rest or rest.startswith(("--", "#")) else after
        place -= place == line_end and text[after:line_end].endswith("\r")
        newline = "\r\n" if "\r\n" in text else "\n"
        ended = text[:after].rstrip().endswith((";", "/")) or after < len(text.rstrip())
        self.edits.insert(place, ("" if ended else ";") + "".join(f"{newline}{line}" for line in statements))
