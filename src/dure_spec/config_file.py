"""`dure.toml`: where it is, what it says, and errors that name the file and the key."""

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypeVar, cast, get_args

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from dure.errors import ConfigError

NAME = "dure.toml"
TABLES = ("design", "lint")
MAX_BYTES = 1_000_000

_SAID = {
    "model_type": "write it as a table of keys, such as [design]",
    "string_type": 'write it in quotes, as "…"',
    "int_type": "write a whole number without quotes",
    "bool_type": "write true or false without quotes",
}
"""In the place of the words of the library, which are for programmers."""

M = TypeVar("M", bound=BaseModel)


class Section(BaseModel):
    """A table of the file. Unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    @model_validator(mode="before")
    @classmethod
    def _arrays_as_tuples(cls, table: object) -> object:
        """So that types can be held strictly: `true` is no number."""
        return _frozen(table)


class ConfigFile(NamedTuple):
    """What a file says; `path` is `None` where there is none."""

    path: Path | None
    tables: Mapping[str, object]

    def section(self, name: str, model: type[M]) -> M:
        """The table of this name, checked; all defaults where it is not there.

        Raises:
            ConfigError: a key or a value in it is wrong.
        """
        try:
            return model.model_validate(self.tables.get(name, {}))
        except ValidationError as error:
            raise ConfigError(f"{self.path or NAME}: {_fault(error, name, model)}") from error


def read_config(path: Path | None = None) -> ConfigFile:
    """The file at `path`, else the nearest `dure.toml` in this folder or above.

    Raises:
        ConfigError: a file that was named is not there, or one cannot be read or is no TOML.
    """
    found = path or _nearest()
    if found is None:
        return ConfigFile(None, {})
    try:
        tables = tomllib.loads(read_bounded(found, MAX_BYTES, "configuration"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{found} is no TOML: {error}") from error
    for table in tables:
        if table not in TABLES:
            raise ConfigError(f"{found}: unknown table {table}{_near(table, TABLES)}; there are: {', '.join(TABLES)}")
    return ConfigFile(found, tables)


def read_bounded(path: Path, most: int, kind: str) -> str:
    """The text of a file that a user named, of at most `most` bytes; it may be a pipe.

    Raises:
        ConfigError: it cannot be read, is larger, or is not UTF-8.
    """
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
    except FileNotFoundError as error:
        raise ConfigError(f"there is no file {path}; name one that exists") from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise ConfigError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from error
    if len(content) > most:
        raise ConfigError(f"{path} is larger than {most:,} bytes; that is no {kind}")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8: byte {error.start:,} cannot be read; save it as UTF-8") from error


def _nearest() -> Path | None:
    try:
        here = Path.cwd()
    except OSError:  # the folder was removed under our feet
        return None
    for folder in (here, *here.parents):
        path = folder / NAME
        with suppress(PermissionError):  # a folder above that nobody may look into
            if path.is_file() or path.is_symlink():
                return path
    return None


def _fault(error: ValidationError, name: str, model: type[BaseModel]) -> str:
    """The first fault in one line: the key as it is written in the file, and what would be right."""
    first = error.errors(include_url=False)[0]
    key = ".".join((name, *(str(part) for part in first["loc"] if part != "[key]")))
    if first["type"] == "extra_forbidden":
        *_, last = first["loc"]
        return f"unknown key {key}{_near(str(last), _names(model))}"
    return f"{key}: {_SAID.get(first['type']) or first['msg'].removeprefix('Value error, ')}"


def _frozen(value: object) -> object:
    if isinstance(value, dict):
        return {name: _frozen(inner) for name, inner in cast(dict[str, object], value).items()}
    return tuple(map(_frozen, cast(list[object], value))) if isinstance(value, list) else value


def _near(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]!r}?" if near else ""


def _names(model: type[BaseModel]) -> list[str]:
    """Every key that this table or one inside it knows."""
    names: dict[str, None] = {}
    waiting: list[type[BaseModel]] = [model]
    for each in waiting:
        for key, field in each.model_fields.items():
            names[field.alias or key] = None
            waiting.extend(inner for inner in _models(field.annotation) if inner not in waiting)
    return list(names)


def _models(annotation: object) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in _models(part)]
