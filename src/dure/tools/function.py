"""Tools made from Python functions: the signature is the schema, the docstring tells the model."""

import inspect
import json
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Protocol, cast, overload

from dure.chat import ToolDefinition
from dure.errors import ConfigError, InvalidArguments
from dure.messages import Json
from dure.schema import validation_faults, without_titles
from dure.schema.typed_dicts import readable
from dure.tools.base import DEFAULT_TIMEOUT, ToolContext, check_timeout
from dure.tools.calling import Function, check_callable, in_thread, is_async, plain
from dure.tools.docstring import Told, read_docstring
from dure.tools.references import reference_faults
from dure.tools.signature import Signature, read_signature


class ArgumentsType(Protocol):
    """What pydantic makes of a signature; pydantic is not imported before a tool is made."""

    @property
    def validator(self) -> "Validator":
        """Reads the arguments as the types of the signature."""
        ...

    def json_schema(self) -> dict[str, Json]:
        """The schema of the arguments."""
        ...


class Validator(Protocol):
    """Reads arguments that come from JSON."""

    def validate_python(self, arguments: Mapping[str, Json], /) -> Mapping[str, object]:
        """From values."""
        ...

    def validate_json(self, text: str, /) -> Mapping[str, object]:
        """From text, where types that are strict about Python values accept what JSON can say."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FunctionTool:
    """A function a model can call. Made by `tool`."""

    function: Function
    definition: ToolDefinition
    validator: Validator
    read: Callable[[Mapping[str, Json]], Mapping[str, object]]
    """The validator's reading of values, looked up once instead of on each call."""
    context_parameter: str | None
    is_async: bool
    return_direct: bool = False
    concurrent: bool = True
    timeout: float | None = DEFAULT_TIMEOUT

    @property
    def source(self) -> str:
        """The module and name of the function."""
        function = plain(self.function)
        return f"{function.__module__}.{function.__qualname__}"

    def accept(self, arguments: Mapping[str, Json]) -> Mapping[str, object]:
        """The arguments as the types of the signature."""
        try:
            return self.read(arguments)
        except ValueError as error:  # pydantic's own is one
            return self._read_as_json(arguments, error)

    async def run(self, arguments: Mapping[str, object], context: ToolContext) -> object:
        """Call the function; one that is not async runs in a thread, which a time-out cannot stop."""
        if self.context_parameter is not None:
            arguments = {**arguments, self.context_parameter: context}
        if self.is_async:
            return await self.function(**arguments)
        return await in_thread(self.function, **arguments)

    def _read_as_json(self, arguments: Mapping[str, Json], error: ValueError) -> Mapping[str, object]:
        """For strict types, such as a date that is a text in JSON; else the faults."""
        from pydantic import ValidationError

        try:
            return self.validator.validate_json(json.dumps(arguments))
        except TypeError:
            fault = error
        except ValidationError as found:
            fault = found
        lines = validation_faults(fault) if isinstance(fault, ValidationError) else (str(fault),)
        raise InvalidArguments("; ".join(lines)) from fault


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

    The model is told the docstring's text; what it says about parameters describes them. A parameter
    of type `ToolContext` is filled in and never shown to the model.

    Raises:
        ConfigError: a parameter cannot be given by name or has no type that JSON can carry, the
            function yields, or what is given is no function.
    """

    def make(function: Function) -> FunctionTool:
        tool_name = _name(function, name)
        check_timeout(timeout, tool_name)
        return _made(
            function, tool_name, description, return_direct=return_direct, concurrent=concurrent, timeout=timeout
        )

    return make if function is None else make(function)


def _made(
    function: Function,
    name: str,
    description: str | None,
    *,
    return_direct: bool,
    concurrent: bool,
    timeout: float | None,
) -> FunctionTool:
    told = read_docstring(_docstring(function))
    signature = read_signature(function, name)
    arguments = _arguments(signature, told, name)
    about = (told.text if description is None else description) or name.replace("_", " ")
    return FunctionTool(
        function=function,
        definition=ToolDefinition(name=name, description=about, parameters=_schema(arguments, name)),
        validator=arguments.validator,
        read=arguments.validator.validate_python,
        context_parameter=signature.context_parameter,
        is_async=is_async(function),
        return_direct=return_direct,
        concurrent=concurrent,
        timeout=timeout,
    )


def _name(function: Function, name: str | None) -> str:
    if isinstance(function, FunctionTool):
        raise ConfigError(f"{function.definition.name!r} is a tool already")
    shown = repr(getattr(function, "__name__", function))
    check_callable(function, shown)
    given = getattr(function, "__name__", "") if name is None else name
    if not given.strip() or given == "<lambda>":
        raise ConfigError(f"the tool made from {shown} has no name; give one with name=")
    return given


def _docstring(function: Function) -> str:
    """Of the function itself, not of the class of its wrapper; of an object's class where its call has none."""
    target = plain(function)
    if target.__name__ == "__call__":
        return inspect.getdoc(target) or type(function).__doc__ or ""
    return target.__doc__ or ""


def _arguments(signature: Signature, told: Told, tool_name: str) -> ArgumentsType:
    """A dictionary with typed keys, since a parameter may have a name that no model's field may have."""
    from pydantic import ConfigDict, TypeAdapter
    from typing_extensions import TypedDict

    try:
        fields = {one.name: _field(one, told.parameters.get(one.name)) for one in signature.shown}
        arguments = cast(Any, TypedDict)("Arguments", fields)
        arguments.__pydantic_config__ = ConfigDict(extra="forbid")
        return cast(ArgumentsType, TypeAdapter[Any](arguments))
    except Exception as error:
        raise ConfigError(f"tool {tool_name!r}: {error}") from error


def _field(parameter: inspect.Parameter, text: str | None) -> object:
    from typing import NotRequired

    from pydantic import Field
    from pydantic.fields import FieldInfo

    annotation, default = cast(Any, readable(parameter.annotation)), parameter.default
    if default is not parameter.empty:
        annotation = Annotated[annotation, default if isinstance(default, FieldInfo) else Field(default=default)]
    field = FieldInfo.from_annotation(cast(Any, annotation))
    if text and field.description is None:
        annotation = Annotated[annotation, Field(description=text)]
    return annotation if field.is_required() else NotRequired[annotation]


def _schema(arguments: ArgumentsType, tool_name: str) -> Mapping[str, Json]:
    from pydantic.errors import PydanticUserError
    from pydantic.json_schema import PydanticJsonSchemaWarning

    try:
        with warnings.catch_warnings():  # a default that is no JSON is left out, which is what should be
            warnings.simplefilter("ignore", PydanticJsonSchemaWarning)
            schema = without_titles(arguments.json_schema())
    except PydanticUserError as error:
        raise ConfigError(f"tool {tool_name!r}: {error.message}") from error
    faults = reference_faults(schema)
    if faults:
        raise ConfigError(f"tool {tool_name!r}: the schema of its arguments cannot be used: {'; '.join(faults)}")
    return schema
