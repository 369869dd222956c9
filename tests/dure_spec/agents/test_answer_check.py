"""A refused answer is asked for again: the same question, its latest fault, a livelier temperature, to an end."""

from pathlib import Path

import pytest
from design_players import Key, Outcome, Player, asked_key, recording, run_design

from dure.chat import ChatRequest, ChatResponse
from dure.messages import AssistantMessage
from dure.models.scripted_turns import Answer
from dure_spec.pipeline.design import DesignOptions
from dure_spec.pipeline.events import Disturbed

PROJECT: Key = ("ba", "project")


async def _asked(player: Player, out: Path) -> tuple[Outcome, list[ChatRequest]]:
    model = player.model()
    outcome = await run_design(model, DesignOptions(sentence=recording("K21").sentence, out=out))
    return outcome, [request for request in model.requests if asked_key(request) == PROJECT]


async def test_the_question_comes_again_with_its_latest_fault_only(tmp_path: Path) -> None:
    def fault(right: str, time: int) -> Answer:
        return {1: "no", 2: '{"name": ""}'}.get(time, right)

    player = Player(answers=recording("K21").answers, faults={PROJECT: fault})
    outcome, (first, second, third) = await _asked(player, tmp_path)
    assert outcome.exit_code == 0
    assert second.last_user_text.startswith(first.last_user_text)
    assert "not valid JSON" in second.last_user_text
    assert third.last_user_text.startswith(first.last_user_text)
    assert "not valid JSON" not in third.last_user_text
    assert '{"name": "…"' in third.last_user_text
    assert first.messages[:-1] == second.messages[:-1] == third.messages[:-1]
    assert [request.options.temperature for request in (first, second, third)] == [0.0, 0.2, 0.4]


@pytest.mark.parametrize(("answers", "calls"), [(("a", "b", "c", "d"), 3), (("a", "a", "b"), 2), (("a", "b", "a"), 3)])
async def test_a_model_that_never_learns_is_asked_three_times_at_most(
    answers: tuple[str, ...], calls: int, tmp_path: Path
) -> None:
    player = Player(answers=recording("K21").answers, faults={PROJECT: lambda right, time: answers[time - 1]})
    outcome, requests = await _asked(player, tmp_path)
    assert (outcome.exit_code, len(requests)) == (0, calls)


async def test_a_cut_answer_gets_twice_the_room_and_no_note(tmp_path: Path) -> None:
    def fault(right: str, time: int) -> Answer:
        cut = ChatResponse(message=AssistantMessage(text=right[:9]), finish_reason="length")
        return cut if time == 1 else right

    player = Player(answers=recording("K21").answers, faults={PROJECT: fault})
    outcome, (first, second) = await _asked(player, tmp_path)
    assert first.messages == second.messages
    assert second.options.max_tokens == 2 * (first.options.max_tokens or 0)
    told = [event.reason for event in outcome.events if isinstance(event, Disturbed)]
    assert ["토큰 한도" in reason for reason in told] == [True]


async def test_an_answer_that_never_fits_leaves_the_program_s_own_proposal(tmp_path: Path) -> None:
    def fault(right: str, time: int) -> Answer:
        return ChatResponse(message=AssistantMessage(text=right[:9]), finish_reason="length")

    player = Player(answers=recording("K21").answers, faults={PROJECT: fault})
    outcome, requests = await _asked(player, tmp_path)
    assert (outcome.exit_code, len(requests)) == (0, 2)


async def test_silence_is_nudged_and_then_left_alone(tmp_path: Path) -> None:
    player = Player(answers=recording("K21").answers, faults={PROJECT: lambda right, time: " "})
    outcome, requests = await _asked(player, tmp_path)
    assert (outcome.exit_code, len(requests)) == (0, 2)
    assert len(outcome.waits) == 1
