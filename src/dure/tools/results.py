"""What a tool gave, as the text a model reads: strings as they are, anything else as JSON in raw UTF-8."""

import inspect
import json

from dure.errors import ToolFailed

NOTHING = "done"
"""Told for a tool that returns nothing."""
BLANK = "(no output)"
"""Told for a blank text, which some providers refuse."""


def as_text(value: object) -> str:
    """The result as text that every wire can carry.

    Raises:
        ToolFailed: it cannot be written as JSON.
    """
    if type(value) is str and value.isascii():
        return value if value and not value.isspace() else BLANK
    if isinstance(value, str):
        return BLANK if not value or value.isspace() else well_formed(str.__str__(value))  # of a subclass, its text
    if value is None:
        return NOTHING
    if inspect.isgenerator(value) or inspect.isasyncgen(value):
        raise ToolFailed("the tool ran, but gave a generator instead of a result; it must return a list")
    from pydantic_core import to_json, to_jsonable_python

    try:
        return to_json(value, inf_nan_mode="strings").decode()
    except (TypeError, ValueError, RecursionError) as error:
        fault = error
    try:  # texts in it that are no Unicode
        plain = to_jsonable_python(value, inf_nan_mode="strings")
        return well_formed(json.dumps(plain, ensure_ascii=False, separators=(",", ":")))
    except (TypeError, ValueError, RecursionError):
        raise ToolFailed(f"the tool ran, but its result cannot be written as JSON: {fault}") from fault


def well_formed(text: str) -> str:
    """The text with halves of surrogate pairs joined, and those without their other half replaced."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
