"""The prompts that we ship keep the contract that they are."""

from typing import get_args

import pytest

from dure.prompts import PackagedPrompts, PromptKey
from dure_spec.agents.prompt_files import open_store, prompts_in
from dure_spec.artifacts.shared import STAGES, Language

LANGUAGES: tuple[Language, ...] = get_args(Language)


def test_every_stage_has_a_prompt_in_every_language_and_nothing_else_is_there() -> None:
    assert set(PackagedPrompts("dure_spec").texts()) == {
        PromptKey(lang, stage) for lang in LANGUAGES for stage in STAGES
    }


def test_the_shipped_prompts_pass_their_own_check() -> None:
    checked = open_store(None).contract.check(PackagedPrompts("dure_spec").texts())
    assert (checked.faults, checked.notes) == ((), ())


@pytest.mark.parametrize("stage", STAGES)
def test_the_prompts_of_one_language_pass_in_the_place_of_the_other(stage: str) -> None:
    """So both languages have the same sections, examples and placeholders."""
    texts = PackagedPrompts("dure_spec").texts()
    ko, en = PromptKey("ko", stage), PromptKey("en", stage)
    assert open_store(None).contract.check({ko: texts[en], en: texts[ko]}).faults == ()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_set_has_the_stages_in_the_order_of_the_pipeline(lang: Language) -> None:
    prompts = prompts_in(open_store("packaged").current, lang)
    assert tuple(prompts) == STAGES
    assert all(prompt.stage == stage and prompt.key == (lang, stage) for stage, prompt in prompts.items())
