"""A business pattern: what a kind of business usually keeps, who works with it, and what they do."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

EntityKind = Literal["party", "thing", "event", "line", "money", "log", "code"]
FeatureKind = Literal["crud", "workflow", "query", "report", "auth", "integration", "notification", "batch"]
FeatureAction = Literal["create", "list", "read", "update", "delete", "transition", "report", "login", "action"]
RuleKind = Literal["constraint", "derivation", "state", "permission"]
Priority = Literal["M", "S", "C"]
Cardinality = Literal["1:1", "1:N", "N:M"]

Text = Annotated[str, StringConstraints(min_length=1, max_length=200, strip_whitespace=True)]
Snake = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$", max_length=40)]
Upper = Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$", max_length=30)]
Hangul = Annotated[str, StringConstraints(pattern=r"[가-힣]", min_length=1, max_length=200)]
Words = Annotated[str, StringConstraints(pattern=r"^[^가-힣]+$", min_length=1, max_length=200)]


class PatternPart(BaseModel):
    """A piece of a pattern: strict, frozen, and closed to unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=True)


class Triggers(PatternPart):
    """Words of a sentence that call for the pattern; `a+b` asks for both, `a*` in English for a beginning."""

    ko: tuple[Hangul, ...] = ()
    en: tuple[Words, ...] = ()
    not_within: tuple[Text, ...] = ()
    """Longer words, Korean or English, that only look like a trigger."""


class ColumnHint(PatternPart):
    """A business column; `ddl` is its type with `unique` and the like, `ko` its logical name."""

    name: Snake
    ddl: Text
    ko: Hangul

    @property
    def text(self) -> str:
        """As one would write it inside `CREATE TABLE`."""
        return f"{self.name} {self.ddl}"


class PatternEntity(PatternPart):
    """Something that the business keeps; keys to other entities are in the relations, not in the columns."""

    en: Snake
    ko: Hangul
    kind: EntityKind
    of: Snake | None = None
    """The entity that a line item or a log belongs to."""
    core: bool = False
    """Nearly every system of this kind has it."""
    synonyms_ko: tuple[Text, ...] = ()
    synonyms_en: tuple[Text, ...] = ()
    columns: tuple[ColumnHint, ...] = Field(min_length=1, max_length=8)


class PatternRole(PatternPart):
    """Who works with the system, and to what end."""

    en: Words
    ko: Hangul
    goal_ko: Hangul
    goal_en: Words


class PatternFeature(PatternPart):
    """One thing to do; the first of `entities` is the one that the action changes."""

    en: Words
    ko: Hangul
    kind: FeatureKind
    action: FeatureAction
    to_state: Upper | None = None
    pri: Priority
    entities: tuple[Snake, ...] = Field(min_length=1)
    roles: tuple[Words, ...] = Field(min_length=1)


class PatternStates(PatternPart):
    """States of an entity, the first one initial; a transition is (from, to, English title of the feature)."""

    entity: Snake
    values: tuple[Upper, ...] = Field(min_length=2)
    transitions: tuple[tuple[Upper, Upper, Words], ...] = Field(min_length=1)


class PatternRule(PatternPart):
    """A business rule."""

    kind: RuleKind
    ko: Hangul
    en: Words
    entities: tuple[Snake, ...] = Field(min_length=1)


class PatternRelation(PatternPart):
    """How two entities belong together; `via` is the entity that joins an N:M."""

    from_: Snake = Field(alias="from")
    to: Snake
    card: Cardinality
    via: Snake | None = None


class Pattern(PatternPart):
    """Everything known about one kind of business."""

    id: Snake
    ko: Hangul
    en: Words
    level: int = Field(ge=0, le=3)
    """How specific it is: 0 almost any business, 3 one trade."""
    tiny: bool = False
    """A tool for one person, with one or two tables."""
    fallback: bool = False
    """Speaks only where no other pattern does."""
    beats: tuple[Snake, ...] = ()
    """More general patterns that say nothing new where this one fits."""
    triggers: Triggers
    entities: tuple[PatternEntity, ...] = Field(min_length=1, max_length=9)
    roles: tuple[PatternRole, ...] = Field(min_length=1, max_length=4)
    features: tuple[PatternFeature, ...] = Field(min_length=2, max_length=9)
    states: tuple[PatternStates, ...] = ()
    rules: tuple[PatternRule, ...] = ()
    relations: tuple[PatternRelation, ...] = ()


class Suite(PatternPart):
    """A wish too broad for one design, and the patterns of the modules to begin with."""

    id: Snake
    ko: Hangul
    en: Words
    triggers: Triggers
    modules: tuple[Snake, ...] = Field(min_length=2, max_length=4)
    """Ids of patterns, the first choice."""
    later: tuple[Snake, ...] = ()
    """Ids of patterns for another design."""


class Proposal(PatternPart):
    """What the patterns of a sentence suggest together, the most important first."""

    patterns: tuple[Snake, ...] = ()
    entities: tuple[PatternEntity, ...] = ()
    roles: tuple[PatternRole, ...] = ()
    features: tuple[PatternFeature, ...] = ()
    states: tuple[PatternStates, ...] = ()
    rules: tuple[PatternRule, ...] = ()
    relations: tuple[PatternRelation, ...] = ()
