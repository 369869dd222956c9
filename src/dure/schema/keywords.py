"""The few keywords of JSON Schema that are done differently here, because theirs may take forever.

Loaded on first use, since `jsonschema` is slow to import.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, cast

from dure.schema.answer_text import Json
from dure.schema.formats import FORMATS
from dure.schema.linear_pattern import found_in

STEPS = 20_000
"""References followed in one check: recursion and repetition always go through one."""


class Exhausted(Exception):
    """A check took more steps than it may."""


class Work:
    """Checks formats, and counts steps: it is the one object that validators hand down unchanged."""

    __slots__ = ("_formats", "_left")

    def __init__(self, formats: Mapping[str, Callable[[str], bool]] = FORMATS) -> None:
        self._formats = formats
        self._left = STEPS

    def step(self) -> None:
        """Count one more.

        Raises:
            Exhausted: that was one too many.
        """
        self._left -= 1
        if self._left < 0:
            raise Exhausted

    def check(self, value: Json, name: str) -> None:
        """What `jsonschema` calls for each `format`."""
        from jsonschema.exceptions import FormatError

        checked = self._formats.get(name)
        if checked is not None and isinstance(value, str) and not checked(value):
            raise FormatError(f"{value!r} is not a {name!r}")


def validator_of(schema: Mapping[str, Any]) -> Any:  # noqa: ANN401 - `jsonschema` has no types
    """A validator that fetches nothing and counts its steps."""
    validator, nothing, _ = _loaded()
    return validator(schema, registry=nothing, format_checker=Work())


def schema_validator() -> Any:  # noqa: ANN401 - `jsonschema` has no types
    """A validator of schemas themselves."""
    validator, _, specifications = _loaded()
    return validator(validator.META_SCHEMA, registry=specifications, format_checker=Work(formats={}))


@lru_cache(maxsize=1)
def _loaded() -> tuple[Any, object, object]:
    """The validator's class, a registry of nothing, and one of the specification."""
    from jsonschema import Draft202012Validator, validators
    from jsonschema_specifications import REGISTRY  # pyright: ignore[reportMissingTypeStubs] - it has none
    from referencing import Registry

    own = {
        "$ref": _reference,
        "$dynamicRef": _reference,
        "additionalProperties": _additional_properties,
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "uniqueItems": _unique_items,
    }
    nothing: Registry[Any] = Registry()  # without a way to fetch anything
    return cast(Any, validators).extend(Draft202012Validator, own), nothing, REGISTRY


def _reference(validator: Any, reference: str, instance: Json, schema: Json) -> Iterator[Any]:  # noqa: ANN401
    validator.format_checker.step()
    yield from validator._validate_reference(ref=reference, instance=instance)


def _pattern(validator: Any, pattern: str, instance: Json, schema: Json) -> Iterator[Any]:  # noqa: ANN401
    from jsonschema import ValidationError

    if isinstance(instance, str) and not found_in(pattern, instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _pattern_properties(validator: Any, patterns: Json, instance: Json, schema: Json) -> Iterator[Any]:  # noqa: ANN401
    if not isinstance(instance, dict):
        return
    for pattern, below in patterns.items():
        for key, value in cast(dict[str, Any], instance).items():
            if found_in(pattern, key):
                yield from validator.descend(value, below, path=key, schema_path=pattern)


def _additional_properties(validator: Any, below: Json, instance: Json, schema: Json) -> Iterator[Any]:  # noqa: ANN401
    from jsonschema import ValidationError

    if not isinstance(instance, dict):
        return
    named, patterns = schema.get("properties", {}), tuple(schema.get("patternProperties", ()))
    given = cast(dict[str, Any], instance)
    extra = [key for key in given if key not in named and not any(found_in(one, key) for one in patterns)]
    if isinstance(below, Mapping):
        for key in extra:
            yield from validator.descend(given[key], below, path=key)
    elif not below and extra:
        yield ValidationError(f"not allowed here: {', '.join(map(repr, extra))}")


def _unique_items(validator: Any, unique: bool, instance: Json, schema: Json) -> Iterator[Any]:  # noqa: ANN401
    from jsonschema import ValidationError

    if not unique or not isinstance(instance, list):
        return
    seen: set[object] = set()
    for index, item in enumerate(cast(list[Any], instance)):
        key = _comparable(item)
        if key in seen:
            yield ValidationError(f"item {index} is there already", path=(index,))
            return
        seen.add(key)


def _comparable(value: Json) -> object:
    """Equal for values that JSON Schema calls equal: 1 and 1.0 are, 1 and true are not."""
    if isinstance(value, dict):
        return frozenset((key, _comparable(one)) for key, one in cast(dict[str, Any], value).items())
    if isinstance(value, list):
        return tuple(_comparable(one) for one in cast(list[Any], value))
    return (value, isinstance(value, bool))
