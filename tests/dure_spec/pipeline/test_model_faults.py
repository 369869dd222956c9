"""Eight sentences, each against a model that fails in one of eight ways at every question it is asked."""

from pathlib import Path

import pytest
from design_players import SMALL, Answer, Fault, Player, Recording, recording, run_design, stage_files

from dure.chat import ChatResponse
from dure.errors import ConnectionFailed, EmptyAnswer, RateLimited
from dure.messages import AssistantMessage
from dure.models.scripted_turns import CutOff
from dure_spec.artifacts import STAGES, Report
from dure_spec.pipeline.design import DesignOptions
from dure_spec.pipeline.events import AttemptJudged, Disturbed, RunFinished, RunStopped, StageAccepted

SENTENCES = ("K01", "K02", "K16", "K21", "K22", "K23", "K24", "E07")


def broken_json(right: str, time: int) -> Answer:
    return '{"name": "주문", "summary": [}' if time == 1 else right


def half_a_table(right: str, time: int) -> Answer:
    return right[: len(right) * 2 // 5] if time == 1 else right


def prose_around(right: str, time: int) -> Answer:
    return f"물론입니다! 요청하신 내용을 정리했습니다.\n\n```\n{right}\n```\n\n더 필요한 것이 있으면 말씀해 주세요."


def the_same_wrong_answer(right: str, time: int) -> Answer:
    return "죄송하지만 잘 모르겠습니다"


def too_many_requests(right: str, time: int) -> Answer:
    return RateLimited("429: slow down", retry_after=7.0) if time < 3 else right


def dropped_connection(right: str, time: int) -> Answer:
    lost = ConnectionFailed("connection reset by peer")
    return lost if time == 1 else CutOff(text=right[:20], error=lost) if time == 2 else right


def empty_body(right: str, time: int) -> Answer:
    return "" if time == 1 else EmptyAnswer("200 with an empty body") if time == 2 else right


def cut_at_the_limit(right: str, time: int) -> Answer:
    half = ChatResponse(message=AssistantMessage(text=right[: len(right) // 2]), finish_reason="length")
    return half if time == 1 else right


FAULTS: tuple[Fault, ...] = (
    broken_json,
    half_a_table,
    prose_around,
    the_same_wrong_answer,
    too_many_requests,
    dropped_connection,
    empty_body,
    cut_at_the_limit,
)
TOLD = (broken_json, the_same_wrong_answer, too_many_requests, dropped_connection, empty_body, cut_at_the_limit)
"""Faults of which no answer can be used, so that whoever watches is told of each."""


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.__name__ for fault in FAULTS])
@pytest.mark.parametrize("name", SENTENCES)
async def test_a_run_recovers_when_the_model_fails_at_every_question(name: str, fault: Fault, tmp_path: Path) -> None:
    spoken = recording(name)
    player = Player(answers=spoken.answers, every=fault)
    outcome = await run_design(player.model(), DesignOptions(sentence=spoken.sentence, out=tmp_path / "out"))

    assert outcome.exit_code == 0, outcome.events[-1]
    assert isinstance(outcome.events[-1], RunFinished)
    accepted = [event for event in outcome.events if isinstance(event, StageAccepted)]
    assert {event.stage for event in accepted} == set(STAGES)
    assert all(event.score >= 9.0 for event in accepted)
    disturbed = [event for event in outcome.events if isinstance(event, Disturbed)]
    if fault in TOLD:
        assert {event.stage for event in disturbed} == player.stages()
    assert sum(outcome.waits) <= 60 * len(player.asked)
    assert max(player.asked.values()) <= 3


@pytest.mark.parametrize("name", SENTENCES)
async def test_a_recorded_run_needs_no_second_try(name: str, tmp_path: Path) -> None:
    spoken = recording(name)
    player = Player(answers=spoken.answers)
    outcome = await run_design(player.model(), DesignOptions(sentence=spoken.sentence, out=tmp_path))
    assert outcome.exit_code == 0
    assert set(player.asked.values()) == {1}
    judged = [event for event in outcome.events if isinstance(event, AttemptJudged)]
    assert {event.attempt for event in judged} == {1}
    assert not [
        line for line in _report(tmp_path).assumptions if "프로그램의 제안" in line or "Proposed by the program" in line
    ]


async def test_a_provider_s_own_wait_is_obeyed(tmp_path: Path) -> None:
    spoken = recording("K21")
    player = Player(answers=spoken.answers, faults={("ba", "project"): too_many_requests})
    outcome = await run_design(player.model(), DesignOptions(sentence=spoken.sentence, out=tmp_path))
    assert (outcome.exit_code, outcome.waits) == (0, [7.0, 7.0])


async def test_what_no_answer_decided_is_told_in_the_report(tmp_path: Path) -> None:
    spoken = recording("K21")
    player = Player(answers=spoken.answers, faults={("ba", "sentences"): the_same_wrong_answer})
    outcome = await run_design(player.model(), DesignOptions(sentence=spoken.sentence, out=tmp_path))
    assert outcome.exit_code == 0
    assert player.asked["ba", "sentences"] == 2
    assert any("문장" in line and "프로그램의 제안" in line for line in _report(tmp_path).assumptions)


def down(right: str, time: int) -> Answer:
    return ConnectionFailed("connection refused")


def refused_for_now(right: str, time: int) -> Answer:
    return RateLimited("429: come back tomorrow", retry_after=86_400.0)


@pytest.mark.parametrize(
    ("key", "kept", "fault"),
    [
        (("ba", "sentences"), (), down),
        (("planner", "hosts"), ("ba", "dba"), refused_for_now),
        (("dba", "ddl"), ("ba", "planner"), down),
        (("frontend", "columns"), ("ba", "planner", "dba", "backend"), refused_for_now),
        (("supervisor", "verdict"), ("ba", "planner", "dba", "backend", "frontend"), down),
    ],
)
async def test_a_model_that_stays_away_stops_the_run_and_resume_recomputes_nothing(
    key: tuple[str, str], kept: tuple[str, ...], fault: Fault, tmp_path: Path
) -> None:
    spoken = recording("K01")
    stage, question = next(known for known in spoken.answers if known == key)
    gone = Player(answers=spoken.answers, faults={(stage, question): fault})
    first = await run_design(gone.model(), DesignOptions(sentence=spoken.sentence, out=tmp_path))
    stopped = first.events[-1]
    assert isinstance(stopped, RunStopped)
    assert (first.exit_code, stopped.exit_code) == (4, 4)
    assert f"--resume {stopped.run_id}" in stopped.next_step
    before = stage_files(tmp_path)
    assert set(before) == {f"stage-{name}.json" for name in kept}
    assert gone.asked[stage, question] == (4 if fault is down else 1)

    back = await _resumed(spoken, tmp_path, stopped.run_id)
    assert not back.stages() & set(kept)
    after = stage_files(tmp_path)
    assert {name: after[name] for name in before} == before
    assert set(after) == {f"stage-{name}.json" for name in STAGES}


async def _resumed(spoken: Recording, out: Path, run_id: str) -> Player:
    player = Player(answers=spoken.answers)
    outcome = await run_design(player.model(SMALL), DesignOptions(resume=run_id))
    assert outcome.exit_code == 0
    assert (out / "report.html").is_file()
    return player


def _report(out: Path) -> Report:
    return Report.model_validate_json((out / "6_report.json").read_bytes())
