"""The BA's artifact: what is wanted, by whom, in which words, and how one can tell it works."""

from typing import Literal

from pydantic import Field

from dure_spec.artifacts.shared import (
    ActorId,
    CriterionId,
    Language,
    NfrId,
    Part,
    QuestionId,
    RequirementId,
    RuleId,
)

RequirementKind = Literal["crud", "workflow", "query", "report", "auth", "integration", "notification", "batch"]
NfrCategory = Literal["performance", "security", "availability", "audit", "usability", "capacity", "privacy", "i18n"]


class Project(Part):
    """Name and purpose of the whole."""

    key: str
    name: str
    summary: str
    lang: Language = "ko"


class Actor(Part):
    """Who uses the system, or which system does."""

    id: ActorId
    name: str
    kind: Literal["human", "system"]
    goal: str


class Term(Part):
    """A word of the domain; `en` (snake_case, singular) names its table and object."""

    term: str
    en: str
    definition: str = Field(alias="def")
    synonyms: tuple[str, ...] = ()


class Criterion(Part):
    """Acceptance criterion: given, when, then."""

    id: CriterionId
    g: str
    w: str
    t: str


class Requirement(Part):
    """One thing the system must do."""

    id: RequirementId
    title: str
    actors: tuple[ActorId, ...]
    text: str
    pri: Literal["M", "S", "C", "W"]
    kind: RequirementKind
    entities: tuple[str, ...]
    """Glossary terms."""
    rules: tuple[RuleId, ...] = ()
    src: Literal["user", "inferred", "clarified"]
    ac: tuple[Criterion, ...]


class Nfr(Part):
    """A measurable quality."""

    id: NfrId
    cat: NfrCategory
    text: str
    metric: str
    target: float | str
    unit: str = ""
    scope: tuple[RequirementId, ...]


class Rule(Part):
    """A business rule; some column or operation must enforce it."""

    id: RuleId
    kind: Literal["constraint", "derivation", "state", "permission"]
    text: str
    entities: tuple[str, ...]


class StateMachine(Part):
    """The states of one entity; `transitions` are (from, to, requirement id)."""

    entity: str
    values: tuple[str, ...]
    transitions: tuple[tuple[str, ...], ...]


class Question(Part):
    """What only the user can decide; the default keeps an unattended run going."""

    id: QuestionId
    text: str
    options: tuple[str, ...]
    default: str
    impact: tuple[RequirementId, ...]


class Prd(Part):
    """Product requirements document."""

    project: Project
    actors: tuple[Actor, ...]
    glossary: tuple[Term, ...]
    reqs: tuple[Requirement, ...]
    nfrs: tuple[Nfr, ...]
    rules: tuple[Rule, ...]
    states: tuple[StateMachine, ...] = ()
    questions: tuple[Question, ...] = ()
    out_of_scope: tuple[str, ...] = ()
