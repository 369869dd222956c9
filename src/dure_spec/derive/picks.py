"""Decisions that a model may take for one requirement; code computes what it leaves open."""

from dataclasses import dataclass
from typing import Literal

Host = Literal["list", "detail", "form", "dashboard", "report"]
OpAction = Literal["create", "read", "update", "delete", "list", "transition", "action", "login", "report"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ScreenPick:
    """Where a requirement lives: the kind of screen, and the glossary term that the screen is about."""

    host: Host
    entity: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class OpPick:
    """What a requirement does: an action on a table, and the state it leads to for a transition."""

    action: OpAction
    table: str
    to_state: str | None = None
