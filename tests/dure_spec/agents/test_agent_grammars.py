"""What a grammar allows, its agent can read: a model that obeys never sees its answer refused."""

from pathlib import Path

import gbnf
import pytest
from design_players import SMALL, recording, run_design

from dure.chat import ChatRequest
from dure.models.scripted import ScriptedModel
from dure_spec.pipeline.design import DesignOptions
from dure_spec.pipeline.events import AttemptJudged, Disturbed

UNKNOWN = {
    "ko": "종이접기 도안을 모으는 프로그램을 만들어줘.",
    "en": "A place to gather origami folding diagrams.",
}
"""Sentences of which no pattern knows the data, so that the model is asked for its own."""


def obedient(longest: bool, seen: list[str]) -> ScriptedModel:
    """A model that writes what the grammar allows and thinks of nothing else."""

    def answer(request: ChatRequest) -> str:
        grammar = request.options.grammar
        assert grammar is not None
        seen.append(grammar)
        long = longest and "CREATE TABLE" not in grammar  # the longest tables are no good ones
        return gbnf.read(grammar).write(pick=lambda count: count - 1 if long else 0, longest=long)

    return ScriptedModel(*[answer] * 100, capabilities=SMALL)


@pytest.mark.parametrize("longest", [False, True], ids=["shortest", "longest"])
@pytest.mark.parametrize("name", ["K16", "K24", "E07"])
async def test_an_obedient_model_is_never_refused(name: str, longest: bool, tmp_path: Path) -> None:
    await _run(recording(name).sentence, longest, tmp_path)


@pytest.mark.parametrize("lang", ["ko", "en"])
async def test_an_obedient_model_is_not_refused_where_no_pattern_helps(lang: str, tmp_path: Path) -> None:
    await _run(UNKNOWN[lang], True, tmp_path)


async def _run(sentence: str, longest: bool, out: Path) -> None:
    seen: list[str] = []
    outcome = await run_design(obedient(longest, seen), DesignOptions(sentence=sentence, out=out))
    judged = {event.attempt for event in outcome.events if isinstance(event, AttemptJudged)}
    assert [event.reason for event in outcome.events if isinstance(event, Disturbed)] == []
    assert judged == {1}
    assert outcome.exit_code == 0
    assert seen
