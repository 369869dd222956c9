"""DDL from the entity-relationship design: statements for an engine, and a file for a person."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dure_spec.artifacts.erd import Column, Dialect, Erd, Table
from dure_spec.derive.ddl_columns import column_line
from dure_spec.derive.identifiers import quote
from dure_spec.derive.keys import ForeignKey, all_columns, foreign_keys, primary_key, table_order, unique_keys
from dure_spec.derive.literals import literal
from dure_spec.derive.types import MAX_IDENTIFIER_BYTES

_ACTIONS: dict[Dialect, frozenset[str]] = {
    "postgresql": frozenset({"RESTRICT", "CASCADE", "SET NULL", "NO ACTION"}),
    "sqlite": frozenset({"RESTRICT", "CASCADE", "SET NULL", "NO ACTION"}),
    "mysql": frozenset({"RESTRICT", "CASCADE", "SET NULL", "NO ACTION"}),
    "oracle": frozenset({"CASCADE", "SET NULL"}),
}
"""What may stand behind ON DELETE; Oracle has no word for keeping the parent, it always does."""
_COMMENTING: tuple[Dialect, ...] = ("postgresql", "oracle")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One statement, without its semicolon, and the piece of the ERD that it comes from."""

    sql: str
    path: str
    """JSON pointer into the ERD."""
    table: Table
    lines: tuple[str, ...] = ()
    """The piece behind each line of the statement, where there are several."""

    def path_at(self, position: int | None) -> str:
        """The piece behind a character of the statement, counted from 0."""
        if position is None or not self.lines:
            return self.path
        line = self.sql.count("\n", 0, position)
        return self.lines[min(line, len(self.lines) - 1)]


def create_steps(erd: Erd, dialect: Dialect | None = None) -> tuple[Step, ...]:
    """Statements in an order that an engine can run.

    Foreign keys are inline for SQLite and follow by ALTER TABLE elsewhere, so cycles load too.
    """
    writer = _Writer(erd, dialect or erd.meta.dialect)
    ordered = table_order(erd)
    steps: list[Step] = []
    for table in ordered:
        steps.append(writer.create(table, notes=False))
        steps.extend(writer.comments(table))
    for table in ordered:
        steps.extend(writer.after(table))
    return tuple(steps)


def create_statements(erd: Erd, dialect: Dialect | None = None) -> tuple[str, ...]:
    """The statements of `create_steps` alone."""
    return tuple(step.sql for step in create_steps(erd, dialect))


def drop_statements(erd: Erd, dialect: Dialect | None = None) -> tuple[str, ...]:
    """Statements that take the tables away again, cycles of references included where the engine has a way."""
    dialect = dialect or erd.meta.dialect
    names = [quote(table.name, dialect) for table in reversed(table_order(erd))]
    if not names:
        return ()
    match dialect:
        case "postgresql" | "mysql":
            return (f"DROP TABLE {', '.join(names)}",)
        case "oracle":
            return tuple(f"DROP TABLE {name} CASCADE CONSTRAINTS" for name in names)
        case "sqlite":
            return tuple(f"DROP TABLE {name}" for name in names)


def schema_sql(erd: Erd, dialect: Dialect | None = None) -> str:
    """The text of `schema.sql`; logical names stand beside the physical ones as comments."""
    dialect = dialect or erd.meta.dialect
    writer = _Writer(erd, dialect)
    blocks = [f"-- {dialect}, {len(erd.tables)} tables"]
    if dialect == "sqlite":
        blocks.append("PRAGMA foreign_keys = ON;")
    ordered = table_order(erd)
    for table in ordered:
        title = f"-- {_one_line(table.logical)} ({_one_line(', '.join(table.reqs))})".removesuffix(" ()")
        block = [title, writer.create(table, notes=True).sql + ";"]
        block.extend(f"{step.sql};" for step in writer.comments(table))
        blocks.append("\n".join(block))
    after = [f"{step.sql};" for table in ordered for step in writer.after(table)]
    if after:
        blocks.append("\n".join(after))
    return "\n\n".join(blocks) + "\n"


@dataclass(slots=True)
class _Writer:
    """Writes the statements of one schema; no two objects get the same name."""

    erd: Erd
    dialect: Dialect
    tables: Mapping[str, Table] = field(init=False)
    paths: Mapping[int, str] = field(init=False)
    taken: set[str] = field(init=False)

    def __post_init__(self) -> None:
        self.tables = {table.name.lower(): table for table in self.erd.tables}
        self.paths = {id(table): f"/tables/{number}" for number, table in enumerate(self.erd.tables)}
        self.taken = set(self.tables)

    def create(self, table: Table, *, notes: bool) -> Step:
        path = self.paths[id(table)]
        lines = [
            (column_line(self.erd, table, column, self.dialect), _logical(column), self._column_path(table, number))
            for number, column in enumerate(all_columns(self.erd, table))
        ]
        lines.extend((line, "", f"{path}{place}") for line, place in self._constraints(table))
        last = len(lines) - 1
        written = [
            f"  {line}{',' if number < last else ''}{_note(note) if notes else ''}"
            for number, (line, note, _) in enumerate(lines)
        ]
        return Step(
            sql="\n".join([f"CREATE TABLE {quote(table.name, self.dialect)} (", *written, ")"]),
            path=path,
            table=table,
            lines=(path, *(place for *_, place in lines), path),
        )

    def _column_path(self, table: Table, number: int) -> str:
        path = self.paths[id(table)]
        return f"{path}/columns/{number}" if number < len(table.columns) else path

    def _constraints(self, table: Table) -> Iterator[tuple[str, str]]:
        key = primary_key(table)
        if len(key) > 1:
            yield f"PRIMARY KEY ({self._names(key)})", ""
        done: set[tuple[str, ...]] = {(), key}
        for number, columns in enumerate(table.uniques):
            if columns not in done:
                yield f"UNIQUE ({self._names(columns)})", f"/uniques/{number}"
            done.add(columns)
        if self.dialect == "sqlite":
            for foreign in self._foreign_keys(table):
                yield self._reference(foreign), foreign.path

    def _foreign_keys(self, table: Table) -> list[ForeignKey]:
        """The table's keys, one that is declared twice only once."""
        found: dict[tuple[object, ...], ForeignKey] = {}
        for key in foreign_keys(table, self.tables):
            found.setdefault((key.columns, key.target.lower(), key.target_columns), key)
        return list(found.values())

    def _reference(self, key: ForeignKey) -> str:
        target = f"{quote(key.target, self.dialect)} ({self._names(key.target_columns)})"
        action = f" ON DELETE {key.on_delete}" if key.on_delete in _ACTIONS[self.dialect] else ""
        later = " DEFERRABLE INITIALLY DEFERRED" if key.deferrable and self.dialect != "mysql" else ""
        return f"FOREIGN KEY ({self._names(key.columns)}) REFERENCES {target}{action}{later}"

    def after(self, table: Table) -> Iterator[Step]:
        name, path = quote(table.name, self.dialect), self.paths[id(table)]
        keys = self._foreign_keys(table)
        if self.dialect != "sqlite":
            for key in keys:
                constraint = self._object_name("fk", table.name, key.columns)
                sql = f"ALTER TABLE {name} ADD CONSTRAINT {constraint} {self._reference(key)}"
                yield Step(sql=sql, path=f"{path}{key.path}", table=table)
        for columns, place in self._indexes(table, keys):
            index = self._object_name("ix", table.name, columns)
            sql = f"CREATE INDEX {index} ON {name} ({self._names(columns)})"
            yield Step(sql=sql, path=f"{path}{place}", table=table)

    def _indexes(self, table: Table, keys: Sequence[ForeignKey]) -> Iterator[tuple[tuple[str, ...], str]]:
        done: dict[tuple[str, ...], str] = {}
        refused = set(unique_keys(table)) if self.dialect == "oracle" else set[tuple[str, ...]]()
        for number, columns in enumerate(table.indexes):
            if columns and columns not in refused:
                done.setdefault(columns, f"/indexes/{number}")
        if self.erd.meta.fk_index == "auto":
            for key in keys:
                if not _is_indexed(table, key.columns, [*done]):
                    done[key.columns] = key.path
        yield from done.items()

    def _object_name(self, prefix: str, table: str, columns: tuple[str, ...]) -> str:
        """A name that fits and that nothing else in the schema has."""
        full = "_".join((prefix, table, *columns))
        name, turn = full, 1
        if len(full.encode()) > MAX_IDENTIFIER_BYTES:
            mark = hashlib.sha256(full.encode()).hexdigest()[:8]
            while len(name.encode()) > MAX_IDENTIFIER_BYTES - len(mark) - 1:
                name = name[:-1]
            full = name = f"{name}_{mark}"
        while name.lower() in self.taken:
            turn += 1
            name = f"{full[: MAX_IDENTIFIER_BYTES - 4]}_{turn}"
        self.taken.add(name.lower())
        return quote(name, self.dialect)

    def _names(self, columns: Sequence[str]) -> str:
        return ", ".join(quote(column, self.dialect) for column in columns)

    def comments(self, table: Table) -> Iterator[Step]:
        if self.dialect not in _COMMENTING:
            return
        name, path = quote(table.name, self.dialect), self.paths[id(table)]
        if table.logical.strip() and table.logical != table.name:
            sql = f"COMMENT ON TABLE {name} IS {literal(_one_line(table.logical), 'str', self.dialect)}"
            yield Step(sql=sql, path=path, table=table)
        for number, column in enumerate(table.columns):
            if _logical(column).strip():
                place = f"{name}.{quote(column.name, self.dialect)}"
                sql = f"COMMENT ON COLUMN {place} IS {literal(_one_line(column.logical), 'str', self.dialect)}"
                yield Step(sql=sql, path=f"{path}/columns/{number}", table=table)


def _logical(column: Column) -> str:
    return column.logical if column.logical != column.name else ""


def _note(text: str) -> str:
    text = _one_line(text)
    return f" -- {text}" if text else ""


def _one_line(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _is_indexed(table: Table, columns: tuple[str, ...], indexes: Sequence[tuple[str, ...]]) -> bool:
    return any(key[: len(columns)] == columns for key in (*unique_keys(table), *indexes))
