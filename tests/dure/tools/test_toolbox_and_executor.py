"""A round of tool calls: one result for each, in call order, whatever happens."""

import asyncio
import datetime
import json
from collections.abc import Mapping

import pytest
from pydantic import BaseModel

from dure.errors import (
    Cancelled,
    ConfigError,
    DeadlineExceeded,
    InvalidArguments,
    Signal,
    ToolFailed,
    ToolNotFound,
)
from dure.events import Event, ToolFinished, ToolStarted
from dure.messages import ToolCall, ToolResult
from dure.run import RunContext
from dure.tools.base import ToolContext
from dure.tools.executor import as_text, execute, read_arguments
from dure.tools.function import tool
from dure.tools.toolbox import Toolbox
from dure.usage import Usage


@tool
async def echo(text: str) -> str:
    """Say it back."""
    return text


@tool
async def ping(times: int = 1) -> None:
    """Needs nothing."""


@tool
async def explode(kind: str) -> None:
    """Fail."""
    kinds: Mapping[str, BaseException] = {
        "silent": RuntimeError(),
        "loud": RuntimeError("boom"),
        "told": ToolFailed("out of stock"),
        "untold": ToolFailed(""),
        "late": TimeoutError("socket"),
        "leaked": asyncio.CancelledError(),
        "pause": Cancelled("asked to stop"),
    }
    raise kinds[kind]


def call(number: int, name: str, arguments: str) -> ToolCall:
    return ToolCall(id=f"c{number}", name=name, arguments=arguments)


BOX = Toolbox((echo, ping, explode))


async def run_one(name: str, arguments: str) -> ToolResult:
    (result,) = await execute([call(1, name, arguments)], BOX, RunContext())
    return result


def test_tools_of_the_same_name_are_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="more than once here: 'echo'"):
        Toolbox((echo, ping, echo))
    with pytest.raises(ConfigError, match="'ping'"):
        BOX.with_added(ping)


def test_a_toolbox_lists_its_tools_and_finds_them_by_name() -> None:
    assert [definition.name for definition in BOX.definitions] == ["echo", "ping", "explode"]
    assert (len(BOX), next(iter(BOX)), BOX.get("ping")) == (3, echo, ping)
    with pytest.raises(ToolNotFound, match=r"no tool 'ech'; did you mean 'echo'\? The tools are: echo, ping, explode"):
        BOX.get("ech")
    with pytest.raises(ToolNotFound, match="the tools are: none"):
        Toolbox().get("x")


async def test_every_call_gets_one_result_in_call_order_whatever_fails() -> None:
    events: list[Event] = []
    run = RunContext(sink=events.append)
    calls = [
        call(1, "echo", '{"text": "하나"}'),
        call(2, "explode", '{"kind": "silent"}'),
        call(3, "nowhere", "{}"),
        call(4, "echo", '{"{"text": 1}'),
        call(5, "echo", '{"text": "다섯"}'),
    ]
    results = await execute(calls, BOX, run)
    assert [(one.call_id, one.name, one.is_error) for one in results] == [
        ("c1", "echo", False),
        ("c2", "explode", True),
        ("c3", "nowhere", True),
        ("c4", "echo", True),
        ("c5", "echo", False),
    ]
    assert [one.text for one in results[:3]] == [
        "하나",
        "explode failed: RuntimeError",
        "there is no tool 'nowhere'; the tools are: echo, ping, explode",
    ]
    assert run.counts.tool_calls == 5
    assert {one.call_id for one in events if isinstance(one, ToolStarted)} == {"c1", "c2", "c5"}
    assert {one.call_id for one in events if isinstance(one, ToolFinished)} == {"c1", "c2", "c3", "c4", "c5"}


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("loud", "explode failed: boom"),
        ("told", "out of stock"),
        ("untold", "explode failed and gave no reason"),
        ("late", "explode failed: socket"),
        ("leaked", "explode was cancelled before it had a result"),
    ],
)
async def test_a_tool_that_fails_gives_an_error_result_that_is_never_empty(kind: str, text: str) -> None:
    result = await run_one("explode", json.dumps({"kind": kind}))
    assert (result.text, result.is_error) == (text, True)


@pytest.mark.parametrize("others", [0, 1])
async def test_a_pause_asked_for_by_a_tool_is_not_a_failure(others: int) -> None:
    calls = [call(1, "explode", '{"kind": "pause"}'), *[call(2, "ping", "")] * others]
    with pytest.raises(Signal):
        await execute(calls, BOX, RunContext())


@pytest.mark.parametrize("blank", ["", "  \n", "{}"])
async def test_blank_arguments_are_none_where_none_are_required(blank: str) -> None:
    assert await run_one("ping", blank) == ToolResult(call_id="c1", name="ping", text="done")


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ("", "no arguments were given"),
        ('{"{"tagIds":[1,2]}', "the arguments are not JSON"),
        ('{"text": NaN}', "the arguments are not JSON ($: not valid JSON: NaN"),
        ('["x"]', "the arguments are not a JSON object"),
        ("[" * 100_000, "the arguments are not JSON"),
        ('{"text": 1}', "$.text: Input should be a valid string"),
    ],
)
def test_bad_arguments_are_told_with_the_schema_and_nothing_runs(arguments: str, fault: str) -> None:
    with pytest.raises(InvalidArguments) as raised:
        read_arguments(echo, arguments)
    assert str(raised.value).startswith(f"echo did not run: {fault}")
    assert '"required":["text"]' in str(raised.value)


async def test_calls_of_one_round_run_at_the_same_time() -> None:
    first_is_in, second_is_in = asyncio.Event(), asyncio.Event()

    @tool
    async def first() -> str:
        """First."""
        first_is_in.set()
        await second_is_in.wait()
        return "1"

    @tool
    async def second() -> str:
        """Second."""
        second_is_in.set()
        await first_is_in.wait()
        return "2"

    async with asyncio.timeout(5):
        results = await execute([call(1, "first", ""), call(2, "second", "")], Toolbox((first, second)), RunContext())
    assert [one.text for one in results] == ["1", "2"]


async def test_a_tool_that_says_so_runs_alone_and_in_its_place() -> None:
    log: list[str] = []

    @tool(concurrent=False)
    async def alone(name: str) -> None:
        """Alone."""
        log.append(f"{name} in")
        await asyncio.sleep(0)
        log.append(f"{name} out")

    @tool
    async def free(name: str) -> None:
        """Free."""
        log.append(f"{name} in")
        await asyncio.sleep(0)
        log.append(f"{name} out")

    names = {"a": "free", "b": "free", "c": "alone", "d": "alone", "e": "free"}
    calls = [call(number, tool, json.dumps({"name": name})) for number, (name, tool) in enumerate(names.items())]
    await execute(calls, Toolbox((alone, free)), RunContext())
    assert " ".join(log) == "a in b in a out b out c in c out d in d out e in e out"


async def test_a_tool_that_takes_too_long_gives_an_error_result() -> None:
    @tool(timeout=0.01)
    async def slow() -> None:
        """Slow."""
        await asyncio.Event().wait()

    (result,) = await execute([call(1, "slow", "")], Toolbox((slow,)), RunContext())
    assert (result.text, result.is_error) == ("slow had no result after 0.01 s", True)


@pytest.mark.parametrize("calls", [1, 2])
async def test_cancelling_the_run_stops_its_tools(calls: int) -> None:
    started = asyncio.Event()

    @tool
    async def wait() -> None:
        """Wait."""
        started.set()
        await asyncio.Event().wait()

    work = [call(number, "wait", "") for number in range(calls)]
    task = asyncio.ensure_future(execute(work, Toolbox((wait,)), RunContext()))
    async with asyncio.timeout(5):
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_no_tool_runs_after_the_deadline() -> None:
    run = RunContext(deadline=asyncio.get_running_loop().time() - 1)
    with pytest.raises(DeadlineExceeded):
        await execute([call(1, "ping", "")], BOX, run)
    assert run.counts.tool_calls == 0


async def test_what_a_tool_spends_is_charged() -> None:
    spent: list[Usage] = []

    @tool
    async def think(context: ToolContext) -> str:
        """Think."""
        context.charge(Usage(output=5))
        return context.call.id

    (result,) = await execute([call(7, "think", "")], Toolbox((think,)), RunContext(), charge=spent.append)
    assert (result.text, spent) == ("c7", [Usage(output=5)])


class Stock(BaseModel):
    상품: str
    on: datetime.date


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("재고 \\u", "재고 \\u"),
        ("", "(no output)"),
        (" \n\u3000", "(no output)"),
        (None, "done"),
        ('{"already": "JSON"}', '{"already": "JSON"}'),
        (True, "true"),
        ({"상품": ["키보드"]}, '{"상품":["키보드"]}'),
        ([Stock(상품="책", on=datetime.date(2026, 1, 2))], '[{"상품":"책","on":"2026-01-02"}]'),
        (float("nan"), '"NaN"'),
    ],
)
def test_strings_go_as_they_are_and_the_rest_as_json_in_raw_utf8(value: object, text: str) -> None:
    assert as_text(value) == text


async def test_a_result_that_cannot_be_written_is_an_error_result() -> None:
    @tool
    async def odd() -> object:
        """Odd."""
        return object()

    (result,) = await execute([call(1, "odd", "")], Toolbox((odd,)), RunContext())
    assert result.is_error
    assert "cannot be written as JSON" in result.text


@pytest.mark.parametrize("threaded", [True, False])
async def test_a_tool_that_leaves_the_process_only_fails(threaded: bool) -> None:
    def leave() -> str:
        raise SystemExit(3)

    async def leave_async() -> str:
        raise SystemExit(3)

    box = Toolbox((tool(name="leave")(leave if threaded else leave_async),))
    (result,) = await execute([call(1, "leave", "")], box, RunContext())
    assert (result.is_error, result.text) == (True, "leave failed: 3")
