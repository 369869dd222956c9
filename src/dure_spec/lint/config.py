"""How a team lints: the `[lint]` table of `dure.toml`, what the environment says, and what the command line says.

[lint]
dialect = "postgresql"
fail_on = "major"
ignore = ["V11", "V04:legacy_*"]
[lint.names]
style = "snake_case"
table_number = "plural"
forbidden_prefixes = ["tbl_"]
audit = ["created_at", "updated_at"]
"""

import difflib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal, TypeVar, get_args

from pydantic import AfterValidator

from dure.errors import ConfigError
from dure_spec.artifacts.erd import Dialect
from dure_spec.artifacts.findings import Severity
from dure_spec.artifacts.shared import Language
from dure_spec.config_file import Section, read_config
from dure_spec.lint.ignoring import Ignore, check_pattern
from dure_spec.validators.policy import NameRules, Policy

T = TypeVar("T")

_LEGAL = re.compile(r"[^\W\d][\w$]*")


def _identifier(name: str) -> str:
    if not _LEGAL.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a column")
    return name


class NamesConfig(Section):
    """How tables and columns are to be named."""

    style: Literal["snake_case", "camelCase", "PascalCase", "UPPER_SNAKE", "any"] = "snake_case"
    table_number: Literal["plural", "singular", "consistent", "any"] = "consistent"
    forbidden_prefixes: tuple[str, ...] = ("tbl_", "t_", "tb_")
    audit: tuple[Annotated[str, AfterValidator(_identifier)], ...] = ("created_at", "updated_at")
    """Columns that `--fix` gives a table that has none of the kind; none at all where it is empty."""


class LintConfig(Section):
    """The `[lint]` table."""

    dialect: Dialect | None = None
    """`None` means that it is guessed of each file."""
    fail_on: Severity = "major"
    """The least severity that makes the command fail."""
    ignore: tuple[Annotated[str, AfterValidator(check_pattern)], ...] = ()
    """`V11`, or `V04:legacy_*` for the places that match."""
    names: NamesConfig = NamesConfig()


@dataclass(frozen=True, slots=True, kw_only=True)
class LintOptions:
    """Everything that decides a judgement."""

    lang: Language
    dialect: Dialect | None = None
    fail_on: Severity = "major"
    ignore: Ignore = field(default_factory=Ignore)
    names: NameRules = field(default_factory=NameRules)
    postgresql: str | None = None
    """URL of a server on which schemas of its dialect are tried."""

    def policy(self, *, sourced: bool, dialect: Dialect | None) -> Policy:
        """The house rules for somebody else's schema, or for a design of ours."""
        return Policy(
            lang=self.lang,
            origin="source" if sourced else "design",
            names=self.names,
            dialect=dialect,
            postgresql=self.postgresql,
        )


def lint_options(
    config: Path | None,
    *,
    dialect: str | None = None,
    fail_on: str | None = None,
    postgresql: str | None = None,
    environ: Mapping[str, str] = os.environ,
) -> LintOptions:
    """What holds: the command line before the environment before the file.

    Raises:
        ConfigError: the file, a key or a value is wrong; the text names it.
    """
    table = read_config(config).section("lint", LintConfig)
    return LintOptions(
        lang=_language(environ),
        dialect=table.dialect if dialect is None else one_of(dialect, get_args(Dialect), "--dialect"),
        fail_on=table.fail_on if fail_on is None else one_of(fail_on, get_args(Severity), "--fail-on"),
        ignore=Ignore(table.ignore),
        names=NameRules(**table.names.model_dump()),
        postgresql=postgresql or environ.get("DURE_POSTGRESQL") or None,
    )


def one_of(value: str, choices: tuple[T, ...], option: str) -> T:
    """The choice of this name.

    Raises:
        ConfigError: there is none.
    """
    for choice in choices:
        if choice == value:
            return choice
    near = difflib.get_close_matches(value.lower(), [str(choice) for choice in choices], n=1, cutoff=0.4)
    meant = f"; did you mean {near[0]}?" if near else ""
    raise ConfigError(f"{option} is {value!r}; give {', '.join(str(choice) for choice in choices)}{meant}")


def _language(environ: Mapping[str, str]) -> Language:
    """DURE_LANG, else the language of the terminal."""
    wanted = environ.get("DURE_LANG", "")
    if wanted in ("ko", "en"):
        return "ko" if wanted == "ko" else "en"
    if wanted:
        raise ConfigError(f"DURE_LANG is {wanted!r}; give ko or en")
    spoken = next(filter(None, (environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return "ko" if spoken.lower().startswith("ko") else "en"
