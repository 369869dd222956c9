"""What stands round a tool's run: order, changed arguments, and whose time it is."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

import pytest

from dure.errors import ConfigError, ToolError
from dure.messages import ToolCall, ToolResult
from dure.run import RunContext
from dure.tools.base import Proceed, Tool, ToolContext
from dure.tools.executor import execute
from dure.tools.function import tool
from dure.tools.interceptors import TimeLimitInterceptor
from dure.tools.toolbox import Toolbox


@dataclass(frozen=True, kw_only=True)
class Logged:
    name: str
    log: list[str] = field(default_factory=list[str])

    async def intercept(
        self, tool: Tool, arguments: Mapping[str, object], context: ToolContext, proceed: Proceed
    ) -> object:
        self.log.append(f"{self.name} in")
        try:
            return await proceed(arguments, context)
        finally:
            self.log.append(f"{self.name} out")


class Waits:
    """Takes its time before the tool, as a person does."""

    async def intercept(
        self, tool: Tool, arguments: Mapping[str, object], context: ToolContext, proceed: Proceed
    ) -> object:
        over = asyncio.Event()
        asyncio.get_running_loop().call_later(0.03, over.set)
        await over.wait()
        return await proceed(arguments, context)


class Refuses:
    async def intercept(
        self, tool: Tool, arguments: Mapping[str, object], context: ToolContext, proceed: Proceed
    ) -> object:
        raise ToolError(f"{tool.definition.name} is closed")


class Doubles:
    async def intercept(
        self, tool: Tool, arguments: Mapping[str, object], context: ToolContext, proceed: Proceed
    ) -> object:
        changed = tool.accept({"a": 2 * cast(int, arguments["a"])})
        return f"{await proceed(changed, context)} (doubled)"


@tool(return_direct=True, concurrent=False, timeout=0.02)
async def show(a: int) -> str:
    """Show."""
    return str(a)


@tool(timeout=0.02)
async def hang(a: int = 0) -> None:
    """Never ends."""
    await asyncio.Event().wait()


async def result_of(box: Toolbox, name: str) -> ToolResult:
    async with asyncio.timeout(5):
        (result,) = await execute([ToolCall(id="c", name=name, arguments='{"a": 3}')], box, RunContext())
    return result


async def test_the_first_interceptor_is_the_outermost() -> None:
    log: list[str] = []
    box = Toolbox((show,)).intercepted(Logged(name="one", log=log), Logged(name="two", log=log))
    assert (await result_of(box, "show")).text == "3"
    assert log == ["one in", "two in", "two out", "one out"]


async def test_an_intercepted_tool_keeps_what_it_says_of_itself() -> None:
    (made,) = Toolbox((show,)).intercepted(Doubles())
    assert made.definition is show.definition
    assert (made.return_direct, made.concurrent, made.timeout) == (True, False, None)
    assert made.accept({"a": "5"}) == {"a": 5}
    with pytest.raises(ConfigError, match=r"test_interceptors.show and from .*test_interceptors.show"):
        Toolbox((made, show))


async def test_an_interceptor_may_change_arguments_and_result() -> None:
    assert (await result_of(Toolbox((show,)).intercepted(Doubles()), "show")).text == "6 (doubled)"


async def test_an_interceptor_that_refuses_gives_an_error_result() -> None:
    result = await result_of(Toolbox((show,)).intercepted(Refuses()), "show")
    assert (result.text, result.is_error) == ("show is closed", True)


@pytest.mark.parametrize("only", ["sh*", ("hang", "sh*")])
async def test_only_tools_that_match_are_intercepted(only: str | tuple[str, ...]) -> None:
    box = Toolbox((show, hang)).intercepted(Refuses(), only=only)
    assert (box.get("show") is show, box.get("hang") is hang) == (False, isinstance(only, str))
    assert Toolbox((show,)).intercepted().get("show") is show


async def test_time_spent_waiting_before_the_tool_is_not_the_tools() -> None:
    assert (await result_of(Toolbox((show,)).intercepted(Waits()), "show")).text == "3"


async def test_the_tools_own_limit_counts_inside_its_interceptors() -> None:
    log: list[str] = []
    result = await result_of(Toolbox((hang,)).intercepted(Logged(name="one", log=log)), "hang")
    assert (result.text, result.is_error) == ("hang had no result after 0.02 s", True)
    assert log == ["one in", "one out"]


async def test_a_time_limit_may_be_put_round_a_tool_and_what_is_inside() -> None:
    box = Toolbox((show,)).intercepted(TimeLimitInterceptor(seconds=0.01), Waits())
    result = await result_of(box, "show")
    assert (result.text, result.is_error) == ("show had no result after 0.01 s", True)
    assert (await result_of(Toolbox((show,)).intercepted(TimeLimitInterceptor(seconds=5)), "show")).text == "3"


async def test_a_time_out_of_the_tool_itself_is_told_as_its_own() -> None:
    @tool
    async def fetch(a: int) -> None:
        """Fetch."""
        raise TimeoutError("the socket is slow")

    result = await result_of(Toolbox((fetch,)).intercepted(TimeLimitInterceptor(seconds=5)), "fetch")
    assert result.text == "fetch failed: the socket is slow"


@pytest.mark.parametrize("seconds", [0, -1, None])
def test_a_time_limit_needs_seconds(seconds: float | None) -> None:
    with pytest.raises(ConfigError, match="TimeLimitInterceptor"):
        TimeLimitInterceptor(seconds=cast(float, seconds))
