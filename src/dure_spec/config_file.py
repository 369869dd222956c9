"""`dure.toml`: where it is, what it says, and errors that name the file and the key."""

import difflib
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from dure.errors import ConfigError

NAME = "dure.toml"
MAX_BYTES = 1_000_000

M = TypeVar("M", bound=BaseModel)


class Section(BaseModel):
    """A table of the file. Unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


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
        if found.stat().st_size > MAX_BYTES:
            raise ConfigError(f"{found} is larger than {MAX_BYTES:,} bytes; that is no configuration")
        text = found.read_text(encoding="utf-8-sig")
        return ConfigFile(found, tomllib.loads(text))
    except FileNotFoundError as error:
        raise ConfigError(f"there is no file {found}; leave out --config, or name one that exists") from error
    except OSError as error:
        raise ConfigError(f"cannot read {found}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{found} is not UTF-8: byte {error.start} cannot be read") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{found} is no TOML: {error}") from error


def _nearest() -> Path | None:
    try:
        here = Path.cwd()
    except OSError:  # the folder was removed under our feet
        return None
    for folder in (here, *here.parents):
        path = folder / NAME
        if path.is_file() and os.access(path, os.R_OK):
            return path
    return None


def _fault(error: ValidationError, name: str, model: type[BaseModel]) -> str:
    """The first fault in one line: the key as it is written in the file, and what would be right."""
    first = error.errors(include_url=False)[0]
    key = ".".join((name, *(str(part) for part in first["loc"] if part != "[key]")))
    if first["type"] == "extra_forbidden":
        *_, last = first["loc"]
        near = difflib.get_close_matches(str(last), _names(model), n=1)
        return f"unknown key {key}" + (f"; did you mean {near[0]!r}?" if near else "")
    return f"{key}: {first['msg']}"


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
