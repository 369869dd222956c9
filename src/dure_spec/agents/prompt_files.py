"""The prompts of the six stages: what agents ask with, and the store that they come from.

The packaged ones are files, one a stage and language (`prompts/ko/ba.md`); their form is told of in
`dure.prompts.template`. A set of prompts is read once when a run begins and is pinned by its versions.
"""

from dataclasses import dataclass

from dure.prompts import KeptPrompts, PackagedPrompts, PromptCatalog, PromptKey, PromptSource, PromptStore
from dure.prompts import open_source as open_other_source
from dure.prompts.template import PromptTemplate
from dure_spec.artifacts.shared import STAGES, Language, Stage
from dure_spec.config import PACKAGED


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePrompts(PromptTemplate):
    """The sections of one stage's prompt."""

    stage: Stage


PromptSet = dict[Stage, StagePrompts]


def load_prompts(lang: Language) -> PromptSet:
    """The packaged prompts of a language, all stages."""
    return prompts_in(PromptStore(PackagedPrompts("dure_spec")).package, lang)


def prompts_in(catalog: PromptCatalog, lang: Language) -> PromptSet:
    """The prompts of a language in a whole set, all stages."""
    return {stage: stage_prompts(stage, catalog.templates[PromptKey(lang, stage)]) for stage in STAGES}


def stage_prompts(stage: Stage, template: PromptTemplate) -> StagePrompts:
    """A prompt as that of a stage."""
    return StagePrompts(
        stage=stage, key=template.key, version=template.version, text=template.text, sections=template.sections
    )


def open_source(where: str | None) -> PromptSource:
    """A source by its name: `packaged`, which no name stands for too, a folder or a URL.

    Raises:
        ConfigError: the name stands for no source.
    """
    if where is None or where.strip() == PACKAGED:
        return PackagedPrompts("dure_spec")
    return open_other_source(where)


def open_store(where: str | None) -> PromptStore:
    """The store of a source; nothing is read yet but the package.

    Raises:
        ConfigError: the name stands for no source.
    """
    package, source = PackagedPrompts("dure_spec"), open_source(where)
    if isinstance(source, PackagedPrompts):
        return PromptStore(package)
    return PromptStore(package, source, kept=KeptPrompts(source.name))
