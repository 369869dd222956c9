"""What every peer is asked to do: eight tools, three rounds of tool calls, one answer. Standard library only."""

import itertools
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

Turn = Callable[[], Awaitable[str]]
"""Begins a session of its own and gives the text of its answer."""

QUESTION = "How much is left of the first three articles?"
ANSWER = "The stock of the first two articles is three pieces each, and the third one is gone."
ROUNDS = 3
STOCK = "3 pieces in the main warehouse"


class ToolRuns:
    """Counts what the tools did, so that a peer that skips work is noticed."""

    def __init__(self) -> None:
        self.count = 0


RUNS = ToolRuns()


def _tool(number: int) -> Callable[..., Awaitable[str]]:
    async def check(sku: str, n: int = 1) -> str:
        """Tell how many pieces of an article are left in the stock of the main warehouse."""
        RUNS.count += 1
        return STOCK

    check.__name__ = check.__qualname__ = f"tool_{number}"
    return check


FUNCTIONS = tuple(_tool(number) for number in range(8))
BY_NAME = {function.__name__: function for function in FUNCTIONS}
PARAMETERS: dict[str, Any] = {
    "type": "object",
    "properties": {"sku": {"type": "string"}, "n": {"type": "integer", "default": 1}},
    "required": ["sku"],
    "additionalProperties": False,
}
SCHEMAS: list[dict[str, Any]] = [
    {"type": "function", "function": {"name": name, "description": one.__doc__ or "", "parameters": PARAMETERS}}
    for name, one in BY_NAME.items()
]
"""The tools as chat completions want them, for those who write the loop by hand."""


def history(length: int) -> list[dict[str, str]]:
    """A conversation so far, in the roles of chat completions."""
    return [
        {
            "role": "assistant" if number % 2 else "user",
            "content": f"Message {number}: " + "some words of a conversation that has been going on for a while; " * 4,
        }
        for number in range(length)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What the scripted model says: a call, or the answer."""

    text: str = ""
    call_id: str = ""
    tool: str = ""
    arguments: str = ""


class Script:
    """A model without a network: three calls, then the answer, over and over."""

    def __init__(self) -> None:
        self._numbers = itertools.count()

    def next(self) -> Said:
        """What it says now."""
        number = next(self._numbers)
        done = number % (ROUNDS + 1)
        if done == ROUNDS:
            return Said(text=ANSWER)
        arguments = json.dumps({"sku": f"A-{done}", "n": 2})
        return Said(call_id=f"call_{number}", tool=f"tool_{done}", arguments=arguments)
