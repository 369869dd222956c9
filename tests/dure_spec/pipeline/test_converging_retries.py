"""Retries that converge: what goes out, to whom, when they stop, what they cost, and what is kept."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from design_players import LARGE, Key, Outcome, Player, asked_key, run_design, script, stage_files, whole_answers

from dure.chat import ChatResponse
from dure.messages import AssistantMessage
from dure.models.scripted import ScriptedModel
from dure.usage import Usage
from dure_spec.artifacts import Report
from dure_spec.artifacts.report import Retry
from dure_spec.config import DesignConfig
from dure_spec.pipeline.design import Design, DesignOptions
from dure_spec.pipeline.events import AttemptJudged, Disturbed, PipelineEvent, RunFinished, RunStopped, StageAccepted

SENTENCE = "주문 관리 시스템을 만들어줘."
OFF = DesignConfig(autofix="off")
COST = Usage(fresh_input=210, output=40, model_calls=1)


def log_table(*extra: str) -> str:
    """The table of the order's history, its columns and others."""
    lines = whole_answers()["dba", "whole"].splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith("@order_status_logs"))
    block = [lines[begin]]
    for line in lines[begin + 1 :]:
        if line.startswith(("@", "R ", "=")):
            break
        block.append(line)
    return "\n".join([*(line for line in block if line.strip()), *extra])


def wrong_log(column: str) -> str:
    """The table with one more date that is kept as text: a finding at another place each time."""
    return log_table(f"{column} 확인일시 varchar(20)")


async def designed(
    out: Path, whole: str, repairs: Sequence[str], config: DesignConfig = OFF
) -> tuple[Outcome, ScriptedModel]:
    """A design whose DBA answers so, the repairs one after the other."""
    left = list(repairs)

    def repair(right: str, time: int) -> ChatResponse:
        return ChatResponse(message=AssistantMessage(text=left[min(time, len(left)) - 1]), usage=COST)

    player = Player(
        answers=whole_answers(), faults={("dba", "whole"): lambda _, time: whole, ("dba", "repair"): repair}
    )
    model = player.model(LARGE)
    return await run_design(model, DesignOptions(sentence=SENTENCE, out=out, config=config)), model


def scores(outcome: Outcome) -> list[float]:
    """Of the DBA's attempts."""
    return [each.score for each in outcome.events if isinstance(each, AttemptJudged) and each.stage == "dba"]


def retries(outcome: Outcome) -> tuple[Retry, ...]:
    """Of the DBA's accepted artifact."""
    return next(each.retries for each in outcome.events if isinstance(each, StageAccepted) and each.stage == "dba")


def with_log(table: str) -> str:
    """The whole answer of the DBA with another history table."""
    whole = whole_answers()["dba", "whole"]
    assert log_table() in whole
    return whole.replace(log_table(), table)


async def test_each_retry_is_counted_with_its_price_and_what_it_was_good_for(tmp_path: Path) -> None:
    two = with_log(log_table("seen_at 확인일시 varchar(20)", "read_at 열람일시 varchar(20)"))
    outcome, _ = await designed(tmp_path, two, [wrong_log("seen_at"), log_table()])
    assert scores(outcome) == [8.0, 8.9, 10.0]
    first = Retry(
        attempt=2,
        model="scripted:test",
        tokens_in=210,
        tokens_out=40,
        score_before=8.0,
        score_after=8.9,
        findings_before=2,
        findings_after=1,
    )
    update = {"attempt": 3, "score_before": 8.9, "score_after": 10.0, "findings_before": 1, "findings_after": 0}
    second = first.model_copy(update=update)
    assert retries(outcome) == (first, second)
    report = Report.model_validate_json((tmp_path / "6_report.json").read_bytes())
    (row,) = [row for row in report.stages if row.stage == "dba"]
    assert row.retries == (first, second)
    assert "다시 물은 기록" in (tmp_path / "report.md").read_text("utf-8")
    assert "8.9 → 10.0" in (tmp_path / "report.html").read_text("utf-8")


async def test_each_repair_is_asked_for_a_little_warmer(tmp_path: Path) -> None:
    tries = [wrong_log("seen_at"), wrong_log("read_at"), wrong_log("sent_at")]
    outcome, model = await designed(tmp_path, with_log(wrong_log("closed_at")), tries)
    asked = [each.options.temperature for each in model.requests if asked_key(each) == ("dba", "repair")]
    assert asked == pytest.approx([0.2, 0.4, 0.6])
    assert scores(outcome) == [8.9] * 4


async def test_the_same_findings_twice_end_the_retries_even_when_they_did_not_follow_each_other(
    tmp_path: Path,
) -> None:
    again = wrong_log("closed_at").replace("확인일시", "종료일시")
    tries = [wrong_log("seen_at"), again, log_table()]
    outcome, _ = await designed(tmp_path, with_log(wrong_log("closed_at")), tries)
    assert scores(outcome) == [8.9, 8.9, 8.9]
    assert len(retries(outcome)) == 2


async def test_a_falling_score_ends_the_retries_and_the_best_attempt_is_kept(tmp_path: Path) -> None:
    worse = log_table("seen_at 확인일시 varchar(20)", "read_at 열람일시 varchar(20)")
    outcome, _ = await designed(tmp_path, with_log(wrong_log("closed_at")), [worse, log_table()])
    assert scores(outcome) == [8.9, 8.0]
    kept = stage_files(tmp_path)["stage-dba.json"]
    assert b"closed_at" in kept
    assert b"seen_at" not in kept


async def test_a_repair_that_fixes_a_part_is_progress_where_the_score_cannot_show_it(tmp_path: Path) -> None:
    words = ("alpha", "bravo", "delta", "echo", "golf", "hotel", "kilo", "lima")

    def lost(many: int) -> str:
        return log_table(*(f"{word}_id {word} >{word}_things" for word in words[:many]))

    outcome, model = await designed(tmp_path, with_log(lost(8)), [lost(6), lost(5), lost(4)])
    judged = [each for each in outcome.events if isinstance(each, AttemptJudged) and each.stage == "dba"]
    assert [each.score for each in judged] == [0.0] * 4
    assert [sum(finding.weighs for finding in each.findings) for each in judged] == [8, 6, 5, 4]
    asked = [each.last_user_text for each in model.requests if asked_key(each) == ("dba", "repair")]
    assert ["echo_id" in text and "kilo_id" not in text for text in asked] == [False, True, True]
    stopped = json.loads((tmp_path / ".dure" / "stopped-dba.json").read_bytes())
    assert len(stopped["findings"]) == len(judged[-1].findings)


async def test_a_forced_stage_says_what_remains_by_id_and_place(tmp_path: Path) -> None:
    outcome, _ = await designed(tmp_path, with_log(wrong_log("closed_at")), [wrong_log("closed_at")])
    end = outcome.events[-1]
    assert isinstance(end, RunFinished)
    assert "dba" in end.forced
    assert [(each.stage, each.validator, each.ref) for each in end.remaining] == [
        ("dba", "V08", "order_status_logs.closed_at")
    ]
    report = Report.model_validate_json((tmp_path / "6_report.json").read_bytes())
    (row,) = [row for row in report.stages if row.stage == "dba"]
    assert [(each.id, each.ref) for each in row.remaining] == [("V08-1", "order_status_logs.closed_at")]
    for name in ("report.md", "report.html"):
        text = (tmp_path / name).read_text("utf-8")
        assert "남은 지적" in text
        assert "V08-1" in text


def turns(folder: Path, name: str, answers: Sequence[tuple[Key, str]]) -> str:
    """A model that plays these answers from a file."""
    path = folder / name
    lines = [line for key, text in answers for line in script({key: text})]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return f"scripted:{path}"


async def played(options: DesignOptions) -> list[PipelineEvent]:
    """A run with the models of its configuration."""
    events: list[PipelineEvent] = []
    assert await Design(options, events.append).run() == 0
    return events


async def test_the_third_repair_goes_to_the_fallback_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DURE_MODEL", raising=False)
    answers = whole_answers(("dba", "whole", with_log(wrong_log("closed_at"))))
    repairs: list[tuple[Key, str]] = [(("dba", "repair"), wrong_log(name)) for name in ("seen_at", "read_at")]
    main = turns(tmp_path, "main.jsonl", [*answers.items(), *repairs])
    last = turns(tmp_path, "last.jsonl", [(("dba", "repair"), log_table())])
    config = DesignConfig(autofix="off", model=main, fallback_model=last)
    events = await played(DesignOptions(sentence=SENTENCE, out=tmp_path / "out", config=config))
    (accepted,) = [each for each in events if isinstance(each, StageAccepted) and each.stage == "dba"]
    assert [each.model for each in accepted.retries] == [main, main, last]
    assert (accepted.attempts, accepted.score) == (4, 10.0)
    stored = json.loads(stage_files(tmp_path / "out")["stage-dba.json"])
    assert stored["model"] == f"{main} + {last}"


async def test_repairs_of_minor_findings_alone_go_to_the_light_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DURE_MODEL", raising=False)
    whole = whole_answers()["dba", "whole"]
    changes = {"tracking_no": "trackingNo", "stock_qty": "stockQty", "business_no": "businessNo"}
    changes |= {"total_amount": "totalAmount", "password_hash": "passwordHash", "paid_at": "paidAt"}
    wrong = whole
    for old, new in changes.items():
        assert f"\n{old} " in wrong
        wrong = wrong.replace(f"\n{old} ", f"\n{new} ")
    answers = whole_answers(("dba", "whole", wrong))
    main = turns(tmp_path, "main.jsonl", list(answers.items()))
    light = turns(tmp_path, "light.jsonl", [(("dba", "repair"), whole)])
    config = DesignConfig(autofix="off", model=main, tool_model=light)
    events = await played(DesignOptions(sentence=SENTENCE, out=tmp_path / "out", config=config))
    judged = [each for each in events if isinstance(each, AttemptJudged) and each.stage == "dba"]
    assert {finding.severity for finding in judged[0].findings} == {"minor"}
    assert [each.score for each in judged][-1] >= 9.0
    assert len(judged) == 2


async def test_at_the_limit_of_calls_the_best_attempt_counts(tmp_path: Path) -> None:
    config = DesignConfig(autofix="off", max_model_calls=2)
    outcome, model = await designed(
        tmp_path, with_log(wrong_log("closed_at")), [wrong_log("seen_at"), log_table()], config
    )
    assert outcome.exit_code == 0
    assert [asked_key(each) for each in model.requests].count(("dba", "repair")) == 1
    (told,) = [each.reason for each in outcome.events if isinstance(each, Disturbed)]
    assert "max_model_calls" in told
    stored = json.loads(stage_files(tmp_path)["stage-dba.json"])
    assert (stored["verdict"], stored["score"]) == ("forced", 8.9)


async def test_at_the_limit_of_calls_a_bad_attempt_waits_for_a_person(tmp_path: Path) -> None:
    config = DesignConfig(autofix="off", max_model_calls=1)
    lost = with_log(log_table("alpha_id 알파 >alphas"))
    outcome, _ = await designed(tmp_path, lost, [log_table()], config)
    assert outcome.exit_code == 3
    assert json.loads((tmp_path / ".dure" / "stopped-dba.json").read_bytes())["verdict"] == "failed"
    end = outcome.events[-1]
    assert isinstance(end, RunStopped)
    assert any("dure edit" in way.command for way in end.ways)
