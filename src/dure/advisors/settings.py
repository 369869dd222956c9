"""Checks of what programmers give to an advisor: wrong settings are a `ConfigError` at construction."""

import math
from collections.abc import Callable
from typing import cast

from dure.errors import ConfigError


def whole(advisor: str, name: str, value: object, *, least: int = 0) -> None:
    """Refuse what is not a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ConfigError(f"{advisor}: {name} must be a whole number, not {value!r}")
    if value < least:
        too_little = "must not be negative" if least == 0 else f"must be at least {least}"
        raise ConfigError(f"{advisor}: {name} {too_little}, not {value!r}")


def number(advisor: str, name: str, value: object, *, least: float = 0) -> None:
    """Refuse what is not a finite number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ConfigError(f"{advisor}: {name} must be a number, not {value!r}")
    if value < least:
        too_little = "must not be negative" if least == 0 else f"must be at least {least}"
        raise ConfigError(f"{advisor}: {name} {too_little}, not {value!r}")


def word(advisor: str, name: str, value: object, words: tuple[str, ...]) -> None:
    """Refuse what is none of `words`."""
    if value not in words:
        raise ConfigError(f"{advisor}: {name} must be one of {', '.join(map(repr, words))}, not {value!r}")


def text(advisor: str, name: str, value: object) -> None:
    """Refuse what is not a text, or blank."""
    if not isinstance(value, str) or not value.strip():
        raise ConfigError(f"{advisor}: {name} must be a text that is not blank, not {value!r}")


def function(advisor: str, name: str, value: object) -> None:
    """Refuse what cannot be called, and a class where its instance belongs."""
    if isinstance(value, type) or not callable(value):
        raise ConfigError(f"{advisor}: {name} must be a function, not {value!r}")


def instance(advisor: str, name: str, value: object, *, having: str, kind: str) -> None:
    """Refuse a class where its instance belongs, and what has no method `having`."""
    if isinstance(value, type) or not callable(getattr(value, having, None)):
        raise ConfigError(f"{advisor}: {name} must be a {kind}, not {value!r}")


def items(advisor: str, name: str, value: object, check: Callable[[object], None]) -> None:
    """Refuse what is no tuple or list, and a text, which would be taken letter by letter."""
    if isinstance(value, str) or not isinstance(value, tuple | list):
        raise ConfigError(f"{advisor}: {name} must be a tuple, not {value!r}")
    for one in cast("tuple[object, ...]", value):
        check(one)
