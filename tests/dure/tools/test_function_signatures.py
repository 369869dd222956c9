"""What may become a tool, and what of its signature the model sees."""

import asyncio
import contextvars
import functools
import json
import typing
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, NotRequired

import pytest
import typing_extensions
from pydantic import BaseModel, ConfigDict, Field

from dure.errors import ConfigError, InvalidArguments
from dure.messages import ToolCall
from dure.tools.base import ToolContext
from dure.tools.function import tool
from dure.tools.toolbox import Toolbox

CONTEXT = ToolContext(call=ToolCall(id="1", name="t", arguments=""))


class Place(typing.TypedDict):
    city: str
    zip: NotRequired[str]


class Shelf(typing_extensions.TypedDict):
    row: int


@dataclass
class Item:
    sku: str
    count: int = 1


class Strict(BaseModel):
    model_config = ConfigDict(strict=True)
    on: date


@tool
async def store(place: Place, shelf: Shelf, items: list[Item], note: str | None = None) -> str:
    """Store."""
    return f"{place['city']} {shelf['row']} {items[0].sku}*{items[0].count} {note}"


async def test_typed_dicts_dataclasses_and_their_defaults_are_read() -> None:
    given = {"place": {"city": "서울"}, "shelf": {"row": 2}, "items": [{"sku": "A-1"}]}
    accepted = store.accept(given)
    assert accepted == {"place": {"city": "서울"}, "shelf": {"row": 2}, "items": [Item("A-1")], "note": None}
    assert await store.run(accepted, CONTEXT) == "서울 2 A-1*1 None"
    assert store.definition.parameters["required"] == ["place", "shelf", "items"]
    with pytest.raises(InvalidArguments, match=r"\$.place.city: Field required"):
        store.accept({**given, "place": {}})


async def test_a_default_may_be_a_field_in_either_place() -> None:
    @tool
    async def page(size: int = Field(default=5, le=50), start: Annotated[int, Field(ge=0)] = 0) -> int:
        """Page."""
        return size + start

    assert page.definition.parameters["properties"] == {
        "size": {"default": 5, "maximum": 50, "type": "integer"},
        "start": {"default": 0, "minimum": 0, "type": "integer"},
    }
    assert await page.run(page.accept({}), CONTEXT) == 5
    with pytest.raises(InvalidArguments, match="less than or equal to 50"):
        page.accept({"size": 51})


async def test_a_default_that_can_change_is_new_for_each_call() -> None:
    @tool
    async def collect(into: list[int] = []) -> list[int]:  # noqa: B006 - what is tested
        """Collect."""
        into.append(1)
        return into

    assert [await collect.run(collect.accept({}), CONTEXT) for _ in range(2)] == [[1], [1]]


def test_types_that_are_strict_accept_what_json_can_say() -> None:
    @tool
    def book(when: Strict) -> None:
        """Book."""

    assert book.accept({"when": {"on": "2026-01-02"}}) == {"when": Strict(on=date(2026, 1, 2))}
    with pytest.raises(InvalidArguments, match=r"\$.when.on: Input should be a valid date"):
        book.accept({"when": {"on": "soon"}})


def test_arguments_that_are_no_json_are_refused_by_their_faults() -> None:
    @tool
    def count(a: int) -> None:
        """Count."""

    with pytest.raises(InvalidArguments, match=r"\$.a: Input should be a valid integer"):
        count.accept({"a": object()})


@pytest.mark.parametrize(
    "hint",
    [ToolContext, ToolContext | None, typing.Optional[ToolContext], Annotated[ToolContext, "given"]],  # noqa: UP045
)
async def test_a_context_in_any_spelling_is_given_and_never_shown(hint: object) -> None:
    async def show(a: int, ctx: Any) -> str:  # noqa: ANN401 - its hint is set below
        """Show."""
        return ctx.call.id

    show.__annotations__["ctx"] = hint
    made = tool(show)
    assert list(made.definition.parameters["properties"]) == ["a"]
    assert await made.run(made.accept({"a": 1}), CONTEXT) == "1"


async def test_what_a_partial_has_bound_is_neither_shown_nor_open_to_the_model() -> None:
    async def order(tenant: str, sku: str, *, key: str, count: int = 1) -> str:
        """Order."""
        return f"{tenant} {sku} {key} {count}"

    made = tool(name="order")(functools.partial(order, "acme", key="secret"))
    assert made.definition.description == "Order."
    assert list(made.definition.parameters["properties"]) == ["sku", "count"]
    assert await made.run(made.accept({"sku": "A"}), CONTEXT) == "acme A secret 1"
    with pytest.raises(InvalidArguments, match="key"):
        made.accept({"sku": "A", "key": "other"})


async def test_methods_objects_and_static_methods_are_tools() -> None:
    class Shop:
        """A shop."""

        async def sell(self, item: str) -> str:
            """Sell it."""
            return f"sold {item}"

        async def __call__(self, item: str) -> str:
            return f"called {item}"

        @tool
        @staticmethod
        async def close(hour: int) -> int:
            """Close."""
            return hour

    for made, text in ((tool(Shop().sell), "sold x"), (tool(name="shop")(Shop()), "called x")):
        assert await made.run(made.accept({"item": "x"}), CONTEXT) == text
    assert tool(name="shop")(Shop()).definition.description == "A shop."
    assert Shop.close.is_async
    assert await Shop.close.run({"hour": 3}, CONTEXT) == 3


def test_a_tool_says_which_function_it_comes_from() -> None:
    made = tool(tool_without_text)
    assert made.source.endswith("test_function_signatures.tool_without_text")
    assert made.definition.description == "tool without text"


def tool_without_text() -> None: ...


async def test_a_function_in_a_thread_sees_the_context_variables_of_its_caller() -> None:
    user: contextvars.ContextVar[str] = contextvars.ContextVar("user")

    @tool
    def whoami() -> str:
        """Who."""
        return user.get()

    user.set("미나")
    async with asyncio.timeout(5):
        assert await whoami.run({}, CONTEXT) == "미나"


async def generate() -> AsyncIterator[int]:
    yield 1


def yields() -> Iterator[int]:
    yield 1


class Class:
    """A class."""

    def method(self, a: int) -> None:
        """Of an instance."""


def two(a: ToolContext, b: ToolContext) -> None: ...


REFUSED: list[tuple[Any, str]] = [
    (generate, "'generate' yields, but a tool gives one result: return a list"),
    (yields, "'yields' yields"),
    (Class, "'Class' is a class; make the tool from a function, or from a method"),
    (Class.method, "'method' is a method; make the tool from the method of an instance"),
    (lambda: 1, "has no name; give one with name="),
    (store, "'store' is a tool already"),
    (5, "5 cannot be called"),
    (two, "only one parameter may be a ToolContext, not a, b"),
    (max, "'max': its signature cannot be read: no signature found"),
    (print, "'print': parameter 'args' cannot be given by name"),
]


@pytest.mark.parametrize(("function", "message"), REFUSED)
def test_what_cannot_be_a_tool_is_refused_with_what_to_do(function: Callable[..., object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        tool(function)


def test_a_lambda_with_a_name_is_a_tool() -> None:
    assert tool(name="one")(lambda: 1).definition.name == "one"


@pytest.mark.parametrize("seconds", [0, -1, float("inf"), float("nan")])
def test_a_time_limit_that_no_tool_could_keep_is_refused(seconds: float) -> None:
    with pytest.raises(ConfigError, match="a time limit must be more than 0 seconds"):
        tool(timeout=seconds)(tool_without_text)


def test_a_schema_stays_raw_json_with_korean_in_it() -> None:
    @tool
    def stock(상품: str) -> None:  # noqa: N803 - what is tested
        """재고를 본다.

        Args:
            상품: 상품 번호
        """

    shown = json.dumps(stock.definition.parameters, ensure_ascii=False)
    assert '"상품": {"description": "상품 번호"' in shown
    assert Toolbox((stock,)).get("stock") is stock
