"""What a function's signature says about the arguments a model must give."""

import functools
import inspect
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from dure.errors import ConfigError
from dure.tools.base import ToolContext
from dure.tools.calling import Function, plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """The parameters the model fills, with their types read, and the name of the context's."""

    shown: tuple[inspect.Parameter, ...]
    context_parameter: str | None


def read_signature(function: Function, tool_name: str) -> Signature:
    """Read the signature of anything that can be called; what a partial has bound is not shown.

    Raises:
        ConfigError: a parameter cannot be given by name, or has no type that can be read.
    """
    hints = _hints(function, tool_name)
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError) as error:
        raise ConfigError(
            f"tool {tool_name!r}: its signature cannot be read: {error}; wrap it in a function"
        ) from error
    bound = _bound(function)
    shown: list[inspect.Parameter] = []
    contexts: list[str] = []
    for parameter in parameters:
        if parameter.name in bound:
            continue
        _check(parameter, hints, tool_name)
        hint = hints[parameter.name]
        if _is_context(hint):
            contexts.append(parameter.name)
        else:
            shown.append(parameter.replace(annotation=hint))
    if len(contexts) > 1:
        raise ConfigError(f"tool {tool_name!r}: only one parameter may be a ToolContext, not {', '.join(contexts)}")
    return Signature(shown=tuple(shown), context_parameter=contexts[0] if contexts else None)


def _hints(function: Function, tool_name: str) -> dict[str, Any]:
    try:
        return typing.get_type_hints(plain(function), include_extras=True)
    except Exception as error:
        raise ConfigError(
            f"tool {tool_name!r}: a type of its signature cannot be read: {error}; "
            "define or import it at the top of the module, not inside a function or under a condition"
        ) from error


def _bound(function: Function) -> Mapping[str, object]:
    return function.keywords if isinstance(function, functools.partial) else {}


def _check(parameter: inspect.Parameter, hints: Mapping[str, object], tool_name: str) -> None:
    if parameter.kind not in {parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY}:
        raise ConfigError(f"tool {tool_name!r}: parameter {parameter.name!r} cannot be given by name")
    if parameter.name in hints:
        return
    if parameter.name in {"self", "cls"}:
        raise ConfigError(f"tool {tool_name!r} is a method; make the tool from the method of an instance")
    raise ConfigError(f"tool {tool_name!r}: parameter {parameter.name!r} needs a type")


def _is_context(hint: object) -> bool:
    """`ToolContext`, also where it may be `None` or is annotated."""
    if typing.get_origin(hint) is Annotated:
        return _is_context(typing.get_args(hint)[0])
    if typing.get_origin(hint) in {typing.Union, types.UnionType}:
        return any(_is_context(one) for one in typing.get_args(hint))
    return hint is ToolContext
