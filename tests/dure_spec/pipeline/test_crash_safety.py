"""A run that is killed, interrupted or started twice: what was accepted stays as it is, and resume finishes it."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import IO, Any

import command_line
import pytest
from design_players import Outcome, Player, recording, run_design, script, stage_files

from dure_spec.artifacts import STAGES, Stage
from dure_spec.pipeline.design import DesignOptions

DEADLINE = 60

KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from design_players import Player, recording, run_design
from dure_spec.pipeline.design import DesignOptions

out, point, name = Path(sys.argv[1]), sys.argv[2], sys.argv[3]

def die():
    os.kill(os.getpid(), signal.SIGKILL)

def hook(event, arguments):
    # a rename is how a file appears whole: this is the moment before it
    if point == "rename" and event == "os.rename" and Path(os.fsdecode(arguments[1])).name == name:
        die()

async def asked(right, time):
    while not (out / ".dure" / sys.argv[4]).exists():
        await asyncio.sleep(0)
    die()

sys.addaudithook(hook)
spoken = recording("K01")
stage, _, key = name.partition("/")
faults = {(stage, key): asked} if point == "ask" else {}
player = Player(answers=spoken.answers, faults=faults)
asyncio.run(run_design(player.model(), DesignOptions(sentence=spoken.sentence, out=out)))
sys.exit("nobody killed the run")
"""


def designed(player: Player, options: DesignOptions) -> Outcome:
    """A run in this process."""
    return asyncio.run(run_design(player.model(), options))


POINTS: list[tuple[tuple[str, ...], set[Stage]]] = [
    (("rename", "stage-ba.json"), set()),
    (("ask", "planner/hosts", "stage-ba.json"), {"ba"}),
    (("ask", "dba/ddl", "stage-planner.json"), {"ba", "planner"}),
    (("rename", "stage-dba.json"), {"ba", "planner"}),
    (("rename", "stage-supervisor.json"), set(STAGES) - {"supervisor"}),
    (("rename", "erd.md"), set(STAGES)),
]


@pytest.mark.parametrize(("point", "kept"), POINTS, ids=[" ".join(point[:2]) for point, _ in POINTS])
def test_a_killed_run_keeps_what_was_accepted(point: tuple[str, ...], kept: set[Stage], tmp_path: Path) -> None:
    out = tmp_path / "out"
    environment = {**os.environ, "PYTHONPATH": str(Path(command_line.__file__).parent)}
    words = [sys.executable, "-c", KILLED, str(out), *point]
    done = subprocess.run(words, env=environment, capture_output=True, timeout=DEADLINE)
    assert (done.returncode, done.stderr) == (-signal.SIGKILL, b"")
    before = stage_files(out)
    assert set(before) == {f"stage-{stage}.json" for stage in kept}

    spoken = recording("K01")
    player = Player(answers=spoken.answers)
    outcome = designed(player, DesignOptions(resume=str(out)))
    assert outcome.exit_code == 0
    assert not player.stages() & kept
    after = stage_files(out)
    assert {name: after[name] for name in before} == before
    assert set(after) == {f"stage-{stage}.json" for stage in STAGES}
    left = {path.name for path in out.rglob(".*") if path.name != ".dure"}
    left |= {path.name for path in (out / ".dure").iterdir()} - set(after) - {"lock", "prompts.json", "run.json"}
    assert left == set()
    assert (out / "report.html").is_file()


def test_a_stage_that_is_taken_away_is_done_again_with_all_that_builds_upon_it(tmp_path: Path) -> None:
    spoken = recording("K21")
    first = designed(Player(answers=spoken.answers), DesignOptions(sentence=spoken.sentence, out=tmp_path))
    assert first.exit_code == 0
    before = stage_files(tmp_path)
    (tmp_path / ".dure" / "stage-dba.json").unlink()
    player = Player(answers=spoken.answers)
    second = designed(player, DesignOptions(resume=str(tmp_path)))
    assert second.exit_code == 0
    assert {"dba", "frontend", "supervisor"} <= player.stages()
    assert not player.stages() & {"ba", "planner"}
    after = stage_files(tmp_path)
    assert {name for name in after if after[name] == before[name]} == {"stage-ba.json", "stage-planner.json"}


@contextlib.contextmanager
def waiting(home: Path, work: Path) -> Generator[tuple[subprocess.Popen[bytes], list[dict[str, Any]]]]:
    """`dure design --json` that has accepted two stages and waits for a provider to let it go on."""
    spoken = recording("K01")
    turns = script(_whole(work))
    turns[2] = {"when": turns[2]["when"], "error": "RateLimited", "retry_after": 50}
    (work / "slow.jsonl").write_text("\n".join(map(json.dumps, turns)), encoding="utf-8")
    settings = {"DURE_MODEL": "scripted:slow.jsonl"}
    words = command_line.command("design", spoken.sentence, "--out", "out", "--json")
    environment = command_line.environment(home, **settings)
    pipe = subprocess.PIPE
    with subprocess.Popen(words, cwd=work, env=environment, stdout=pipe, stderr=pipe) as running:
        try:
            assert running.stdout is not None
            yield running, list(_until_waiting(running.stdout))
        finally:
            running.kill()


def _whole(work: Path) -> dict[Any, str]:
    """The whole answers of the reference design, in the order of the stages."""
    parts = (Path(__file__).parents[2] / "data" / "wire" / "order_mgmt" / "wire_format.txt").read_text("utf-8")
    texts = [part.strip().partition("\n")[2] for part in parts.split("=====")]
    answers: dict[Any, str] = {(stage, "whole"): text for stage, text in zip(STAGES[:5], texts, strict=True)}
    return {**answers, ("supervisor", "verdict"): recording("K01").answers["supervisor", "verdict"]}


def _until_waiting(lines: IO[bytes]) -> Generator[dict[str, Any]]:
    accepted, disturbed = 0, False
    for line in lines:
        event = json.loads(line)
        yield event
        accepted += event["event"] == "StageAccepted"
        disturbed = disturbed or event["event"] == "Disturbed"
        if accepted == 2 and disturbed:
            return


def test_an_interrupted_run_tells_how_to_go_on_and_shows_what_it_has(tmp_path: Path) -> None:
    home, work = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    work.mkdir()
    with waiting(home, work) as (running, events):
        run = str(events[0]["run_id"])
        second = command_line.dure("design", "--resume", run, home=home, cwd=work)
        assert (second.code, second.out) == (2, "")
        assert second.err.count("\n") == 1
        assert "another process is working on the run" in second.err
        before = stage_files(work / "out")
        running.send_signal(signal.SIGINT)
        rest, said = running.communicate(timeout=DEADLINE)
    assert (running.returncode, said) == (130, b"")
    end = json.loads(rest.splitlines()[-1])
    assert (end["event"], end["exit_code"]) == ("RunStopped", 130)
    assert f"dure design --resume {run}" in end["next_step"]
    assert set(before) == {"stage-ba.json", "stage-planner.json"}
    assert stage_files(work / "out") == before
    assert {"prd.md", "ia.md", "report.html"} <= {path.name for path in (work / "out").iterdir()}

    turns = script(_whole(work))[2:]
    (work / "slow.jsonl").write_text("\n".join(map(json.dumps, turns)), encoding="utf-8")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    done = command_line.dure("design", "--resume", run, home=home, cwd=elsewhere)  # finds folder and model by itself
    assert (done.code, done.err) == (0, "")
    after = stage_files(work / "out")
    assert {name: after[name] for name in before} == before
    assert set(after) == {f"stage-{stage}.json" for stage in STAGES}
