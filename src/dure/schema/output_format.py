"""What an answer must be: a type or a schema, what the model is told of it, and how its text is read."""

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import lru_cache
from typing import Any, Generic, Protocol, TypeVar, cast

from dure.schema.answer_text import MAX_FAULTS, Json, Parsed, find_json, path_of, shortened, without_thoughts
from dure.schema.check import check_places, schema_faults
from dure.schema.root_shape import RootShape
from dure.schema.titles import without_titles
from dure.schema.typed_dicts import readable

T = TypeVar("T")

WRAPPER = "value"
"""The one property of the object round a value, for providers whose answers are always objects."""
MAX_TYPES = 128
"""Types whose readers are kept."""

Place = tuple[str | int, ...]


class UnusableType(ValueError):
    """No JSON Schema can be made of a type; the message says why in one line."""


class OutputFormat(Protocol[T]):
    """Reads answers."""

    @property
    def schema(self) -> Mapping[str, Json] | None:
        """What the model is asked for; `None` where any text will do."""
        ...

    def read(self, text: str) -> Parsed[T]:
        """The value in a model's answer, or what is wrong with it."""
        ...


class HasErrors(Protocol):
    """A pydantic `ValidationError`, which is not imported here."""

    def errors(self, *, include_url: bool, include_context: bool) -> list[Any]:
        """One entry for each fault, with `loc`, `msg` and `input`."""
        ...


class TypeFormat(Generic[T]):
    """An answer of a type that pydantic can read. Made by `type_format`."""

    __slots__ = ("_adapter", "_shape", "schema")

    def __init__(self, adapter: Any, schema: Mapping[str, Json]) -> None:  # noqa: ANN401 - pydantic is loaded late
        self._adapter = adapter
        self._shape = RootShape(schema)
        self.schema = None if self._shape.any_text else schema

    def read(self, text: str) -> Parsed[T]:
        """The value as the type."""
        return _read(text, self._shape, self._validated)

    def _validated(self, found: str, value: Json) -> tuple[Parsed[T], tuple[Place, ...]]:
        from pydantic import ValidationError

        try:
            return Parsed(value=self._adapter.validate_json(found)), ()
        except ValidationError as error:
            places = [
                one["loc"] for one in error.errors(include_url=False, include_context=False) if one["input"] is None
            ]
            return Parsed(faults=validation_faults(cast(HasErrors, error))), tuple(places)


class SchemaFormat:
    """An answer of a JSON Schema, given back as the JSON value it is."""

    __slots__ = ("_shape", "schema")

    def __init__(self, schema: Mapping[str, Json]) -> None:
        self._shape = RootShape(schema)
        self.schema = schema

    def read(self, text: str) -> Parsed[Json]:
        """The value, if it is of the schema."""
        return _read(text, self._shape, self._validated)

    def _validated(self, found: str, value: Json) -> tuple[Parsed[Json], tuple[Place, ...]]:
        faults, nulls = check_places(value, self.schema)
        return (Parsed(faults=faults) if faults else Parsed(value=value)), nulls


def type_format(output_type: object) -> TypeFormat[Any]:
    """Reads answers of anything pydantic can read; made once for a type.

    Raises:
        UnusableType: no JSON Schema can be made of it.
    """
    try:
        hash(output_type)
    except TypeError:
        return _made(output_type)
    return _kept(output_type)


def parse_as(text: str, output_type: type[T]) -> Parsed[T]:
    """The value in a model's answer as an `output_type` (anything pydantic can read)."""
    return type_format(output_type).read(text)


def parse_by_schema(text: str, schema: Mapping[str, Any]) -> Parsed[Any]:
    """The JSON value in a model's answer, if it is of `schema`."""
    return SchemaFormat(schema).read(text)


def json_schema_of(output_type: object) -> dict[str, Any]:
    """The JSON Schema of anything pydantic can read, without the titles that only cost tokens."""
    from pydantic import TypeAdapter

    return without_titles(TypeAdapter(cast(Any, readable(output_type))).json_schema())


def validation_faults(error: HasErrors) -> tuple[str, ...]:
    """A pydantic `ValidationError` as lines with paths."""
    found = error.errors(include_url=False, include_context=False)
    return tuple(shortened(f"{path_of(one['loc'])}: {one['msg']}") for one in found[:MAX_FAULTS])


def _made(output_type: object) -> TypeFormat[Any]:
    from pydantic import TypeAdapter
    from pydantic.errors import PydanticUserError
    from pydantic_core import SchemaError

    try:
        adapter = TypeAdapter(cast(Any, readable(output_type)))
        schema = without_titles(adapter.json_schema())
    except (PydanticUserError, SchemaError, AttributeError, NameError, RecursionError, TypeError) as error:
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise UnusableType(f"no JSON Schema can be made of {output_type!r}: {reason}") from error
    faults = schema_faults(schema)
    if faults:
        raise UnusableType(f"the JSON Schema of {output_type!r} cannot be used: {'; '.join(faults)}")
    return TypeFormat(adapter, schema)


_kept = lru_cache(maxsize=MAX_TYPES)(_made)

_Validated = Callable[[str, Json], tuple[Parsed[T], tuple[Place, ...]]]


def _read(text: str, shape: RootShape, validated: _Validated[T]) -> Parsed[T]:
    """The value, also out of a provider's wrapper, with nulls for absence, or as plain text where a text may be."""
    try:
        return _found(text, shape, validated)
    except RecursionError:
        return Parsed(faults=("$: nested too deeply",))


def _found(text: str, shape: RootShape, validated: _Validated[T]) -> Parsed[T]:
    found, parsed = find_json(text)
    first: Parsed[T] = Parsed(faults=parsed.faults) if parsed.faults else _accepted(found, parsed.value, validated)
    if not first.faults:
        return first
    wrapped: Json = parsed.value
    if not shape.is_object and isinstance(wrapped, dict) and wrapped.keys() == {WRAPPER}:
        inner = _accepted(json.dumps(wrapped[WRAPPER]), wrapped[WRAPPER], validated)
        if not inner.faults:
            return inner
    plain = without_thoughts(text) if shape.takes_text else ""
    if plain and (shape.is_text or plain[0] not in "{["):
        told, _ = validated(json.dumps(plain), plain)
        return first if told.faults else told
    return first


def _accepted(found: str, value: Json, validated: _Validated[T]) -> Parsed[T]:
    first, nulls = validated(found, value)
    if not nulls:
        return first
    shorter = _without_nulls(value, nulls)
    again, _ = validated(json.dumps(shorter), shorter)
    return first if again.faults else again


def _without_nulls(value: Json, places: tuple[Place, ...]) -> Json:
    """A copy without the properties at `places`: a null that may not be there is how models say absent."""
    copied: Json = deepcopy(value)
    for place in places:
        holder: Json = copied
        for part in place[:-1]:
            try:
                holder = holder[part]
            except (KeyError, IndexError, TypeError):
                break
        if isinstance(holder, dict) and cast(dict[str, Any], holder).get(str(place[-1]), 0) is None:
            del holder[place[-1]]
    return copied
