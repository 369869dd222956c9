"""Small readers of what models answer, for the shapes that several agents ask for."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Any, cast

from dure.schema import parse_json
from dure_spec.agents.question import AnswerRefused
from dure_spec.wire.parsed import Fault

_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\xad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff\ufffe\uffff]")
"""Control characters, marks that turn or hide text, halves of a character."""
_BULLET = re.compile(r"^[\s>*•·◦▪‣–—-]*(?:\d{1,3}[.)]\s+)?[*_`]*")
_NUMBER = re.compile(r"^[^\w\n]*(\d{1,3})\s*[.):．）：]\s*(\S.*)$", re.MULTILINE)


def unreadable(faults: Sequence[Fault], otherwise: str = "") -> AnswerRefused:
    """The refusal of a whole artifact in which nothing could be read, with what was expected instead."""
    return AnswerRefused("; ".join(fault.expected for fault in faults[:3]) or otherwise)


def readable(text: str) -> str:
    """The text composed as our labels are, and without halves of a character, which fit into no file."""
    return unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode())


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


def one_line(value: object, longest: int) -> str:
    """A text on one line, without what nobody can see, cut to `longest`; anything else is an empty text."""
    if not isinstance(value, str):
        return ""
    return " ".join(_UNSEEN.sub(" ", value).split())[:longest].strip()


def labelled_lines(text: str) -> dict[str, str]:
    """`label: value` lines of an answer, whatever bullets, numbers or emphasis stand around them."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        label, colon, value = line.replace("：", ":").partition(":")
        label, value = _bare(_BULLET.sub("", label, count=1)), _bare(value)
        if colon and label and value:
            found.setdefault(label, value)
    return found


def numbered_lines(text: str) -> dict[int, str]:
    """`1. value` lines of an answer."""
    found: dict[int, str] = {}
    for number, value in _NUMBER.findall(text):
        found.setdefault(int(number), one_line(value, len(value)))
    return found


def strings(value: object, *, most: int, longest: int) -> tuple[str, ...]:
    """The non-empty texts of a list, cut to a size that a report can show."""
    if not isinstance(value, list):
        return ()
    items = cast("list[object]", value)
    texts = (one_line(item, longest) for item in items)
    return tuple(dict.fromkeys(text for text in texts if text))[:most]


def _bare(text: str) -> str:
    return one_line(text, len(text)).strip(" *_`\"'")


def _json(text: str) -> object:
    parsed = parse_json(text)
    if parsed.faults:
        raise AnswerRefused("; ".join(parsed.faults))
    return cast(object, parsed.value)
