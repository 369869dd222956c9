"""Patterns of a schema, run by an engine whose time grows only with the text: no pattern can hang a check."""

from functools import lru_cache
from typing import Protocol

MAX_KEPT = 32
"""Compiled patterns that are kept; the engine bounds each to 10 MB."""


class Matcher(Protocol):
    """A compiled pattern."""

    def isinstance_python(self, text: object, /) -> bool:
        """Whether the pattern is somewhere in the text."""
        ...


@lru_cache(maxsize=MAX_KEPT)
def compiled(pattern: str) -> Matcher | None:
    """The pattern, or `None` for one that needs look-around or back-references, or is no pattern at all."""
    from pydantic_core import SchemaError, SchemaValidator, core_schema

    try:
        return SchemaValidator(core_schema.str_schema(pattern=pattern))
    except SchemaError:
        return None


def found_in(pattern: str, text: str) -> bool:
    """Whether the pattern is somewhere in the text; true where it cannot be checked."""
    matcher = compiled(pattern)
    return matcher is None or matcher.isinstance_python(text)
