"""What a design run tells whoever watches it: facts in order, enough for any view."""

from dataclasses import dataclass

from dure.usage import Usage
from dure_spec.artifacts.findings import Finding, Fix
from dure_spec.artifacts.report import Retry, Verdict
from dure_spec.artifacts.shared import Language, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted:
    """A run begins or goes on; `kept` are the stages that need no work any more."""

    run_id: str
    sentence: str
    model: str
    out: str
    kept: tuple[Stage, ...] = ()
    lang: Language | None = None
    """Of the design and of everything that is told about it; `None` means that of the sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPreparing:
    """The model is being started or loaded; the first answer takes longer."""

    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptStarted:
    """A stage begins its attempt; 1 is the first, more are retries."""

    stage: Stage
    attempt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """A question leaves for the model; `about` is a few words for people."""

    stage: Stage
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """The model wrote some more text."""

    stage: Stage
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """One model call of a stage is complete."""

    stage: Stage
    usage: Usage
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Disturbed:
    """A model call failed or its answer was refused, and another try follows."""

    stage: Stage
    reason: str
    delay: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptJudged:
    """The gate's score of an attempt."""

    stage: Stage
    attempt: int
    score: float
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoFixed:
    """The program repaired findings of an attempt by itself; `score` and `findings` are what the gate says now."""

    stage: Stage
    attempt: int
    score: float
    fixes: tuple[Fix, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageAccepted:
    """An artifact is accepted and stored; nothing will recompute it."""

    stage: Stage
    verdict: Verdict
    score: float
    attempts: int
    usage: Usage
    seconds: float
    fixes: tuple[Fix, ...] = ()
    """What the program repaired in it by itself."""
    retries: tuple[Retry, ...] = ()
    edited_by: str | None = None
    """Who changed it by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageStopped:
    """A stage ended without an acceptable artifact."""

    stage: Stage
    reason: str
    score: float | None = None
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFinished:
    """All artifacts are accepted and rendered into `files`."""

    run_id: str
    out: str
    files: tuple[str, ...]
    usage: Usage
    seconds: float
    open_questions: tuple[str, ...] = ()
    """What the design leaves for people to decide."""
    forced: tuple[Stage, ...] = ()
    """Stages of any sitting that were accepted below the passing score."""
    remaining: tuple[Finding, ...] = ()
    """What those still have, each once."""
    waived: tuple[Finding, ...] = ()
    """What people let stay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One thing that a person can do, and the command for it."""

    about: str
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStopped:
    """The run ended before its report; `exit_code` and `next_step` say why and what to do."""

    run_id: str
    """Empty where there is nothing to go on with."""
    reason: str
    next_step: str
    exit_code: int
    ways: tuple[Way, ...] = ()
    """Where a person has to choose: each leads on."""


PipelineEvent = (
    RunStarted
    | ModelPreparing
    | AttemptStarted
    | Asking
    | Writing
    | Spent
    | Disturbed
    | AttemptJudged
    | AutoFixed
    | StageAccepted
    | StageStopped
    | RunFinished
    | RunStopped
)
