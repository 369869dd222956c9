"""Small readers of what models answer, for the shapes that several agents ask for."""

import re
from typing import Any, cast

from dure.schema import parse_json
from dure_spec.agents.question import AnswerRefused


def json_object(text: str) -> dict[str, Any]:
    """The JSON object in an answer.

    Raises:
        AnswerRefused: there is none.
    """
    value = _json(text)
    if not isinstance(value, dict):
        raise AnswerRefused("expected one JSON object")
    return cast("dict[str, Any]", value)


def json_list(text: str) -> list[Any]:
    """The JSON list in an answer.

    Raises:
        AnswerRefused: there is none.
    """
    value = _json(text)
    if not isinstance(value, list):
        raise AnswerRefused("expected one JSON list")
    return cast("list[Any]", value)


def labelled_lines(text: str) -> dict[str, str]:
    """`label: value` lines of an answer, whatever bullets stand before them."""
    return dict(re.findall(r"^[\s*\-•]*(.+?)\s*[:：]\s*(\S.*?)\s*$", text, re.MULTILINE))


def numbered_lines(text: str) -> dict[int, str]:
    """`1. value` lines of an answer."""
    return {int(n): said.strip() for n, said in re.findall(r"^\W*(\d+)[.)]\s*(.+)$", text, re.MULTILINE)}


def strings(value: object, *, most: int, longest: int) -> tuple[str, ...]:
    """The non-empty texts of a list, cut to a size that a report can show."""
    if not isinstance(value, list):
        return ()
    items = cast("list[object]", value)
    texts = [" ".join(item.split())[:longest] for item in items if isinstance(item, str) and item.strip()]
    return tuple(dict.fromkeys(texts))[:most]


def _json(text: str) -> object:
    parsed = parse_json(text)
    if parsed.faults:
        raise AnswerRefused("; ".join(parsed.faults))
    return cast(object, parsed.value)
