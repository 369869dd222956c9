"""Decisions about a stopped run that are refused, made twice, at the same time, or cut off in the middle."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import command_line
import pytest
from command_line import Ended
from design_players import LARGE, Player, run_design, stage_files, whole_answers
from stopped_design import SENTENCE, kept, resumed, right_text, stopped

from dure_spec.artifacts import STAGES
from dure_spec.pipeline.design import DesignOptions
from dure_spec.pipeline.events import RunStarted
from dure_spec.pipeline.journal import Journal

DEADLINE = 60
Dure = Callable[..., Ended]

REFUSED: list[tuple[tuple[str, ...], str]] = [
    (("waive", "RUN", "V07-1", "--reason", " "), "reason"),
    (("waive", "RUN", "V07-1", "--reason", "x", "--by", " "), "--by NAME"),
    (("waive", "RUN", "V07-9", "--reason", "x"), "nearest: V07-1"),
    (("waive", "RUN", "ba:V07-1", "--reason", "x"), "no finding 'ba:V07-1'"),
    (("waive", "nobody", "V07-1", "--reason", "x"), "no run 'nobody'"),
    (("edit", "nobody", "dba"), "no run 'nobody'"),
    (("edit", "RUN", "ba", "--file", "x"), "stage 'ba' does not wait"),
    (("edit", "RUN", "tables", "--file", "x"), "stages are ba, planner"),
    (("edit", "RUN", "dba", "--file", "no/such/file"), "cannot read no/such/file"),
]


@pytest.mark.parametrize(("words", "said"), REFUSED)
def test_what_cannot_be_decided_is_refused_in_one_line(
    words: tuple[str, ...], said: str, out: Path, dure: Dure
) -> None:
    end = stopped(out)
    before = kept(out)
    ended = dure(*(end.run_id if word == "RUN" else word for word in words))
    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err
    assert ended.err.count("\n") == 1
    assert kept(out) == before
    assert not (out / ".dure" / "decisions.json").exists()


def test_a_run_that_waits_for_nobody_is_not_decided_about(out: Path, dure: Dure) -> None:
    player = Player(answers=whole_answers())
    asyncio.run(run_design(player.model(LARGE), DesignOptions(sentence=SENTENCE, out=out)))
    ended = dure("waive", str(out), "V07-1", "--reason", "x")
    assert ended.code == 2
    assert "it is finished" in ended.err


def test_a_finding_is_waived_once(out: Path, dure: Dure) -> None:
    end = stopped(out)
    assert dure("waive", end.run_id, "V07-1", "V07-1", "--reason", "x", "--by", "kim").code == 0
    again = dure("waive", end.run_id, "V07-1", "--reason", "y")
    assert again.code == 2
    assert "waived already, by kim" in again.err
    decisions = json.loads((out / ".dure" / "decisions.json").read_bytes())
    assert len(decisions["waivers"]) == len(decisions["audit"]) == 1


def test_two_processes_do_not_decide_at_the_same_time(out: Path, dure: Dure) -> None:
    end = stopped(out)
    busy = Journal.resume(str(out))
    try:
        for words in (("waive", end.run_id, "V07-1", "--reason", "x"), ("edit", end.run_id, "dba", "--file", "-")):
            ended = dure(*words)
            assert (ended.code, ended.out) == (2, "")
            assert "another process is working on the run" in ended.err
    finally:
        busy.close()


def test_the_language_of_a_run_cannot_be_changed_later(out: Path, dure: Dure) -> None:
    end = stopped(out)
    ended = dure("design", "--resume", end.run_id, "--lang", "en")
    assert ended.code == 2
    assert "leave out --lang" in ended.err
    player = Player(answers=whole_answers())
    outcome = resumed(out, player)
    assert isinstance(outcome.events[0], RunStarted)
    assert outcome.events[0].lang == "ko"


KILLED = """
import os, signal, sys
from pathlib import Path
from dure.console.main import main

def hook(event, arguments):
    if event == "os.rename" and Path(os.fsdecode(arguments[1])).name == sys.argv[1]:
        os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(hook)
sys.exit(main(sys.argv[2:]))
"""

POINTS = [
    ("decisions.json", "waive"),
    ("stopped-dba.json", "waive"),
    ("decisions.json", "edit"),
    ("stage-dba.json", "edit"),
    ("erd.md", "edit"),
]


@pytest.mark.parametrize(("point", "verb"), POINTS)
def test_a_decision_that_is_killed_can_be_made_again(
    point: str, verb: str, out: Path, tmp_path: Path, dure: Dure
) -> None:
    stopped(out)
    mine = tmp_path / "mine.json"
    mine.write_text(right_text(out), encoding="utf-8")
    tail = {"waive": ("V07-1", "--reason", "x"), "edit": ("dba", "--file", str(mine))}[verb]
    words = [sys.executable, "-c", KILLED, point, verb, str(out), *tail, "--by", "kim"]
    done = subprocess.run(words, env={**os.environ}, capture_output=True, timeout=DEADLINE, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr

    again = dure(verb, str(out), *tail, "--by", "kim")
    assert again.code == 0 or "waived already" in again.err or "waits for a person" in again.err
    player = Player(answers=whole_answers())
    outcome = resumed(out, player)
    assert outcome.exit_code == 0
    assert not player.stages() & {"ba", "planner", "dba"}
    assert set(stage_files(out)) == {f"stage-{stage}.json" for stage in STAGES}
    left = {path.name for path in (out / ".dure").iterdir()} - set(stage_files(out))
    assert left == {"decisions.json", "lock", "prompts.json", "run.json"}
    assert not (out / "stopped").exists()


def test_a_run_that_is_killed_while_it_stops_is_stopped_again(out: Path) -> None:
    code = """
import asyncio, os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
import stopped_design

def hook(event, arguments):
    if event == "os.rename" and Path(os.fsdecode(arguments[1])).name == "stopped-dba.json":
        os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(hook)
stopped_design.stopped(Path(sys.argv[1]))
"""
    words = [sys.executable, "-c", code, str(out), str(Path(command_line.__file__).parent)]
    done = subprocess.run(words, capture_output=True, timeout=DEADLINE, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert set(stage_files(out)) == {"stage-ba.json", "stage-planner.json"}
    player = Player(answers=whole_answers())
    assert resumed(out, player).exit_code == 0
    assert not player.stages() & {"ba", "planner"}
