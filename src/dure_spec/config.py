"""What a team decides once for all its runs: models, middleware, autofix, prompts, the lint's rules."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

Autofix = Literal["off", "minor", "all"]


class DesignConfig(BaseModel):
    """The `[design]` part of `dure.toml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    autofix: Autofix = "all"
    """Which findings the program repairs itself before anything is asked again: none, the minor ones, all it can."""
    prompts: str | None = None
    """Where prompts come from: a folder, `redis://…` or `postgresql://…`; nothing means those that are packaged."""
    postgresql: str | None = None
    """URL of a server on which the DDL is tried besides SQLite."""
