"""Functions as tools: the schema from the signature, the words from the docstring."""

import asyncio
import enum
import functools
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

from dure.chat import ToolDefinition
from dure.errors import ConfigError, InvalidArguments
from dure.messages import ToolCall
from dure.tools.base import ToolContext, ignore_usage
from dure.tools.docstring import read_docstring
from dure.tools.function import FunctionTool, tool
from dure.usage import Usage

CONTEXT = ToolContext(call=ToolCall(id="1", name="t", arguments=""))


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Place(BaseModel):
    city: str
    title: str = "home"


@tool
async def find(query: str, limit: int = 5, *, colour: Colour = Colour.RED, near: Place | None = None) -> list[str]:
    """Find things.

    Looks everywhere.

    Args:
        query: what to look for,
            in Korean or English
        limit (int): at most so many
        near:

    Returns:
        names
    """
    return [f"{query} {limit} {colour.value} {near.city if near else '-'}"]


def test_the_definition_comes_from_signature_and_docstring() -> None:
    assert find.definition == ToolDefinition(
        name="find",
        description="Find things.\n\nLooks everywhere.",
        parameters={
            "$defs": {
                "Colour": {"enum": ["red", "blue"], "type": "string"},
                "Place": {
                    "properties": {"city": {"type": "string"}, "title": {"default": "home", "type": "string"}},
                    "required": ["city"],
                    "type": "object",
                },
            },
            "additionalProperties": False,
            "properties": {
                "query": {"description": "what to look for, in Korean or English", "type": "string"},
                "limit": {"default": 5, "description": "at most so many", "type": "integer"},
                "colour": {"$ref": "#/$defs/Colour", "default": "red"},
                "near": {"anyOf": [{"$ref": "#/$defs/Place"}, {"type": "null"}], "default": None},
            },
            "required": ["query"],
            "type": "object",
        },
    )
    assert (find.return_direct, find.concurrent, find.timeout) == (False, True, 120.0)


async def test_arguments_arrive_as_the_types_of_the_signature() -> None:
    arguments = find.accept({"query": "김치", "colour": "blue", "near": {"city": "서울"}})
    assert arguments == {"query": "김치", "limit": 5, "colour": Colour.BLUE, "near": Place(city="서울")}
    assert await find.run(arguments, CONTEXT) == ["김치 5 blue 서울"]


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({}, "$.query: Field required"),
        ({"query": "x", "limit": "many"}, "$.limit: Input should be a valid integer"),
        ({"query": "x", "page": 1}, "$.page: Extra inputs are not permitted"),
        ({"query": "x", "near": {}}, "$.near.city: Field required"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_with_their_path(arguments: dict[str, Any], fault: str) -> None:
    with pytest.raises(InvalidArguments, match=fault.replace("$", r"\$")):
        find.accept(arguments)


async def test_a_function_that_is_not_async_runs_in_a_thread() -> None:
    @tool
    def where() -> int:
        """Tell the thread."""
        return threading.get_ident()

    assert await where.run({}, CONTEXT) != threading.get_ident()
    assert where.definition.parameters == {"additionalProperties": False, "properties": {}, "type": "object"}


async def test_an_object_with_an_async_call_is_awaited() -> None:
    class Adder:
        """Adds."""

        async def __call__(self, a: int) -> int:
            await asyncio.sleep(0)
            return a + 1

    def add(a: int) -> object:
        return Adder()(a)

    assert await tool(add).run({"a": 1}, CONTEXT) == 2


async def test_the_context_is_given_and_never_shown() -> None:
    @tool
    def one(context: ToolContext, a: int) -> str:
        """One."""
        context.charge(Usage(output=a))
        return context.call.id

    @tool
    def two(ctx: ToolContext | None = None) -> str:
        """Two."""
        return "given" if ctx is CONTEXT else "missing"

    assert list(one.definition.parameters["properties"]) == ["a"]
    assert await one.run(one.accept({"a": 1}), CONTEXT) == "1"
    assert two.definition.parameters["properties"] == {}
    assert await two.run({}, CONTEXT) == "given"
    assert CONTEXT.charge is ignore_usage


async def test_a_parameter_may_have_any_name() -> None:
    @tool
    def odd(schema: str, model_config: str, 이름: str, _hidden: str, copy: str) -> str:  # noqa: N803 - what is tested
        """Odd."""
        return schema + model_config + 이름 + _hidden + copy

    names = ["schema", "model_config", "이름", "_hidden", "copy"]
    assert list(odd.definition.parameters["properties"]) == names
    assert await odd.run(odd.accept(dict(zip(names, "abcde", strict=True))), CONTEXT) == "abcde"


def test_a_description_in_the_signature_is_kept() -> None:
    @tool
    def one(a: Annotated[int, Field(description="its own", ge=1)], b: Literal["x", "y"]) -> None:
        """One."""

    assert one.definition.parameters["properties"] == {
        "a": {"description": "its own", "minimum": 1, "type": "integer"},
        "b": {"enum": ["x", "y"], "type": "string"},
    }


def test_settings_of_the_decorator_win() -> None:
    def stock() -> None: ...

    made = tool(name="재고 확인", description="재고를 본다", return_direct=True, concurrent=False, timeout=None)(stock)
    assert (made.definition.name, made.definition.description) == ("재고 확인", "재고를 본다")
    assert (made.return_direct, made.concurrent, made.timeout) == (True, False, None)


def test_a_method_is_a_tool_without_self() -> None:
    @dataclass
    class Shop:
        name: str

        def sell(self, item: str) -> str:
            """Sell it."""
            return f"{self.name} sells {item}"

    assert list(tool(Shop("x").sell).definition.parameters["properties"]) == ["item"]


def test_a_recursive_argument_keeps_its_definition() -> None:
    made = tool(grow)
    assert "$defs" in made.definition.parameters
    assert made.accept({"tree": {"leaves": [{}]}}) == {"tree": Tree(leaves=[Tree()])}


class Tree(BaseModel):
    leaves: list["Tree"] = []


def grow(tree: Tree) -> None:
    """Grow."""


def positional(a: int, /) -> None: ...
def rest(*args: int) -> None: ...
def keywords(**more: int) -> None: ...
def untyped(a, b: int = 1) -> None: ...  # pyright: ignore # noqa: ANN001 - what is tested


def unknown(a: "Nowhere") -> None: ...  # pyright: ignore # noqa: F821 - what is tested


def callback(a: Callable[[], int]) -> None: ...
def lock(a: threading.Event) -> None: ...


REFUSED: list[tuple[Callable[..., None], str]] = [  # pyright: ignore[reportUnknownVariableType] - untyped on purpose
    (positional, "'positional': parameter 'a' cannot be given by name"),
    (rest, "'rest': parameter 'args' cannot be given by name"),
    (keywords, "'keywords': parameter 'more' cannot be given by name"),
    (untyped, "'untyped': parameter 'a' needs a type"),
    (unknown, "'unknown': a type of its signature cannot be read"),
    (callback, "'callback'"),
    (lock, "'lock'"),
    (functools.partial(grow), "has no name"),
]


@pytest.mark.parametrize(("function", "message"), REFUSED)
def test_a_function_that_cannot_be_a_tool_is_refused_by_name(function: Callable[..., None], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        tool(function)


def test_a_schema_that_leaves_the_tool_is_refused() -> None:
    def far(a: Annotated[int, Field(json_schema_extra={"$ref": "http://127.0.0.1:9/x"})]) -> None: ...

    with pytest.raises(ConfigError, match="nothing is fetched"):
        tool(far)


def test_a_docstring_may_have_no_arguments_or_odd_ones() -> None:
    assert read_docstring("").text == ""
    told = read_docstring(
        "Do.\n\nArgs:\n    stray line\n    a: one\n      b: two\n\n    **more: rest\n\nRaises:\n    E: x"
    )
    assert (told.text, told.parameters) == ("Do.", {"a": "one b: two", "more": "rest"})


def test_what_tool_gives_is_a_function_tool() -> None:
    assert isinstance(find, FunctionTool)
