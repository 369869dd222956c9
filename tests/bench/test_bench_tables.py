from bench.cases import CASES, COLD, CROWDED
from bench.environments import Peer
from bench.sweep import Measured, Results
from bench.tables import faults, tables

FLOOR = Peer(name="aiohttp", title="by hand", packages=())
OURS = Peer(name="dure", title="dure", packages=())
OTHER = Peer(name="other", title="other", packages=("other==1",))
PEERS = (FLOOR, OURS, OTHER)
CALL = next(case for case in CASES if case.name == "call-stream-5")


def test_the_median_is_shown_with_how_many_times_the_floor_it_is() -> None:
    results: Results = {
        CALL.name: {
            "aiohttp": Measured(cpu=[0.001, 0.002, 0.009]),
            "dure": Measured(cpu=[0.005, 0.001, 0.003]),
            "other": Measured(cpu=[0.25, 0.25, 0.25]),
        }
    }
    (table,) = tables(PEERS, CASES, results)
    assert table.heads == ("", "stream, 5 messages")
    assert table.rows == (("by hand", "2"), ("dure", "3 (1.5×)"), ("other", "250 (125×)"))


def test_what_failed_has_no_number_and_is_named_and_what_does_not_apply_has_no_row() -> None:
    half = Measured(cpu=[0.2], fault="died")
    results: Results = {CALL.name: {"aiohttp": Measured(cpu=[0.1]), "dure": half}}
    (table,) = tables(PEERS, CASES, results)
    assert table.rows == (("by hand", "100"), ("dure", "—"))
    assert faults(PEERS, results) == ["dure, call-stream-5: died"]


def test_fresh_processes_show_seconds_and_memory_each_against_its_own_floor() -> None:
    results: Results = {
        COLD.name: {"aiohttp": Measured(wall=[0.25]), "dure": Measured(wall=[0.5])},
        CROWDED.name: {
            "aiohttp": Measured(cpu=[0.002], wall=[0.1], kib=[30.0]),
            "dure": Measured(cpu=[0.003], wall=[0.1], kib=[45.0]),
        },
    }
    (table,) = tables((FLOOR, OURS), CASES, results)
    assert table.rows == (("by hand", "0.25", "2", "30"), ("dure", "0.5 (2×)", "3 (1.5×)", "45 (1.5×)"))


def test_a_table_is_markdown_and_aligned_text() -> None:
    results: Results = {CALL.name: {"aiohttp": Measured(cpu=[0.1]), "dure": Measured(cpu=[0.1])}}
    (table,) = tables((FLOOR, OURS), CASES, results)
    assert table.as_markdown().splitlines()[2:] == [
        "|  | stream, 5 messages |",
        "|---|---:|",
        "| by hand | 100 |",
        "| dure | 100 (1×) |",
    ]
    assert len({len(line) for line in table.as_text().splitlines()[1:]}) == 1
