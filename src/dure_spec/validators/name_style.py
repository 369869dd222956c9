"""Case styles of names: whether a name has one, and how it is written in it."""

import re
from typing import Literal

from dure_spec.artifacts.erd import Dialect
from dure_spec.derive.types import MAX_IDENTIFIER_BYTES, is_valid_identifier

NameStyle = Literal["snake_case", "camelCase", "PascalCase", "UPPER_SNAKE", "any"]

_SHAPES: dict[NameStyle, re.Pattern[str]] = {
    "snake_case": re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*"),
    "camelCase": re.compile(r"[a-z][a-zA-Z0-9]*"),
    "PascalCase": re.compile(r"[A-Z][a-zA-Z0-9]*"),
    "UPPER_SNAKE": re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*"),
    "any": re.compile(r".*", re.DOTALL),
}
# scripts without upper and lower case, Hangul among them, have every style
_CASELESS = re.compile(r"[^\W\d_A-Za-z]")
_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")
# `$` and `#` that engines take without quotes; MySQL also takes a digit in front
_PLAIN_IN: dict[Dialect, re.Pattern[str]] = {
    "postgresql": re.compile(r"[^\W\d][\w$]*"),
    "sqlite": re.compile(r"[^\W\d][\w$]*"),
    "mysql": re.compile(r"(?!\d+$)[\w$]+"),
    "oracle": re.compile(r"[^\W\d][\w$#]*"),
}


def has_style(name: str, style: NameStyle, *, caseless: bool) -> bool:
    """Whether a legal name is written so; `caseless` accepts letters that know no case."""
    if not caseless:
        return _SHAPES[style].fullmatch(name) is not None
    return any(_SHAPES[style].fullmatch(_CASELESS.sub(stand_in, name)) for stand_in in ("x", "X"))


def in_style(name: str, style: NameStyle) -> str:
    """The name written in the style; empty where nothing of it can be kept."""
    words = [word.lower() for word in _BOUNDARY.split(name) if word]
    if style == "any":
        return name if is_valid_identifier(name) else "_".join(words)
    if style in ("snake_case", "UPPER_SNAKE"):
        joined = "_".join(words)
        return joined.upper() if style == "UPPER_SNAKE" else joined
    upper = "".join(word.capitalize() for word in words)
    return upper if style == "PascalCase" else upper[:1].lower() + upper[1:]


def is_legal(name: str, dialect: Dialect | None) -> bool:
    """Whether SQL takes the name without quotes; `None` asks for what every engine takes."""
    if dialect is None:
        return is_valid_identifier(name)
    return _PLAIN_IN[dialect].fullmatch(name) is not None and len(name.encode()) <= MAX_IDENTIFIER_BYTES


def shortened(name: str) -> str:
    """The name cut at the end of a word so that engines keep all of it."""
    while len(name.encode()) > MAX_IDENTIFIER_BYTES:
        shorter = name[: max(name.rfind("_"), 0)]
        name = shorter or name.encode()[:MAX_IDENTIFIER_BYTES].decode(errors="ignore")
    return name
