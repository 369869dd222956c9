"""A large model answers a stage in one piece; the gate sends back what fails, and only that."""

import json
from pathlib import Path

import pytest
from design_players import LARGE, Fault, Key, Outcome, Player, asked_key, run_design, stage_files, whole_answers

from dure.chat import ChatRequest
from dure.models.scripted import ScriptedModel
from dure_spec.artifacts import STAGES, Stage
from dure_spec.config import DesignConfig
from dure_spec.pipeline.design import DesignOptions
from dure_spec.pipeline.events import AttemptJudged, RunFinished, RunStopped, StageAccepted, StageStopped

NO_IDEA = "잘 모르겠습니다."


def instead(old: str, new: str) -> Fault:
    """The right answer with one thing wrong."""

    def fault(right: str, time: int) -> str:
        assert old in right
        return right.replace(old, new)

    return fault


async def designed(player: Player, out: Path) -> tuple[Outcome, ScriptedModel]:
    """A new run with a large model, which has to repair everything itself."""
    model = player.model(LARGE)
    options = DesignOptions(sentence="주문 관리 시스템을 만들어줘.", out=out, config=DesignConfig(autofix="off"))
    return await run_design(model, options), model


def judged(outcome: Outcome, stage: Stage) -> list[float]:
    """The scores of a stage's attempts."""
    return [event.score for event in outcome.events if isinstance(event, AttemptJudged) and event.stage == stage]


def repairs(model: ScriptedModel, stage: Stage) -> list[ChatRequest]:
    """The repair questions of a stage."""
    return [request for request in model.requests if asked_key(request) == (stage, "repair")]


async def test_the_reference_design_passes_every_gate_at_the_first_attempt(tmp_path: Path) -> None:
    player = Player(answers=whole_answers())
    outcome, _ = await designed(player, tmp_path)
    assert outcome.exit_code == 0
    assert set(player.asked.values()) == {1}
    assert [judged(outcome, stage) for stage in STAGES] == [[10.0]] * 6


LATE = instead("변경일시 timestamptz", "변경일시 varchar(20)")
"""A major finding: 8.9."""

DEFECTS: list[tuple[Stage, str, str, str, str, str]] = [
    # stage, what is right, what is wrong, an item of the repair, one that is none, what the finding offers
    ("ba", "PLACED>CANCELLED(FR-006)", "PLACED>CANCELLED(FR-066)", "ST 주문:", "FR-001", "FR-006"),
    ("ba", "1.0s FR-005:", "1.0s FR-099:", "NFR-01 ", "NFR-02", "FR-099"),
    ("planner", "FR-005,FR-006,FR-007 주문 상세", "FR-005,FR-007 주문 상세", "SC-005 detail", "SC-010", "FR-006"),
    ("dba", "상품ID >products", "상품ID >goods", "@order_items", "@customers", "products.id"),
    ("dba", "변경일시 timestamptz", "변경일시 varchar(20)", "@order_status_logs", "@payments", "timestamptz"),
    ("backend", "in:method,amount,paidAt", "in:method,amount,paidWhen", "@payment ", "@customer", "paidAt"),
    ("frontend", "orderedAt, totalAmount |", "orderedAt, amount |", "order-list ", "payments", "totalAmount"),
    ("frontend", "method!, amount!, paidAt!", "amount!, paidAt!", "payments SC-005", "order-list", "method"),
]


@pytest.mark.parametrize(("stage", "right", "wrong", "item", "other", "offer"), DEFECTS)
async def test_only_what_fails_is_asked_for_again(
    stage: Stage, right: str, wrong: str, item: str, other: str, offer: str, tmp_path: Path
) -> None:
    answers = whole_answers()
    whole: Key = (stage, "whole")
    answers[stage, "repair"] = "\n".join(line for line in _blocks(answers[whole]) if right in line)
    player = Player(answers=answers, faults={whole: instead(right, wrong)})
    outcome, model = await designed(player, tmp_path)

    assert outcome.exit_code == 0
    first, second = judged(outcome, stage)
    assert first < 9.0 <= second
    (asked,) = repairs(model, stage)
    assert item in asked.last_user_text
    assert f"\n{other}" not in asked.last_user_text
    assert offer in asked.last_user_text
    assert "AGAIN" not in asked.last_user_text
    accepted = [event for event in outcome.events if isinstance(event, StageAccepted) and event.stage == stage]
    assert [(event.verdict, event.attempts, event.usage.model_calls) for event in accepted] == [("pass", 2, 2)]
    assert player.asked[whole] == 1


def _blocks(text: str) -> list[str]:
    """Items of a wire text: a line, or a line that begins with @ and what follows it."""
    blocks: list[str] = []
    inside = False
    for line in text.splitlines():
        if line.startswith("@"):
            blocks.append(line)
            inside = True
        elif inside and not line.startswith(("R ", "=")):
            blocks[-1] += f"\n{line}"
        else:
            blocks.append(line)
            inside = False
    return blocks


async def test_the_same_wrong_repair_stops_early_and_the_best_attempt_is_kept(tmp_path: Path) -> None:
    log = next(block for block in _blocks(whole_answers()["dba", "whole"]) if "@order_status_logs" in block)
    worse = log.replace(">purchase_orders", ">orders_of_old")
    assert worse != log
    answers = whole_answers(("dba", "repair", worse))
    player = Player(answers=answers, faults={("dba", "whole"): LATE})
    outcome, _ = await designed(player, tmp_path)
    best, worst = judged(outcome, "dba")
    assert (best, worst < 8.0) == (8.9, True)
    assert b"orders_of_old" not in stage_files(tmp_path)["stage-dba.json"]
    assert outcome.exit_code == 0


async def test_a_repair_does_not_touch_what_was_right(tmp_path: Path) -> None:
    whole = whole_answers()["dba", "whole"]
    log = next(block for block in _blocks(whole) if "@order_status_logs" in block)
    others = "@customers 고객 entity FR-002\nname 고객명 varchar(9)\nDEL payments"
    player = Player(answers=whole_answers(("dba", "repair", f"{others}\n{log}")), faults={("dba", "whole"): LATE})
    outcome, _ = await designed(player, tmp_path)
    assert judged(outcome, "dba") == [8.9, 10.0]
    right = await designed(Player(answers=whole_answers()), tmp_path / "right")
    assert right[0].exit_code == outcome.exit_code == 0
    tables = [json.loads((folder / "3_erd.json").read_bytes())["tables"] for folder in (tmp_path, tmp_path / "right")]
    assert tables[0] == tables[1]


async def test_a_repair_that_changes_nothing_that_matters_is_not_asked_for_a_third_time(tmp_path: Path) -> None:
    log = next(block for block in _blocks(whole_answers()["dba", "whole"]) if "@order_status_logs" in block)
    idle = log.replace("변경일시 timestamptz", "바뀐일시 varchar(20)")
    player = Player(answers=whole_answers(("dba", "repair", idle)), faults={("dba", "whole"): LATE})
    outcome, _ = await designed(player, tmp_path)
    assert judged(outcome, "dba") == [8.9, 8.9]
    assert player.asked["dba", "repair"] == 1


async def test_what_a_repair_left_is_marked_at_the_next_one(tmp_path: Path) -> None:
    answers = whole_answers()
    items = next(block for block in _blocks(answers["dba", "whole"]) if "@order_items" in block)
    answers["dba", "repair"] = items
    wrong = answers["dba", "whole"].replace("주문시단가 numeric(12,2)", "주문시단가 real")
    player = Player(answers=answers, faults={("dba", "whole"): lambda _, time: LATE(wrong, time)})
    outcome, model = await designed(player, tmp_path)
    assert judged(outcome, "dba")[1:] == [8.9, 8.9]
    first, second, *_ = repairs(model, "dba")
    assert "AGAIN" not in first.last_user_text
    assert "AGAIN" in second.last_user_text
    assert "unit_price" not in second.last_user_text


async def test_between_eight_and_nine_a_stage_is_forced_and_the_report_says_so(tmp_path: Path) -> None:
    answers = whole_answers(("dba", "repair", NO_IDEA))
    player = Player(answers=answers, faults={("dba", "whole"): LATE})
    outcome, model = await designed(player, tmp_path)
    finished = outcome.events[-1]
    assert isinstance(finished, RunFinished)
    assert finished.forced == ("dba", "supervisor")
    accepted = [event for event in outcome.events if isinstance(event, StageAccepted) and event.stage == "dba"]
    assert [(event.verdict, event.score) for event in accepted] == [("forced", 8.9)]
    assert len(repairs(model, "dba")) == 2
    assert "forced" in (tmp_path / "6_report.json").read_text("utf-8")


async def test_below_eight_the_run_stops_with_the_findings_and_a_better_model_goes_on(tmp_path: Path) -> None:
    answers = whole_answers(("dba", "repair", NO_IDEA))
    weak = Player(answers=answers, faults={("dba", "whole"): instead("상품ID >products", "상품ID >goods")})
    outcome, _ = await designed(weak, tmp_path)
    assert outcome.exit_code == 3
    stopped = [event for event in outcome.events if isinstance(event, StageStopped)]
    assert [(event.stage, event.score) for event in stopped] == [("dba", 7.0)]
    assert [each.ref for each in stopped[0].findings if each.weighs] == ["order_items(product_id)"]
    end = outcome.events[-1]
    assert isinstance(end, RunStopped)
    assert "7.0" in end.reason
    assert f"--resume {end.run_id} --model" in end.next_step
    assert (tmp_path / "prd.md").is_file()
    kept = stage_files(tmp_path)
    assert set(kept) == {"stage-ba.json", "stage-planner.json"}

    better = Player(answers=whole_answers())
    resumed = await run_design(better.model(LARGE), DesignOptions(resume=str(tmp_path)))
    assert resumed.exit_code == 0
    assert better.stages() == {"dba", "backend", "frontend", "supervisor"}
    assert {name: stage_files(tmp_path)[name] for name in kept} == kept


async def test_what_forced_stages_left_does_not_keep_the_report_away(tmp_path: Path) -> None:
    whole = whole_answers()["backend", "whole"].replace("cancel transition POST", "cancel transition GET")
    answers = whole_answers(("dba", "repair", NO_IDEA), ("backend", "repair", NO_IDEA))
    faults: dict[Key, Fault] = {
        ("dba", "whole"): LATE,
        ("backend", "whole"): lambda _, time: whole.replace("deliver transition POST", "deliver transition GET"),
    }
    outcome, _ = await designed(Player(answers=answers, faults=faults), tmp_path)
    finished = outcome.events[-1]
    assert isinstance(finished, RunFinished)
    assert finished.forced == ("dba", "backend", "supervisor")
    assert judged(outcome, "supervisor")[0] < 8.0


@pytest.mark.parametrize("stage", ["ba", "planner", "dba", "backend", "frontend"])
async def test_a_whole_answer_that_is_never_usable_stops_at_the_gate(stage: Stage, tmp_path: Path) -> None:
    answers = whole_answers((stage, "whole", NO_IDEA))
    player = Player(answers=answers)
    outcome, _ = await designed(player, tmp_path)
    end = outcome.events[-1]
    assert isinstance(end, RunStopped)
    assert (outcome.exit_code, end.exit_code) == (3, 3)
    assert end.reason
    assert player.asked[stage, "whole"] <= 4
    assert f"stage-{stage}.json" not in stage_files(tmp_path)


async def test_an_open_question_of_the_design_is_told_at_the_end(tmp_path: Path) -> None:
    outcome, _ = await designed(Player(answers=whole_answers()), tmp_path)
    finished = outcome.events[-1]
    assert isinstance(finished, RunFinished)
    assert any("온라인 화면" in question for question in finished.open_questions)
    spent = [event.usage for event in outcome.events if isinstance(event, StageAccepted)]
    assert finished.usage.model_calls == sum(usage.model_calls for usage in spent) == 6
