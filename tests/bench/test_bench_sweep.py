import json
from pathlib import Path

import pytest
from bench.__main__ import main
from bench.cases import CASES
from bench.environments import Peer
from bench.sweep import Measured, sweep

SCRIPTED = next(case for case in CASES if case.in_process)
CALL = next(case for case in CASES if case.name == "call-whole-5")
TURN = next(case for case in CASES if case.name == "turn-stream-1x0")

LAZY = """
from bench.workload import ANSWER
PACKAGE = "aiohttp"
def scripted():
    async def turn():
        return ANSWER
    return turn
"""
EAGER = """
from bench.peers import with_aiohttp
PACKAGE = "aiohttp"
def over_http(base, stream, history):
    inner = with_aiohttp.over_http(base, stream, history)
    async def turn():
        await inner()
        return await inner()
    return turn
"""
DYING = """
import os, sys
PACKAGE = "aiohttp"
def scripted():
    sys.stderr.write("out of luck\\n")
    sys.stderr.flush()
    os._exit(3)
"""
CHATTY = """
from bench.peers import with_aiohttp
PACKAGE = "aiohttp"
def scripted():
    print("hello from a library")
    return with_aiohttp.scripted()
"""


@pytest.fixture
def peers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Peer]:
    """Peers that misbehave, beside the real ones."""
    scripts = {"lazy": LAZY, "eager": EAGER, "dying": DYING, "chatty": CHATTY}
    folder = tmp_path / "bench/peers"
    folder.mkdir(parents=True)
    for name, text in scripts.items():
        (folder / f"with_{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return {name: Peer(name=name, title=name, packages=()) for name in (*scripts, "aiohttp", "dure", "missing")}


def quiet(_: str) -> None:
    pass


def test_the_loop_by_hand_and_dure_do_the_whole_work(peers: dict[str, Peer]) -> None:
    results = sweep([peers["aiohttp"], peers["dure"]], [SCRIPTED, TURN], 2, quiet, seconds=0)
    for by_peer in results.values():
        assert {name: measured.fault for name, measured in by_peer.items()} == {"aiohttp": "", "dure": ""}
        assert all(len(measured.cpu) == 2 and min(measured.cpu) > 0 for measured in by_peer.values())


def test_whoever_skips_work_dies_or_is_not_there_fails_with_a_reason_and_stops_nobody(peers: dict[str, Peer]) -> None:
    chosen = [peers[name] for name in ("lazy", "dying", "missing", "chatty")]
    by_peer = sweep(chosen, [SCRIPTED], 1, quiet, seconds=0)[SCRIPTED.name]
    assert by_peer["lazy"].fault == "WrongAnswer: ran 0 tools instead of 3"
    assert by_peer["dying"].fault == "ended: out of luck"
    assert by_peer["missing"].fault.startswith("ModuleNotFoundError: No module named 'bench.peers.with_missing'")
    assert (by_peer["chatty"].fault, len(by_peer["chatty"].cpu)) == ("", 1)


def test_whoever_asks_the_model_more_often_than_told_fails(peers: dict[str, Peer]) -> None:
    assert (
        sweep([peers["eager"]], [CALL], 1, quiet, seconds=0)[CALL.name]["eager"].fault
        == "asked the model 2 times instead of 1"
    )


def test_a_peer_without_a_model_port_of_its_own_is_left_out_of_what_needs_one(peers: dict[str, Peer]) -> None:
    assert sweep([peers["eager"]], [SCRIPTED], 1, quiet, seconds=0) == {SCRIPTED.name: {}}


def test_a_peer_that_is_not_installed_is_said_and_the_rest_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DURE_CACHE_DIR", str(tmp_path))
    file = tmp_path / "found.json"
    assert (
        main(["--peers", "agno", "--cases", "in-process", "--repetitions", "1", "--seconds", "0", "--json", str(file)])
        == 1
    )
    shown = capsys.readouterr()
    assert "agno is not installed; run `python -m bench.setup_peers agno`" in shown.err
    assert "dure" in shown.out
    found = json.loads(file.read_text(encoding="utf-8"))
    assert set(found["peers"]) == {"aiohttp", "dure"}
    assert Measured(**found["results"]["in-process"]["dure"]).fault == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--peers", "crewai"], "no peer is called crewai"),
        (["--cases", "everything"], "no case is called everything"),
    ],
)
def test_a_wrong_name_is_answered_with_the_right_ones(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert said in capsys.readouterr().err
