"""Runs the tool calls of one round. Every call gets exactly one result, in call order."""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import cast

from dure.errors import InvalidArguments, Signal, ToolError, ToolFailed
from dure.events import ToolFinished, ToolStarted
from dure.messages import Json, ToolCall, ToolResult
from dure.run import RunContext
from dure.schema import load_json
from dure.tools.base import Tool, ToolContext, ignore_usage
from dure.tools.toolbox import Toolbox
from dure.usage import Usage

logger = logging.getLogger(__name__)


async def execute(
    calls: Sequence[ToolCall], toolbox: Toolbox, run: RunContext, *, charge: Callable[[Usage], None] = ignore_usage
) -> tuple[ToolResult, ...]:
    """Run the calls, at the same time where their tools allow it.

    An unknown tool, bad arguments or a tool that fails give an error result and leave the others alone.

    Raises:
        Signal: a tool asked the run to pause or stop.
        DeadlineExceeded: the run's time is over.
    """
    numbered = enumerate(calls)
    results: list[ToolResult] = []
    for _, batch in groupby(numbered, key=lambda one: -1 if _concurrent(one[1], toolbox) else one[0]):
        contexts = [ToolContext(call=call, run=run, charge=charge) for _, call in batch]
        run.check()
        if len(contexts) == 1:
            results.append(await _execute_one(toolbox, contexts[0]))
            continue
        outcomes = await asyncio.gather(*(_execute_one(toolbox, one) for one in contexts), return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome
            results.append(outcome)
    return tuple(results)


def read_arguments(tool: Tool, text: str) -> Mapping[str, object]:
    """The arguments a model wrote, ready for the tool; nothing has run when this fails.

    Blank text is no arguments, where the tool needs none.

    Raises:
        InvalidArguments: with what is wrong and the schema, for the model.
    """
    name, schema = tool.definition.name, tool.definition.parameters
    try:
        if not text.strip():
            if schema.get("required"):
                raise InvalidArguments("no arguments were given")
            return tool.accept({})
        parsed = load_json(text)
        if parsed.faults:
            raise InvalidArguments(f"the arguments are not JSON ({parsed.faults[0]})")
        value = parsed.value
        if not isinstance(value, dict):
            raise InvalidArguments("the arguments are not a JSON object")
        return tool.accept(cast(dict[str, Json], value))
    except InvalidArguments as error:
        shown = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
        raise InvalidArguments(f"{name} did not run: {error}. Its arguments have this schema: {shown}") from error


def as_text(value: object) -> str:
    """A tool's result for the model: a string as it is, anything else as JSON in raw UTF-8."""
    from pydantic_core import PydanticSerializationError, to_json

    if isinstance(value, str):
        return value
    if value is None:
        return "done"
    try:
        return to_json(value, inf_nan_mode="strings").decode()
    except (PydanticSerializationError, ValueError) as error:
        raise ToolFailed(f"the tool ran, but its result cannot be written as JSON: {error}") from error


def _concurrent(call: ToolCall, toolbox: Toolbox) -> bool:
    """Unknown tools count as concurrent: there is nothing to run."""
    return all(tool.concurrent for tool in toolbox if tool.definition.name == call.name)


async def _execute_one(toolbox: Toolbox, context: ToolContext) -> ToolResult:
    call, run = context.call, context.run
    run.counts.tool_calls += 1
    try:
        tool = toolbox.get(call.name)
        arguments = read_arguments(tool, call.arguments)
        run.emit(ToolStarted(call_id=call.id, name=call.name, arguments=call.arguments))
        text, is_error = await _run(tool, arguments, context), False
    except ToolError as error:
        text, is_error = str(error) or f"{call.name} failed and gave no reason", True
    run.emit(ToolFinished(call_id=call.id, name=call.name, text=text, is_error=is_error))
    return ToolResult(call_id=call.id, name=call.name, text=text, is_error=is_error)


async def _run(tool: Tool, arguments: Mapping[str, object], context: ToolContext) -> str:
    """The tool's result as text; whatever goes wrong in it is a `ToolError`."""
    name, timer = tool.definition.name, asyncio.timeout(tool.timeout)
    try:
        async with timer:
            return as_text(await tool.run(arguments, context))
    except (ToolError, Signal):
        raise
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        # cancelled inside the tool, by a library that gave up: no reason to stop the run
        raise ToolFailed(f"{name} was cancelled before it had a result") from error
    except (Exception, SystemExit) as error:  # a tool that leaves, as argparse does, must not take the process along
        if timer.expired():
            raise ToolFailed(f"{name} had no result after {tool.timeout:g} s") from error
        logger.exception("tool %r failed", name)
        raise ToolFailed(f"{name} failed: {str(error) or type(error).__name__}") from error
