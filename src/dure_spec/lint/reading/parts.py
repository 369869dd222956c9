"""What one item of CREATE TABLE or one action of ALTER TABLE says, with the places of the words that say it."""

from dataclasses import dataclass, field

from dure_spec.artifacts.erd import OnDelete
from dure_spec.lint.reading.cursor import Named
from dure_spec.lint.reading.tokens import Token


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A piece of the text, from and to which character."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPart:
    """A key or an index over columns."""

    columns: tuple[Token, ...]
    place: Stretch


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignPart:
    """A foreign key; no targets means the target's primary key."""

    columns: tuple[Token, ...]
    target: Named
    targets: tuple[Token, ...]
    on_delete: OnDelete | None
    deferrable: bool
    place: Stretch


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckPart:
    """A CHECK: the tokens inside its parentheses."""

    tokens: tuple[Token, ...]
    place: Stretch


@dataclass(slots=True, kw_only=True)
class ColumnPart:
    """A column's definition; `null` is `None` where nothing is said."""

    name: Token
    place: Stretch
    type: tuple[Token, ...] = ()
    null: bool | None = None
    default: tuple[Token, ...] | None = None
    comment: str = ""


@dataclass(slots=True, kw_only=True)
class Item:
    """Everything that one item says."""

    place: Stretch
    column: ColumnPart | None = None
    primary: KeyPart | None = None
    primary_index: Token | None = None
    """The unique index that becomes the primary key."""
    uniques: list[KeyPart] = field(default_factory=list[KeyPart])
    indexes: list[KeyPart] = field(default_factory=list[KeyPart])
    foreigns: list[ForeignPart] = field(default_factory=list[ForeignPart])
    checks: list[CheckPart] = field(default_factory=list[CheckPart])
    like: Named | None = None
    like_keys: bool = False
    """Whether the keys of the table that it is like are taken too."""
    odd: Token | None = None
    """The first token that is not understood."""


def stretch(tokens: list[Token] | tuple[Token, ...]) -> Stretch:
    """Where some tokens stand; there is at least one."""
    return Stretch(start=tokens[0].start, end=tokens[-1].end)
