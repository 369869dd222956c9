"""What one stage is asked to do: everything an agent may read, frozen."""

from dataclasses import dataclass

from dure_spec.agents.prompt_files import StagePrompts
from dure_spec.artifacts import Artifacts, Part, Stage
from dure_spec.artifacts.findings import Judgement
from dure_spec.artifacts.report import StageRow
from dure_spec.artifacts.shared import Language
from dure_spec.intake import Intake
from dure_spec.patterns import Proposal


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One attempt of one stage."""

    stage: Stage
    intake: Intake
    proposal: Proposal
    artifacts: Artifacts
    """Accepted artifacts of the stages before."""
    prompts: StagePrompts
    lang: Language
    small: bool = False
    """Ask short closed questions instead of the whole artifact."""
    grammar: bool = False
    """The model enforces a GBNF grammar."""
    attempt: int = 1
    previous: Part | None = None
    """The best artifact so far, to be repaired."""
    judgement: Judgement | None = None
    """What the gate found in `previous`."""
    repeated: Judgement | None = None
    """What the gate found the time before, so that repeated findings can be marked."""
    stages: tuple[StageRow, ...] = ()
    """How the stages before went; only the Supervisor reads it."""
    defaulted: tuple[str, ...] = ()
    """Questions of the stages before that no model answer decided; only the Supervisor reads it."""
