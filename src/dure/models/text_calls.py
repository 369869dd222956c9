"""Tool calls that a small model writes into its text instead of the place meant for them.

Seen: a fenced JSON block, bare JSON, or `<tool_call>` tags the server did not recognise. Only whole
blocks count, and only calls of tools the model was given.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import cast

import msgspec

from dure.messages import Json

_FENCE = re.compile(r"```[a-zA-Z_]*\s*\n(.*?)\n?```", re.DOTALL)
_TAG = re.compile(r"<tool_call>\s*(.*?)\s*</tool_call>", re.DOTALL)
_MARKS = ("```", "<tool_call>")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextCall:
    """A call found in text."""

    name: str
    arguments: str


def split_point(text: str) -> int:
    """From where on `text` may turn out to be a call; its length when nothing looks like one."""
    start = len(text) - len(text.lstrip())
    if text[start : start + 1] in ("{", "["):
        return start
    found = [place for mark in _MARKS if (place := text.find(mark)) >= 0]
    if found:
        return min(found)
    for mark in _MARKS:
        for length in range(len(mark) - 1, 0, -1):
            if text.endswith(mark[:length]):
                return len(text) - length
    return len(text)


def find_calls(text: str, names: Collection[str]) -> tuple[TextCall, ...]:
    """The calls `text` consists of; empty when it holds anything else."""
    blocks = _TAG.findall(text) or _FENCE.findall(text)
    rest = _FENCE.sub("", _TAG.sub("", text)).strip() if blocks else ""
    if rest:
        return ()
    calls: list[TextCall] = []
    for block in blocks or [text]:
        found = _calls_of(block, names)
        if not found:
            return ()
        calls += found
    return tuple(calls)


def _calls_of(block: str, names: Collection[str]) -> list[TextCall]:
    block = block.strip()
    if block.startswith("{{") and block.endswith("}}"):  # small models copy the doubled braces of their template
        block = block[1:-1]
    values: list[Json] = []
    try:
        value: Json = msgspec.json.decode(block.encode("utf-8", "replace"))
        values = cast("list[Json]", value) if isinstance(value, list) else [value]
    except msgspec.DecodeError:
        try:
            values = [msgspec.json.decode(line) for line in block.splitlines() if line.strip()]
        except msgspec.DecodeError:
            return []
    calls = [_call(value, names) for value in values]
    return [] if None in calls else [call for call in calls if call is not None]


def _call(value: Json, names: Collection[str]) -> TextCall | None:
    if not isinstance(value, dict):
        return None
    fields = cast("dict[str, Json]", value)
    name, arguments = fields.get("name"), fields.get("arguments", fields.get("parameters"))
    if not isinstance(name, str) or name not in names or not isinstance(arguments, dict) or len(fields) != 2:
        return None
    return TextCall(name=name, arguments=msgspec.json.encode(arguments).decode())
