"""What a parser returns: the artifact it could make, and the lines it could not use."""

from dataclasses import dataclass
from typing import Generic, TypeVar

A_co = TypeVar("A_co", covariant=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """A line that makes no sense; line 0 stands for the whole text."""

    line: int
    text: str
    expected: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Parsed(Generic[A_co]):
    """An artifact and the faults of the text that it was read from."""

    artifact: A_co
    faults: tuple[Fault, ...] = ()
