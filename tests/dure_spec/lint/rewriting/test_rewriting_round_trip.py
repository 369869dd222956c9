"""What is written back is what is read again, whatever was corrected."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dure_spec.artifacts.erd import Column, Erd, Table
from dure_spec.derive.words import snake
from dure_spec.lint.reading import read_source
from dure_spec.lint.rewriting import rewritten

_FOLDER = Path(__file__).resolve().parents[5] / "shared" / "data" / "ddl"
_FILES = sorted(_FOLDER.glob("*.sql"))
needs_files = pytest.mark.skipif(not _FILES, reason="the folder with the DDL files is not here")


def _renamed(erd: Erd, tables: dict[str, str], columns: dict[str, str]) -> Erd:
    """The schema with other names everywhere but in checks; columns are renamed in every table."""

    def name(word: str) -> str:
        return columns.get(word, word)

    def names(words: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name(word) for word in words)

    def column(old: Column) -> Column:
        table, _, target = (old.fk or "").rpartition(".")
        fk = f"{tables.get(table, table)}.{name(target)}" if old.fk else None
        logical = name(old.name) if old.logical == old.name else old.logical
        return old.model_copy(update={"name": name(old.name), "logical": logical, "fk": fk})

    def changed(old: Table) -> Table:
        refs = tuple(
            ref.model_copy(
                update={
                    "columns": names(ref.columns),
                    "targets": names(ref.targets),
                    "table": tables.get(ref.table, ref.table),
                }
            )
            for ref in old.refs
        )
        update = {
            "name": tables.get(old.name, old.name),
            "logical": tables.get(old.name, old.name) if old.logical == old.name else old.logical,
            "columns": tuple(column(each) for each in old.columns),
            "uniques": tuple(names(group) for group in old.uniques),
            "indexes": tuple(names(group) for group in old.indexes),
            "refs": refs,
        }
        return old.model_copy(update=update)

    return erd.model_copy(update={"tables": tuple(changed(table) for table in erd.tables)})


def _without(erd: Erd, *, checks: bool = False, kinds: bool = False) -> Erd:
    """The schema without what a comparison must leave out."""
    update: dict[str, object] = {"kind": "entity"} if kinds else {}

    def column(old: Column) -> Column:
        return old.model_copy(update={"check": None}) if checks else old

    tables = tuple(
        table.model_copy(update={"columns": tuple(column(each) for each in table.columns), **update})
        for table in erd.tables
    )
    return erd.model_copy(update={"tables": tables})


@needs_files
@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.stem)
def test_a_file_that_needs_no_edit_gets_none(path: Path) -> None:
    source = read_source(path.read_text())
    assert rewritten(source, source.erd).text == source.text
    same = source.erd.model_copy(update={"relations": ()})
    assert rewritten(source, same).text == source.text


@needs_files
@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.stem)
def test_every_name_of_a_file_can_be_changed(path: Path) -> None:
    source = read_source(path.read_text())
    tables = {table.name: f"x_{snake(table.name)}" for table in source.erd.tables}
    columns = {column.name: f"y_{snake(column.name)}" for table in source.erd.tables for column in table.columns}
    fixed = _renamed(source.erd, tables, columns)
    read = read_source(rewritten(source, fixed).text, source.dialect)
    assert read.faults == source.faults
    assert _without(read.erd, checks=True, kinds=True) == _without(fixed, checks=True, kinds=True)


_CREATE = """-- kept as it is
CREATE TABLE "Kunde" (
    id bigint PRIMARY KEY,  -- the key
    Name varchar(20) NOT NULL,
    mail text NULL, /* last */
    CONSTRAINT named CHECK (length(Name) > 1)
);

create table bestellung (nr int, kunde_id int REFERENCES "Kunde" (id), UNIQUE (nr, kunde_id));
CREATE INDEX i ON bestellung (kunde_id);
"""


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    table=st.sampled_from(["kunden", "order", "Zwei Worte", "x" * 40]),
    name=st.sampled_from(["name", "full_name", "select", "Ä"]),
    audit=st.booleans(),
    unique=st.booleans(),
    index=st.booleans(),
    required=st.booleans(),
    sql_type=st.sampled_from(["varchar(20)", "text", "numeric(12,2)"]),
)
def test_any_mix_of_corrections_is_read_again(
    table: str, name: str, audit: bool, unique: bool, index: bool, required: bool, sql_type: str
) -> None:
    source = read_source(_CREATE, "postgresql")
    fixed = _renamed(source.erd, {"Kunde": table}, {"Name": name})
    first, second = fixed.tables
    columns = list(first.columns)
    columns[1] = columns[1].model_copy(update={"type": sql_type})
    columns[2] = columns[2].model_copy(update={"null": not required})
    if audit:
        columns += [
            Column(name=each, logical=each, type="timestamptz", default="now()")
            for each in ("created_at", "updated_at")
        ]
    first = first.model_copy(
        update={"columns": tuple(columns), "uniques": ((name, "mail"),) if unique else (), "indexes": (("mail",),)}
        if index
        else {"columns": tuple(columns), "uniques": ((name, "mail"),) if unique else ()}
    )
    fixed = fixed.model_copy(update={"tables": (first, second)})
    result = rewritten(source, fixed)
    read = read_source(result.text, "postgresql")
    assert read.faults == ()
    assert _without(read.erd, checks=True, kinds=True) == _without(fixed, checks=True, kinds=True)
    for words in ("-- kept as it is\n", "-- the key\n", "/* last */", "CONSTRAINT named CHECK"):
        assert words in result.text
