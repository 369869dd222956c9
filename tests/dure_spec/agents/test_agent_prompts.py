"""The prompt files: every section that an agent asks for, in both languages, with the same placeholders."""

import re
from pathlib import Path
from typing import get_args

import pytest
from design_players import LARGE, RECORDED, SMALL, Player, asked_key, recording, run_design

from dure.errors import ConfigError
from dure.messages import AssistantMessage, SystemMessage, UserMessage
from dure_spec.agents.prompt_files import StagePrompts, load_prompts
from dure_spec.artifacts import STAGES, Stage
from dure_spec.artifacts.shared import Language
from dure_spec.pipeline.design import DesignOptions

LANGUAGES: tuple[Language, ...] = get_args(Language)
PLACEHOLDER = re.compile(r"\$\{?([a-z_]+)")
NEEDED: dict[Stage, set[str]] = {
    "ba": {"project", "optional", "own", "roles", "features", "sentences", "whole"},
    "planner": {"hosts", "whole"},
    "dba": {"ddl", "whole"},
    "backend": {"effects", "whole"},
    "frontend": {"columns", "whole"},
    "supervisor": {"verdict"},
}


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_section_is_there_once_with_examples_for_small_models(lang: Language, stage: Stage) -> None:
    prompts = load_prompts(lang)[stage]
    names = [name for name, _ in prompts.sections]
    plain = [name for name in names if not name.endswith(".example")]
    assert len(plain) == len(set(plain))
    assert {"system", "refused", "repair"} | NEEDED[stage] <= set(plain)
    for key in NEEDED[stage] - {"whole"}:
        assert prompts.examples(key), f"{key} has no example"
        assert all(question and answer for question, answer in prompts.examples(key))


@pytest.mark.parametrize("stage", STAGES)
def test_both_languages_have_the_same_sections_and_placeholders(stage: Stage) -> None:
    ko, en = (_placeholders(load_prompts(lang)[stage]) for lang in LANGUAGES)
    assert ko == en


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_prompt_is_in_its_language_and_its_version_is_that_of_its_text(lang: Language, stage: Stage) -> None:
    prompts = load_prompts(lang)[stage]
    assert re.fullmatch(r"[0-9a-f]{12}", prompts.version)
    hangul = re.search("[가-힣]", prompts.render("system"))
    assert (hangul is not None) == (lang == "ko")
    assert not (lang == "en" and any(re.search("[가-힣]", text) for _, text in prompts.sections))


def test_a_section_that_is_not_there_and_a_value_that_is_missing_are_named() -> None:
    prompts = load_prompts("en")["ba"]
    with pytest.raises(ConfigError, match="nothing"):
        prompts.render("nothing")
    with pytest.raises(ConfigError, match="sentence"):
        prompts.render("project")


@pytest.mark.parametrize("name", sorted(path.stem for path in RECORDED.glob("*.jsonl")))
async def test_every_question_of_a_small_run_is_whole(name: str, tmp_path: Path) -> None:
    spoken = recording(name)
    model = Player(answers=spoken.answers).model(SMALL)
    await run_design(model, DesignOptions(sentence=spoken.sentence, out=tmp_path))
    for request in model.requests:
        system, *shots, last = request.messages
        assert isinstance(system, SystemMessage)
        assert isinstance(last, UserMessage)
        assert shots, f"{asked_key(request)} has no example"
        kinds = [UserMessage, AssistantMessage] * (len(shots) // 2)
        assert [type(shot) for shot in shots] == kinds
        assert not PLACEHOLDER.search(last.text)
        assert (request.options.max_tokens or 0) > 0


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_every_whole_question_is_filled_in(lang: Language, tmp_path: Path) -> None:
    name = "K01" if lang == "ko" else "E07"
    model = Player(answers={}, every=lambda right, time: "# none").model(LARGE)
    await run_design(model, DesignOptions(sentence=recording(name).sentence, out=tmp_path))
    (first, *_) = model.requests
    assert asked_key(first) == ("ba", "whole")
    assert recording(name).sentence in first.last_user_text
    assert not PLACEHOLDER.search(first.last_user_text)
    assert len(first.messages) == 2


def _placeholders(prompts: StagePrompts) -> dict[str, list[set[str]]]:
    found: dict[str, list[set[str]]] = {}
    for name, text in prompts.sections:
        if not name.endswith(".example"):
            found.setdefault(name, []).append(set(PLACEHOLDER.findall(text)))
    return found
