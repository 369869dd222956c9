"""Typed dictionaries of the standard library, which pydantic reads only from Python 3.12 on, made readable."""

import sys
import typing
from types import UnionType
from typing import Any, cast


def readable(output_type: object) -> object:
    """The same type, with every such dictionary that it names turned into one that pydantic reads.

    Those inside other classes stay as they are; pydantic then says what to do.
    """
    return output_type if sys.version_info >= (3, 12) else _readable(output_type, ())


def _readable(one: object, inside: tuple[object, ...]) -> object:
    if typing.is_typeddict(one) and type(one).__module__ == "typing":
        return one if one in inside else _rebuilt(cast(type, one), (*inside, one))
    given = typing.get_args(one)
    if not given or typing.get_origin(one) is typing.Literal:
        return one
    changed = tuple(_readable(part, inside) for part in given)
    if all(new is old for new, old in zip(changed, given, strict=True)):
        return one
    if isinstance(one, UnionType):
        return cast(Any, typing.Union)[changed]
    origin = typing.get_origin(one)
    if origin is typing.Annotated:
        return cast(Any, typing.Annotated)[(changed[0], *cast(Any, one).__metadata__)]
    return cast(Any, one).copy_with(changed) if hasattr(one, "copy_with") else cast(Any, origin)[changed]


def _rebuilt(old: type, inside: tuple[object, ...]) -> object:
    from typing_extensions import TypedDict

    required = cast(frozenset[str], cast(Any, old).__required_keys__)
    fields: dict[str, Any] = {}
    for name, hint in typing.get_type_hints(old, include_extras=True).items():
        qualified = typing.get_origin(hint) in (typing.Required, typing.NotRequired)
        fields[name] = _readable(typing.get_args(hint)[0] if qualified else hint, inside)
    new = cast(Any, TypedDict)(
        old.__name__, {name: hint if name in required else typing.NotRequired[hint] for name, hint in fields.items()}
    )
    new.__doc__ = old.__doc__
    return new
