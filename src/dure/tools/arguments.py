"""Reads the arguments that a model wrote for a tool. Nothing has run when they are refused."""

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from dure.errors import InvalidArguments
from dure.messages import Json
from dure.schema import load_json
from dure.tools.base import Tool

_decode = msgspec.json.Decoder[Json]().decode


def read_arguments(tool: Tool, text: str) -> Mapping[str, object]:
    """The arguments as the tool takes them.

    Blank text and `null` are no arguments, where the tool needs none.

    Raises:
        InvalidArguments: with what is wrong and the schema, for the model.
    """
    value: Any
    try:
        value = _decode(text)
    except (ValueError, RecursionError):  # msgspec's own errors are of the first kind
        value = None
    try:
        if value.__class__ is dict:
            return tool.accept(value)
        return tool.accept(_none(tool, text))
    except InvalidArguments as error:
        name, schema = tool.definition.name, tool.definition.parameters
        shown = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
        raise InvalidArguments(f"{name} did not run: {error}. Its arguments have this schema: {shown}") from error


def _none(tool: Tool, text: str) -> dict[str, Json]:
    """No arguments, if the text says none; else why it is no JSON object."""
    stripped = text.strip()
    if stripped in {"", "null"}:
        if tool.definition.parameters.get("required"):
            raise InvalidArguments("no arguments were given")
        return {}
    parsed = load_json(stripped)
    if parsed.faults:
        raise InvalidArguments(f"the arguments are not JSON ({parsed.faults[0]})")
    if not isinstance(parsed.value, dict):
        raise InvalidArguments("the arguments are not a JSON object")
    # what Python reads and the strict decoder does not
    raise InvalidArguments(
        r"the arguments are not JSON (half of a surrogate pair, as in \ud83d, or a number out of range)"
    )
