"""A run that stops below 8.0: what is kept, and the three ways on."""

import asyncio
import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import Ended
from design_players import LARGE, Player, run_design, stage_files, whole_answers
from stopped_design import OFF, SENTENCE, kept, resumed, right_text, stopped, wrong

from dure_spec.artifacts import Report
from dure_spec.pipeline.design import DesignOptions
from dure_spec.pipeline.events import RunFinished, RunStopped, StageAccepted
from dure_spec.views.board import Board
from dure_spec.views.summary import summary

Dure = Callable[..., Ended]


def test_what_was_reached_is_kept_for_reading_and_the_ways_on_are_told(out: Path) -> None:
    end = stopped(out)
    record = kept(out)
    assert (record.verdict, record.score) == ("failed", 7.0)
    tables = json.loads((out / "stopped" / "dba.json").read_bytes())["tables"]
    assert any(column.get("fk") == "goods.id" for table in tables for column in table["columns"])
    readable = (out / "stopped" / "dba.md").read_text("utf-8")
    assert "V07-1" in readable
    assert "order_items" in readable
    assert [way.command for way in end.ways] == [
        f"dure edit {end.run_id} dba",
        f'dure waive {end.run_id} dba:V07-1 --reason "이유"',
        f"dure design --resume {end.run_id} --model provider:model",
    ]
    assert all(way.command in readable for way in end.ways[:2])
    assert "7.0점" in end.reason
    assert "below" not in end.reason


def test_an_artifact_edited_by_hand_is_accepted_and_the_run_goes_on_without_asking_again(
    out: Path, tmp_path: Path, dure: Dure
) -> None:
    end = stopped(out)
    mine = tmp_path / "mine.json"
    mine.write_text(right_text(out), encoding="utf-8")
    ended = dure("edit", end.run_id, "dba", "--file", str(mine), "--by", "김설계")
    assert (ended.code, ended.err) == (0, "")
    assert "7.0점 → 10.0점" in ended.out
    assert f"dure design --resume {end.run_id}" in ended.out
    assert not (out / "stopped").exists()
    assert "stage-dba.json" in stage_files(out)

    player = Player(answers=whole_answers())
    outcome = resumed(out, player)
    assert outcome.exit_code == 0
    assert player.stages() == {"backend", "frontend", "supervisor"}
    report = Report.model_validate_json((out / "6_report.json").read_bytes())
    (row,) = [row for row in report.stages if row.stage == "dba"]
    assert (row.edited_by, row.score, row.verdict) == ("김설계", 10.0, "pass")
    assert "직접 고침: 김설계" in (out / "report.md").read_text("utf-8")
    audit = json.loads((out / ".dure" / "decisions.json").read_bytes())["audit"]
    assert [(line["by"], line["did"], line["stage"], line["what"]) for line in audit] == [
        ("김설계", "edit", "dba", ["7.0", "10.0"])
    ]


def test_an_edit_that_is_not_good_enough_is_kept_with_its_findings(out: Path, tmp_path: Path, dure: Dure) -> None:
    end = stopped(out)
    mine = tmp_path / "mine.json"
    mine.write_text((out / "stopped" / "dba.json").read_text("utf-8").replace("goods", "things"), "utf-8")
    ended = dure("edit", end.run_id, "dba", "-f", str(mine), "--by", "kim")
    assert ended.code == 3
    assert "V07-1" in ended.out
    assert f"dure edit {end.run_id} dba" in ended.out
    assert (kept(out).edited_by, kept(out).score) == ("kim", 7.0)
    assert "things.id" in (out / "stopped" / "dba.json").read_text("utf-8")
    assert "stage-dba.json" not in stage_files(out)


def cut(text: str) -> str:
    return text[:-40]


def misnamed(text: str) -> str:
    return text.replace('"logical"', '"label"', 1)


def nothing(text: str) -> str:
    return "[]"


def deep(text: str) -> str:
    return "[" * 100_000


def twice(text: str) -> str:
    return text.replace('"tables": ', '"tables": [], "tables": ', 1)


def endless(text: str) -> str:
    return text.replace('"default": 0', '"default": NaN', 1)


def huge(text: str) -> str:
    return text.replace('"default": 0', '"default": 1e999', 1)


def half(text: str) -> str:
    return text.replace('"logical": "', '"logical": "\\ud800', 1)


def unseen(text: str) -> str:
    return text.replace('"logical": "', '"logical": "\\u0000', 1)


def as_it_was(text: str) -> str:
    return text


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (cut, "no JSON"),
        (misnamed, "/tables/0/logical"),
        (nothing, "no artifact of stage 'dba'"),
        (deep, "nested too deeply"),
        (twice, "has 'tables' twice"),
        (endless, "NaN is no number"),
        (huge, "1e999 is no number"),
        (half, "U+D800"),
        (unseen, "U+0000"),
        (as_it_was, "nothing was edited"),
    ],
)
def test_what_is_no_artifact_is_refused_with_the_places(
    spoil: Callable[[str], str], said: str, out: Path, tmp_path: Path, dure: Dure
) -> None:
    end = stopped(out)
    before = kept(out)
    mine = tmp_path / "mine.json"
    mine.write_text(spoil((out / "stopped" / "dba.json").read_text("utf-8")), encoding="utf-8")
    ended = dure("edit", end.run_id, "dba", "--file", str(mine))
    assert ended.code == 2
    assert said in ended.err
    assert "Traceback" not in ended.err
    assert kept(out) == before


@pytest.mark.parametrize("way", ["file", "stdin"])
def test_a_text_as_editors_elsewhere_write_it_is_taken(
    way: str, out: Path, tmp_path: Path, dure: Dure, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = stopped(out)
    mine = tmp_path / "mine.json"
    mine.write_bytes(b"\xef\xbb\xbf" + right_text(out).replace("\n", "\r\n").encode())
    with mine.open(encoding="ascii") as piped:
        monkeypatch.setattr(sys, "stdin", piped)
        ended = dure("edit", end.run_id, "dba", "--file", str(mine) if way == "file" else "-")
    assert (ended.code, ended.err) == (0, "")


def test_a_name_and_a_reason_are_kept_on_one_line_without_what_nobody_sees(out: Path, dure: Dure) -> None:
    end = stopped(out)
    assert dure("waive", end.run_id, "V07-1", "--reason", "한 줄\n두 줄\x1b[31m", "--by", "박\n승인\u202e").code == 0
    waiver = json.loads((out / ".dure" / "decisions.json").read_bytes())["waivers"][0]
    assert (waiver["reason"], waiver["by"]) == ("한 줄 두 줄 [31m", "박 승인")


def test_an_editor_opens_the_artifact_itself(
    out: Path, tmp_path: Path, dure: Dure, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = stopped(out)
    script = tmp_path / "editor.py"
    script.write_text(
        "import pathlib, sys\np = pathlib.Path(sys.argv[1])\n"
        "p.write_text(p.read_text('utf-8').replace('goods.id', 'products.id'), 'utf-8')\n",
        encoding="utf-8",
    )
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", f"'{sys.executable}' '{script}'")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    ended = dure("edit", end.run_id, "dba")
    assert (ended.code, ended.err) == (0, "")
    monkeypatch.setenv("EDITOR", "")
    again = stopped(tmp_path / "other")
    refused = dure("edit", again.run_id, "dba")
    assert refused.code == 2
    assert "set EDITOR" in refused.err


def test_a_waived_finding_opens_the_gate_and_stands_in_the_report(out: Path, dure: Dure) -> None:
    end = stopped(out)
    ended = dure("waive", end.run_id, "v07-1", "--reason", "상품은 다른 시스템에 있다", "--by", "박승인")
    assert (ended.code, ended.err) == (0, "")
    assert "7.0점 → 10.0점" in ended.out
    assert "치명 지적을 넘겼습니다" in ended.out

    player = Player(answers=whole_answers())
    outcome = resumed(out, player)
    assert outcome.exit_code == 0
    assert player.stages() == {"backend", "frontend", "supervisor"}
    finished = outcome.events[-1]
    assert isinstance(finished, RunFinished)
    assert [(each.stage, each.waived_by) for each in finished.waived] == [("dba", "박승인")]
    report = Report.model_validate_json((out / "6_report.json").read_bytes())
    (waived,) = [each for row in report.stages for each in row.waived]
    assert (waived.id, waived.severity, waived.by) == ("V07-1", "critical", "박승인")
    for name in ("report.md", "report.html"):
        text = (out / name).read_text("utf-8")
        assert "사람이 넘긴 지적" in text
        assert "⚠" in text
        assert "상품은 다른 시스템에 있다" in text
    assert not (out / "stopped").exists()


def test_another_model_begins_the_stage_anew_and_what_was_spent_before_counts(out: Path) -> None:
    stopped(out)
    spent = kept(out).attempts
    better = Player(answers=whole_answers())
    outcome = resumed(out, better)
    assert outcome.exit_code == 0
    assert better.stages() == {"dba", "backend", "frontend", "supervisor"}
    (accepted,) = [each for each in outcome.events if isinstance(each, StageAccepted) and each.stage == "dba"]
    assert (accepted.score, accepted.attempts) == (10.0, spent + 1)
    assert not (out / "stopped").exists()
    assert not (out / ".dure" / "stopped-dba.json").exists()


def test_a_worse_attempt_of_another_model_does_not_take_the_place_of_the_better_one(out: Path) -> None:
    stopped(out)
    before = kept(out)
    bad = wrong().replace("주문ID >purchase_orders", "주문ID >nowhere")
    worse = Player(answers=whole_answers(("dba", "repair", "?"), ("dba", "whole", bad)))
    assert resumed(out, worse).exit_code == 3
    assert (kept(out).artifact, kept(out).score) == (before.artifact, before.score)
    assert kept(out).attempts > before.attempts


def test_two_stages_that_stop_together_are_told_apart(out: Path, dure: Dure) -> None:
    screens = whole_answers()["planner", "whole"].replace("FR-006", "FR-005")
    tables = whole_answers()["dba", "whole"].replace("FR-006", "FR-005")
    unsure = "잘 모르겠습니다."
    player = Player(
        answers=whole_answers(
            ("planner", "repair", unsure),
            ("planner", "whole", screens),
            ("dba", "repair", unsure),
            ("dba", "whole", tables),
        )
    )
    options = DesignOptions(sentence=SENTENCE, out=out, config=OFF)
    outcome = asyncio.run(run_design(player.model(LARGE), options))
    board = Board()
    for event in outcome.events:
        board.take(event, 0.0)
    end = outcome.events[-1]
    assert isinstance(end, RunStopped)
    assert "planner: 2번" in end.reason
    assert "dba: 7.0점" in end.reason
    told = "\n".join(summary(board, 0.0))
    assert told.index("(Planner):") < told.index("화면이 없어") < told.index("(DBA):") < told.index("테이블이 없어")
    ways = [way.command for way in end.ways if "waive" in way.command]
    assert ways == [f'dure waive {end.run_id} {stage}:V02-1 --reason "이유"' for stage in ("planner", "dba")]
    assert dure("waive", end.run_id, "V02-1", "--reason", "x").code == 2
    for way in ways:
        assert dure(*shlex.split(way)[1:]).code == 0
    assert resumed(out, Player(answers=whole_answers())).exit_code == 0


def test_what_a_person_wrote_and_nobody_took_is_set_aside(out: Path, dure: Dure, tmp_path: Path) -> None:
    end = stopped(out)
    shown = out / "stopped" / "dba.json"
    unfinished = shown.read_text("utf-8").replace("goods.id", "half done")
    shown.write_text(unfinished, "utf-8")
    assert resumed(out, Player(answers=whole_answers())).exit_code == 0
    assert (out / "stopped" / "dba.mine.json").read_text("utf-8") == unfinished

    other = tmp_path / "other"
    end = stopped(other)
    mine = tmp_path / "mine.json"
    worse = (other / "stopped" / "dba.json").read_text("utf-8").replace("goods", "things")
    mine.write_text(worse, encoding="utf-8")
    assert dure("edit", end.run_id, "dba", "--file", str(mine)).code == 3
    worse = worse.replace("things", "wares")
    mine.write_text(worse, encoding="utf-8")
    assert dure("edit", end.run_id, "dba", "--file", str(mine)).code == 3
    assert not (other / "stopped" / "dba.mine.json").exists()
    assert resumed(other, Player(answers=whole_answers())).exit_code == 0  # another model's design took its place
    assert (other / "stopped" / "dba.mine.json").read_text("utf-8") == worse
