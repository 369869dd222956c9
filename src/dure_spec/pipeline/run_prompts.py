"""The prompts of a run: taken from their source when it begins, and the same ever after."""

from pathlib import Path

from dure_spec.agents.prompt_files import PromptSet, load_prompts
from dure_spec.artifacts.shared import Language


async def begin_with(source: str | None, lang: Language) -> PromptSet:
    """The prompts that a new run pins.

    Raises:
        ConfigError: the source is wrong, and nothing was kept of an earlier time.
    """
    return load_prompts(lang)


def pin(out: Path, prompts: PromptSet) -> None:
    """Keep the texts with the run.

    Raises:
        OSError: the folder cannot be written.
    """


def pinned(out: Path, lang: Language) -> PromptSet:
    """What the run in this folder began with.

    Raises:
        ConfigError: the file is damaged.
    """
    return load_prompts(lang)
