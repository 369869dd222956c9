"""What becomes of an exception that left a tool: told to the model, or the end of the run."""

import asyncio
import logging
from collections.abc import Iterator
from typing import cast

from dure.errors import BudgetExceeded, DeadlineExceeded, LimitExceeded, Signal, ToolError
from dure.run import RunContext

logger = logging.getLogger(__name__)

_NEARLY = 0.01
"""Seconds by which a timer may be early."""
_TOLD = 5


def told(error: BaseException, name: str, run: RunContext) -> str:
    """What the model is told of the failure; never empty.

    Raises:
        BaseException: the error itself, or the one in its group, that ends the run: a signal, a limit
            of the whole tree of runs, the cancellation of this task, or a key press.
    """
    leaves = tuple(_leaves(error))
    for leaf in leaves:
        if _ends(leaf, run):
            raise leaf
    if isinstance(error, ToolError):
        return _said(error) or f"{name} failed and gave no reason"
    if isinstance(error, asyncio.CancelledError):
        # cancelled inside the tool, by a library that gave up: no reason to stop the run
        return f"{name} was cancelled before it had a result"
    logger.error("tool %r failed", name, exc_info=error)
    return f"{name} failed: {'; '.join(_said(leaf) or type(leaf).__name__ for leaf in leaves[:_TOLD])}"


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for one in cast(BaseExceptionGroup[BaseException], error).exceptions:
            yield from _leaves(one)
    else:
        yield error


def _ends(error: BaseException, run: RunContext) -> bool:
    match error:
        case Signal():
            return True
        case LimitExceeded():
            return _of_the_whole_tree(error, run)
        case asyncio.CancelledError():
            task = asyncio.current_task()
            return task is not None and task.cancelling() > 0
        case Exception() | SystemExit():  # a tool that leaves, as argparse does, must not take the process along
            return False
        case _:
            return True


def _of_the_whole_tree(error: LimitExceeded, run: RunContext) -> bool:
    """Whether the limit is one of this run and all around it, not one that the tool set itself."""
    if isinstance(error, BudgetExceeded):
        return run.budget is not None
    remaining = run.remaining()
    return isinstance(error, DeadlineExceeded) and remaining is not None and remaining <= _NEARLY


def _said(error: BaseException) -> str:
    try:
        return str(error).strip()
    except Exception:  # a broken `__str__`
        return ""
