"""What is known about a sentence before any model reads it."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from dure_spec.artifacts.shared import Language

Verdict = Literal["ok", "refused"]
Scope = Literal["small", "normal", "broad"]


class IntakePart(BaseModel):
    """A piece of an intake: frozen and closed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Substitution(IntakePart):
    """An unsafe wish, the safe way that takes its place, and the question for the user."""

    id: str
    asked: str
    instead: str
    question_text: str
    options: tuple[str, ...]
    default: str


class ScopeQuestion(IntakePart):
    """Which modules come first; `modules` are the pattern ids of the default."""

    text: str
    options: tuple[str, ...]
    default: str
    modules: tuple[str, ...]


class Intake(IntakePart):
    """A checked sentence; texts are in its language."""

    sentence: str
    """NFC, trimmed, line ends as newline."""
    lang: Language
    verdict: Verdict = "ok"
    reason: str = ""
    """Why it is refused."""
    scope: Scope = "normal"
    substitutions: tuple[Substitution, ...] = ()
    scope_question: ScopeQuestion | None = None
    out_of_scope: tuple[str, ...] = ()
    """What a broad wish leaves for another design."""
    needs_database: bool = True
    """False for calculators, timers, games, static pages: at most a table for what they remember."""
