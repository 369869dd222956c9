"""Values checked against JSON Schema (draft 2020-12), with bounded work whatever the schema and the value.

Nothing is ever fetched: a reference out of a schema is a fault. Patterns run on a linear engine; one that
needs look-around or back-references is not checked (`unchecked_patterns` names it). Formats: see `formats.py`.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, cast

from dure.schema.answer_text import MAX_FAULTS, Json, path_of, shortened
from dure.schema.formats import FORMATS
from dure.schema.keywords import STEPS, Exhausted, schema_validator, validator_of
from dure.schema.linear_pattern import compiled

MAX_VALUES = 200_000
"""Values in one answer that is checked, containers and what is in them."""

VALUE_KEYWORDS = frozenset({"default", "const", "enum", "examples"})
"""Keywords that hold values, not schemas."""


def check(value: Json, schema: Mapping[str, Any]) -> tuple[str, ...]:
    """What is wrong with `value` under `schema`, each with its path; empty if nothing."""
    faults, _ = check_places(value, schema)
    return faults


def check_places(value: Json, schema: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[tuple[str | int, ...], ...]]:
    """The faults of `check`, and the places of those that are a null."""
    from referencing.exceptions import Unresolvable

    if _is_huge(value):
        return (f"$: more than {MAX_VALUES:,} values; answer with less",), ()
    faults: list[str] = []
    nulls: list[tuple[str | int, ...]] = []
    try:
        for error in validator_of(schema).iter_errors(value):
            closest = _closest(error)
            place = tuple(cast("Iterable[str | int]", closest.absolute_path))
            faults.append(shortened(f"{path_of(place)}: {closest.message}"))
            if closest.instance is None:
                nulls.append(place)
            if len(faults) == MAX_FAULTS:
                break
    except Unresolvable as error:
        return (f"$: the schema refers to {error.ref!r}, which is not in it; nothing is fetched",), ()
    except RecursionError:
        return ("$: nested too deeply to be checked",), ()
    except Exhausted:
        return (f"$: needs more than {STEPS:,} steps to be checked; answer with less",), ()
    return tuple(faults), tuple(nulls)


def schema_faults(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """What keeps `schema` from being used: not a schema of draft 2020-12, or references out of it."""
    if _is_huge(schema):
        return (f"$: a schema of more than {MAX_VALUES:,} values",)
    try:
        found = islice(schema_validator().iter_errors(schema), MAX_FAULTS)
        broken = [shortened(f"{path_of(tuple(error.absolute_path))}: {error.message}") for error in found]
        parts = list(_parts(schema))
    except (Exhausted, RecursionError):
        return ("$: too large or nested too deeply to be checked",)
    outside = [ref for part in parts for ref in _references(part) if not ref.startswith("#")]
    mixed = {"patternProperties", "unevaluatedProperties"} <= {key for part in parts for key in part}
    return (
        *broken,
        *(f"$ref {ref!r} is outside the schema; nothing is fetched" for ref in outside),
        *(("unevaluatedProperties beside patternProperties cannot be checked; use additionalProperties",) * mixed),
    )


def unchecked_patterns(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Patterns of the schema that `check` lets pass: those with look-around, back-references or a fault."""
    patterns = [part["pattern"] for part in _parts(schema) if isinstance(part.get("pattern"), str)]
    for part in _parts(schema):
        patterns += cast(Mapping[str, Any], part.get("patternProperties") or {})
    return tuple(dict.fromkeys(pattern for pattern in patterns if compiled(pattern) is None))


def unchecked_formats(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """Formats of the schema that are told to the model only."""
    named = (part.get("format") for part in _parts(schema))
    return tuple(dict.fromkeys(one for one in named if isinstance(one, str) and one not in FORMATS))


def _closest(error: Any) -> Any:  # noqa: ANN401 - a jsonschema error, which has no types
    """The fault inside a union that is nearest to being none: it tells more than that no branch fits."""
    from jsonschema import exceptions

    return cast(Any, exceptions).best_match(iter((error,))) if error.context else error


def _is_huge(value: Json) -> bool:
    waiting, count = [value], 0
    while waiting and count <= MAX_VALUES:
        one = waiting.pop()
        count += 1
        if isinstance(one, Mapping):
            waiting += cast(Mapping[str, Any], one).values()
        elif isinstance(one, list):
            waiting += cast(list[Any], one)
        if count + len(waiting) > MAX_VALUES:
            return True
    return False


def _references(part: Mapping[str, Any]) -> Iterator[str]:
    return (part[key] for key in ("$ref", "$dynamicRef") if isinstance(part.get(key), str))


def _parts(schema: Json) -> Iterator[Mapping[str, Any]]:
    """Every mapping in a schema that is not inside a value."""
    if isinstance(schema, Mapping):
        part = cast(Mapping[str, Any], schema)
        yield part
        for key, value in part.items():
            if key not in VALUE_KEYWORDS:
                yield from _parts(value)
    elif isinstance(schema, list):
        for value in cast(list[Any], schema):
            yield from _parts(value)
