"""Runs the tool calls of one round. Every call gets exactly one result, in call order."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import cast

from dure.errors import ConfigError
from dure.events import ToolFinished, ToolStarted
from dure.messages import ToolCall, ToolResult
from dure.observability.active import active
from dure.run import RunContext
from dure.tools.arguments import read_arguments
from dure.tools.base import ToolContext, ignore_usage
from dure.tools.failures import told
from dure.tools.intercepted import run_limited
from dure.tools.output_cap import DEFAULT_CAP, OutputCap
from dure.tools.results import as_text
from dure.tools.toolbox import Toolbox
from dure.usage import Usage

MAX_CONCURRENT = 16
"""Calls of one round that run at the same time."""


async def execute(
    calls: Sequence[ToolCall],
    toolbox: Toolbox,
    run: RunContext,
    *,
    charge: Callable[[Usage], None] = ignore_usage,
    cap: OutputCap = DEFAULT_CAP,
    max_concurrent: int = MAX_CONCURRENT,
) -> tuple[ToolResult, ...]:
    """Run the calls, at the same time where their tools allow it.

    An unknown tool, bad arguments or a tool that fails give an error result and leave the others alone.
    A result longer than `cap` is cut, and the whole of it kept for `dure.tools.output_reader`.

    Raises:
        Signal: a tool asked the run to pause or stop; the others of its round were stopped.
        LimitExceeded: the time or the budget of the whole tree of runs is over.
    """
    if max_concurrent < 1:
        raise ConfigError("max_concurrent must be at least 1")
    work = _Round(toolbox, run, charge, cap)
    if len(calls) == 1:
        return (await work.execute(calls[0]),)
    results: list[ToolResult] = []
    numbered = enumerate(calls)
    for _, batch in groupby(numbered, key=lambda one: -1 if work.may_join(one[1]) else one[0]):
        results += await work.execute_together([call for _, call in batch], max_concurrent)
    return tuple(results)


@dataclass(slots=True, eq=False)
class _Round:
    toolbox: Toolbox
    run: RunContext
    charge: Callable[[Usage], None]
    cap: OutputCap

    def may_join(self, call: ToolCall) -> bool:
        """Whether it may run beside others; of an unknown tool there is nothing to run."""
        tool = self.toolbox.find(call.name)
        return tool is None or tool.concurrent

    async def execute_together(self, calls: Sequence[ToolCall], limit: int) -> list[ToolResult]:
        """All of them; the first exception stops the others, which have ended when it is raised."""
        if len(calls) == 1:
            return [await self.execute(calls[0])]
        results: list[ToolResult | None] = [None] * len(calls)
        waiting = iter(enumerate(calls))

        async def work() -> None:
            for place, call in waiting:
                results[place] = await self.execute(call)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(limit, len(calls))):
                    group.create_task(work())
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None
        return cast(list[ToolResult], results)

    async def execute(self, call: ToolCall) -> ToolResult:
        telemetry = active()
        if telemetry is None:
            return await self._execute(call)
        tool = self.toolbox.find(call.name)
        with telemetry.tool(call, None if tool is None else tool.definition, self.run) as span:
            result = await self._execute(call)
            span.finished(result.text, result.is_error)
            return result

    async def _execute(self, call: ToolCall) -> ToolResult:
        run, name = self.run, call.name
        run.check()
        run.counts.tool_calls += 1
        try:
            tool = self.toolbox.get(name)
            arguments = read_arguments(tool, call.arguments)
            if run.watched:
                run.emit(ToolStarted(call_id=call.id, name=name, arguments=call.arguments))
            text = as_text(await run_limited(tool, arguments, ToolContext(call=call, run=run, charge=self.charge)))
            is_error = False
        except BaseException as error:
            text, is_error = as_text(told(error, name, run)), True
        if len(text) > self.cap.characters:
            text = await self.cap.shortened(text, run)
        if run.watched:
            run.emit(ToolFinished(call_id=call.id, name=name, text=text, is_error=is_error))
        return ToolResult(call_id=call.id, name=name, text=text, is_error=is_error)
