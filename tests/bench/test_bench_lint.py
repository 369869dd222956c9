"""The schema that lint is timed with is one that every table of can be read."""

from bench.lint import ddl

from dure_spec.lint.reading import read_source


def test_made_schema_has_as_many_tables_as_asked_and_sound_references() -> None:
    source = read_source(ddl(40))
    assert source.dialect == "postgresql"
    assert source.faults == ()
    names = [table.name for table in source.erd.tables]
    assert len(set(names)) == len(names) == 40
    targets = {column.fk.partition(".")[0] for table in source.erd.tables for column in table.columns if column.fk}
    assert targets <= set(names)
    assert sum(any(column.fk for column in table.columns) for table in source.erd.tables) == 39
