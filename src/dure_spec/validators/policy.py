"""What a run asks of its validators, and what a validator answers with."""

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from dure_spec.artifacts.erd import Dialect
from dure_spec.artifacts.findings import Change, Severity, Waiver
from dure_spec.artifacts.shared import Language, Stage
from dure_spec.derive.words import Josa, josa

_PAIRS: dict[str, Josa] = {"이(가)": "이/가", "을(를)": "을/를", "은(는)": "은/는", "와(과)": "와/과"}
_PARTICLE = re.compile(r"(\S+)(이\(가\)|을\(를\)|은\(는\)|와\(과\))")


@dataclass(frozen=True, slots=True, kw_only=True)
class NameRules:
    """How tables and columns are to be named."""

    style: Literal["snake_case", "camelCase", "PascalCase", "UPPER_SNAKE", "any"] = "snake_case"
    table_number: Literal["plural", "singular", "consistent", "any"] = "consistent"
    """`consistent`: whichever of both most tables have."""
    forbidden_prefixes: tuple[str, ...] = ("tbl_", "t_", "tb_")
    audit: tuple[str, ...] = ("created_at", "updated_at")
    """Columns that a table of somebody else's schema gets where it has none that say when a row came or changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """House rules of a run; the defaults are those of the specification."""

    lang: Language = "ko"
    sentence: str = ""
    """What was asked for; empty where nobody knows."""
    origin: Literal["design", "source"] = "design"
    """`source` is a schema that somebody else wrote, without requirements, logical names or a glossary."""
    names: NameRules = NameRules()
    waivers: tuple[Waiver, ...] = ()
    postgresql: str | None = None
    """URL of a PostgreSQL server on which a throw-away schema may be created."""
    dialect: Dialect | None = None
    """`None` means the dialect that the design itself names."""
    reserved: frozenset[str] | None = None
    """`None` means the reserved words of the dialect."""
    column_style_share: float = 0.2
    """From this share of off-style columns on, the table as a whole is at fault."""
    sample_rows: int = 3
    engine_steps: int = 5_000_000
    """How much the engine that executes the DDL may do for one statement."""


@dataclass(frozen=True, slots=True)
class Text:
    """One message in both languages, with `{names}` for what the validator fills in.

    A Korean particle is written in both forms (`이(가)`); the one that fits the word is kept.
    """

    ko: str
    en: str

    def write(self, lang: Language, values: dict[str, str]) -> str:
        """The message in a language."""
        if lang == "en":
            return self.en.format_map(values)
        return _PARTICLE.sub(lambda match: josa(match[1], _PAIRS[match[2]]), self.ko.format_map(values))


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A finding without its number. `topic` names the mistake; `cause` the topic that it may follow from."""

    severity: Severity
    stage: Stage
    path: str
    ref: str
    text: Text
    values: dict[str, str] = field(default_factory=dict[str, str])
    expected: str = ""
    candidates: tuple[str, ...] = ()
    topic: str = ""
    cause: str = ""
    patch: tuple[Change, ...] = ()
    """The repair that the program can do by itself."""


def nearest(name: str, names: Iterable[str], count: int = 3) -> tuple[str, ...]:
    """The names most like this one, best first; case does not matter."""
    by_lower: dict[str, str] = {}
    for each in names:
        by_lower.setdefault(each.lower(), each)
    return tuple(by_lower[each] for each in difflib.get_close_matches(name.lower(), by_lower, n=count, cutoff=0.5))


def backend_draft(
    path: str,
    ref: str,
    text: Text,
    values: dict[str, str],
    candidates: tuple[str, ...] = (),
    *,
    severity: Severity = "critical",
    topic: str = "",
    cause: str = "",
    patch: tuple[Change, ...] = (),
) -> Draft:
    """A finding on the backend's artifact; the first candidate is what is expected."""
    return Draft(
        severity=severity,
        stage="backend",
        path=path,
        ref=ref,
        text=text,
        values=values,
        expected=candidates[0] if candidates else "",
        candidates=candidates,
        topic=topic,
        cause=cause,
        patch=patch,
    )
