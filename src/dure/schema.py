"""JSON that models write: found in their text, parsed, and checked against a schema or a type.

The same cleaning precedes every check and every parse, so that what passes the one passes the other.
Nothing is ever fetched: a reference out of a schema is a fault. The heavy libraries load on first use.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, Protocol, TypeVar, cast

T = TypeVar("T")

Json = Any
"""A value that `json.dumps` accepts."""

MAX_FAULTS = 10
"""Faults told at once; more would only bury the first."""
MAX_FAULT_CHARACTERS = 300
MAX_TRIES = 1000
"""Brackets of one answer that are looked at; more is no prose."""

_THOUGHT_TAG = re.compile(r"<(/?)(?:think|thinking|reasoning)>", re.IGNORECASE)
_WHOLE_FENCE = re.compile(r"```[^\n`]*\n(.*)\n\s*```", re.DOTALL)
_OPENING = re.compile(r"[{\[]")
_NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
_VALUES = frozenset({"default", "const", "enum", "examples"})


class HasErrors(Protocol):
    """A pydantic `ValidationError`, which is not imported here."""

    def errors(self, *, include_url: bool, include_context: bool) -> Sequence[Any]:
        """One entry for each fault, with `loc` and `msg`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed(Generic[T]):
    """A value, or the faults that kept it from being one."""

    value: T | None = None
    faults: tuple[str, ...] = ()


def load_json(text: str) -> Parsed[Any]:
    """The JSON value that the whole text is; strict, so NaN is none."""
    if not text:
        return Parsed(faults=("$: the answer is empty",))
    try:
        return Parsed(value=json.loads(text, parse_constant=_refuse_constant))
    except RecursionError:
        return Parsed(faults=("$: nested too deeply",))
    except ValueError as error:
        return Parsed(faults=(_short(f"$: not valid JSON: {error}"),))


def without_thoughts(text: str) -> str:
    """The text without thinking tags and what is in them.

    A closing tag alone ends thinking that began before the text; an opening tag alone never ends.
    """
    kept: list[str] = []
    start, thinking = 0, False
    for tag in _THOUGHT_TAG.finditer(text):
        if tag[1]:
            kept = kept if thinking else []
            start, thinking = tag.end(), False
        elif not thinking:
            kept.append(text[start : tag.start()])
            thinking = True
    if not thinking:
        kept.append(text[start:])
    return "".join(kept).strip()


def json_text(text: str) -> str:
    """The JSON value in a model's answer: without thoughts, fences and the prose around it.

    A value that begins well and then breaks is never searched for smaller pieces; what comes back
    is then the cleaned text, and parsing it names the fault.
    """
    stripped = text.strip()
    if load_json(stripped).faults == ():
        return stripped
    plain = without_thoughts(stripped)
    fence = _WHOLE_FENCE.fullmatch(plain)
    for candidate in (plain, fence[1].strip() if fence else ""):
        if load_json(candidate).faults == ():
            return candidate
    return max(_values_in(plain), key=len, default=plain)


def parse_json(text: str) -> Parsed[Any]:
    """The JSON value in a model's answer, whatever it is."""
    return load_json(json_text(text))


def parse_by_schema(text: str, schema: Mapping[str, Any]) -> Parsed[Any]:
    """The JSON value in a model's answer, if it is of `schema`."""
    parsed = parse_json(text)
    return parsed if parsed.faults else Parsed(value=parsed.value, faults=check(parsed.value, schema))


def parse_as(text: str, output_type: type[T]) -> Parsed[T]:
    """The JSON value in a model's answer as an `output_type` (anything pydantic can read)."""
    from pydantic import TypeAdapter, ValidationError

    found = json_text(text)
    syntax = load_json(found).faults
    if syntax:
        return Parsed(faults=syntax)
    try:
        return Parsed(value=TypeAdapter(output_type).validate_json(found))
    except ValidationError as error:
        return Parsed(faults=validation_faults(error))


def check(value: Json, schema: Mapping[str, Any]) -> tuple[str, ...]:
    """What is wrong with `value` under `schema` (draft 2020-12), each with its path; empty if nothing."""
    from jsonschema import Draft202012Validator
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    registry: Registry[Any] = Registry()  # without a way to fetch anything
    validator = cast(Any, Draft202012Validator)(schema, registry=registry)
    faults: list[str] = []
    try:
        for error in validator.iter_errors(value):
            faults.append(_short(f"{_path(error.absolute_path)}: {error.message}"))
            if len(faults) == MAX_FAULTS:
                break
    except Unresolvable as error:
        return (f"$: the schema refers to {error.ref!r}, which is not in it; nothing is fetched",)
    return tuple(faults)


def schema_faults(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """What keeps `schema` from being used: not a schema of draft 2020-12, or references out of it."""
    from jsonschema import Draft202012Validator

    validator = cast(Any, Draft202012Validator)(Draft202012Validator.META_SCHEMA)
    broken = [_short(f"{_path(error.absolute_path)}: {error.message}") for error in validator.iter_errors(schema)]
    outside = [ref for ref in _references(schema) if not ref.startswith("#")]
    return (*broken[:MAX_FAULTS], *(f"$ref {ref!r} is outside the schema; nothing is fetched" for ref in outside))


def json_schema_of(output_type: object) -> dict[str, Any]:
    """The JSON Schema of anything pydantic can read, without the titles that only cost tokens."""
    from pydantic import TypeAdapter

    return without_titles(TypeAdapter(cast(Any, output_type)).json_schema())


def without_titles(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The same schema without `title`; properties that are called so stay."""
    return {
        key: value if key in _VALUES else _untitled_part(key, value)
        for key, value in schema.items()
        if not (key == "title" and isinstance(value, str))
    }


def validation_faults(error: HasErrors) -> tuple[str, ...]:
    """A pydantic `ValidationError` as lines with paths."""
    found = error.errors(include_url=False, include_context=False)
    return tuple(_short(f"{_path(one['loc'])}: {one['msg']}") for one in found[:MAX_FAULTS])


def _untitled_part(key: str, value: Json) -> Json:
    if isinstance(value, Mapping):
        part = cast(Mapping[str, Any], value)
        return {name: _untitled_part("", one) for name, one in part.items()} if key in _NAMED else without_titles(part)
    if isinstance(value, list):
        return [_untitled_part("", one) for one in cast(list[Any], value)]
    return value


def _references(part: Json) -> Iterator[str]:
    if isinstance(part, Mapping):
        for key, value in cast(Mapping[str, Any], part).items():
            if key in {"$ref", "$dynamicRef"} and isinstance(value, str):
                yield value
            elif key not in _VALUES:
                yield from _references(value)
    elif isinstance(part, list):
        for value in cast(list[Any], part):
            yield from _references(value)


def _values_in(text: str) -> Iterator[str]:
    """Every JSON object or array that stands in prose, up to the first that begins well and breaks."""
    decoder = json.JSONDecoder(parse_constant=_refuse_constant)
    end = 0
    for _ in range(MAX_TRIES):
        opening = _OPENING.search(text, end)
        if opening is None:
            return
        start = opening.start()
        try:
            _, end = decoder.raw_decode(text, start)
            yield text[start:end]
        except json.JSONDecodeError as error:
            if error.pos > start + 1:
                return
            end = start + 1
        except (ValueError, RecursionError):
            return


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _path(parts: Sequence[str | int]) -> str:
    return "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts)


def _short(fault: str) -> str:
    return fault if len(fault) <= MAX_FAULT_CHARACTERS else fault[: MAX_FAULT_CHARACTERS - 1] + "…"
