"""What a team decides once for all its design runs: models, middleware, autofix, prompts. The one place for models.

[design]                      # all agents
model = "anthropic:claude-sonnet-4-6"
tool_model = "anthropic:claude-haiku-4-5"
[design.agents.dba]           # one agent
model = "openai:gpt-5"
[design.providers.openai]     # what DURE_MODEL=openai: stands for
model = "gpt-5"
tool_model = "gpt-4.1-mini"
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from dure_spec.artifacts.shared import Stage
from dure_spec.config_file import ConfigFile, Section, read_config

Autofix = Literal["off", "minor", "all"]

_SPEC = re.compile(r"\s*[A-Za-z][\w-]*:")


def _spec(value: str) -> str:
    if not _SPEC.match(value):
        raise ValueError(f"{value!r} is no model; write provider:model, such as openai:gpt-4.1")
    return value


ModelSpec = Annotated[str, AfterValidator(_spec)]

PACKAGED = "packaged"
"""The prompts that come with the program, by name."""
_ENVIRONMENT = {"DURE_PROMPTS": "prompts", "DURE_POSTGRESQL": "postgresql"}


class AgentConfig(Section):
    """How one agent works; what it leaves open, `[design]` says."""

    model: ModelSpec | None = None
    """`provider:model` that thinks."""
    tool_model: ModelSpec | None = None
    """A light one for small closed questions; the main model where none is named."""
    fallback_model: ModelSpec | None = None
    """Asked when the main one fails for good, and for the third repair."""
    retries: Annotated[int, Field(ge=0, le=20)] | None = None
    """How often a failed call is repeated on the same model."""
    max_model_calls: Annotated[int, Field(ge=1)] | None = None
    max_tool_calls: Annotated[int, Field(ge=0)] | None = None
    prompt_caching: bool | None = None
    thinking_tokens: Annotated[int, Field(ge=0, le=200_000)] | None = None
    """Room for a model that thinks before it answers, added to every limit."""


class ProviderConfig(Section):
    """Which models of a provider stand for it where only the provider is named; names without the provider."""

    model: str | None = None
    tool_model: str | None = None


class DesignConfig(AgentConfig):
    """The `[design]` table of `dure.toml`."""

    agents: dict[Stage, AgentConfig] = Field(default_factory=dict[Stage, AgentConfig])
    providers: dict[str, ProviderConfig] = Field(default_factory=dict[str, ProviderConfig])
    autofix: Autofix = "all"
    """Which findings the program repairs itself before anything is asked again: none, the minor ones, all it can."""
    prompts: str | None = None
    """Where prompts come from: a folder, `redis://…` or `postgresql://…`; nothing means those that are packaged."""
    postgresql: str | None = None
    """URL of a server on which the DDL is tried besides SQLite."""

    def of(self, stage: Stage) -> AgentConfig:
        """An agent's own settings over those of all."""
        own = self.agents.get(stage)
        common = {name: getattr(self, name) for name in AgentConfig.model_fields}
        given = {} if own is None else {name: value for name, value in own if value is not None}
        return AgentConfig.model_construct(**{**common, **given})


def design_config(path: Path | None = None, *, environ: Mapping[str, str] = os.environ) -> DesignConfig:
    """The settings of the file at `path` or of the nearest `dure.toml`; the environment stands above the file.

    Raises:
        ConfigError: the file or a value in it is wrong.
    """
    file = read_config(path)
    config = with_environment(file, environ).section("design", DesignConfig)
    if file.path is None or not config.prompts or environ.get("DURE_PROMPTS", "").strip():
        return config
    return config.model_copy(update={"prompts": _beside(file.path, config.prompts)})


def _beside(file: Path, prompts: str) -> str:
    """A folder that a file names is beside that file, wherever the command is run."""
    is_folder = "://" not in prompts and prompts != PACKAGED
    return str(file.absolute().parent / Path(prompts).expanduser()) if is_folder else prompts


def with_environment(file: ConfigFile, environ: Mapping[str, str]) -> ConfigFile:
    """The file with what the environment says in its place."""
    given = {key: environ[name].strip() for name, key in _ENVIRONMENT.items() if environ.get(name, "").strip()}
    design = file.tables.get("design", {})
    if not given or not isinstance(design, dict):
        return file
    return ConfigFile(file.path, {**file.tables, "design": {**design, **given}})
