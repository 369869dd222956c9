"""Designs of ours as JSON: single artifacts, bundles of them, and the folder of a design; told by what they hold."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from dure_spec.artifacts import STAGES, Artifacts, Stage
from dure_spec.artifacts.bundle import FIELDS, MODELS
from dure_spec.artifacts.shared import Part
from dure_spec.lint.json_lines import JsonLines
from dure_spec.lint.positions import Region
from dure_spec.lint.text_files import TextFile, UnusableFile, read_text

_LISTS: Mapping[Stage, str] = {
    "ba": "reqs",
    "planner": "screens",
    "dba": "tables",
    "backend": "bos",
    "frontend": "components",
    "supervisor": "stages",
}
"""The list that only this artifact has."""
_SHOWN = 3


class JsonFile:
    """A JSON file with its places."""

    def __init__(self, file: TextFile) -> None:
        self.file = file
        try:
            self.value: Any = json.loads(file.text.lstrip("\ufeff"))
        except json.JSONDecodeError as error:
            raise UnusableFile(f"{file.name}:{error.lineno}: no JSON: {error.msg} at column {error.colno}") from error
        except (RecursionError, ValueError) as error:  # ValueError: a number of thousands of digits
            raise UnusableFile(f"{file.name}: no JSON that can be read: {error}") from error

    @cached_property
    def _lines(self) -> JsonLines:
        return JsonLines(self.file.text)

    def region(self, pointer: str) -> Region:
        """Where the value at a pointer stands."""
        return self._lines.region(pointer)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactPlace:
    """One artifact, and where in which file it stands."""

    stage: Stage
    json: JsonFile
    pointer: str
    """Empty where the file is the artifact."""
    part: Part


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignFiles:
    """Artifacts that are judged together."""

    places: Mapping[Stage, ArtifactPlace]
    artifacts: Artifacts

    @property
    def names(self) -> tuple[str, ...]:
        """The files, each once."""
        return tuple(dict.fromkeys(place.json.file.name for place in self.places.values()))


def is_json(file: TextFile) -> bool:
    """Whether a text can only be meant as JSON."""
    return file.text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[")


def design_of(files: Sequence[TextFile]) -> DesignFiles:
    """The artifacts of some files as one design.

    Raises:
        UnusableFile: a file holds none, one that has not its form, or one that another file has too.
    """
    places: dict[Stage, ArtifactPlace] = {}
    for file in files:
        found = list(_places(JsonFile(file)))
        if not found:
            raise UnusableFile(f"{file.name}: JSON, but no artifact of a design (prd, ia, erd, backend, frontend)")
        for place in found:
            other = places.setdefault(place.stage, place)
            if other is not place:
                name = FIELDS[place.stage]
                raise UnusableFile(f"{file.name}: a second {name} beside {other.json.file.name}; lint them one by one")
    return _design(places)


def design_in(folder: Path) -> tuple[TextFile, ...]:
    """The files of a folder that hold artifacts; others are passed over.

    Raises:
        UnusableFile: the folder has none, or cannot be read.
    """
    try:
        names = sorted(path for path in folder.iterdir() if path.suffix == ".json" and path.is_file())
    except OSError as error:
        raise UnusableFile(f"{folder}: cannot be read: {error.strerror or error}") from error
    files = [read_text(str(path)) for path in names]
    chosen = tuple(file for file in files if is_json(file) and any(True for _ in _shapes(JsonFile(file).value)))
    if not chosen:
        raise UnusableFile(f"{folder}: a folder without artifacts of a design; name the SQL files in it")
    return chosen


def _design(places: Mapping[Stage, ArtifactPlace]) -> DesignFiles:
    ordered: dict[Stage, ArtifactPlace] = {stage: places[stage] for stage in STAGES if stage in places}
    fields = {FIELDS[stage]: place.part for stage, place in ordered.items()}
    return DesignFiles(places=ordered, artifacts=Artifacts().model_copy(update=fields))


def _places(file: JsonFile) -> Iterator[ArtifactPlace]:
    for stage, pointer, value in _shapes(file.value):
        try:
            part = MODELS[stage].model_validate(value)
        except ValidationError as error:
            raise UnusableFile(_formless(file, stage, pointer, error)) from error
        yield ArtifactPlace(stage=stage, json=file, pointer=pointer, part=part)


def _shapes(value: object) -> Iterator[tuple[Stage, str, object]]:
    """Which artifacts a value holds, and where."""
    if not isinstance(value, dict):
        return
    fields = cast("dict[str, object]", value)
    for stage, name in _LISTS.items():
        if isinstance(fields.get(name), list):
            yield stage, "", fields
            return
    for stage, name in FIELDS.items():
        if isinstance(fields.get(name), dict):
            yield stage, f"/{name}", fields[name]


def _formless(file: JsonFile, stage: Stage, pointer: str, error: ValidationError) -> str:
    """The first faults of form in one line."""
    faults = error.errors(include_url=False)
    said: list[str] = []
    for fault in faults[:_SHOWN]:
        steps = [str(step) for step in fault["loc"]]
        line = file.region(pointer + "".join(f"/{step}" for step in steps)).line
        said.append(f"line {line} {'.'.join(steps) or stage}: {fault['msg']}")
    more = f"; {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
    return f"{file.file.name}: no {FIELDS[stage]}: {'; '.join(said)}{more}"
