"""The door for a user's sentence: checked, judged, and bounded by code before any model call."""

from dure_spec.intake.model import Intake, Scope, ScopeQuestion, Substitution, Verdict
from dure_spec.intake.screening import screen
from dure_spec.intake.sentence import MAX_CHARACTERS

__all__ = ["MAX_CHARACTERS", "Intake", "Scope", "ScopeQuestion", "Substitution", "Verdict", "screen"]
