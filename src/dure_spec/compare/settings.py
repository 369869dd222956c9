"""What a run of a comparison depends on besides its sentence and model: the texts of its prompts and the configuration.

A run with others is another run: what was kept of an edited prompt does not stand for the text that is there now.
"""

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

from dure.errors import ConfigError
from dure.models.registry import VARIABLE
from dure.prompts import PromptCatalog
from dure_spec.agents.prompt_files import open_store
from dure_spec.compare.cells import Cell, Variant
from dure_spec.config import DesignConfig

_UNREAD = "unread"


async def settled(
    cells: Sequence[Cell], config: DesignConfig, environ: Mapping[str, str] = os.environ
) -> tuple[Cell, ...]:
    """The runs with what they depend on now. Where prompts cannot be read, the run itself says why."""
    known = {
        variant: await _settings(variant, config, environ) for variant in dict.fromkeys(cell.variant for cell in cells)
    }
    return tuple(replace(cell, settings=known[cell.variant]) for cell in cells)


async def _settings(variant: Variant, config: DesignConfig, environ: Mapping[str, str]) -> str:
    store = open_store(config.prompts if variant.prompts is None else variant.prompts)
    try:
        await store.load()
    except ConfigError:
        return _UNREAD
    model = variant.model or environ.get(VARIABLE, "").strip()
    said = config.model_dump_json(exclude={"prompts"})
    return hashlib.sha256("\n".join((model, said, _versions(store.current))).encode()).hexdigest()


def _versions(prompts: PromptCatalog) -> str:
    return " ".join(f"{key}@{template.version}" for key, template in sorted(prompts.templates.items()))
