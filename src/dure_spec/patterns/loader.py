"""Pattern files (TOML) as checked models; what is wrong in a file is named with its pattern and field."""

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from pydantic import ValidationError

from dure.errors import ConfigError
from dure_spec.derive.identifiers import reserved_words
from dure_spec.patterns.model import Pattern, PatternPart, Suite
from dure_spec.patterns.rows import Row, read_rows, split_list, states_of

_LISTS = ("ko", "en", "not_within")
_BLOCKS = ("entities", "roles", "features", "rules", "relations")
_RESERVED = reserved_words("postgresql") | reserved_words("sqlite") | reserved_words("mysql")


class Library(PatternPart):
    """All patterns by file order, and the suites over them."""

    patterns: tuple[Pattern, ...]
    suites: tuple[Suite, ...] = ()


@cache
def shipped() -> Library:
    """The library that comes with the package."""
    return read_library(files("dure_spec.patterns") / "data")


def read_library(folder: Traversable) -> Library:
    """Read every `*.toml` of a folder; `suites.toml` holds the suites.

    Raises:
        ConfigError: a file cannot be read, or a pattern in it is wrong.
    """
    patterns: list[Pattern] = []
    suites: tuple[Suite, ...] = ()
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not file.name.endswith(".toml"):
            continue
        data = _parse(file)
        if file.name == "suites.toml":
            suites = tuple(_read_suite(file.name, key, row) for key, row in data.items())
        else:
            patterns.extend(_read_pattern(file.name, key, row) for key, row in data.items())
    _check_ids(patterns, suites)
    return Library(patterns=tuple(patterns), suites=suites)


def _parse(file: Traversable) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as bad:
        raise ConfigError(f"pattern file {file.name!r} cannot be read: {bad}") from bad


def _fault(file: str, pattern: str, field: str, problem: str) -> ConfigError:
    return ConfigError(f"pattern file {file!r}, pattern {pattern!r}, field {field!r}: {problem}")


def _read_pattern(file: str, key: str, row: object) -> Pattern:
    raw = _record(file, key, row)
    raw = {"id": key, **raw, "triggers": _triggers(file, key, raw.get("triggers"))}
    name = raw.pop("name", "")
    ko, _, en = name.partition("|") if isinstance(name, str) else ("", "", "")
    raw |= {"ko": ko.strip(), "en": en.strip(), "beats": _list(file, key, "beats", raw.get("beats", ""))}
    blocks = {field: _rows(file, key, field, raw.get(field, "")) for field in _BLOCKS}
    raw |= {**blocks, "states": states_of(blocks["features"])}
    try:
        pattern = Pattern.model_validate(raw)
    except ValidationError as bad:
        raise _fault(file, key, *_first(bad)) from bad
    problem = next(iter(faults_of(pattern)), None)
    if problem:
        raise _fault(file, key, *problem)
    return pattern


def _rows(file: str, key: str, field: str, text: object) -> tuple[Row, ...]:
    if not isinstance(text, str):
        raise _fault(file, key, field, "must be a text block with one row per line")
    try:
        return read_rows(text, field)
    except ValueError as bad:
        raise _fault(file, key, field, str(bad)) from None


def _read_suite(file: str, key: str, row: object) -> Suite:
    raw = _record(file, key, row)
    ko, _, en = str(raw.pop("name", "")).partition("|")
    raw |= {"id": key, "ko": ko.strip(), "en": en.strip(), "triggers": _triggers(file, key, raw.get("triggers"))}
    raw |= {field: _list(file, key, field, raw.get(field, "")) for field in ("modules", "later")}
    try:
        return Suite.model_validate(raw)
    except ValidationError as bad:
        raise _fault(file, key, *_first(bad)) from bad


def _record(file: str, key: str, row: object) -> dict[str, Any]:
    if not isinstance(row, dict):
        raise _fault(file, key, key, "must be a table such as [sales_order]")
    return dict(row)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] -- TOML keys are text


def _triggers(file: str, key: str, row: object) -> dict[str, Any]:
    raw = _record(file, key, row if row is not None else {})
    return {field: _list(file, key, f"triggers.{field}", value) for field, value in raw.items()}


def _list(file: str, key: str, field: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, str):
        raise _fault(file, key, field, "must be words separated by commas")
    return split_list(value)


def _first(bad: ValidationError) -> tuple[str, str]:
    error = bad.errors(include_url=False)[0]
    return ".".join(str(part) for part in error["loc"]) or "pattern", f"{error['msg']} (is {error['input']!r})"


def _check_ids(patterns: Iterable[Pattern], suites: Iterable[Suite]) -> None:
    known: set[str] = set()
    for pattern in patterns:
        if pattern.id in known:
            raise ConfigError(f"pattern {pattern.id!r} is in two files; give one of them another id")
        known.add(pattern.id)
    named = [(pattern.id, "beats", pattern.beats) for pattern in patterns]
    named += [(suite.id, "modules", suite.modules + suite.later) for suite in suites]
    for owner, field, ids in named:
        for wanted in ids:
            if wanted not in known:
                raise ConfigError(f"pattern {owner!r}, field {field!r}: there is no pattern {wanted!r}")


def faults_of(pattern: Pattern) -> Iterable[tuple[str, str]]:
    """What the fields of a pattern say against one another, as (field, problem)."""
    entities = {entity.en for entity in pattern.entities}
    roles = {role.en for role in pattern.roles}
    if not pattern.triggers.ko or not pattern.triggers.en:
        yield "triggers", "needs Korean and English words"
    for entity in pattern.entities:
        for name in (entity.en, *(column.name for column in entity.columns)):
            if name in _RESERVED:
                yield "entities", f"{name!r} is a reserved word of SQL"
        if entity.kind == "line" and entity.of is None:
            yield "entities", f"line {entity.en!r} does not say whose it is (`line<parent`)"
    owners = [("entities", entity.of) for entity in pattern.entities if entity.of]
    owners += [("features", name) for feature in pattern.features for name in feature.entities]
    owners += [("rules", name) for rule in pattern.rules for name in rule.entities]
    owners += [("relations", name) for row in pattern.relations for name in (row.from_, row.to, row.via) if name]
    yield from ((field, f"there is no entity {name!r}") for field, name in owners if name not in entities)
    for feature in pattern.features:
        yield from (("features", f"there is no role {name!r}") for name in feature.roles if name not in roles)
