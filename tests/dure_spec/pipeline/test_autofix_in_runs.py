"""What the program can repair by itself costs no question, and everybody is told."""

import json
from pathlib import Path

import pytest
from design_players import LARGE, Outcome, Player, run_design, stage_files, whole_answers

from dure_spec.artifacts import Report
from dure_spec.config import Autofix, DesignConfig
from dure_spec.pipeline.design import DesignOptions
from dure_spec.pipeline.events import AttemptJudged, AutoFixed, StageAccepted

SENTENCE = "주문 관리 시스템을 만들어줘."


async def designed(mode: Autofix, out: Path) -> tuple[Outcome, Player]:
    """A design in which an operation that changes something is a GET."""
    answers = whole_answers()
    right = answers["backend", "whole"]
    wrong = right.replace("cancel transition POST", "cancel transition GET")
    assert wrong != right
    bos = right.split("@")
    answers["backend", "repair"] = "@" + next(bo for bo in bos if bo.startswith("order "))
    player = Player(answers=answers, faults={("backend", "whole"): lambda _, time: wrong})
    options = DesignOptions(sentence=SENTENCE, out=out, config=DesignConfig(autofix=mode))
    return await run_design(player.model(LARGE), options), player


async def test_a_repair_by_program_saves_the_retry(tmp_path: Path) -> None:
    outcome, player = await designed("all", tmp_path)
    assert outcome.exit_code == 0
    assert player.asked["backend", "repair"] == 0
    (judged,) = [each for each in outcome.events if isinstance(each, AttemptJudged) and each.stage == "backend"]
    (fixed,) = [each for each in outcome.events if isinstance(each, AutoFixed)]
    (accepted,) = [each for each in outcome.events if isinstance(each, StageAccepted) and each.stage == "backend"]
    assert (judged.score, fixed.score, accepted.score, accepted.verdict) == (8.9, 10.0, 10.0, "pass")
    assert [(fix.ref, fix.done) for fix in fixed.fixes] == [("OP-order.cancel", "GET → POST")]
    assert accepted.fixes == fixed.fixes
    assert accepted.retries == ()
    stored = json.loads(stage_files(tmp_path)["stage-backend.json"])
    assert '"GET → POST"' in json.dumps(stored["fixes"], ensure_ascii=False)


async def test_the_report_lists_what_the_program_repaired(tmp_path: Path) -> None:
    await designed("all", tmp_path)
    report = Report.model_validate_json((tmp_path / "6_report.json").read_bytes())
    (row,) = [row for row in report.stages if row.fixes]
    assert (row.stage, row.fixes[0].validator, row.fixes[0].done) == ("backend", "V14", "GET → POST")
    for name in ("report.md", "report.html"):
        text = (tmp_path / name).read_text("utf-8")
        assert "프로그램이 고친 지적" in text
        assert "GET → POST" in text


@pytest.mark.parametrize("mode", ["off", "minor"])
async def test_where_it_may_not_the_model_is_asked(mode: Autofix, tmp_path: Path) -> None:
    outcome, player = await designed(mode, tmp_path)
    assert outcome.exit_code == 0
    assert player.asked["backend", "repair"] == 1
    assert not any(isinstance(each, AutoFixed) for each in outcome.events)
    (accepted,) = [each for each in outcome.events if isinstance(each, StageAccepted) and each.stage == "backend"]
    assert (accepted.attempts, accepted.fixes) == (2, ())


async def test_what_follows_is_designed_upon_the_repaired_artifact(tmp_path: Path) -> None:
    await designed("all", tmp_path)
    right, _ = await run_right(tmp_path / "right")
    assert right.exit_code == 0
    for name in ("4_backend.json", "5_frontend.json", "openapi.json"):
        assert (tmp_path / name).read_bytes() == (tmp_path / "right" / name).read_bytes()


async def run_right(out: Path) -> tuple[Outcome, Player]:
    """The same design without the fault."""
    player = Player(answers=whole_answers())
    return await run_design(player.model(LARGE), DesignOptions(sentence=SENTENCE, out=out)), player
