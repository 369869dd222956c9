"""Steps of JSON Patch (RFC 6902) on a document in place, each with the way back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from dure_spec.artifacts.findings import Change
from dure_spec.artifacts.shared import Part


@dataclass(frozen=True, slots=True)
class Taken:
    """A step that was taken."""

    undo: Callable[[], object]
    shifts: bool = False
    """Whether items of a list stand elsewhere now."""


class StepFailed(Exception):
    """A test does not hold, or there is no such place."""


def take_step(document: object, step: Change) -> Taken:
    """Change the document, or look whether it is as the patch expects; gives how to take the change back.

    Raises:
        StepFailed: the document is as it was.
    """
    *way, last = parts(step.path)
    holder = document
    for name in way:
        holder = _child(holder, name)
    if isinstance(holder, list):
        return _in_list(cast("list[Any]", holder), last, step)
    if isinstance(holder, dict):
        return _in_object(cast("dict[str, Any]", holder), last, step)
    raise StepFailed(step.path)


def parts(path: str) -> list[str]:
    """The names in a JSON pointer.

    Raises:
        StepFailed: it is none, or it means the whole document.
    """
    if not path.startswith("/"):
        raise StepFailed(path)
    return [part.replace("~1", "/").replace("~0", "~") for part in path[1:].split("/")]


def plain(value: object) -> object:
    """A value as JSON has it: tuples are lists, parts are objects."""
    if isinstance(value, Part):
        return value.model_dump(mode="json", by_alias=True)
    if isinstance(value, list | tuple):
        return [plain(each) for each in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {name: plain(each) for name, each in cast("dict[str, Any]", value).items()}
    return value


def _child(holder: object, name: str) -> object:
    if isinstance(holder, list):
        items = cast("list[Any]", holder)
        return items[_position(name, len(items) - 1)]
    if isinstance(holder, dict) and name in holder:
        return cast("dict[str, Any]", holder)[name]
    raise StepFailed(name)


def _position(name: str, last: int) -> int:
    if not name.isdecimal() or int(name) > last:
        raise StepFailed(name)
    return int(name)


def _in_list(items: list[Any], name: str, step: Change) -> Taken:
    if step.op == "add":
        place = len(items) if name == "-" else _position(name, len(items))
        items.insert(place, plain(step.value))
        return Taken(lambda: items.pop(place), shifts=name != "-")
    place = _position(name, len(items) - 1)
    old = items[place]
    if step.op == "remove":
        del items[place]
        return Taken(lambda: items.insert(place, old), shifts=True)
    if step.op == "test":
        return _expected(old, step)
    items[place] = plain(step.value)
    return Taken(lambda: items.__setitem__(place, old))


def _in_object(fields: dict[str, Any], name: str, step: Change) -> Taken:
    there = name in fields
    if step.op != "add" and not there:
        raise StepFailed(step.path)
    old = fields.get(name)
    if step.op == "test":
        return _expected(old, step)
    if step.op == "remove":
        del fields[name]
    else:
        fields[name] = plain(step.value)
    return Taken((lambda: fields.__setitem__(name, old)) if there else (lambda: fields.pop(name)))


def _expected(found: object, step: Change) -> Taken:
    wanted = plain(step.value)
    if found != wanted or isinstance(found, bool) != isinstance(wanted, bool):
        raise StepFailed(step.path)
    return Taken(lambda: None)
