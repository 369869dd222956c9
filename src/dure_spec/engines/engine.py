"""The port to a database engine: a schema is tried on it, read back, and leaves no trace."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from dure.errors import DureError
from dure_spec.artifacts.erd import Dialect


class EngineAway(DureError):
    """The engine cannot be reached or has gone away; says nothing about the schema."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A statement that the engine did not take."""

    number: int
    """Its place among those that were given, from 0."""
    statement: str
    message: str
    """The engine's own words."""
    sqlstate: str = ""
    """Five letters of the SQL standard; empty where the engine has none."""
    position: int | None = None
    """The character of the statement at which the engine stopped, from 0."""
    row: bool = False
    """Whether a row was refused for what a CHECK says of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFacts:
    """A foreign key as the catalogue has it."""

    columns: tuple[str, ...]
    table: str
    targets: tuple[str, ...]
    on_delete: str
    """`CASCADE`, `NO ACTION`, … as the standard writes them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnFacts:
    """A column as the catalogue has it."""

    name: str
    type: str
    null: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFacts:
    """A table as the catalogue has it."""

    name: str
    columns: tuple[ColumnFacts, ...]
    primary_key: tuple[str, ...]
    uniques: frozenset[tuple[str, ...]]
    """Column lists of unique keys, the primary key not among them."""
    keys: tuple[KeyFacts, ...]
    checks: int
    """How many CHECK constraints it has."""


class Engine(Protocol):
    """One trial on one engine, from its opening to its end; every statement stands for itself."""

    @property
    def name(self) -> str:
        """What people call the engine: `SQLite`, `PostgreSQL`."""
        ...

    @property
    def dialect(self) -> Dialect:
        """Whose words it takes."""
        ...

    def execute(self, statements: Sequence[str]) -> tuple[Refusal, ...]:
        """Run all statements in order; one that is refused leaves the others as they are.

        Raises:
            EngineAway: the engine has gone away.
        """
        ...

    def insert(self, statements: Sequence[str]) -> tuple[Refusal, ...]:
        """Run INSERT statements up to the first refusal, deferred keys checked behind the last one.

        A refusal of deferred keys has the number of the last statement.

        Raises:
            EngineAway: the engine has gone away.
        """
        ...

    def catalogue(self) -> tuple[TableFacts, ...]:
        """All tables that are there, by name.

        Raises:
            EngineAway: the engine has gone away.
        """
        ...
