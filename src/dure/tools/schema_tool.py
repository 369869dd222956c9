"""Tools whose arguments are described by a JSON Schema: of other systems, or written by hand."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dure.chat import ToolDefinition
from dure.errors import ConfigError, InvalidArguments
from dure.messages import Json
from dure.schema import check
from dure.tools.argument_schema import object_schema
from dure.tools.base import DEFAULT_TIMEOUT, ToolContext, check_timeout
from dure.tools.calling import check_callable, in_thread, is_async

RunFunction = Callable[..., Any]
"""Called with the arguments, and with the `ToolContext` if it takes two."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SchemaTool:
    """A tool that gets its arguments as they are in the JSON. Made by `tool_from_schema`."""

    definition: ToolDefinition
    function: RunFunction
    takes_context: bool
    is_async: bool
    source: str = ""
    return_direct: bool = False
    concurrent: bool = True
    timeout: float | None = DEFAULT_TIMEOUT

    def accept(self, arguments: Mapping[str, Json]) -> Mapping[str, object]:
        """The arguments unchanged, if they are of the schema; formats are checked."""
        faults = check(arguments, self.definition.parameters)
        if faults:
            raise InvalidArguments("; ".join(faults))
        return arguments

    async def run(self, arguments: Mapping[str, object], context: ToolContext) -> object:
        """Call the function; one that is not async runs in a thread."""
        given = (arguments, context) if self.takes_context else (arguments,)
        return await (self.function(*given) if self.is_async else in_thread(self.function, *given))


def tool_from_schema(
    *,
    name: str,
    description: str,
    parameters: Mapping[str, Json] | None,
    run: RunFunction,
    source: str = "",
    return_direct: bool = False,
    concurrent: bool = True,
    timeout: float | None = DEFAULT_TIMEOUT,
) -> SchemaTool:
    """Make a tool of a JSON Schema and an async function `run(arguments)` or `run(arguments, context)`.

    The schema is kept as it is, `$defs` and recursion included; only a missing `"type": "object"` is
    added. `source` says where the tool comes from, in errors about its name.

    Raises:
        ConfigError: the schema is broken, is not of an object, or refers to something outside it.
    """
    if not name.strip():
        raise ConfigError(f"a tool from {source or repr(run)} has no name")
    check_timeout(timeout, name)
    check_callable(run, f"the function of tool {name!r}")
    schema = object_schema(parameters, name)
    return SchemaTool(
        definition=ToolDefinition(name=name, description=description, parameters=schema),
        function=run,
        takes_context=_takes_context(run, name),
        is_async=is_async(run),
        source=source,
        return_direct=return_direct,
        concurrent=concurrent,
        timeout=timeout,
    )


def _takes_context(run: RunFunction, name: str) -> bool:
    signature = inspect.signature(run)
    for count in (2, 1):
        try:
            signature.bind(*range(count))
        except TypeError:
            continue
        return count == 2
    raise ConfigError(f"the function of tool {name!r} must take the arguments, and the ToolContext if it wants it")
