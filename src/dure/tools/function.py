"""Tools made from Python functions: the signature is the schema, the docstring tells the model."""

import asyncio
import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, cast, overload

from dure.chat import ToolDefinition
from dure.errors import ConfigError, InvalidArguments
from dure.messages import Json
from dure.schema import schema_faults, validation_faults, without_titles
from dure.tools.base import DEFAULT_TIMEOUT, ToolContext
from dure.tools.docstring import read_docstring

Function = Callable[..., Any]


class ArgumentsModel(Protocol):
    """A class of pydantic models, which is not imported before a tool is made."""

    def model_validate(self, obj: Mapping[str, Json], /) -> object:
        """Read the arguments into an instance."""
        ...

    def model_json_schema(self, by_alias: bool) -> dict[str, Json]:
        """The schema of the arguments."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionTool:
    """A function a model can call. Made by `tool`."""

    function: Function
    definition: ToolDefinition
    arguments_model: ArgumentsModel
    """The pydantic model that reads the arguments; its fields are in the order of `parameters`."""
    parameters: tuple[str, ...]
    context_parameter: str | None
    return_direct: bool = False
    concurrent: bool = True
    timeout: float | None = DEFAULT_TIMEOUT

    def accept(self, arguments: Mapping[str, Json]) -> Mapping[str, object]:
        """The arguments as the types of the signature."""
        from pydantic import ValidationError

        try:
            read = self.arguments_model.model_validate(arguments)
        except ValidationError as error:
            raise InvalidArguments("; ".join(validation_faults(error))) from error
        return {name: getattr(read, _field(index)) for index, name in enumerate(self.parameters)}

    async def run(self, arguments: Mapping[str, object], context: ToolContext) -> object:
        """Call the function; one that is not async runs in a thread, which a time-out cannot stop."""
        given = dict(arguments)
        if self.context_parameter is not None:
            given[self.context_parameter] = context
        if inspect.iscoroutinefunction(self.function):
            return await self.function(**given)
        result = await asyncio.to_thread(self.function, **given)
        return await result if inspect.isawaitable(result) else result


@overload
def tool(function: Function, /) -> FunctionTool: ...


@overload
def tool(
    *,
    name: str | None = None,
    description: str | None = None,
    return_direct: bool = False,
    concurrent: bool = True,
    timeout: float | None = DEFAULT_TIMEOUT,
) -> Callable[[Function], FunctionTool]: ...


def tool(
    function: Function | None = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    return_direct: bool = False,
    concurrent: bool = True,
    timeout: float | None = DEFAULT_TIMEOUT,
) -> FunctionTool | Callable[[Function], FunctionTool]:
    """Make a tool from a function, as `@tool` or `@tool(name="…", …)`.

    The model is told the docstring's text; lines under `Args:` describe the parameters. A parameter
    of type `ToolContext` is filled in and never shown to the model.

    Raises:
        ConfigError: a parameter cannot be given by name, or has no type that JSON can carry.
    """

    def make(function: Function) -> FunctionTool:
        tool_name = getattr(function, "__name__", "") if name is None else name
        if not tool_name.strip():
            raise ConfigError(f"the tool made from {function!r} has no name; give one with name=")
        made = _function_tool(function, tool_name, description)
        return replace(made, return_direct=return_direct, concurrent=concurrent, timeout=timeout)

    return make if function is None else make(function)


def _function_tool(function: Function, name: str, description: str | None) -> FunctionTool:
    told = read_docstring(function.__doc__ or "")
    shown, context_parameter = _parameters(function, name)
    model = _arguments_model(shown, told.parameters, name)
    about = told.text if description is None else description
    return FunctionTool(
        function=function,
        definition=ToolDefinition(name=name, description=about, parameters=_schema(model, name)),
        arguments_model=model,
        parameters=tuple(parameter.name for parameter in shown),
        context_parameter=context_parameter,
    )


def _parameters(function: Function, tool_name: str) -> tuple[list[inspect.Parameter], str | None]:
    """The parameters the model fills, with their types read, and the name of the context's."""
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except Exception as error:
        raise ConfigError(f"tool {tool_name!r}: a type of its signature cannot be read: {error}") from error
    shown: list[inspect.Parameter] = []
    context_parameter = None
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind not in {parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY}:
            raise ConfigError(f"tool {tool_name!r}: parameter {parameter.name!r} cannot be given by name")
        if parameter.name not in hints:
            raise ConfigError(f"tool {tool_name!r}: parameter {parameter.name!r} needs a type")
        hint = hints[parameter.name]
        if any(one is ToolContext for one in (hint, *typing.get_args(hint))):
            context_parameter = parameter.name
        else:
            shown.append(parameter.replace(annotation=hint))
    return shown, context_parameter


def _arguments_model(shown: list[inspect.Parameter], told: Mapping[str, str], tool_name: str) -> ArgumentsModel:
    """Fields have names of our own, so that a parameter may be called anything."""
    from pydantic import ConfigDict, Field, create_model

    fields: dict[str, Any] = {}
    for index, parameter in enumerate(shown):
        default = ... if parameter.default is parameter.empty else parameter.default
        name, text = parameter.name, told.get(parameter.name)
        field = Field(default, alias=name, description=text) if text else Field(default, alias=name)
        fields[_field(index)] = (parameter.annotation, field)
    try:
        return cast(ArgumentsModel, create_model("Arguments", __config__=ConfigDict(extra="forbid"), **fields))
    except Exception as error:
        raise ConfigError(f"tool {tool_name!r}: {error}") from error


def _schema(model: ArgumentsModel, tool_name: str) -> Mapping[str, Json]:
    from pydantic.errors import PydanticInvalidForJsonSchema

    try:
        schema = without_titles(model.model_json_schema(by_alias=True))
    except PydanticInvalidForJsonSchema as error:
        raise ConfigError(f"tool {tool_name!r}: {error.message}") from error
    faults = schema_faults(schema)
    if faults:
        raise ConfigError(f"tool {tool_name!r}: the schema of its arguments cannot be used: {'; '.join(faults)}")
    return schema


def _field(index: int) -> str:
    return f"argument_{index}"
