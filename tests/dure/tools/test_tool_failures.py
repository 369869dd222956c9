"""What becomes of whatever leaves a tool: a result for the model, or the end of the run."""

import asyncio
from collections.abc import Callable, Generator, Mapping
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel, model_validator

from dure.budget import Budget
from dure.errors import (
    BudgetExceeded,
    CallLimitExceeded,
    Cancelled,
    DeadlineExceeded,
    LimitExceeded,
    Signal,
    ToolFailed,
)
from dure.events import Event
from dure.messages import Json, ToolCall, ToolResult
from dure.run import RunContext
from dure.tools.arguments import read_arguments
from dure.tools.executor import execute
from dure.tools.function import tool
from dure.tools.schema_tool import tool_from_schema
from dure.tools.toolbox import Toolbox


async def run_tool(function: Callable[..., Any], run: RunContext | None = None, *, calls: int = 1) -> list[ToolResult]:
    box = Toolbox((tool(name="t")(function),))
    wishes = [ToolCall(id=f"c{number}", name="t", arguments="{}") for number in range(calls)]
    async with asyncio.timeout(5):
        return list(await execute(wishes, box, run or RunContext()))


def raising(error: BaseException, *, threaded: bool = False) -> Callable[..., Any]:
    async def fails() -> None:
        raise error

    def fails_in_a_thread() -> None:
        raise error

    return fails_in_a_thread if threaded else fails


class BrokenText(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


@pytest.mark.parametrize("threaded", [False, True])
@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("no such SKU"), "t failed: no such SKU"),
        (ValueError(), "t failed: ValueError"),
        (ValueError("  \n"), "t failed: ValueError"),
        (BrokenText(), "t failed: BrokenText"),
        (ToolFailed("told"), "told"),
        (ToolFailed(" "), "t failed and gave no reason"),
        (SystemExit(2), "t failed: 2"),
        (SystemExit(), "t failed: SystemExit"),
        (ExceptionGroup("all", [ValueError("one"), ExceptionGroup("in", [KeyError("two")])]), "t failed: one; 'two'"),
        (ValueError("half \ud800"), "t failed: half \ufffd"),
    ],
)
async def test_a_failure_is_told_and_never_empty(error: BaseException, text: str, threaded: bool) -> None:
    (result,) = await run_tool(raising(error, threaded=threaded))
    assert (result.text, result.is_error) == (text, True)


@pytest.mark.parametrize("threaded", [False, True])
async def test_a_stop_iteration_never_leaves_a_call_without_a_result(threaded: bool) -> None:
    (result,) = await run_tool(raising(StopIteration("x"), threaded=threaded))
    assert result.is_error
    assert "StopIteration" in result.text


@pytest.mark.parametrize("calls", [1, 3])
@pytest.mark.parametrize(
    "error",
    [Cancelled("stop"), Signal("pause"), ExceptionGroup("all", [ValueError("x"), Cancelled("stop")])],
)
async def test_a_signal_ends_the_run_also_from_inside_a_group(error: BaseException, calls: int) -> None:
    with pytest.raises(Signal, match=r"stop|pause"):
        await run_tool(raising(error), calls=calls)


class KeyPress(KeyboardInterrupt):
    """As raised by a person at the keyboard, without stopping the tests."""


async def test_a_key_press_is_never_made_a_result() -> None:
    work = run_tool(raising(KeyPress()))
    with pytest.raises(KeyPress):
        work.send(None)  # by hand, since a task lets it through the event loop
    work.close()


@pytest.mark.parametrize("calls", [1, 2])
async def test_limits_of_the_whole_tree_of_runs_end_it(calls: int) -> None:
    now = asyncio.get_running_loop().time()

    async def late() -> None:
        run.deadline = now - 1
        raise DeadlineExceeded("late")

    run = RunContext(budget=Budget(max_cost=Decimal(1)))
    with pytest.raises(BudgetExceeded):
        await run_tool(raising(BudgetExceeded("spent")), run, calls=calls)
    run = RunContext(deadline=now + 60)
    with pytest.raises(DeadlineExceeded):
        await run_tool(late, run, calls=calls)


@pytest.mark.parametrize(
    "error",
    [CallLimitExceeded("of the part"), LimitExceeded("too deep"), BudgetExceeded("own"), DeadlineExceeded("own")],
)
async def test_a_limit_that_a_tool_set_itself_is_only_a_failure(error: LimitExceeded) -> None:
    (result,) = await run_tool(raising(error), RunContext(deadline=asyncio.get_running_loop().time() + 60))
    assert (result.text, result.is_error) == (f"t failed: {error}", True)


async def test_a_tool_that_ends_late_of_itself_is_told_as_too_late() -> None:
    async def stubborn() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError as error:
            raise RuntimeError("cleaning failed") from error

    box = Toolbox((tool(name="t", timeout=0.01)(stubborn),))
    async with asyncio.timeout(5):
        (result,) = await execute([ToolCall(id="c", name="t", arguments="")], box, RunContext())
    assert (result.text, result.is_error) == ("t had no result after 0.01 s", True)


class Wrong(BaseModel):
    a: int = 0

    @model_validator(mode="before")
    @classmethod
    def look(cls, value: Mapping[str, Json]) -> Mapping[str, Json]:
        return value["nowhere"]


async def test_a_tool_that_fails_while_it_reads_its_arguments_gives_a_result() -> None:
    async def take(what: Wrong) -> None:
        pytest.fail("it ran")

    call = ToolCall(id="c", name="t", arguments='{"what": {}}')
    (result,) = await execute([call], Toolbox((tool(name="t")(take),)), RunContext())
    assert (result.text, result.is_error) == ("t failed: 'nowhere'", True)


def circle() -> list[Any]:
    one: list[Any] = []
    one.append(one)
    return one


def numbers() -> Generator[int, None, None]:
    yield 1


@pytest.mark.parametrize("value", [object(), circle(), {"a": {1, object()}}, b"\xff", numbers()], ids=str)
async def test_a_result_that_is_no_json_is_an_error_result(value: object) -> None:
    async def give() -> object:
        return value

    (result,) = await run_tool(give)
    assert result.is_error
    assert result.text.startswith("the tool ran, but")


async def test_texts_in_a_structure_are_made_unicode() -> None:
    async def give() -> object:
        return {"이름": "\ud83d\ude00 \ud83d"}

    assert (await run_tool(give))[0].text == '{"이름":"😀 \ufffd"}'


class Loud(str):
    """A text of another class, as template engines give."""

    __slots__ = ()

    def __str__(self) -> str:
        return "not this"


@pytest.mark.parametrize("text", ["재고", "stock"])
async def test_a_text_of_another_class_is_its_text(text: str) -> None:
    async def give() -> object:
        return Loud(text)

    (result,) = await run_tool(give)
    assert (type(result.text), result.text) == (str, text)


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ('{"n": 123456789012345678901234567890}', {"n": 123456789012345678901234567890}),
        ('{"n": 1, "n": 2}', {"n": 2}),
        ('{"n": "\\ud83d\\ude00"}', {"n": "😀"}),
        (' {"n": -0.0} \n', {"n": 0}),
        ("null", {}),
    ],
)
def test_arguments_that_are_json_are_read(text: str, accepted: dict[str, Json]) -> None:
    assert read_arguments(any_object(), text) == accepted


@pytest.mark.parametrize(
    "text",
    [
        '{"n": NaN}',
        '{"n": 1e999}',
        '{"n": "\\ud83d"}',
        '{"n": "\ud83d"}',
        '{"n": ' + "9" * 5000 + "}",
        '{"n": 1} {"n": 2}',
        '\ufeff{"n": 1}',
        '{"n": 01}',
        "{'n': 1}",
        '{"n": 1,}',
        "[" * 100_000,
        "nil",
        "5",
        '"{}"',
    ],
    ids=lambda text: text[:20].encode("ascii", "backslashreplace").decode(),
)
async def test_arguments_that_are_not_are_refused_and_nothing_runs(text: str) -> None:
    events: list[Event] = []
    box = Toolbox((any_object(),))
    (result,) = await execute([ToolCall(id="c", name="t", arguments=text)], box, RunContext(sink=events.append))
    assert result.is_error
    assert result.text.startswith("t did not run: the arguments are not")
    assert len(events) == 1


def any_object() -> Any:  # noqa: ANN401 - a tool
    async def run(arguments: Mapping[str, Json]) -> str:
        return "ran"

    return tool_from_schema(name="t", description="", parameters={}, run=run)
