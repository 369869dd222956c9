"""What every engine of the port does with the same statements."""

from collections.abc import Iterator

import pytest

from dure_spec.engines.engine import ColumnFacts, Engine, KeyFacts, TableFacts
from dure_spec.engines.opening import open_engine

_PARENT = "CREATE TABLE rooms (id integer PRIMARY KEY, code varchar(9) NOT NULL UNIQUE, size integer CHECK (size > 0))"
_CHILD = (
    "CREATE TABLE beds (room_id integer NOT NULL, no integer NOT NULL, note varchar(20), PRIMARY KEY (room_id, no), "
    "CHECK (no > 0), CHECK (note <> 'a CHECK ('), FOREIGN KEY (room_id) REFERENCES rooms (id) ON DELETE CASCADE)"
)


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """A trial on each engine in turn."""
    url: str | None = request.getfixturevalue("postgres_url") if request.param == "postgresql" else None
    with open_engine(url) as opened:
        yield opened


def test_sound_schema_is_taken_and_read_back_as_it_was_written(engine: Engine) -> None:
    assert engine.execute([_PARENT, _CHILD]) == ()
    beds, rooms = engine.catalogue()
    assert isinstance(rooms, TableFacts)
    assert (rooms.name, rooms.primary_key, rooms.uniques, rooms.keys) == ("rooms", ("id",), {("code",)}, ())
    assert rooms.checks == 1
    assert [(column.name, column.null) for column in rooms.columns] == [("id", False), ("code", False), ("size", True)]
    assert (beds.primary_key, beds.checks) == (("room_id", "no"), 2)
    assert beds.keys == (KeyFacts(columns=("room_id",), table="rooms", targets=("id",), on_delete="CASCADE"),)
    assert isinstance(beds.columns[2], ColumnFacts)
    assert "20" in beds.columns[2].type


def test_refused_statement_leaves_the_others_as_they_are(engine: Engine) -> None:
    broken = "CREATE TABLE broken (id integer CHECK (nope > 0))"
    (refusal,) = engine.execute([_PARENT, broken, _CHILD])
    assert (refusal.number, refusal.statement) == (1, broken)
    assert "nope" in refusal.message
    assert refusal.position == broken.index("nope")
    assert [table.name for table in engine.catalogue()] == ["beds", "rooms"]


def test_text_of_a_statement_cannot_hold_a_second_one(engine: Engine) -> None:
    (refusal,) = engine.execute(["CREATE TABLE a (id integer); CREATE TABLE b (id integer)"])
    assert refusal.message
    assert engine.catalogue() == ()


def test_rows_are_inserted_and_a_row_that_breaks_a_key_is_refused(engine: Engine) -> None:
    engine.execute([_PARENT, _CHILD])
    rows = ["INSERT INTO rooms VALUES (1, 'A', 3)", "INSERT INTO beds VALUES (1, 1, NULL)"]
    assert engine.insert(rows) == ()
    lost = ["INSERT INTO rooms VALUES (2, 'B', 3)", "INSERT INTO beds VALUES (9, 1, NULL)"]
    (refusal,) = engine.insert(lost)
    assert (refusal.number, refusal.statement, refusal.row) == (1, lost[1], False)
    assert engine.insert(["INSERT INTO rooms VALUES (2, 'B', 3)"]) == ()


def test_row_that_a_check_refuses_is_told_apart_from_one_that_a_key_refuses(engine: Engine) -> None:
    engine.execute([_PARENT])
    (refusal,) = engine.insert(["INSERT INTO rooms VALUES (1, 'A', -3)"])
    assert refusal.row


def test_deferred_key_may_wait_for_the_last_row_but_no_longer(engine: Engine) -> None:
    later = "DEFERRABLE INITIALLY DEFERRED"
    engine.execute(
        [
            "CREATE TABLE eggs (id integer PRIMARY KEY)",
            f"CREATE TABLE hens (id integer PRIMARY KEY, egg_id integer NOT NULL REFERENCES eggs (id) {later})",
        ]
    )
    rows = ["INSERT INTO hens VALUES (1, 1)", "INSERT INTO eggs VALUES (1)"]
    assert engine.insert(rows) == ()
    (refusal,) = engine.insert(["INSERT INTO hens VALUES (2, 7)"])
    assert (refusal.number, refusal.row) == (0, False)
    assert engine.insert(["INSERT INTO hens VALUES (3, 1)"]) == ()


def test_dropped_schema_can_be_created_again(engine: Engine) -> None:
    assert engine.execute([_PARENT, _CHILD, "DROP TABLE beds", "DROP TABLE rooms", _PARENT, _CHILD]) == ()


def test_nothing_of_a_trial_is_there_in_the_next(request: pytest.FixtureRequest, engine: Engine) -> None:
    engine.execute([_PARENT])
    url: str | None = request.getfixturevalue("postgres_url") if engine.dialect == "postgresql" else None
    with open_engine(url) as other:
        assert other.catalogue() == ()
        assert other.execute([_PARENT]) == ()


def test_nothing_to_do_is_nothing_refused(engine: Engine) -> None:
    assert engine.execute([]) == ()
    assert engine.insert([]) == ()
    assert engine.catalogue() == ()
