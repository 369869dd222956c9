"""The prompts of a run: taken from their source when it begins, and the same ever after.

OUT/.dure/prompts.json holds their texts, so that a run goes on with what it began with whatever becomes of the source.
"""

import logging
from pathlib import Path

from pydantic import ValidationError

from dure.errors import ConfigError
from dure.prompts import PromptKey
from dure.prompts.template import read_template
from dure.whole_file import write_whole
from dure_spec.agents.prompt_files import PromptSet, StagePrompts, load_prompts, open_store, prompts_in, stage_prompts
from dure_spec.artifacts import STAGES, Part, Stage
from dure_spec.artifacts.shared import Language
from dure_spec.pipeline.records import read_header

logger = logging.getLogger(__name__)

_REMEDY = "remove the file to go on with the packaged prompts"


class PinnedPrompts(Part):
    """What the file holds: the texts by stage, in the run's language."""

    lang: str
    texts: dict[Stage, str]


async def begin_with(source: str | None, lang: Language) -> PromptSet:
    """The prompts that a new run pins.

    Raises:
        ConfigError: the source is wrong, and nothing was kept of an earlier time.
    """
    store = open_store(source)
    outcome = await store.load()
    for note in outcome.notes:
        logger.warning("%s", note)
    return prompts_in(store.current, lang)


def pin(out: Path, prompts: PromptSet) -> None:
    """Keep the texts with the run.

    Raises:
        ConfigError: the folder cannot be written.
    """
    (lang,) = {prompt.key.lang for prompt in prompts.values()}
    pinned_now = PinnedPrompts(lang=lang, texts={stage: prompt.text for stage, prompt in prompts.items()})
    try:
        write_whole(_path(out), pinned_now.model_dump_json(indent=1).encode())
    except OSError as error:
        raise ConfigError(f"cannot write to {out}: {error.strerror or error}; give another --out") from error


def pinned(out: Path, lang: Language) -> PromptSet:
    """What the run in this folder began with.

    Raises:
        ConfigError: the file is damaged.
    """
    path = _path(out)
    try:
        kept = PinnedPrompts.model_validate_json(path.read_bytes())
        if kept.lang != lang:
            raise ConfigError(f"{path} holds prompts in {kept.lang!r}, but the run is in {lang!r}; {_REMEDY}")
        return {stage: _read(path, stage, PromptKey(lang, stage), kept.texts[stage]) for stage in STAGES}
    except FileNotFoundError:
        return _packaged(out, lang)
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror or error}") from error
    except KeyError as error:
        raise ConfigError(f"{path} is damaged: no prompt of stage {error}; {_REMEDY}") from error
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]["msg"]
        raise ConfigError(f"{path} is damaged: {fault}; {_REMEDY}") from error


def _read(path: Path, stage: Stage, key: PromptKey, text: str) -> StagePrompts:
    template, faults = read_template(key, text)
    if faults:
        raise ConfigError(f"{path} is damaged: {faults[0]}; {_REMEDY}")
    return stage_prompts(stage, template)


def _packaged(out: Path, lang: Language) -> PromptSet:
    """For a run of the time when texts were not kept."""
    prompts = load_prompts(lang)
    begun_with = read_header(out / ".dure" / "run.json").prompt_versions
    others = [
        f"{stage} {begun_with[stage]} → {prompt.version}"
        for stage, prompt in prompts.items()
        if begun_with.get(stage, prompt.version) != prompt.version
    ]
    if others:
        logger.warning("the texts of this run's prompts were not kept; it goes on with others: %s", ", ".join(others))
    return prompts


def _path(out: Path) -> Path:
    return out / ".dure" / "prompts.json"
