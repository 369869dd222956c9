"""How a Python callable is called by a tool: awaited if it is async, in a thread if it is not."""

import asyncio
import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from dure.errors import ConfigError

Function = Callable[..., Any]


def plain(function: Function) -> Function:
    """The function whose signature, types and docstring tell about `function`."""
    while isinstance(function, functools.partial | staticmethod):
        function = cast(Function, function.func if isinstance(function, functools.partial) else function.__func__)
    return function if inspect.isroutine(function) else type(function).__call__


def is_async(function: Function) -> bool:
    """Whether calling it gives a coroutine; also of partials and of objects with an async `__call__`."""
    return inspect.iscoroutinefunction(plain(function))


def check_callable(function: object, shown: str) -> None:
    """Refuse what cannot be called once for one result.

    Raises:
        ConfigError: a class, a generator, or nothing that can be called.
    """
    if inspect.isclass(function):
        raise ConfigError(f"{shown} is a class; make the tool from a function, or from a method of an instance")
    if not callable(function):
        raise ConfigError(f"{shown} cannot be called; make the tool from a function")
    if inspect.isgeneratorfunction(plain(function)) or inspect.isasyncgenfunction(plain(function)):
        raise ConfigError(
            f"{shown} yields, but a tool gives one result: return a list, and tell how far it is with "
            "context.run.emit(ToolProgress(…)) of a ToolContext parameter"
        )


async def in_thread(function: Function, *positional: object, **named: object) -> object:
    """The result of a function that blocks. A time limit ends the wait for it, never the thread."""
    value, error = await asyncio.to_thread(_outcome, function, positional, named)
    if isinstance(error, StopIteration):
        raise RuntimeError("StopIteration") from error  # no coroutine may raise it
    if error is not None:
        raise error
    return await value if inspect.isawaitable(value) else value


def _outcome(
    function: Function, positional: Sequence[object], named: Mapping[str, object]
) -> tuple[object, BaseException | None]:
    """As a value, since a future refuses some exceptions and would then never be done."""
    try:
        return function(*positional, **named), None
    except BaseException as error:
        return None, error
