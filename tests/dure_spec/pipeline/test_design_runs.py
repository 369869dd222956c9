"""What a run keeps from its beginning, what it counts, and what it hands to its model."""

from decimal import Decimal
from pathlib import Path

import pytest
from design_players import (
    LARGE,
    SMALL,
    Player,
    asked_key,
    recording,
    run_design,
    stage_files,
)

from dure.chat import ChatResponse
from dure.errors import ConfigError, ConnectionFailed
from dure.messages import AssistantMessage
from dure.models.base import ModelCapabilities
from dure.models.scripted_turns import Answer
from dure.usage import Usage
from dure_spec.artifacts import Report
from dure_spec.pipeline.design import Design, DesignOptions
from dure_spec.pipeline.events import PipelineEvent, RunFinished, RunStarted, RunStopped, Spent, StageAccepted
from dure_spec.pipeline.journal import Journal
from dure_spec.pipeline.records import read_header

COST = Usage(fresh_input=70, cache_read=30, output=11, model_calls=1, cost=Decimal(0))


def paid(right: str, time: int) -> ChatResponse:
    """The right answer at the third time, each with its price: first cut, then useless."""
    if time == 1:
        return ChatResponse(message=AssistantMessage(text=right[:5]), finish_reason="length", usage=COST)
    return ChatResponse(message=AssistantMessage(text="?" if time == 2 else right), usage=COST)


async def test_tokens_of_failed_attempts_are_counted_too(tmp_path: Path) -> None:
    spoken = recording("K21")
    player = Player(answers=spoken.answers, every=paid)
    outcome = await run_design(player.model(), DesignOptions(sentence=spoken.sentence, out=tmp_path))
    assert outcome.exit_code == 0
    accepted = {event.stage: event for event in outcome.events if isinstance(event, StageAccepted)}
    for stage, event in accepted.items():
        calls = sum(times for (asked, _), times in player.asked.items() if asked == stage)
        spent = [one.usage for one in outcome.events if isinstance(one, Spent) and one.stage == stage]
        assert event.usage == sum(spent, Usage()) == _times(calls)
    finished = outcome.events[-1]
    assert isinstance(finished, RunFinished)
    assert finished.usage == _times(player.asked.total())
    report = Report.model_validate_json((tmp_path / "6_report.json").read_bytes())
    by_stage = {row.stage: (row.tokens_in, row.tokens_out) for row in report.stages}
    assert by_stage["ba"] == (accepted["ba"].usage.input, accepted["ba"].usage.output)


async def test_a_resumed_run_counts_what_earlier_sittings_spent(tmp_path: Path) -> None:
    spoken = recording("K21")
    player = Player(answers=spoken.answers, every=paid, faults={("frontend", "columns"): _down})
    await run_design(player.model(), DesignOptions(sentence=spoken.sentence, out=tmp_path))
    back = Player(answers=spoken.answers, every=paid)
    outcome = await run_design(back.model(), DesignOptions(resume=str(tmp_path)))
    finished = outcome.events[-1]
    assert isinstance(finished, RunFinished)
    before = player.asked.total() - player.asked["frontend", "columns"]
    assert finished.usage == _times(before + back.asked.total())


def _times(calls: int) -> Usage:
    return sum([COST] * calls, Usage())


def _down(right: str, time: int) -> Answer:
    return ConnectionFailed("connection refused")


async def test_the_language_that_was_asked_for_stays_when_a_run_is_resumed(tmp_path: Path) -> None:
    sentence = recording("K21").sentence
    player = Player(answers={}, every=lambda right, time: "no idea", faults={("dba", "ddl"): _down})
    options = DesignOptions(sentence=sentence, out=tmp_path, lang="en")
    first = await run_design(player.model(), options)
    assert first.exit_code == 4
    assert read_header(tmp_path / ".dure" / "run.json").lang == "en"
    back = Player(answers={}, every=lambda right, time: "no idea")
    model = back.model()
    second = await run_design(model, DesignOptions(resume=str(tmp_path)))
    assert second.exit_code == 0
    assert all(request.system_text.isascii() for request in model.requests)
    report = Report.model_validate_json((tmp_path / "6_report.json").read_bytes())
    assert "requirements" in report.summary


async def test_a_small_model_with_grammars_gets_one_with_every_closed_question(tmp_path: Path) -> None:
    spoken = recording("K16")
    model = Player(answers=spoken.answers).model(SMALL)
    await run_design(model, DesignOptions(sentence=spoken.sentence, out=tmp_path))
    grammars = {asked_key(request): request.options.grammar or "" for request in model.requests}
    assert set(grammars) == set(spoken.answers)
    assert all("root ::=" in grammar for grammar in grammars.values())


@pytest.mark.parametrize("capabilities", [LARGE, ModelCapabilities(small=True)])
async def test_no_grammar_goes_to_a_model_that_has_none(capabilities: ModelCapabilities, tmp_path: Path) -> None:
    spoken = recording("K24")
    model = Player(answers=spoken.answers).model(capabilities)
    await run_design(model, DesignOptions(sentence=spoken.sentence, out=tmp_path))
    assert model.requests
    assert all(request.options.grammar is None for request in model.requests)


async def test_what_is_told_as_accepted_is_on_the_disk(tmp_path: Path) -> None:
    spoken = recording("K24")
    seen: list[tuple[str, bool]] = []

    def look(event: PipelineEvent) -> None:
        if isinstance(event, StageAccepted):
            seen.append((event.stage, f"stage-{event.stage}.json" in stage_files(tmp_path)))

    model = Player(answers=spoken.answers).model()
    assert await Design(DesignOptions(sentence=spoken.sentence, out=tmp_path), look, model=model).run() == 0
    assert len(seen) == 6
    assert all(there for _, there in seen)


async def test_a_finished_run_that_is_resumed_asks_nothing_and_writes_its_files_again(tmp_path: Path) -> None:
    spoken = recording("K24")
    await run_design(Player(answers=spoken.answers).model(), DesignOptions(sentence=spoken.sentence, out=tmp_path))
    (tmp_path / "report.html").unlink()
    player = Player(answers=spoken.answers)
    outcome = await run_design(player.model(), DesignOptions(resume=str(tmp_path)))
    assert (outcome.exit_code, player.asked.total()) == (0, 0)
    started = outcome.events[0]
    assert isinstance(started, RunStarted)
    assert len(started.kept) == 6
    assert (tmp_path / "report.html").is_file()


async def test_a_journal_is_given_back_when_a_resume_goes_wrong(tmp_path: Path) -> None:
    spoken = recording("K24")
    await run_design(Player(answers=spoken.answers).model(), DesignOptions(sentence=spoken.sentence, out=tmp_path))
    damaged = tmp_path / ".dure" / "stage-ba.json"
    kept = damaged.read_bytes()
    damaged.write_bytes(kept[: len(kept) // 2])
    with pytest.raises(ConfigError, match="stage-ba"):
        await run_design(Player(answers={}).model(), DesignOptions(resume=str(tmp_path)))
    damaged.write_bytes(kept)
    Journal.resume(str(tmp_path)).close()


async def test_a_disk_that_takes_no_more_files_is_told_and_the_artifacts_stay(tmp_path: Path) -> None:
    spoken = recording("K24")
    (tmp_path / "report.html").mkdir()  # no file can take the place of a folder
    outcome = await run_design(
        Player(answers=spoken.answers).model(), DesignOptions(sentence=spoken.sentence, out=tmp_path)
    )
    assert outcome.exit_code == 1
    assert len(stage_files(tmp_path)) == 6
    (tmp_path / "report.html").rmdir()
    again = await run_design(Player(answers={}).model(), DesignOptions(resume=str(tmp_path)))
    assert again.exit_code == 0


@pytest.mark.parametrize(
    "sentence", ["종이접기 도안을 모으는 프로그램을 만들어줘.", "A place to gather origami folding diagrams."]
)
async def test_a_design_of_nothing_is_never_accepted(sentence: str, tmp_path: Path) -> None:
    player = Player(answers={}, every=lambda right, time: "I do not know")
    outcome = await run_design(player.model(), DesignOptions(sentence=sentence, out=tmp_path))
    end = outcome.events[-1]
    assert isinstance(end, RunStopped)
    assert end.exit_code == outcome.exit_code == 3
    assert "ba: " in end.reason
    assert f"--resume {end.run_id} --model" in end.next_step
    assert stage_files(tmp_path) == {}
